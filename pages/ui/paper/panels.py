"""What each section of the page Paper shows of its results: sentence, figure, table."""

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from anyloss_core.figures import paper as figures
from anyloss_core.paper.cells import cell_table
from anyloss_core.paper.kept import Kept
from anyloss_core.paper.mlp_findings import what_holds_up
from anyloss_core.paper.names import ANYLOSSES, DATASETS
from anyloss_core.paper.tasks.learning_time import FAR as TIME_FAR
from anyloss_core.paper.tasks.mlp import TABLE as MLP_TABLE
from anyloss_core.paper.tasks.mlp import aims_at
from pages.ui.base.plain_words import lead
from pages.ui.charts.charts import show_figure
from pages.ui.paper.tables import (
    made,
    number_of,
    results_of,
    show_cells,
    show_cells_on_demand,
    show_ranges,
    tally,
)

RATE = r"""
$\text{achievement rate} = \dfrac{\text{first loss} - \text{loss at the epoch}}{\text{first loss} -
\text{last loss}}$, on the training loss averaged over the ten folds; epoch $k$ is the $k$-th value.
"""
TIME_NOISE = f"at most two standard deviations of our rounds, and {TIME_FAR:g}"
ADVANTAGE = r"""
Score of AnyLoss minus score of BCE on held-out rows, in the metric that the loss aims at ($F_1$ for
$F_{0.5}$ and $F_2$): mean over ten folds, bar over seeds $\pm$ one standard deviation.
"""


def tables(found: Mapping[str, Kept]) -> None:
    """Table 1, SLP, achievement, resampling."""
    results = results_of(found, "slp", "resampling", "valid_range")
    cells = [cell for item in results.values() for cell in item.result.cells]
    lead(tally(cells))
    titles = {
        "valid_L_range": "Valid range of L (Table 1)",
        "slp_4_datasets": "SLP scores",
        "achievement_rate": "Achievement rates",
        "resampling_slp": "Resampling",
    }
    for table, title in titles.items():
        rows = [cell for cell in cells if cell.table == table]
        if not rows:
            continue
        st.header(title)
        st.markdown(tally(rows))
        if table == "valid_L_range":
            show_ranges(rows, f"paper_{table}")
        elif table == "achievement_rate":
            _curves(found)
            show_cells_on_demand(rows, f"paper_{table}")
        else:
            show_cells(rows, f"paper_{table}")
    made("tables", results)


def resnet(found: Mapping[str, Kept]) -> None:
    """Scores and training curves of the deep network."""
    results = plain(found, "resnet", decimals=3)
    curves = next(iter(results.values())).result.extras["curves"]
    show_figure(
        figures.learning_curves(curves),
        "paper.resnet_curves",
        alt="Training loss of the ResNet-50 per epoch, one line a loss.",
        table=pd.DataFrame(curves),
    )


def mlp(found: Mapping[str, Kept]) -> None:
    """How much of the published advantage is carry-over."""
    for number, item in _each_dataset(found, "mlp"):
        advantage = item.result.extras["advantage"]
        for line in what_holds_up(item.result):
            st.markdown(f"- {line}")
        rows = _own_scores(item)
        left, right = st.columns(2, gap="large")
        with left:
            show_figure(
                figures.scores_by_protocol(rows),
                f"paper.mlp_scores_{number}",
                alt="Scores of each loss in its own metric: published, carried on, fresh.",
                table=rows,
            )
        with right:
            show_figure(
                figures.advantage_bars(advantage),
                f"paper.mlp_advantage_{number}",
                alt="AnyLoss minus BCE for each loss: published, carried on, fresh.",
                table=pd.DataFrame(advantage).map(np.mean).rename_axis("loss").reset_index(),
                formula=ADVANTAGE,
            )
        st.markdown(tally(item.result.cells))
        show_cells_on_demand(item.result.cells, f"paper_mlp_{number}", "All figures, SOL too")


def amplifier(found: Mapping[str, Kept]) -> None:
    """Four learning curves, and five values of L."""
    curves = results_of(found, "curves")
    for item in curves.values():
        st.header("Four learning curves")
        extras = item.result.extras
        losses, dead = np.asarray(extras["loss"]), np.asarray(extras["dead"])
        names = [f"L = {L:g}" for L in extras["L"]]
        show_figure(
            figures.amplifier_curves(extras["L"], losses, dead),
            "paper.L_curves",
            alt="Training loss per epoch for L = 1, 5, 10 and 100 on data set 1.",
            table=pd.DataFrame(losses.T, columns=names),
        )
        made("curves", curves)
    for number, item in _each_dataset(found, "sweep", "Five values of L"):
        st.markdown(tally(item.result.cells))
        rows = cell_table(item.result.cells)
        rows["L"] = rows["loss"].str.rpartition("=")[2].astype(float)
        show_figure(
            figures.sweep_lines(rows),
            f"paper.L_sweep_{number}",
            alt="Score against L: published and ours, one line a metric.",
            table=rows[["metric", "L", "published", "ours", "spread"]],
        )
        show_cells_on_demand(item.result.cells, f"paper_L_{number}", decimals=3)


def learning_time(found: Mapping[str, Kept]) -> None:
    """Time over BCE's, published and measured here."""
    for number, item in _each_dataset(found, "time"):
        rows = cell_table(item.result.cells)
        rows["model"] = rows["metric"].str.partition(" ")[0]
        show_figure(
            figures.time_bars(rows),
            f"paper.learning_time_{number}",
            alt="Learning time over that of BCE, SLP and MLP: published and measured here.",
            table=rows[["model", "loss", "published", "ours", "spread"]],
        )
        name = f"paper_time_cells_{number}"
        show_cells_on_demand(item.result.cells, name, decimals=3, noise=TIME_NOISE)


def _each_dataset(
    found: Mapping[str, Kept], part: str, title: str = ""
) -> Iterator[tuple[int, Kept]]:
    """The results of a part, data set by data set: its heading before, how it was made after."""
    for key, item in results_of(found, part).items():
        number = number_of(key)
        heading = f"{title}, data set" if title else "Data set"
        st.header(f"{heading} {number}, {DATASETS[number]}")
        yield number, item
        made(key, {key: item})


def plain(found: Mapping[str, Kept], part: str, decimals: int = 6) -> dict[str, Kept]:
    """Nothing but the figures of a part, cell by cell."""
    results = results_of(found, part)
    cells = [cell for item in results.values() for cell in item.result.cells]
    st.markdown(tally(cells))
    show_cells(cells, f"paper_{part}", decimals)
    made(part, results)
    return results


def _curves(found: Mapping[str, Kept]) -> None:
    for task, item in results_of(found, "slp").items():
        number = number_of(task)
        curves = item.result.extras["curves"]
        shown = {name: curve for name, curve in curves.items() if name != "mse"}
        table = partial(pd.DataFrame, curves)
        left, right = st.columns(2, gap="large")
        with left:
            st.markdown(f"**Data set {number}, {DATASETS[number]}: learning curves**")
            figure = figures.learning_curves(shown)
            alt = f"Training loss of BCE and six AnyLoss losses over 1,000 epochs, set {number}."
            show_figure(figure, f"paper.learning_curves_{number}", alt=alt, table=table)
        with right:
            st.markdown("**Achievement rate**")
            figure = figures.learning_curves(shown, achieved=True)
            alt = f"Share of the whole descent made by each epoch, data set {number}."
            key = f"paper.achievement_{number}"
            show_figure(figure, key, alt=alt, table=table, formula=RATE)


def _own_scores(item: Kept) -> pd.DataFrame:
    """BCE and each AnyLoss in the metric it aims at, per way of training."""
    rows = []
    for cell in item.result.cells:
        if cell.loss in ANYLOSSES and cell.metric == aims_at(cell.loss):
            series = cell.table.removeprefix(f"{MLP_TABLE} (").removesuffix(")")
            rows.append((series, cell.loss, cell.metric, cell.ours, cell.spread))
            rows.append(("published", cell.loss, cell.metric, cell.published, None))
    columns = ["series", "loss", "metric", "score", "spread"]
    return pd.DataFrame(rows, columns=columns).drop_duplicates(["series", "loss"])
