"""Published figures beside ours, cell by cell: the sentence, the table, the mark."""

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from anyloss_core.paper.cells import (
    DIFFERENT,
    EQUAL,
    FAR,
    MARKS,
    NOISE,
    OURS,
    Cell,
    cell_table,
)
from anyloss_core.paper.kept import Kept, kept_results, paper_runs
from anyloss_core.paper.names import DATASETS, paper_loss, paper_metric
from anyloss_core.paper.settings_words import settings_words
from anyloss_core.paper.shipped import shipped_results
from anyloss_core.paper.tasks.valid_range import side_by_side
from anyloss_core.store.store import Run
from pages.ui.base.text import duration
from pages.ui.charts.charts import show_table
from pages.ui.runs import runs

MEANING = {
    EQUAL: "equal in every printed digit",
    NOISE: "within noise",
    DIFFERENT: "different, with the reason",
    OURS: "ours only: the paper has no such figure",
}
OVER_SEEDS = f"at most two standard deviations of our own seeds, and {FAR:g}"

WAYS = {  # how models were trained, which a table's name says in brackets
    "paper": "fresh, published settings",
    "fresh": "fresh, our settings",
    "as_released": "carried on, as released",
    "slp": "SLP",
    "mlp": "MLP",
}


def kept() -> dict[str, Kept]:
    """The newest result of every task that this visitor may see, or the one that we shipped."""
    seen = paper_runs(runs.store(), runs.owners())
    stamp = tuple((run.id, run.attempt, int(run.done), run.status) for run in seen)
    return shipped_results() | _kept(stamp, seen)


@st.cache_resource(show_spinner=False, max_entries=8)
def _kept(stamp: tuple, _runs: Sequence[Run]) -> dict[str, Kept]:
    return kept_results(runs.store(), _runs)


def results_of(found: Mapping[str, Kept], *parts: str) -> dict[str, Kept]:
    """The kept results of these parts, by the key of their task."""
    return {key: item for key, item in sorted(found.items()) if key.split()[0] in parts}


def number_of(key: str) -> int:
    """The paper's number of the data set of a task: 3 of 'mlp 3'."""
    return int(key.split()[1])


def made(key: str, items: Mapping[str, Kept]) -> None:
    """When results were computed, how long it took, and with which settings."""
    newest = max(item.created for item in items.values())
    seconds = sum(item.result.seconds for item in items.values())
    when = time.strftime("%d %B %Y, %H:%M", time.localtime(newest))
    elsewhere = dict.fromkeys(item.where for item in items.values() if item.where)
    origin = f" by the Lab's authors ({', '.join(elsewhere)}); Recompute makes it anew here"
    with st.container(horizontal=True, vertical_alignment="center", key=f"made:{key}"):
        st.caption(
            f"Computed on {when} in {duration(seconds)} of computing{origin if elsewhere else ''}.",
            width="content",
        )
        with st.popover("Settings", icon=":material/tune:", type="tertiary", key=f"set:{key}"):
            for name, item in items.items():
                st.markdown(f"**{name}**, {duration(item.result.seconds)}")
                for line in settings_words(item.result.settings).split(" | "):
                    st.caption(line)


def tally(cells: Sequence[Cell]) -> str:
    """'64 of 64 published figures are equal to the last digit.'"""
    against = [cell for cell in cells if cell.published is not None]
    counts = {verdict: sum(c.verdict == verdict for c in against) for verdict in MARKS}
    if counts[EQUAL] == len(against):
        return f"All {len(against)} published figures are equal in every printed digit."
    parts = [f"{counts[EQUAL]} equal", f"{counts[NOISE]} within noise"]
    return (
        f"Of {len(against)} published figures: {', '.join(parts)}, {counts[DIFFERENT]} different."
    )


def show_ranges(cells: Sequence[Cell], key: str) -> None:
    """Table 1 as it is printed, with what the paper lacks beside it."""
    table = side_by_side(cells)
    shown = table.assign(Mark=table["Mark"].map(marked))
    numbers = [name for name in shown.columns if name.startswith(("Published", "Ours", "Diff"))]
    show_table(shown, key, formats=dict.fromkeys(numbers, "%.2f"))
    st.caption(legend(table["Mark"]))


def marked(verdict: str) -> str:
    """A verdict with its sign."""
    return f"{MARKS[verdict]} {verdict}"


def legend(verdicts: Iterable[str], noise: str = OVER_SEEDS) -> str:
    """What the marks of a table mean; `noise` tells what counts as such."""
    more = {NOISE: f": {noise}"}
    seen = set(verdicts)
    words = (f"{MARKS[v]} {text}{more.get(v, '')}" for v, text in MEANING.items() if v in seen)
    return " · ".join(words)


def show_cells(
    cells: Sequence[Cell],
    key: str,
    decimals: int = 6,
    heading: str = "Data set",
    noise: str = OVER_SEEDS,
) -> None:
    """The table of cells with its CSV; `heading` is that of the column of data sets."""
    table = cell_table(cells)
    shown = pd.DataFrame(
        {
            "Trained": table["table"].str.partition("(")[2].str.removesuffix(")").map(WAYS),
            heading: table["dataset"].map(_dataset),
            "Loss": table["loss"].map(paper_loss),
            "Metric": table["metric"].map(_metric),
            "Published": table["published"],
            "Ours": table["ours"],
            "± sd": table["spread"],
            "Difference": table["difference"],
            "Mark": table["verdict"].map(marked),
            "Why": table["explanation"],
        }
    ).dropna(axis=1, how="all")
    if not table["explanation"].any():
        shown = shown.drop(columns="Why")
    numbers = ("Published", "Ours", "± sd", "Difference")
    show_table(shown, key, formats=dict.fromkeys(numbers, f"%.{decimals}f"))
    st.caption(legend(table["verdict"], noise))


def show_cells_on_demand(
    cells: Sequence[Cell], key: str, label: str = "Cell by cell", **more: Any
) -> None:
    """The table of cells in an expander; it is only made when somebody opens it."""
    icon = ":material/table_rows:"
    part = st.expander(label, icon=icon, key=f"open:{key}", on_change="rerun")
    if part.open:
        with part:
            show_cells(cells, key, **more)


def _dataset(name: int | str) -> str:
    """'Random' of 1, 'MLP' of 'mlp'; a name stays what it is."""
    return str(DATASETS.get(name) or WAYS.get(name, name))


def _metric(metric: str) -> str:
    """The paper's name of a metric, also where more words follow: 'F-1 wins'."""
    name, space, rest = metric.partition(" ")
    try:
        return f"{paper_metric(name)}{space}{rest}"
    except StopIteration:
        return metric
