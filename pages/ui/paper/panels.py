"""What each section of the page Paper shows of its results: sentence, figure, table."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st

from anyloss_core.figures import paper as figures
from anyloss_core.published.cells import cell_table
from anyloss_core.published.kept import Kept
from anyloss_core.published.learning_time import FAR as TIME_FAR
from anyloss_core.published.mlp import TABLE as MLP_TABLE
from anyloss_core.published.mlp import aims_at
from anyloss_core.published.mlp_findings import what_holds_up
from anyloss_core.published.names import ANYLOSSES, DATASETS
from pages.ui.charts import show_figure
from pages.ui.paper_tables import (
    made,
    number_of,
    results_of,
    show_cells,
    show_cells_on_demand,
    show_ranges,
    tally,
)
from pages.ui.plain_words import lead

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
        st.subheader(title)
        st.markdown(tally(rows))
        if table == "valid_L_range":
            show_ranges(rows, f"paper_{table}")
        elif table == "achievement_rate":
            _curves(found)
            show_cells_on_demand(rows, f"paper_{table}")
        else:
            show_cells(rows, f"paper_{table}")
    made("tables", results)


def sol(found: Mapping[str, Kept]) -> None:
    _plain("sol", found)


def titanic(found: Mapping[str, Kept]) -> None:
    _plain("titanic", found, decimals=3)


def resnet(found: Mapping[str, Kept]) -> None:
    """Scores and training curves of the deep network."""
    results = _plain("resnet", found, decimals=3)
    curves = next(iter(results.values())).result.extras["curves"]
    show_figure(
        figures.learning_curves(curves),
        "paper_resnet_curves",
        alt="Training loss of the ResNet-50 per epoch, one line a loss.",
        table=pd.DataFrame(curves),
        filename="resnet_curves",
    )


def mlp(found: Mapping[str, Kept]) -> None:
    """How much of the published advantage is carry-over."""
    for key, item in results_of(found, "mlp").items():
        number = number_of(key)
        st.subheader(f"Data set {number}, {DATASETS[number]}")
        advantage = item.result.extras["advantage"]
        for line in what_holds_up(item.result):
            st.markdown(f"- {line}")
        rows = _own_scores(item)
        left, right = st.columns(2, gap="large")
        with left:
            show_figure(
                figures.scores_by_protocol(rows),
                f"paper_mlp_scores_{number}",
                alt="Scores of each loss in its own metric: published, carried on, fresh.",
                table=rows,
                filename=f"mlp_scores_{number}",
            )
        with right:
            show_figure(
                figures.advantage_bars(advantage),
                f"paper_mlp_advantage_{number}",
                alt="AnyLoss minus BCE for each loss: published, carried on, fresh.",
                table=_advantage_table(advantage),
                filename=f"mlp_advantage_{number}",
                formula=ADVANTAGE,
            )
        st.markdown(tally(item.result.cells))
        show_cells_on_demand(item.result.cells, f"paper_mlp_{number}", "All figures, SOL too")
        made(key, {key: item})


def amplifier(found: Mapping[str, Kept]) -> None:
    """Four learning curves, and five values of L."""
    curves, sweeps = results_of(found, "curves"), results_of(found, "sweep")
    for item in curves.values():
        st.subheader("Four learning curves")
        extras = item.result.extras
        losses, dead = np.asarray(extras["loss"]), np.asarray(extras["dead"])
        names = [f"L = {L:g}" for L in extras["L"]]
        show_figure(
            figures.amplifier_curves(extras["L"], losses, dead),
            "paper_amplifier",
            alt="Training loss per epoch for L = 1, 5, 10 and 100 on data set 1.",
            table=pd.DataFrame(losses.T, columns=names),
            filename="L_curves",
        )
        made("curves", curves)
    for key, item in sweeps.items():
        number = number_of(key)
        st.subheader(f"Five values of L, data set {number}, {DATASETS[number]}")
        st.markdown(tally(item.result.cells))
        rows = cell_table(item.result.cells)
        rows["L"] = rows["loss"].str.rpartition("=")[2].astype(float)
        show_figure(
            figures.sweep_lines(rows),
            f"paper_sweep_{number}",
            alt="Score against L: published and ours, one line a metric.",
            table=rows[["metric", "L", "published", "ours", "spread"]],
            filename=f"L_sweep_{number}",
        )
        show_cells_on_demand(item.result.cells, f"paper_L_{number}", decimals=3)
        made(key, {key: item})


def learning_time(found: Mapping[str, Kept]) -> None:
    """Time over BCE's, published and measured here."""
    for key, item in results_of(found, "time").items():
        number = number_of(key)
        st.subheader(f"Data set {number}, {DATASETS[number]}")
        rows = cell_table(item.result.cells)
        rows["model"] = rows["metric"].str.partition(" ")[0]
        show_figure(
            figures.time_bars(rows),
            f"paper_time_{number}",
            alt="Learning time over that of BCE, SLP and MLP: published and measured here.",
            table=rows[["model", "loss", "published", "ours", "spread"]],
            filename=f"learning_time_{number}",
        )
        name = f"paper_time_cells_{number}"
        show_cells_on_demand(item.result.cells, name, decimals=3, noise=TIME_NOISE)
        made(key, {key: item})


def _plain(part: str, found: Mapping[str, Kept], decimals: int = 6) -> dict[str, Kept]:
    results = results_of(found, part)
    cells = [cell for item in results.values() for cell in item.result.cells]
    st.markdown(tally(cells))
    show_cells(cells, f"paper_{part}", decimals)
    made(part, results)
    return results


def _curves(found: Mapping[str, Kept]) -> None:
    for key, item in results_of(found, "slp").items():
        number = number_of(key)
        curves = item.result.extras["curves"]
        shown = {name: curve for name, curve in curves.items() if name != "mse"}
        left, right = st.columns(2, gap="large")
        with left:
            st.markdown(f"**Data set {number}, {DATASETS[number]}: learning curves**")
            show_figure(
                figures.learning_curves(shown),
                f"paper_curves_{number}",
                alt=f"Training loss of BCE and six AnyLoss losses over 1,000 epochs, set {number}.",
                table=lambda curves=curves: pd.DataFrame(curves),
                filename=f"learning_curves_{number}",
            )
        with right:
            st.markdown("**Achievement rate**")
            show_figure(
                figures.learning_curves(shown, achieved=True),
                f"paper_rates_{number}",
                alt=f"Share of the whole descent made by each epoch, data set {number}.",
                table=lambda curves=curves: pd.DataFrame(curves),
                filename=f"achievement_{number}",
                formula=RATE,
            )


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


def _advantage_table(advantage: Mapping[str, Mapping]) -> pd.DataFrame:
    means = {name: {k: np.mean(v) for k, v in gains.items()} for name, gains in advantage.items()}
    return pd.DataFrame(means).rename_axis("loss").reset_index()
