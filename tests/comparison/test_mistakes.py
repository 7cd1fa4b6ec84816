"""The mistakes of a loss: counted by hand on a comparison of ten rows."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from anyloss_core.comparison.mistakes import COLUMNS, gains, mistakes
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import get_score
from anyloss_core.statistics.goal import cost_goal

LABELS = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
FIRST = [0.9, 0.2, 0.4, 0.1, 0.7, 0.6, 0.1, 0.1, 0.1, 0.1]  # rows 1, 2 missed; 4, 5 false alarms
AGAIN = [0.9, 0.3, 0.6, 0.1, 0.9, 0.2, 0.1, 0.1, 0.1, np.nan]  # only 1 and 4 are wrong again


@pytest.fixture
def comparison():
    folds = [
        pd.DataFrame({"row": range(10), "fold": fold, "label": LABELS, "bce": scores})
        for fold, scores in enumerate((FIRST, AGAIN))
    ]
    used = pd.DataFrame({"loss": "bce", "fold": [0, 1], "threshold": [0.5, 0.5]})
    return SimpleNamespace(probabilities=pd.concat(folds), confusion_for=lambda metric: used)


def test_every_row_that_was_wrong_has_a_line_and_says_how_often(comparison):
    found = mistakes(comparison, "bce", "accuracy")
    assert list(found.columns) == COLUMNS
    assert found["row"].tolist() == [4, 1, 2, 5]
    assert found["wrong"].tolist() == [2, 2, 1, 1]
    assert found["judged"].tolist() == [2, 2, 2, 2]
    assert found["mistake"].tolist() == ["false alarm", *["missed positive"] * 2, "false alarm"]
    # Every mistake is worth a row of accuracy: those wrong twice first, then the farther beyond.
    assert found["beyond"].tolist() == pytest.approx([0.3, 0.25, 0.0, -0.1])
    assert found["score"].tolist() == pytest.approx([0.8, 0.25, 0.5, 0.4])


def test_the_goal_decides_which_kind_is_worse(comparison):
    dear = mistakes(comparison, "bce", cost_goal(50, 1, 0).metric)
    assert dear["mistake"].tolist() == ["missed positive"] * 2 + ["false alarm"] * 2
    assert dear["row"].tolist() == [1, 2, 4, 5]
    assert dear["regret"][0] == pytest.approx(2 * dear["regret"][1])
    assert dear["regret"][0] == pytest.approx(50 * dear["regret"][2])


@pytest.mark.parametrize("metric", ["f1", "mcc", "precision"])
def test_gains_are_differences_of_the_metric(metric):
    counts, score = Counts(50.0, 4.0, 6.0, 10.0), get_score(metric)
    miss, alarm = gains(counts, metric)
    before = score(counts)
    assert miss == pytest.approx(float(score(Counts(50.0, 3.0, 6.0, 11.0)) - before))
    assert alarm == pytest.approx(float(score(Counts(51.0, 4.0, 5.0, 10.0)) - before))


def test_one_threshold_may_stand_for_all_folds(comparison):
    found = mistakes(comparison, "bce", "f1", threshold=0.15)
    assert set(found["mistake"]) == {"false alarm"}
    assert set(found["threshold"]) == {0.15}


def test_a_loss_without_mistakes_has_an_empty_table(comparison):
    right = comparison.probabilities.assign(bce=comparison.probabilities["label"].astype(float))
    perfect = SimpleNamespace(probabilities=right, confusion_for=comparison.confusion_for)
    assert len(mistakes(perfect, "bce", "f1")) == 0
