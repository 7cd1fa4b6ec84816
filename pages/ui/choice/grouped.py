"""A long list to choose from, and beside it the same choices in groups, one click away.

Streamlit's list searches well but knows no headings; a visitor who does not know what there is
finds it by group. Both write the same setting of the board.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from pages.ui.base.buttons import on_demand
from pages.ui.base.state import Board, hidden

Groups = Mapping[str, Sequence[str]]  # heading -> its choices


def multiselect(
    board: Board, name: str, label: str, groups: Groups, words: Callable[[str], str], **more: Any
) -> Sequence[str]:
    """The list and its groups; what was chosen before is on offer, too."""
    options = dict.fromkeys((*board[name], *(one for group in groups.values() for one in group)))
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        chosen = board.multiselect(
            name, label, options=list(options), format_func=words, accept_new_options=True, **more
        )
        if name not in hidden():
            show = partial(_show, board, name, groups, words)
            on_demand("By group", "category", f"groups:{board.page}.{name}", show, "secondary")
    return chosen


def _show(board: Board, name: str, groups: Groups, words: Callable[[str], str]) -> None:
    """A heading and its choices, group by group."""
    for heading, group in groups.items():
        key = f"group:{board.page}.{name}.{heading}"
        chosen = [one for one in group if one in board[name]]
        st.session_state[key] = chosen
        st.pills(
            heading,
            group,
            selection_mode="multi",
            format_func=words,
            key=key,
            on_change=_take_over,
            args=(board, name, group, key),
        )


def _take_over(board: Board, name: str, group: Sequence[str], key: str) -> None:
    """What was chosen elsewhere stays; the newest beyond the limit is not taken."""
    marked = st.session_state[key]
    kept = [one for one in board[name] if one not in group or one in marked]
    chosen = tuple(dict.fromkeys((*kept, *marked)))[: board.settings[name].at_most]
    board.set(name, chosen)
