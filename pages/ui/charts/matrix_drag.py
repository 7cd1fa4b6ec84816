"""A confusion matrix whose four counts are dragged, stepped with keys, or typed."""

import streamlit as st

from pages.ui.base.state import Board
from pages.ui.charts.javascript import component, script

CELLS = ("tn", "fp", "fn", "tp")  # row by row
NAMES = ("TN, true negatives", "FP, false alarms", "FN, missed", "TP, found")
REACH = 1_000  # of the sliders; a number may be larger
MOST = 1_000_000


def _html() -> str:
    """Two rows of the truth, two columns of the prediction; in a cell first the slider."""
    cells = [
        f'<div class="cell"><span>{name}</span>'
        f'<input type="range" min="0" step="1" aria-label="{name}">'
        f'<input type="number" min="0" step="1" aria-label="{name}, as a number"></div>'
        for name in NAMES
    ]
    heads = '<b></b><b>predicted 0</b><b>predicted 1</b><b class="side">true 0</b>'
    second = '<b class="side">true 1</b>'
    return f'<div class="matrix">{heads}{cells[0]}{cells[1]}{second}{cells[2]}{cells[3]}</div>'


_matrix = component(
    "anyloss_matrix_drag",
    html=_html(),
    css="""
    .matrix { font-family: var(--st-font); color: var(--st-text-color); display: grid; gap: .4rem;
        grid-template-columns: auto 1fr 1fr; align-items: center; max-width: 34rem; }
    b { font-weight: 600; text-align: center; }
    .side { writing-mode: vertical-rl; transform: rotate(180deg); }
    .cell { display: grid; gap: .3rem; padding: .6rem; border-radius: .5rem; min-width: 0;
        background: color-mix(in srgb, var(--st-primary-color) var(--part, 10%), transparent); }
    input { min-width: 0; width: 100%; box-sizing: border-box; font: inherit; }
    input[type=range] { accent-color: var(--st-primary-color); height: 1.6rem; margin: 0; }
    input[type=number] { color: inherit; background: var(--st-background-color);
        border: 1px solid color-mix(in srgb, currentColor 35%, transparent);
        border-radius: .4rem; padding: .2rem .4rem; }
    """,
    js=script("matrix_drag"),
)


def matrix_drag(board: Board) -> None:
    """The matrix of the board's settings tn, fp, fn and tp, which follow while it is dragged."""
    key = f"matrix:{board.page}"

    def dragged() -> None:
        parts = str(st.session_state[key].counts).split(";")
        for name, text in zip(CELLS, parts, strict=False):
            board.set(name, board.settings[name].read(text))

    text = ";".join(str(board[name]) for name in CELLS)
    data = {"text": text, "reach": REACH, "most": MOST}
    _matrix(key=key, data=data, on_counts_change=dragged)
