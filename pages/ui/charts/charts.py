"""Every chart and table of the Lab: alt text, the figures behind it, and both to take away.

`show_figure` draws through `live_chart` and puts three small buttons under it: Table, Download,
Formula. Their content is only made when somebody opens them. Nothing needs the network.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from anyloss_core.datasets.spreadsheet import STARTERS
from anyloss_core.figures.style import visible
from pages.ui.live_chart import live_chart

LONGEST_CELL = 2_000  # characters of a text in a drawn table
LONGEST_NAME = 200
Table = pd.DataFrame | Callable[[], pd.DataFrame]


def show_figure(
    figure: go.Figure,
    key: str,
    *,
    alt: str,
    table: Table,
    filename: str,
    formula: str | None = None,
    clickable: bool = False,
    channel: tuple[str, float] | None = None,
) -> dict | None:
    """A figure with alt text; table and downloads one click away. Returns a clicked point.

    `table` may be a function: it is called when somebody asks. `formula` is Markdown with LaTeX.
    `channel` names a slider that the chart follows while it is dragged, and its value now.
    """
    point = live_chart(figure, key, alt, filename, clickable, channel)
    with st.container(horizontal=True, gap="small", key=f"under:{key}"):
        _table_popover(table, key, filename)
        _download_popover(figure, table, key, filename)
        if formula:
            show_formula(formula, key)
    return point


def show_table(
    frame: pd.DataFrame, key: str, filename: str, formula: str | None = None, **more: object
) -> object:
    """A table with its CSV; `more` goes to st.dataframe."""
    shown = st.dataframe(readable(frame), key=f"table:{key}", hide_index=True, **more)
    with st.container(horizontal=True, gap="small", key=f"below:{key}"):
        _csv_button(frame, key, filename)
        if formula:
            show_formula(formula, key)
    return shown


def show_formula(formula: str, key: str, label: str = "Formula") -> None:
    """How a number is computed, one click away; `formula` is Markdown with LaTeX."""
    with st.popover(label, icon=":material/function:", type="tertiary", key=f"formula:{key}"):
        st.markdown(formula)


def readable(frame: pd.DataFrame) -> pd.DataFrame:
    """The table as st.dataframe may draw it: control and direction characters are spelled out."""
    columns = [_readable_column(frame.iloc[:, place]) for place in range(frame.shape[1])]
    table = pd.concat(columns, axis=1) if columns else frame
    table.columns = _different([_spelled(name, LONGEST_NAME) for name in frame.columns])
    return table


def harmless_csv(frame: pd.DataFrame) -> bytes:
    """A CSV whose text cells no spreadsheet takes for a formula (a quote mark is put in front)."""
    columns = [frame.iloc[:, place] for place in range(frame.shape[1])]  # names may repeat
    safe = [
        column if pd.api.types.is_numeric_dtype(column) else column.map(_harmless)
        for column in columns
    ]
    table = pd.concat(safe, axis=1) if safe else frame
    table.columns = [_harmless(name) for name in frame.columns]
    return table.to_csv(index=False, lineterminator="\n").encode()


def standalone_html(figure: go.Figure) -> bytes:
    """The figure as one HTML file that works offline, on white whatever the page's theme."""
    on_white = copy.deepcopy(figure)
    on_white.update_layout(paper_bgcolor="white", plot_bgcolor="white", font_color="#1B2430")
    for axes in (on_white.update_xaxes, on_white.update_yaxes):
        axes(gridcolor="#E3E7EC", linecolor="#9AA3AD")
    config = {"displaylogo": False, "showSendToCloud": False, "typesetMath": False}
    return on_white.to_html(include_plotlyjs=True, config=config).encode()


def _readable_column(column: pd.Series) -> pd.Series:
    if pd.api.types.is_numeric_dtype(column):
        return column
    return column.map(lambda cell: _spelled(cell, LONGEST_CELL))


def _spelled(cell: object, longest: int) -> object:
    if not isinstance(cell, str) or (len(cell) <= longest and cell.isprintable()):
        return cell
    return visible(cell, longest)


def _different(names: list) -> list:
    """Streamlit refuses columns of the same name, as long ones are when they are cut."""
    counts = Counter(names)
    return [
        name if counts[name] == 1 else f"{name} ({place})" for place, name in enumerate(names, 1)
    ]


def _harmless(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(STARTERS) else cell


def _table_popover(table: Table, key: str, filename: str) -> None:
    popover = st.popover(
        "Table", icon=":material/table_rows:", type="tertiary", key=f"rows:{key}", on_change="rerun"
    )
    if popover.open:
        with popover:
            frame = table() if callable(table) else table
            st.dataframe(readable(frame), key=f"data:{key}", hide_index=True)
            _csv_button(frame, key, filename)


def _download_popover(figure: go.Figure, table: Table, key: str, filename: str) -> None:
    popover = st.popover(
        "Download",
        icon=":material/download:",
        type="tertiary",
        key=f"files:{key}",
        on_change="rerun",
    )
    if popover.open:
        with popover:
            st.download_button(
                "Interactive HTML",
                lambda: standalone_html(figure),
                f"{filename}.html",
                "text/html",
                key=f"html:{key}",
                on_click="ignore",
                icon=":material/code:",
            )
            _csv_button(table() if callable(table) else table, f"{key}:file", filename)
            st.caption("PNG and SVG: the arrows in the bar that appears over the chart.")


def _csv_button(frame: pd.DataFrame, key: str, filename: str) -> None:
    st.download_button(
        "CSV",
        lambda: harmless_csv(frame),
        f"{filename}.csv",
        "text/csv",
        key=f"csv:{key}",
        on_click="ignore",
        icon=":material/table:",
        type="tertiary",
    )
