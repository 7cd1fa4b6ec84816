"""Permutation importance finds the column that the answer was made of, and no other."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.export.importance import FOLDS, importance
from tests.export import models

QUICK = {"epochs": 40}


@pytest.fixture(scope="module")
def dataset():
    random = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "noise": random.normal(size=240),
            "signal": random.normal(size=240),
            "colour": random.choice(["red", "blue", "green"], 240),
        }
    )
    answer = frame["signal"] + (frame["colour"] == "red") > 1
    return dataset_from_frame(frame.assign(y=answer), "y", True, name="made")


def test_what_the_answer_was_made_of_stands_first(dataset):
    shares = []
    table = importance(dataset, "anyloss:f1@L=10", QUICK, "f1", on_step=shares.append)
    assert table["column"].tolist() == ["signal", "colour", "noise"]
    assert table["mean"][0] > 0.3
    assert table["mean"][1] > 0.05
    assert abs(table["mean"][2]) < 0.05
    assert (table["std"] >= 0).all()
    assert (table["folds"] == FOLDS).all()
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_it_is_judged_by_the_goal_at_the_threshold_given(dataset):
    never = importance(dataset, "bce", QUICK, "recall", threshold=1.0)
    assert (never["mean"] == 0).all()  # nothing is ever found, so nothing can be lost


def test_every_kind_of_column_can_be_shuffled():
    table = importance(models.dataset(), "bce", {"epochs": 3}, "gmean")
    assert set(table["column"]) == set(models.dataset().frame.columns)
    assert np.isfinite(table["mean"]).all()


def test_it_can_be_given_up(dataset):
    def stop(share):
        if share > 0.4:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        importance(dataset, "bce", QUICK, "f1", on_step=stop)


def test_a_single_row_of_a_class_is_too_few(dataset):
    frame = dataset.frame.assign(y=[True] + [False] * 239)
    with pytest.raises(ValueError, match="two rows of each class"):
        importance(dataset_from_frame(frame, "y", True), "bce", QUICK, "f1")
