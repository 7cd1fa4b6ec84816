"""One model at any threshold and among any share of positives, while two sliders are dragged."""

import numpy as np
import streamlit as st

from anyloss_core.common.text import visible
from anyloss_core.comparison.answer import answer
from anyloss_core.comparison.threshold_view import (
    SHARES,
    STEPS,
    ThresholdView,
    comparison_among,
    look_at,
)
from anyloss_core.figures import threshold as figures
from anyloss_core.statistics.goal import formula_goal
from pages.ui.base.text import literal
from pages.ui.charts.charts import show_figure
from pages.ui.charts.drag_slider import drag_slider, live_text, packed_frames, share_frames
from pages.ui.choice import losses as loss_choice
from pages.ui.choice.formulas import metric_formulas
from pages.ui.compare.controls import BOARD
from pages.ui.compare.panels import ComparisonView

OWN = -1.0  # of the setting 'threshold'
CHANNEL, WORLD = "compare.threshold", "compare.share"
FORMULA = r"""
A row raises an alarm when its score is above the threshold. With the share $\pi$ of positives,
per 1,000 rows: $TP = 1000\,\pi\,TPR$ and $FP = 1000\,(1-\pi)\,FPR$. TPR and FPR are those of the
held-out rows at the threshold; the metric is worked out on each fold with the folds' counts
re-weighted in the same way, and averaged. That the positives themselves look alike in production
is assumed."""
HINDSIGHT = (
    "All these rows were held out from training, but a threshold picked here has seen them: its "
    "figures are a little too good. What is tuned on inner folds, as in the table above, is not."
)


def section(view: ComparisonView) -> None:
    """The sliders, and what follows them."""
    st.header("The threshold and the world")
    loss = _pick_loss(view)
    mean = view.confusion.groupby("loss", sort=False)["threshold"].mean()[loss]
    own = float(f"{mean:.3g}")  # as it is read
    now = own if BOARD["threshold"] < 0 else BOARD["threshold"]
    thresholds = np.unique([*STEPS, own, now])
    try:
        here = _view(view, loss, thresholds)
    except ValueError as reason:
        st.caption(literal(reason, 200))
        return
    share = BOARD["share"] / 100 or here.share
    shown = here.among(share) if BOARD["share"] else here
    at = int(np.searchsorted(thresholds, now))
    left, right = st.columns(2, gap="large")
    with left:
        _sliders(shown, own, now, here.share, share)
        live_text([CHANNEL, WORLD], "words")
        if BOARD["share"]:
            st.text(view.remembered("elsewhere", lambda: _sentence(view, share), share))
        st.caption(HINDSIGHT)
    with right:
        _charts(view, shown, loss, at, now, share)
    _share_frames(here, shown, at)


def chosen(loss: str) -> float | None:
    """The threshold that somebody has set for this loss, if so."""
    set_for = BOARD["threshold"] >= 0 and BOARD["cut"] in ("", loss)
    return float(BOARD["threshold"]) if set_for else None


def _sentence(view: ComparisonView, share: float) -> str:
    """The advice, said again for another share of positives."""
    words = answer(comparison_among(view.comparison, share), **view.asked).advice.text
    return visible(f"With {100 * share:.3g} % positives: {words}", 1_000)


def _pick_loss(view: ComparisonView) -> str:
    if BOARD["cut"] not in view.losses:
        if BOARD["cut"]:  # the threshold was chosen for a loss of another result
            BOARD.set("threshold", OWN)
        BOARD.set("cut", view.candidate)
    return BOARD.select(
        "cut",
        "Model",
        options=view.losses,
        format_func=loss_choice.loss_option,
        on_change=BOARD.set,
        args=("threshold", OWN),
        width=320,
    )


def _view(view: ComparisonView, loss: str, thresholds: np.ndarray) -> ThresholdView:
    goal, table = formula_goal(view.metric), view.comparison.probabilities
    make = lambda: look_at(table, loss, goal, thresholds)  # noqa: E731
    return view.remembered("threshold", make, loss, thresholds.tobytes())


def _sliders(
    shown: ThresholdView, own: float, now: float, table_share: float, share: float
) -> None:
    marks = [(own, f"its own {own:.2f}"), (shown.best, f"best here {shown.best:.2f}")]
    if abs(own - shown.best) < 0.005:
        marks = marks[:1]
    drag_slider(BOARD, "threshold", "Threshold", 0.01, marks, stops=_stops(STEPS, own), value=now)
    table = round(100 * table_share, 3)
    drag_slider(
        BOARD,
        "share",
        "Positives in production, %",
        0.1,
        [(table, f"as in the table, {table:.3g} %"), (1.0, "1 %")],
        stops=_stops(SHARES, table),
        value=round(100 * share, 3),
    )


def _stops(usual: np.ndarray | tuple[float, ...], own: float) -> list[float]:
    return sorted({round(float(stop), 6) for stop in usual} | {own})


def _charts(
    view: ComparisonView, shown: ThresholdView, loss: str, at: int, now: float, share: float
) -> None:
    words = " ".join(shown.words(at))
    moved = round(100 * share, 3)
    show_figure(
        figures.matrix_figure(shown, loss, at),
        "threshold_matrix",
        alt=f"Confusion matrix per 1,000 rows at the threshold {now:.3g}. {words}",
        table=shown.table,
        formula=FORMULA,
        channels=[(CHANNEL, now), (WORLD, moved)],
    )
    show_figure(
        figures.metric_figure(shown, loss, view.metric_label, at),
        "threshold_metric",
        alt=f"{view.metric_label} against the threshold, best at {shown.best:.2f}. {words}",
        table=shown.table,
        formula=f"{FORMULA}\n\n{metric_formulas([view.metric])}",
        channels=[(CHANNEL, now)],
    )


def _share_frames(here: ThresholdView, shown: ThresholdView, at: int) -> None:
    """All thresholds at this share of positives, all shares at this threshold."""
    numbers = range(len(shown.thresholds))
    charts = figures.frames(shown, numbers)
    words = {"words": [_lines(shown, number) for number in numbers]}
    share_frames(CHANNEL, packed_frames(CHANNEL, shown.thresholds.tolist(), charts | words))
    table = round(100 * here.share, 3)
    stops = _stops(SHARES, table)
    worlds = [here if stop == table else here.among(stop / 100) for stop in stops]
    matrices = [figures.matrix_frame(world, at) for world in worlds]
    lines = [_lines(world, at) for world in worlds]
    share_frames(WORLD, packed_frames(WORLD, stops, {"threshold_matrix": matrices, "words": lines}))


def _lines(view: ThresholdView, at: int) -> list[dict]:
    return [{"holds": None, "text": line} for line in view.words(at)]
