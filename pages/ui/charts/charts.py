"""Every chart and table of the Lab: alt text, the figures behind it, and both to take away.

`show_figure` draws a chart in place and puts three small buttons under it: Table, Download,
Formula. Their content is only made when somebody opens them. Nothing needs the network.

st.plotly_chart remounts its node whenever the figure changes. Our component keeps the node and
calls Plotly.react with the plotly.js that plotly's wheel carries: live curves do not flicker, they
keep zoom and legend as they grow, and figures follow the light or dark theme and the width.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from anyloss_core.common.text import distinct, visible
from anyloss_core.data.cells.spreadsheet import harmless_csv
from anyloss_core.figures.fast import FastFigure
from pages.ui.base.buttons import download, on_demand
from pages.ui.charts.javascript import component, script

LONGEST_CELL = 2_000  # characters of a text in a drawn table
LONGEST_NAME = 200
DEFAULT_HEIGHT = 380
# On a phone the buttons over a chart stand below it, where they hide no legend.
CSS = """
.live-chart { width: 100%; }
.live-chart .modebar-btn:focus-visible { outline: 2px solid var(--st-text-color) !important; }
@media (max-width: 640px) {
    .live-chart { margin-bottom: 26px; }
    .live-chart .modebar-container { top: auto !important; bottom: -26px; }
}
"""
Figure = go.Figure | FastFigure
TableSource = pd.DataFrame | Callable[[], pd.DataFrame]

_chart = component(
    "anyloss_live_chart",
    html='<div class="live-chart"></div>',
    css=CSS,
    js=script("toolbar", "fitted", "live_chart"),
    isolate_styles=False,  # plotly puts its style sheet in the document's head
)


def show_figure(
    figure: Figure,
    key: str,
    *,
    alt: str,
    table: TableSource,
    filename: str = "",
    formula: str | None = None,
    clickable: bool = False,
    channels: Sequence[tuple[str, float]] = (),
    grows: bool = False,
) -> dict | None:
    """A figure with alt text under a fixed key; table and downloads one click away.

    Returns the clicked point {"x", "y", "trace", "index", "custom"} in the run after a click, None
    otherwise. Files are called by the last part of the key unless told otherwise. `table` may be a
    function: it is called when somebody asks. `formula` is Markdown with LaTeX. `channels` name the
    sliders that the chart follows while they are dragged, and their values now. A chart that
    `grows` is higher in a window that is higher than 720 pixels.
    """
    filename = filename or key.rpartition(".")[2]
    data = chart_data(figure, key, alt, channels)
    data |= {"filename": filename, "grows": grows, "clickable": clickable}
    events = {"on_click_change": lambda: None} if clickable else {}
    chart = _chart(key=f"chart:{key}", data=data, **events)
    with st.container(horizontal=True, gap="small", key=f"under:{key}"):
        _table_popover(table, key, filename)
        _download_popover(figure, table, key, filename)
        if formula:
            show_formula(formula, key)
    return chart.click if clickable else None


def chart_data(
    figure: Figure, key: str, alt: str, channels: Sequence[tuple[str, float]] = ()
) -> dict:
    """What the browser is told of a chart."""
    return {
        "figure": figure.to_json(),
        "key": key,
        "alt": alt,
        "height": int(figure.layout["height"] or DEFAULT_HEIGHT),
        "filename": key.rpartition(".")[2],
        "grows": False,
        "clickable": False,
        "channels": [list(channel) for channel in channels],
    }


def show_table(
    frame: pd.DataFrame,
    key: str,
    formula: str | None = None,
    formats: Mapping[str, str] | None = None,
    **more: object,
) -> object:
    """A table with its CSV, called by the last part of the key.

    `formats` are those of columns of numbers ('%.3f', 'percent'); `more` goes to st.dataframe.
    """
    if formats is not None:
        number = st.column_config.NumberColumn
        more["column_config"] = {name: number(format=form) for name, form in formats.items()}
    shown = st.dataframe(readable(frame), key=f"table:{key}", hide_index=True, **more)
    with st.container(horizontal=True, gap="small", key=f"below:{key}"):
        _csv_button(frame, key, key.rpartition(".")[2])
        if formula:
            show_formula(formula, key)
    return shown


def show_formula(formula: str, key: str, label: str = "Formula") -> None:
    """How a number is computed, one click away; `formula` is Markdown with LaTeX."""
    with st.popover(label, icon=":material/function:", type="tertiary", key=f"formula:{key}"):
        st.markdown(formula)


def readable(frame: pd.DataFrame) -> pd.DataFrame:
    """The table as st.dataframe may draw it: control and direction characters are spelled out."""
    columns = [_readable_column(frame.iloc[:, column]) for column in range(frame.shape[1])]
    table = pd.concat(columns, axis=1) if columns else frame
    # Streamlit refuses columns of the same name, as long ones are when they are cut.
    table.columns = distinct(str(_spelled(name, LONGEST_NAME)) for name in frame.columns)
    return table


def standalone_html(figure: Figure) -> bytes:
    """The figure as one HTML file that works offline, on white whatever the page's theme."""
    on_white = figure.checked() if isinstance(figure, FastFigure) else go.Figure(figure)
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


def _table_popover(table: TableSource, key: str, filename: str) -> None:
    def show() -> None:
        frame = table() if callable(table) else table
        st.dataframe(readable(frame), key=f"data:{key}", hide_index=True)
        _csv_button(frame, key, filename)

    on_demand("Table", "table_rows", f"rows:{key}", show)


def _download_popover(figure: Figure, table: TableSource, key: str, filename: str) -> None:
    def show() -> None:
        page = partial(standalone_html, figure)
        download("Interactive HTML", page, f"{filename}.html", f"html:{key}", "code")
        _csv_button(table() if callable(table) else table, f"{key}:file", filename)
        st.caption("PNG and SVG: the arrows in the bar that appears over the chart.")

    on_demand("Download", "download", f"files:{key}", show)


def _csv_button(frame: pd.DataFrame, key: str, filename: str) -> None:
    content = partial(harmless_csv, frame)
    download("CSV", content, f"{filename}.csv", f"csv:{key}", "table", type="tertiary")
