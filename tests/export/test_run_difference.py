"""Two runs side by side: only what differs is listed, scores are matched by name."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core.comparison.results import Comparison
from anyloss_core.export.run_difference import score_differences, setting_differences, setting_rows
from anyloss_core.sweep.sweep import Sweep


def _comparison(**tp):
    confusion = pd.DataFrame(
        [(loss, 0, 10, 10 - value, 0, value) for loss, value in tp.items()],
        columns=["loss", "fold", "tn", "fn", "fp", "tp"],
    )
    empty = pd.DataFrame()
    return Comparison(empty, empty, confusion, empty, {}, 0.0, {}, empty)


def test_only_settings_that_differ_are_listed():
    first = {"data": "a", "comparison": {"seed": 0, "losses": ["bce", "mse"], "lr": None}}
    second = {"data": "a", "comparison": {"seed": 1, "losses": ["bce"], "lr": None}}
    table = setting_differences(first, second)
    assert table.to_numpy().tolist() == [
        ["comparison.seed", "0", "1"],
        ["comparison.losses", "bce, mse", "bce"],
    ]
    assert not len(setting_differences(first, first))


def test_scores_are_matched_by_loss_and_missing_ones_stay_empty():
    table = score_differences(_comparison(bce=4, mse=5), _comparison(bce=6), "recall")
    assert table["name"].tolist() == ["bce", "mse"]
    assert table["difference"][0] == pytest.approx(0.2)
    assert np.isnan(table["second"][1])


def test_sweeps_are_matched_by_their_L():
    def made(score):
        scores = pd.DataFrame(
            {"metric": "f1", "setting": ["5", "73"], "L": [5.0, 73.0], "fold": 0, "score": score}
        )
        return Sweep(scores, scores, {}, 0.0)

    table = score_differences(made([0.5, 0.6]), made([0.5, 0.9]), "f1")
    assert table["difference"].tolist() == pytest.approx([0.0, 0.3])


def test_the_settings_of_a_run_are_listed_without_what_was_left_open():
    rows = setting_rows({"data": "builtin:moons", "comparison": {"folds": 5, "lr": None}})
    assert rows.values.tolist() == [["data", "builtin:moons"], ["comparison.folds", "5"]]
