"""Everything that can be seen of a comparison beyond the means: predictions, curves, time."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from anyloss_core.common.wording import loss_words
from anyloss_core.comparison import probability_curves as curves
from anyloss_core.comparison import tables
from anyloss_core.figures import comparison as figures
from anyloss_core.losses.scores import METRICS, get_score
from anyloss_core.statistics.verdict_sentence import metric_of
from pages.ui.base.text import in_markdown, literal
from pages.ui.charts.charts import show_figure, show_table
from pages.ui.choice.formulas import metric_formulas
from pages.ui.choice.losses import metric_option
from pages.ui.choice.question import loss_values
from pages.ui.compare import threshold
from pages.ui.compare.panels import ComparisonView

MATRIX = r"""
Rows: true class, columns: predicted class. The held-out rows of all folds are added; the
percentage and the shade are the share of the true class. A row is predicted positive when its
score is above the threshold of the loss: 0.5, or the one tuned for the chosen metric."""
THRESHOLD = r"""
The metric if rows with $p >$ threshold were called positive, worked out on each fold
and averaged. The dot is the threshold that the loss really used (mean over the folds)."""
LEARNING = r"""
Line: mean over the folds; band: one standard deviation. Each loss is drawn on its own
scale of values: a BCE of 0.3 and a $1 - F_1$ of 0.3 do not mean the same. A jump of the training
loss is the end of a BCE warm-up. A threshold is tuned at the end: until then it is 0.5."""
ROC = r"""
Every threshold gives a point: false positive rate $\frac{FP}{FP+TN}$ against true positive
rate $\frac{TP}{TP+FN}$. **AUC** is the area below, the probability that a random positive row
gets a higher $p$ than a random negative one; mean ± sd over the folds. The curve pools the
held-out rows of all folds."""
PRECISION = r"""
Every threshold gives a point: recall $\frac{TP}{TP+FN}$ against precision
$\frac{TP}{TP+FP}$. **AP** (average precision) is
$\sum_n (R_n - R_{n-1}) P_n$; mean ± sd over the folds. Dotted: the share of positives, which
guessing reaches."""
CALIBRATION = r"""
Rows are put into ten bins of their score $p$. On the diagonal, rows with $p = 0.8$ are positive in
80 % of cases. **Brier** $= \frac1n\sum (p_i - y_i)^2$. **ECE** is the mean distance of the bins
from the diagonal, weighted by their rows. **Log-loss** is
$-\frac1n\sum \left(y_i \ln p_i + (1-y_i) \ln(1-p_i)\right)$. A loss that aims at a metric pushes
$p$ towards 0 and 1: its outputs are scores, cut at 0.5, and no probabilities.

**Calibrated**: a curve turns scores into probabilities. It is learned on the held-out rows of the
other folds: isotonic regression from 1,000 rows on, Platt's sigmoid below."""
BROUGHT = "These predictions were brought: nothing was trained here."
MEAN = "cross-entropy"
TIME = r"""
Seconds of training of a loss over those of BCE in the same run. All losses train in one
stack; a loss counts its own part and an even share of the rest, a tuned threshold also its
inner folds."""


def predictions(view: ComparisonView) -> None:
    """Confusion matrices, the metric against the threshold, and one model at any threshold."""
    pooled = tables.pooled_confusion(view.confusion)
    st.header("Confusion matrices")
    show_figure(
        figures.confusion_matrices(pooled, view.metric),
        "confusion",
        alt="Confusion matrix of each loss over all held-out rows. "
        + " ".join(
            f"{loss_words(row.loss, view.metric)}: TP {row.tp:.0f}, FP {row.fp:.0f}, "
            f"FN {row.fn:.0f}, TN {row.tn:.0f}."
            for row in pooled.itertuples()
        ),
        table=view.confusion,
        formula=MATRIX,
    )
    if words := tables.method_words(view.comparison, view.metric):
        st.caption(in_markdown(words, 400))
    st.header(f"{in_markdown(view.metric_label)} against the threshold")
    found = _each_loss(view, curves.threshold_scores, view.metric)
    used = view.confusion.groupby("loss", sort=False)["threshold"].mean()
    show_figure(
        figures.threshold_curves(found, used, view.metric_label),
        "threshold",
        alt=f"{view.metric_label} against the threshold. "
        + " ".join(
            f"{loss_words(loss, view.metric)} is best at "
            f"{curve['threshold'][curve['mean'].idxmax()]:.2f} and decides at {used[loss]:.2f}."
            for loss, curve in found.items()
        ),
        table=lambda: pd.concat([each.assign(loss=loss) for loss, each in found.items()]),
        formula=f"{THRESHOLD}\n\n{metric_formulas([view.metric])}",
    )
    threshold.section(view)


def learning(view: ComparisonView) -> None:
    """Learning curves with bands over the folds; each kind of training loss has its own axis."""
    if not len(view.comparison.curves):
        st.caption(BROUGHT)
        return
    known = view.metric if view.metric in METRICS else "f1"
    low = min(0.0, get_score(known).range[0])
    label = metric_option(known)
    left, right = st.columns(2, gap="large")
    shown = once_each(view.losses)
    with left:
        st.header(f"{label} on held-out rows")
        _bands(view, known, label, (low, 1.0), "metric", shown)
        if len(shown) < len(view.losses):
            st.caption("BCE with a tuned threshold is the same network as BCE, and drawn once.")
    with right:
        st.header("Training loss")
        for kind, losses in by_kind(shown).items():
            what = f"loss_{kind}" if kind != MEAN else "loss"
            _bands(view, "train_loss", kind, (0.0, float("inf")), what, losses)


def once_each(losses: Sequence[str]) -> list[str]:
    """The losses without those that only cut the outputs of another one elsewhere."""
    kept: dict[str, str] = {}
    for loss in losses:
        base, _, options = loss.partition("@")
        rest = [part for part in options.split(",") if part and not part.startswith("metric=")]
        same = base in ("bce", "bce+threshold", "bce+online_f1")
        kept.setdefault(f"bce {rest}" if same else loss, loss)
    return list(kept.values())


def by_kind(losses: Sequence[str]) -> dict[str, list[str]]:
    """What can stand on one axis: cross-entropy, each other mean, one minus each score."""
    kinds: dict[str, list[str]] = {}
    for loss in losses:
        metric, family = metric_of(loss), loss.partition("@")[0].partition("+")[0]
        kind = f"1 − {metric_option(metric)}" if metric else loss_words(family)
        kinds.setdefault(MEAN if kind == "BCE" else kind, []).append(loss)
    return kinds


def warm_ups(view: ComparisonView, losses: Sequence[str]) -> dict[str, float]:
    """The epoch in which the last warm-up of a loss ends, of those that have one on any fold."""
    settings = view.comparison.settings
    shares = {loss: _warm_up(settings.get("trained", {}).get(loss, {})) for loss in losses}
    return {loss: share * settings["epochs"] for loss, share in shares.items() if share}


def _warm_up(trained: Mapping[str, Any]) -> float:
    """The longest of a loss, whose folds may have chosen several recipes."""
    recipes = ",".join(trained.get("recipes") or ()).split(",")
    taken = [float(part.partition("=")[2]) for part in recipes if part.startswith("warm_up=")]
    return max(taken, default=trained.get("warm_up") or 0.0)


def _bands(
    view: ComparisonView,
    column: str,
    title: str,
    reach: tuple[float, float],
    what: str,
    losses: Sequence[str],
) -> None:
    bands = view.once(tables.curve_bands, column, source="curves")
    bands, ends = bands[bands["loss"].isin(losses)], warm_ups(view, losses)
    if column == "train_loss" and len(bands):  # until then it is cross-entropy, whatever follows
        bands = bands[bands["epoch"] > bands["loss"].map(ends).fillna(-1.0)]
    if not len(bands):  # stopped in the warm-up, or a classifier of scikit-learn, without epochs
        return
    last = bands.groupby("loss", sort=False).last()
    show_figure(
        figures.band_curves(bands, "epoch", "epoch", title, reach, sorted(set(ends.values()))),
        f"learning_curves_{what}",
        alt=f"Learning curves of the {title} against the epoch, mean and band over the folds. "
        f"At the end: {loss_values(last['mean'], '.4f')}",
        table=bands,
        formula=LEARNING,
    )


def ranking(view: ComparisonView) -> None:
    """ROC and precision-recall."""
    settings = view.comparison.settings
    share = settings["positives"] / settings["rows"]
    left, right = st.columns(2, gap="large")
    with left:
        st.header("ROC")
        axes = ("false positive rate", "true positive rate", "AUC", (0, 1))
        _areas(view, curves.roc, axes, ROC)
    with right:
        st.header("Precision and recall")
        axes = ("recall", "precision", "AP", (share, share))
        _areas(view, curves.precision_recall, axes, PRECISION)


def _areas(view: ComparisonView, work: Callable, axes: tuple, formula: str) -> None:
    found, name, area = _each_loss(view, work), work.__name__, axes[2]
    show_figure(
        figures.area_curves(found, *axes),
        name,
        alt=f"{name.replace('_', ' ')} curve of each loss; {area}: "
        + ", ".join(
            f"{loss_words(loss)} {c.area:.3f} ± {c.spread:.3f}" for loss, c in found.items()
        ),
        table=lambda: pd.concat(
            [pd.DataFrame({"loss": loss, "x": c.x, "y": c.y}) for loss, c in found.items()]
        ),
        formula=formula,
    )


def probabilities(view: ComparisonView) -> None:
    """Can the scores be taken for probabilities, and what does a calibration make of them?"""
    found = _each_loss(view, curves.reliability)
    better = _each_loss(view, curves.calibrated_reliability)
    rows = [*_how_far(found, "no"), *_how_far(better, "yes")]
    summary = pd.DataFrame(rows).sort_values("Loss", kind="stable")
    left, right = st.columns(2, gap="large")
    with left:
        st.header("Are the scores probabilities?")
        show_figure(
            figures.reliability_diagram(found, better),
            "reliability",
            alt="Share of positives against mean score in ten bins. "
            + " ".join(
                f"{loss_words(loss)}: mean distance from the diagonal "
                f"{found[loss].calibration_error:.3f}, calibrated {bins.calibration_error:.3f}."
                for loss, bins in better.items()
            ),
            table=partial(_bin_table, found, better),
            formula=CALIBRATION,
        )
    with right:
        st.header("How far off")
        more = {"formula": CALIBRATION, "height": "content"}
        show_table(summary.round(4), "calibration", **more)
        st.caption(
            "Lower is better. A loss that aims at a metric gives scores in [0, 1], cut at 0.5, and "
            "need not care; where probabilities are needed, a model to take home can be calibrated."
        )


def time(view: ComparisonView) -> None:
    """Learning time over BCE."""
    if not any(view.comparison.seconds.values()):
        st.caption(BROUGHT)
        return
    times = tables.relative_times(view.comparison.seconds)
    st.header("Learning time")
    show_figure(
        figures.time_bars(times),
        "learning_time",
        alt="Learning time of each loss over that of "
        f"{loss_words(times['measure'].iloc[0])}: "
        + loss_values(times.set_index("loss")["ratio"], ".2f"),
        table=times,
        formula=TIME,
    )


def _each_loss(view: ComparisonView, work: Callable, *chosen: str) -> dict:
    """The curve of every loss; one whose training diverged is named and left out."""
    found = {}
    for loss in view.losses:
        try:
            found[loss] = view.once(work, loss, *chosen, source="probabilities")
        except ValueError as reason:
            st.caption(literal(reason, 200))
    return found


def _how_far(found: dict[str, curves.Reliability], calibrated: str) -> list[dict[str, object]]:
    return [
        {
            "Loss": loss_words(loss),
            "Calibrated": calibrated,
            "Log-loss": bins.log_loss,
            "Brier": bins.brier,
            "ECE": bins.calibration_error,
        }
        for loss, bins in found.items()
    ]


def _bin_table(
    found: dict[str, curves.Reliability], better: dict[str, curves.Reliability]
) -> pd.DataFrame:
    columns = ("predicted", "observed", "rows")
    parts = [
        pd.DataFrame({"loss": loss, "calibrated": word} | {n: getattr(bins, n) for n in columns})
        for word, group in (("no", found), ("yes", better))
        for loss, bins in group.items()
    ]
    return pd.concat(parts)
