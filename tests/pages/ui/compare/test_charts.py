"""What can be seen of a comparison beyond the means: every chart says its own figures."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import average_precision_score, brier_score_loss, log_loss, roc_auc_score

from anyloss_core.common.wording import loss_words
from anyloss_core.comparison.calibration import calibrated
from anyloss_core.comparison.probability_curves import Reliability, calibrated_reliability
from anyloss_core.comparison.tables import curve_bands
from anyloss_core.figures.comparison import band_curves
from anyloss_core.statistics.goal import floor_goal
from pages.ui.compare.charts import _bin_table, by_kind, once_each, warm_ups
from pages.ui.compare.panels import ComparisonView
from tests.pages.conftest import charts, drawn


def everything(comparison, metric="f1"):
    from pages.ui.compare import charts
    from pages.ui.compare.panels import ComparisonView

    asked = (metric, "anyloss:f1", "bce", 0.01)
    view = ComparisonView(*asked, comparison, f"all.{metric}.{id(comparison)}", (metric,))
    for draw in (charts.predictions, charts.learning, charts.ranking, charts.probabilities):
        draw(view)
    charts.time(view)


@pytest.fixture(scope="module")
def page(comparison):
    return drawn(everything, comparison=comparison)


@pytest.fixture(scope="module")
def alts(page):
    return {key: chart["alt"] for key, chart in charts(page).items()}


def per_fold(comparison, loss, area):
    folds = comparison.probabilities.groupby("fold")
    areas = [area(rows["label"], rows[loss]) for _, rows in folds]
    return f"{loss_words(loss)} {np.mean(areas):.3f} ± {np.std(areas, ddof=1):.3f}"


def test_areas_are_those_of_sklearn_over_the_folds(alts, comparison):
    for loss in comparison.seconds:
        assert per_fold(comparison, loss, roc_auc_score) in alts["roc"]
        assert per_fold(comparison, loss, average_precision_score) in alts["precision_recall"]


def test_confusion_matrices_count_the_rows_of_all_folds(alts, comparison):
    rows, labels = comparison.probabilities["bce"] > 0.5, comparison.probabilities["label"] == 1
    counts = (rows & labels, rows & ~labels, ~rows & labels, ~rows & ~labels)
    tp, fp, fn, tn = (int(each.sum()) for each in counts)
    assert f"BCE: TP {tp}, FP {fp}, FN {fn}, TN {tn}." in alts["confusion"]
    assert fn != fp


def test_a_tuned_threshold_is_told_beside_the_best_one(alts, comparison):
    used = comparison.confusion_for("f1").groupby("loss")["threshold"].mean()
    assert used["bce"] == 0.5
    assert re.search(r"BCE is best at 0\.\d\d and decides at 0\.50\.", alts["threshold"])
    assert f"decides at {used['bce+threshold']:.2f}." in alts["threshold"]


def test_learning_curves_end_where_the_training_ended(alts, comparison):
    last = comparison.curves[comparison.curves["epoch"] == comparison.curves["epoch"].max()]
    ends = last[last["loss"] == "bce"].mean(numeric_only=True)
    assert f"BCE {ends['f1']:.4f}" in alts["learning_curves_metric"]
    assert f"BCE {ends['train_loss']:.4f}" in alts["learning_curves_loss"]


def test_a_threshold_draws_no_second_curve_and_kinds_have_an_axis_each(alts):
    assert once_each(["anyloss:f1", "bce", "bce+threshold", "bce+threshold@metric=f1"]) == [
        "anyloss:f1",
        "bce",
    ]
    assert once_each(["bce+threshold@lr=0.1", "bce"]) == ["bce+threshold@lr=0.1", "bce"]
    kinds = by_kind(["bce", "bce+smote", "mse", "anyloss:f1", "sol:f1", "anyloss:gmean@L=9"])
    assert kinds == {
        "cross-entropy": ["bce", "bce+smote"],
        "MSE": ["mse"],
        "1 − F1": ["anyloss:f1", "sol:f1"],
        "1 − G-mean": ["anyloss:gmean@L=9"],
    }
    assert "tuned" not in alts["learning_curves_metric"]
    assert "AnyLoss" not in alts["learning_curves_loss"]
    assert "AnyLoss-F1 0." in alts["learning_curves_loss_1 − F1"]


def test_the_end_of_a_warm_up_is_marked(comparison):
    taken = comparison.settings["trained"]["anyloss:f1"]["recipes"]
    warm = max(float(text.partition("warm_up=")[2] or 0) for text in taken)
    view = ComparisonView("f1", "anyloss:f1", "bce", 0.01, comparison, "warm", ("f1",))
    ends = warm_ups(view, ["anyloss:f1", "bce"])
    assert ends == ({"anyloss:f1": warm * 20} if warm else {})
    bands = curve_bands(comparison.curves, "f1")
    drawn_at = band_curves(bands, "epoch", "epoch", "F1", (0, 1), [4.0])
    assert drawn_at.layout.shapes[0].x0 == 4
    assert drawn_at.layout.annotations[0].text == "warm-up ends"


def test_calibration_is_a_table_too(page, comparison):
    rows = comparison.probabilities
    table = next(f.value for f in page.dataframe if "Brier" in f.value)
    names = ["AnyLoss-F1", "BCE", "BCE with a tuned threshold"]
    assert table["Loss"].tolist() == [name for name in names for _ in range(2)]
    assert table["Calibrated"].tolist() == ["no", "yes"] * 3
    raw, better = table.iloc[0], table.iloc[1]
    expected = brier_score_loss(rows["label"], rows["anyloss:f1"])
    assert raw["Brier"] == pytest.approx(expected, abs=5e-5)
    own = calibrated(rows, "anyloss:f1")
    expected = log_loss(own["label"], own["anyloss:f1"])
    assert better["Log-loss"] == pytest.approx(expected, abs=5e-5)
    assert better["Log-loss"] < raw["Log-loss"]


def test_reliability_tells_both_curves(alts, comparison):
    bins = calibrated_reliability(comparison.probabilities, "bce")
    assert f"calibrated {bins.calibration_error:.3f}." in alts["reliability"]


def test_times_are_told_over_that_of_bce(alts, comparison):
    ratio = comparison.seconds["anyloss:f1"] / comparison.seconds["bce"]
    assert alts["learning_time"].startswith("Learning time of each loss over that of BCE: ")
    assert f"AnyLoss-F1 {ratio:.2f}, BCE 1.00, " in alts["learning_time"]


def test_a_loss_that_diverged_is_named_and_left_out(comparison):
    from dataclasses import replace

    lost = comparison.probabilities.assign(bce=np.nan)
    page = drawn(everything, comparison=replace(comparison, probabilities=lost))
    assert any("bce" in caption.value for caption in page.caption)
    assert "BCE with a tuned threshold" in charts(page)["roc"]["alt"]
    assert "BCE 0" not in charts(page)["roc"]["alt"]


def test_a_formula_has_no_learning_curve_and_f1_stands_in(comparison):
    page = drawn(everything, comparison=comparison, metric="TP / (TP + FP + FN)")
    titles = [title.value for title in page.header]
    assert "`TP / (TP + FP + FN)` against the threshold" in titles
    assert "F1 on held-out rows" in titles


def test_a_floor_is_headed_by_its_words(comparison):
    page = drawn(
        everything, comparison=comparison, metric=floor_goal("precision", "recall", 0.5).metric
    )
    assert "Precision at recall ≥ 0.5 against the threshold" in [t.value for t in page.header]


def test_a_reference_has_no_learning_curve(comparison):
    """It has no epochs; beside one, the page broke."""
    from dataclasses import replace

    with_trees = replace(comparison, seconds=comparison.seconds | {"boosted_trees": 1.0})
    trees = {"boosted_trees": comparison.probabilities["bce"]}
    with_trees = replace(with_trees, probabilities=comparison.probabilities.assign(**trees))
    again = comparison.confusion.query("loss == 'bce'").assign(loss="boosted_trees")
    counts = pd.concat([comparison.confusion, again], ignore_index=True)
    warm = {"anyloss:f1": {"recipes": {"L=5,warm_up=1": 3}}}  # as if stopped before its end
    settings = comparison.settings | {"trained": comparison.settings["trained"] | warm}
    with_trees = replace(with_trees, confusion=counts, settings=settings)
    alts = charts(drawn(everything, comparison=with_trees))
    assert "learning_curves_loss_1 − F1" not in alts
    assert "boosted trees" in alts["roc"]["alt"]
    assert "boosted trees" not in alts["learning_curves_metric"]["alt"]
    assert not [key for key in alts if key.startswith("learning_curves_loss_boosted")]


def test_the_table_of_bins_has_a_row_for_each_bin_of_each_loss():
    one = Reliability(np.array([0.1, 0.9]), np.array([0.2, 0.7]), np.array([30, 10]), 0, 0, 0)
    two = Reliability(np.array([0.5]), np.array([0.4]), np.array([40]), 0, 0, 0)
    table = _bin_table({"bce": one}, {"mse": two})
    assert table["loss"].tolist() == ["bce", "bce", "mse"]
    assert table["calibrated"].tolist() == ["no", "no", "yes"]
    assert table["predicted"].tolist() == [0.1, 0.9, 0.5]
    assert table["observed"].tolist() == [0.2, 0.7, 0.4]
    assert table["rows"].tolist() == [30, 10, 40]
