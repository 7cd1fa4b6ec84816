"""Buttons that look alike on every page, and what opens or is written only when somebody asks."""

from collections.abc import Callable
from mimetypes import guess_type
from typing import Any

import streamlit as st


def button(
    label: str,
    icon: str,
    key: str,
    act: Callable | None = None,
    *arguments: Any,
    look: str = "secondary",
    disabled: bool = False,
) -> bool:
    """A button that calls act(*arguments); whether it was pressed."""
    icon = f":material/{icon}:"
    more = {"type": look, "on_click": act, "args": arguments, "disabled": disabled}
    return st.button(label, icon=icon, key=key, **more)


def start_button(
    label: str, key: str, act: Callable | None = None, *arguments: Any, disabled: bool = False
) -> bool:
    """The one button of a page that starts something; whether it was pressed."""
    return button(label, "play_arrow", key, act, *arguments, look="primary", disabled=disabled)


def quiet_button(label: str, icon: str, key: str, act: Callable, *arguments: Any) -> None:
    """One of several things that can be done with an entry of a list."""
    button(label, icon, key, act, *arguments, look="tertiary")


def download(
    label: str,
    content: Callable[[], bytes | str] | str,
    filename: str,
    key: str,
    icon: str = "download",
    **more: Any,
) -> None:
    """A file to take away; a function is called when somebody asks, and nothing is redrawn."""
    kind = guess_type(filename)[0] or "application/octet-stream"
    icon = f":material/{icon}:"
    st.download_button(
        label, content, filename, kind, key=key, on_click="ignore", icon=icon, **more
    )


def on_demand(
    label: str, icon: str, key: str, show: Callable[[], object], look: str = "tertiary"
) -> None:
    """A popover whose content is only made when somebody opens it."""
    icon = f":material/{icon}:"
    popover = st.popover(label, icon=icon, type=look, key=key, on_change="rerun")
    if popover.open:
        with popover:
            show()
