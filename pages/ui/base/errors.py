"""When something breaks: a visitor sees a sentence with an id; the traceback goes to the log."""

import functools
import logging
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import streamlit as st

from pages.ui.base.text import literal

log = logging.getLogger("anyloss.app")


@contextmanager
def friendly() -> Iterator[None]:
    """Around a page: a user's mistake is shown as it is, anything else as a message with an id."""
    try:
        yield
    except ValueError as mistake:
        show_mistake(mistake)
    except Exception:
        number = secrets.token_hex(4)
        log.exception("fault %s", number)
        st.error(
            f"Something went wrong here (fault `{number}`). Your runs and data are safe. Change a "
            "setting or reload the page; the log has the details under this number.",
            icon=":material/error:",
        )


def show_mistake(mistake: ValueError) -> None:
    """A ValueError of the core: its message names the argument and the repair."""
    log.warning("refused", exc_info=mistake)
    lines = [literal(line, 400) for line in str(mistake).splitlines() if line.strip()]
    st.warning("  \n".join(lines) or "That is not possible.", icon=":material/info:")


def guarded(part: Callable) -> Callable:
    """Decorator for fragments, whose reruns do not pass through the frame."""

    @functools.wraps(part)
    def wrapper(*arguments: Any, **named: Any) -> Any:
        with friendly():
            return part(*arguments, **named)

    return wrapper
