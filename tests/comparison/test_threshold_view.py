"""One model at any threshold and share of positives, against counting by hand and scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import f1_score, precision_score

from anyloss_core.comparison.answer import answer
from anyloss_core.comparison.comparison import compare
from anyloss_core.comparison.threshold_view import (
    SHARES,
    at_share,
    comparison_among,
    counts_by_fold,
    look_at,
    reweighted,
)
from anyloss_core.data.suites.synthetic import SyntheticSettings, generate
from anyloss_core.losses.confusion import Counts
from anyloss_core.statistics.goal import cost_goal, parse_goal

F1 = parse_goal("f1")


@pytest.fixture(scope="module")
def table():
    """Two folds of held-out rows; one in five is positive."""
    random = np.random.default_rng(3)
    label = (np.arange(1_000) % 5 == 0).astype(int)
    score = np.clip(random.normal(0.35 + 0.3 * label, 0.15), 0, 1)
    return pd.DataFrame(
        {"row": range(1_000), "fold": np.arange(1_000) // 500, "label": label}
    ).assign(bce=score, lost=np.nan)


def test_values_are_those_of_sklearn_averaged_over_the_folds(table):
    view = look_at(table, "bce", F1, np.array([0.3, 0.5, 0.7]))
    for number, threshold in enumerate(view.thresholds):
        each = [f1_score(f["label"], f["bce"] > threshold) for _, f in table.groupby("fold")]
        assert view.values[number] == pytest.approx(np.mean(each))
    assert view.best == view.thresholds[np.argmax(view.values)]
    assert view.share == 0.2


def test_counts_are_per_thousand_rows_whatever_the_repeats(table):
    view = look_at(pd.concat([table, table.assign(fold=table["fold"] + 2)]), "bce", F1)
    tn, fn, fp, tp = (entry[60] for entry in view.pooled)
    above = table["bce"] > view.thresholds[60]
    assert tp == (above & (table["label"] == 1)).sum()  # the table has 1,000 rows
    assert fp == (above & (table["label"] == 0)).sum()
    assert tn + fn + fp + tp == pytest.approx(1_000)


def test_another_share_keeps_the_rates_and_is_what_dropping_positives_gives(table):
    rare = look_at(table, "bce", F1).among(0.05)
    tn, fn, fp, tp = (entry[55] for entry in rare.pooled)
    own_tn, own_fn, own_fp, own_tp = (entry[55] for entry in look_at(table, "bce", F1).pooled)
    assert tp + fn == pytest.approx(50)
    assert tp / (tp + fn) == pytest.approx(own_tp / (own_tp + own_fn))
    assert fp / (fp + tn) == pytest.approx(own_fp / (own_fp + own_tn))
    # Oracle: each positive row weighs so much less that positives are 5 % of the weight.
    weight = np.where(table["label"] == 1, 0.05 / 0.2, 0.95 / 0.8)
    predicted = table["bce"] > rare.thresholds[55]
    expected = precision_score(table["label"], predicted, sample_weight=weight)
    assert tp / (tp + fp) == pytest.approx(expected)
    assert tp / (tp + fp) < own_tp / (own_tp + own_fp)


def test_the_share_of_the_table_changes_nothing(table):
    view = look_at(table, "bce", F1)
    np.testing.assert_allclose(view.among(0.2).values, view.values)
    back = view.among(0.01).among(0.2)
    np.testing.assert_allclose(back.values, view.values)


def test_accuracy_follows_the_share_and_balanced_accuracy_does_not(table):
    for metric, same in (("accuracy", False), ("balanced_accuracy", True)):
        view = look_at(table, "bce", parse_goal(metric))
        assert np.allclose(view.among(0.01).values, view.values) == same


def test_a_fold_without_positives_stays_finite():
    counts = Counts(*(np.array([value]) for value in (8.0, 0.0, 2.0, 0.0)))
    found = at_share(counts, 0.3)
    assert all(np.isfinite(entry).all() for entry in found)
    with pytest.raises(ValueError, match="between 0 and 1"):
        at_share(counts, 1.0)


def test_a_table_of_counts_is_reweighted_row_by_row():
    table = pd.DataFrame(
        {"loss": ["a", "b"], "tn": [80, 60], "fn": [5, 2], "fp": [10, 30], "tp": [5, 8], "x": 1}
    )
    found = reweighted(table, 0.5)
    assert found[["tp", "fn"]].sum(axis=1).tolist() == [50, 50]
    assert found["tp"].tolist() == [25, 40]
    assert found["x"].tolist() == [1, 1]


def test_tuned_thresholds_are_tuned_for_the_share():
    data = generate(SyntheticSettings(rows=300, imbalance=3.0, seed=1))
    found = compare(data, ["bce", "bce+threshold"], folds=3, epochs=30)
    here, rare = found.confusion_for("f1"), comparison_among(found, 0.01).confusion_for("f1")
    tuned = here["loss"] == "bce+threshold"
    assert (rare["threshold"][~tuned] == here["threshold"][~tuned]).all()
    assert rare["threshold"][tuned].mean() > here["threshold"][tuned].mean()
    positives = rare[["tp", "fn"]].sum(axis=1) / rare[["tn", "fn", "fp", "tp"]].sum(axis=1)
    np.testing.assert_allclose(positives, 0.01)
    assert "F1" in answer(comparison_among(found, 0.01), metric="f1").headline


def test_another_share_makes_nothing_surer_that_was_seen_in_as_many_rows():
    data = generate(SyntheticSettings(rows=300, imbalance=3.0, seed=1))
    goal = parse_goal("precision at recall >= 0.6")
    losses = [f"{goal.loss}@L=10", "bce", "bce+threshold"]
    found = compare(data, losses, folds=3, epochs=30, goal=goal.text)
    rare = comparison_among(found, 0.01)

    def holds(comparison, loss):
        rows = comparison.confusion.query("loss == @loss")
        return goal.holds(Counts(*(rows[name].sum() for name in Counts._fields)))

    assert holds(rare, "bce") == pytest.approx(holds(found, "bce"))
    positives = rare.confusion[["tp", "fn"]].sum(axis=1)
    assert positives.tolist() == pytest.approx(found.confusion[["tp", "fn"]].sum(axis=1).tolist())
    assert rare.settings["rarer"] == (data.positives, "positives")


def test_words_count_alarms_and_money(table):
    goal = cost_goal(50, 1, 10, "EUR")
    view = look_at(table, "bce", goal, np.array([0.5]))
    _, fn, fp, tp = (float(entry[0]) for entry in view.pooled)
    value, alarms, rates = view.words(0)
    assert value.startswith(f"Money in EUR: {10 * tp - 50 * fn - fp:,.2f} per 1,000 rows")
    assert alarms.startswith(f"Of 1,000 rows {tp + fp:.0f} raise an alarm, {fp:.0f} of them false")
    assert f"{tp:.0f} of 200 positives found, {fn:.0f} missed" in alarms
    assert rates == f"Precision {tp / (tp + fp):.3f}, recall {tp / 200:.3f}."
    nobody = look_at(table, "bce", F1, np.array([1.0])).words(0)
    assert nobody[2] == "Precision none, recall 0.000."


def test_rows_without_a_score_are_left_out(table):
    half = table.assign(bce=table["bce"].where(table["fold"] == 0))
    assert counts_by_fold(half, "bce").tp.shape[0] == 1
    with pytest.raises(ValueError, match="diverged"):
        look_at(table, "lost", F1)


def test_the_table_has_a_line_a_threshold(table):
    found = look_at(table, "bce", F1, np.array([0.2, 0.4])).table()
    assert list(found.columns) == ["threshold", "metric", "tn", "fn", "fp", "tp"]
    assert len(found) == 2


def test_shares_rise_and_are_percent():
    assert list(SHARES) == sorted(SHARES)
    assert SHARES[0] > 0
    assert SHARES[-1] < 100
