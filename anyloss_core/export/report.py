"""One HTML file that holds a whole result: sentence, tables, interactive figures, settings.

It opens without a network: plotly.min.js stands in the file once, and a content security policy
forbids loading anything. Everything that came from a user is escaped. What a comparison, a sweep
or a benchmark shows is decided in `report_content`.
"""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pandas as pd

from anyloss_core.common.text import visible
from anyloss_core.common.versions import versions

if TYPE_CHECKING:
    import plotly.graph_objects as go

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:"
)
STYLE = """
:root { color-scheme: light }
body { font: 16px/1.5 system-ui, sans-serif; color: #1d2733; background: #fff;
       max-width: 68rem; margin: 2rem auto; padding: 0 1.25rem }
h1 { font-size: 1.7rem; margin-bottom: .2rem } h2 { font-size: 1.2rem; margin-top: 2.4rem }
.sentence { font-size: 1.25rem; line-height: 1.45; border-left: 4px solid #1A7FC8;
            padding: .2rem 0 .2rem 1rem; margin: 1.2rem 0 }
.note { color: #5b6673; font-size: .92rem } .scroll { overflow-x: auto }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums }
th, td { padding: .3rem .8rem .3rem 0; text-align: left; border-bottom: 1px solid #e3e7ec;
         vertical-align: top; overflow-wrap: anywhere }
td { max-width: 40rem } figure { margin: 0 }
details > summary { cursor: pointer; color: #5b6673; margin-top: .4rem }
"""
DRAW = """
for (const node of document.querySelectorAll("div[data-figure]")) {
  const figure = JSON.parse(document.getElementById(node.dataset.figure).textContent);
  Plotly.newPlot(node, figure.data, figure.layout, {responsive: true, displaylogo: false});
}
"""


@dataclass(frozen=True)
class ReportSection:
    """A heading with a figure, a table, or both; the table of a figure can be unfolded."""

    title: str
    figure: go.Figure | None = None
    table: pd.DataFrame | None = None
    note: str = ""


def render(
    title: str,
    sentence: str,
    sections: Sequence[ReportSection],
    settings: Mapping[str, Any],
    remarks: Sequence[str] = (),
) -> str:
    """The file as text."""
    from plotly.offline import get_plotlyjs

    parts = [_section(number, section) for number, section in enumerate(sections)]
    notes = "".join(f"<p class='note'>{_escaped(remark)}</p>" for remark in remarks)
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{_escaped(title)}</title><style>{STYLE}</style>
<script>{get_plotlyjs()}</script></head><body>
<h1>{_escaped(title)}</h1>
<p class="note">AnyLoss Lab, {when}</p>
<p class="sentence">{_escaped(sentence)}</p>
{notes}
{"".join(parts)}
<h2>Settings</h2>{_pairs(settings)}
<h2>Versions</h2>{_pairs(versions())}
<script>{DRAW}</script></body></html>
"""


def _section(number: int, section: ReportSection) -> str:
    drawn = ""
    if section.figure is not None:
        name = f"figure{number}"
        drawn = (
            f"<figure><div data-figure='{name}'></div></figure>"
            f"<script type='application/json' id='{name}'>{_figure_json(section.figure)}</script>"
        )
    table = "" if section.table is None else _table(section.table)
    if drawn and table:
        table = f"<details><summary>The numbers</summary>{table}</details>"
    note = f"<p class='note'>{_escaped(section.note)}</p>" if section.note else ""
    return f"<h2>{_escaped(section.title)}</h2>{drawn}{table}{note}\n"


def _figure_json(figure: go.Figure) -> str:
    """JSON that cannot end the script element it stands in."""
    return figure.to_json().replace("<", "\\u003c").replace(">", "\\u003e")


def _table(table: pd.DataFrame) -> str:
    shown = table.map(_cell)
    head = "".join(f"<th>{_escaped(name)}</th>" for name in shown.columns)
    rows = "".join(
        f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>"
        for row in shown.itertuples(index=False, name=None)
    )
    return f"<div class='scroll'><table><tr>{head}</tr>{rows}</table></div>"


def _pairs(values: Mapping[str, Any]) -> str:
    rows = "".join(
        f"<tr><th>{_escaped(key)}</th><td>{_cell(value)}</td></tr>" for key, value in values.items()
    )
    return f"<div class='scroll'><table>{rows}</table></div>"


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "" if value != value else f"{value:.6g}"
    if isinstance(value, dict | list | tuple):
        return _escaped(json.dumps(value, default=str, ensure_ascii=False))
    return "" if value is None else _escaped(value)


def _escaped(value: object) -> str:
    """Text as text; control and direction characters are spelled out."""
    return html.escape(visible(str(value), 5_000))
