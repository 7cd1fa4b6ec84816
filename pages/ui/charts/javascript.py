"""The JavaScript files of this folder, each beside the module that it serves, and the components
made of them: in the app Streamlit mounts them, in a file without a server `offline.js` does."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

COMPONENTS: dict[str, dict[str, Any]] = {}  # by name: html, css, js and whether styles are its own

FOLDER = Path(__file__).parent


def script(*names: str) -> str:
    """The text of one, or of several that make one module of the browser."""
    return "\n".join((FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in names)


def component(name: str, **parts: Any) -> Callable:
    """A component of Streamlit, whose parts are remembered for files without a server."""
    COMPONENTS[name.removeprefix("anyloss_")] = parts
    return st.components.v2.component(name, **parts)
