"""Compare: which loss is best on this data set, by how much, and how sure is that?"""

import pandas as pd
import streamlit as st

from anyloss_core.common.wording import loss_words
from anyloss_core.comparison.estimates import check_comparison
from anyloss_core.comparison.job import job_settings
from anyloss_core.figures.comparison import live_scores
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import get_score
from anyloss_core.statistics.goal import parse_goal
from anyloss_core.statistics.verdict_sentence import aim_of, leading_loss
from pages.ui.base.errors import guarded
from pages.ui.base.presentation import aside
from pages.ui.charts.charts import show_figure
from pages.ui.choice import losses as loss_choice
from pages.ui.choice import run_link
from pages.ui.compare import (
    charts,
    controls,
    final_model,
    leakage,
    next_steps,
    old_result,
    own_predictions,
    panels,
    take_home,
    why,
)
from pages.ui.compare.controls import BOARD
from pages.ui.data import chosen
from pages.ui.runs import runs

SECTIONS = {
    "difference": ("Is it real?", panels.difference),
    "predictions": ("Predictions", charts.predictions),
    "learning": ("Learning curves", charts.learning),
    "ranking": ("ROC and PR", charts.ranking),
    "probabilities": ("Reliability", charts.probabilities),
    "time": ("Time", charts.time),
    "why": ("Why", why.section),
}


def main() -> None:
    BOARD.open()
    st.title("Compare losses")
    run = run_link.open_run(BOARD, "compare", controls.settings_of)
    aside(
        "Every loss is trained on the same folds, from the same start, and judged on rows that it "
        "has not seen."
    )
    dataset = chosen.current()
    with st.expander("What is compared", icon=":material/tune:", expanded=run is None):
        if settings := controls.form(dataset):
            check_comparison(dataset, settings, runs.seconds_allowed("compare"))
            start(dataset.name, settings)
    if run is not None:
        runs.follow(run.id, while_running, "compare")
        if not run.active:
            run_link.note_changes(controls.unchanged(run))
            result(run)
    own_predictions.panel(BOARD)


def start(name: str, settings) -> None:
    """Queue the comparison and show it."""
    losses = ", ".join(loss_words(loss) for loss in settings.names)
    job = job_settings(chosen.reference(), settings)
    if run_link.start(BOARD, "compare", job, f"{name}: {losses}"):
        st.rerun()


def while_running(run) -> None:
    """The chosen metric as it rises, all folds taken together."""
    events = runs.store().events(run.id) if run.active else []
    if not events:
        return
    losses = list(events[-1].payload["counts"])
    goal = run.settings["comparison"].get("goal")
    aim = aim_of(leading_loss(losses), loss_choice.metrics_on_offer())
    metric = BOARD["metric"] or (parse_goal(goal).metric if goal else aim)
    part = [e.payload for e in events if e.epoch > events[-1].epoch - events[-1].payload["epoch"]]
    points = pd.DataFrame(
        [
            {"epoch": p["epoch"]}
            | {loss: float(get_score(metric)(Counts(*p["counts"][loss]))) for loss in losses}
            for p in part
        ]
    )
    show_figure(
        live_scores(points, loss_choice.metric_option(metric), int(run.total)),
        "training",
        alt="The metric on held-out rows while the losses are trained.",
        table=points,
        formula=panels.LIVE,
    )


@st.fragment(key="compare.result")
@guarded
@runs.of_run
def result(run) -> None:
    """The sentence first, then everything behind it; another view redraws nothing else."""
    comparison = panels.load(run.id, run.attempt, run.finished)
    if comparison is None:
        return
    old_result.note(run, comparison.settings["dataset"], BOARD)
    with st.container(key="compare_result"):
        above = st.container()
        view = panels.choose_view(comparison, f"{run.id}.{run.attempt}.{run.finished}", BOARD)
        with above:
            leakage.above_verdict(run, comparison, BOARD)
            panels.show_sentence(view)
            next_steps.show(run, view, BOARD)
        panels.mean_table(view, BOARD)
        names = {key: label for key, (label, _) in SECTIONS.items()}
        BOARD.segments("view", "Look at", format_func=names.get, label_visibility="collapsed")
        SECTIONS[BOARD["view"]][1](view)
        st.divider()
        st.header("Take it home")
        take_home.show(run, view)
        final_model.panel(run, view, BOARD)


main()
