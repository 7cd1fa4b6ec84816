"""Why a model decides as it does: which columns matter, and the rows that it gets wrong."""

import numpy as np
import pandas as pd
import streamlit as st

from anyloss_core.common.wording import loss_words
from anyloss_core.comparison.mistakes import mistakes
from anyloss_core.export.importance_job import kept_importance
from anyloss_core.figures.importance import importance_bars
from anyloss_core.store.store import Run
from pages.ui.base.text import in_markdown
from pages.ui.charts.charts import show_figure, show_table
from pages.ui.choice import losses as loss_choice
from pages.ui.choice import run_link
from pages.ui.compare import threshold
from pages.ui.compare.controls import BOARD
from pages.ui.compare.panels import ComparisonView
from pages.ui.data import chosen
from pages.ui.runs import runs

MOST_SHOWN = 1_000  # rows of the table of mistakes
IMPORTANCE = r"""
The loss is trained on two thirds of the rows, three times; on the other third one column after the
other is shuffled, ten times. A bar is the mean of
$\text{metric} - \text{metric with the column shuffled}$, its line one standard deviation over all
30 shufflings (scikit-learn's `permutation_importance`). Columns that say the same stand in for
each other: then neither seems to matter. It tells what the model uses, not what causes the answer.
"""
REGRET = r"""
**Regret**: by how much the metric would rise if this row alone were right, times the share of
times the row was wrong (a comparison may repeat its folds). All missed positives are worth the
same, and all false alarms; among them those come first whose score lies farthest **beyond** the
threshold, on the wrong side. Every row was judged by models that had not seen it."""


def section(view: ComparisonView) -> None:
    """Importance of the columns and the table of mistakes of one loss."""
    run = runs.find(BOARD["run"])
    usual = BOARD["cut"] if BOARD["cut"] in view.losses else view.candidate
    loss = st.selectbox(
        "Model",
        view.losses,
        index=view.losses.index(usual),
        format_func=loss_choice.loss_option,
        key="why.loss",
        width=320,
    )
    if run is None:
        return
    # Made elsewhere, there is no model to ask.
    if "predictions" not in run.settings and loss_choice.trained_by_us([loss]):
        _importance(run, view, loss)
    _mistakes(run, view, loss)


def _importance(run: Run, view: ComparisonView, loss: str) -> None:
    st.header("Which columns matter")
    if st.button("Shuffle every column", icon=":material/shuffle:", key="why.start"):
        job = {name: run.settings[name] for name in ("data", "comparison")}
        job |= {"loss": loss, "of": run.id, "metric": view.metric}
        job["threshold"] = threshold.chosen(loss)
        title = f"{run.title.partition(':')[0]}: columns, {loss_words(loss, view.metric)}"
        if run_link.start(BOARD, "importance", job, title, name="explained"):
            st.rerun()
    if BOARD["explained"]:
        runs.follow(BOARD["explained"], _found, "importance")


def _found(run: Run) -> None:
    table = kept_importance(runs.store(), run.id) if run.kind == "importance" else None
    if table is None:
        return
    loss, metric = run.settings["loss"], run.settings["metric"]
    words = loss_choice.metric_option(metric)
    judged = f"{in_markdown(loss_words(loss, metric))}, judged by {in_markdown(words)}"
    st.caption(f"{judged} on held-out rows.")
    first = "; ".join(f"{row.column} {row.mean:.3f}" for row in table.head(5).itertuples())
    show_figure(
        importance_bars(table, loss, words),
        "importance",
        alt=f"What {words} loses when a column is shuffled. {first}.",
        table=table,
        formula=IMPORTANCE,
    )


def _mistakes(run: Run, view: ComparisonView, loss: str) -> None:
    st.header("The mistakes")
    cut = threshold.chosen(loss)
    make = lambda: mistakes(view.comparison, loss, view.metric, cut)  # noqa: E731
    found = view.remembered("mistakes", make, loss, cut)
    if not len(found):
        st.caption("Not one held-out row is wrong.")
        return
    kinds = found["mistake"].value_counts()
    counted = ", ".join(f"{count:,} {kind}s" for kind, count in kinds.items())
    st.caption(f"{counted}. The costliest for {in_markdown(view.metric_label)} first.")
    table = with_columns(found.head(MOST_SHOWN), _features(run, view))
    show_table(table, "mistakes", formula=REGRET, formats={"regret": "%.4f", "score": "%.3f"})


def with_columns(found: pd.DataFrame, features: pd.DataFrame | None) -> pd.DataFrame:
    """Mistakes with the cells of their rows; rows are counted from 1, as people do."""
    numbered = found.assign(row=found["row"] + 1).round({"threshold": 4, "beyond": 4})
    if features is None:
        return numbered
    taken = features.iloc[found["row"].to_numpy(np.int64)].reset_index(drop=True)
    return pd.concat([numbered, taken], axis=1)


def _features(run: Run, view: ComparisonView) -> pd.DataFrame | None:
    """The table that the comparison was made on, if it is still here and still the same.

    Cells of an upload are shown to who brought it, and to nobody who only has a link.
    """
    if not chosen.may_show(run.settings.get("data")):
        return None
    try:
        dataset = chosen.open_dataset(run.settings["data"])
    except (ValueError, KeyError):
        return None
    same = dataset.fingerprint == view.comparison.settings.get("fingerprint")
    return dataset.frame if same else None
