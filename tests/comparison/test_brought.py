"""Predictions of any tool become a Comparison that every table, verdict and report can take."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import f1_score

from anyloss_core.comparison.brought import BLOCKS, MOST_SCORES, from_predictions, judge, look
from anyloss_core.comparison.job import load_comparison
from anyloss_core.comparison.mistakes import mistakes
from anyloss_core.data.errors import DataError
from anyloss_core.export.report_content import comparison_report
from anyloss_core.statistics.goal import cost_goal
from anyloss_core.statistics.verdict_sentence import headline
from anyloss_core.store.store import Store


@pytest.fixture(scope="module")
def table():
    """A good tool, a poor one whose scores are logits, and a label in words."""
    random = np.random.default_rng(2)
    ill = np.arange(600) % 6 == 0
    return pd.DataFrame(
        {
            "patient": np.arange(600),
            "truth": np.where(ill, "ill", "well"),
            "good <b>": np.clip(random.normal(0.3 + 0.4 * ill, 0.12), 0, 1),
            "poor": random.normal(1.0 * ill, 1.0),
        }
    )


def counts_score(labels, scores, edges):
    """F1 at every edge, counted row by row."""
    above = scores > edges[:, None]
    found = (above & (labels == 1)).sum(1)
    return 2 * found / np.maximum(above.sum(1) + labels.sum(), 1)


@pytest.fixture(scope="module")
def comparison(table):
    return from_predictions(table, "truth", ["good <b>", "poor"], "ill", "clinic")


def test_the_better_tool_wins_and_the_sentence_says_so(comparison):
    words = headline(comparison.scores, "clinic", comparison.settings, candidate="good <b>")
    assert words.startswith("On clinic, good <b> beats poor on F1 with probability")


def test_no_row_has_a_say_in_its_own_threshold(table, comparison):
    rows = comparison.probabilities
    used = comparison.confusion_for("f1").set_index(["loss", "fold"])["threshold"]
    for fold in (0, BLOCKS - 1):
        others, held = rows[rows["fold"] != fold], rows[rows["fold"] == fold]
        tried = np.unique(others["poor"])
        edges = np.concatenate([[0.0], (tried[1:] + tried[:-1]) / 2, [1.0]])
        best = counts_score(others["label"].to_numpy(), others["poor"].to_numpy(), edges).max()
        cut = used["poor", fold]
        assert f1_score(others["label"], others["poor"] > cut) == pytest.approx(best)
        scores = comparison.scores.set_index(["loss", "fold", "metric"])["score"]
        own = f1_score(held["label"], held["poor"] > cut)
        assert scores["poor", fold, "f1"] == pytest.approx(own)


def test_every_row_is_judged_once_and_blocks_hold_their_share(comparison):
    rows = comparison.probabilities
    assert sorted(rows["row"]) == list(range(600))
    assert set(rows.groupby("fold")["label"].sum()) == {10}


def test_another_goal_has_its_own_thresholds(comparison):
    cautious = comparison.confusion_for(cost_goal(100, 1, 0).metric)["threshold"]
    assert cautious.mean() < comparison.confusion_for("precision")["threshold"].mean()


def test_scores_beyond_0_and_1_are_moved_and_it_is_told(comparison):
    assert comparison.probabilities["poor"].between(0, 1).all()
    assert any("'poor' reached from -" in note for note in comparison.notes)
    assert not any("good" in note for note in comparison.notes)
    assert "only if none of the rows was used to train" in comparison.notes[0]


def test_mistakes_and_report_are_made_as_of_our_own(comparison):
    assert len(mistakes(comparison, "good <b>", "f1"))
    page = comparison_report(comparison, candidate="good <b>", baseline="poor", metric="f1")
    assert "good <b> beats" not in page
    assert "good &lt;b&gt; beats" in page
    assert "Learning time" not in page


def test_rows_without_label_or_score_are_left_out(table):
    gaps = table.copy()
    gaps.loc[:9, "truth"] = None
    gaps.loc[20:24, "poor"] = np.nan
    found = from_predictions(gaps, "truth", ["poor"], "ill")
    assert found.settings["rows"] == 585
    assert found.probabilities["row"].min() == 10
    assert any("15 rows" in note for note in found.notes)


def test_columns_may_be_called_like_ours(table):
    named = table.rename(columns={"truth": "label", "good <b>": "score", "poor": "fold"})
    found = from_predictions(named, "label", ["score", "fold"], "ill")
    assert list(found.seconds) == ["score (score)", "fold (score)"]


def test_a_constant_score_finds_nothing_or_everything(table):
    found = from_predictions(table.assign(same=0.3), "truth", ["same"], "ill")
    assert np.isfinite(found.scores["score"]).all()


@pytest.mark.parametrize(
    ("change", "scores", "reason"),
    [
        ({}, [], "No column of scores"),
        ({}, ["poor"] * (MOST_SCORES + 1), "No column of scores"),
        ({"poor": "high"}, ["poor"], "holds no scores"),
        ({}, ["truth"], "holds no scores"),
        ({"truth": ["ill"] + ["well"] * 599}, ["poor"], "rarer class"),
    ],
)
def test_what_cannot_be_judged_is_refused_in_words(table, change, scores, reason):
    with pytest.raises(DataError, match=reason):
        from_predictions(table.assign(**change), "truth", scores, "ill")


def test_a_file_is_looked_at_and_judged_into_the_store(table, tmp_path):
    path = tmp_path / "predictions.csv"
    table.to_csv(path, index=False)
    seen = look(str(path), "predictions.csv")
    assert seen["name"] == "predictions"
    assert next(iter(seen["classes"])) == "truth"
    assert seen["scores"] == ["patient", "good <b>", "poor"]
    home = str(tmp_path / "store")
    run_id = judge(str(path), "truth", "ill", ["poor"], "mine", home, "anna")
    store = Store(home)
    run = store.run(run_id)
    assert (run.kind, run.status, run.owner) == ("compare", "done", "anna")
    assert run.settings["predictions"]["scores"] == ["poor"]
    assert load_comparison(store, run_id).settings["dataset"] == "mine"
    assert "poor" in store.get_result(run_id, "headline")
    store.close()
