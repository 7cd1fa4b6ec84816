"""How the frame looks beyond Streamlit's theme: room, contrast, a focus ring, less motion."""

from pathlib import Path

import streamlit as st

FOLDER = Path(__file__).parent


def dress(presenting: bool) -> None:
    """Our style sheets, as part of the page; `presenting` makes it large and quiet."""
    names = ["look", "presentation"] if presenting else ["look"]
    sheets = [(FOLDER / f"{name}.css").read_text(encoding="utf-8") for name in names]
    st.html("<style>" + "".join(sheets) + "</style>")
