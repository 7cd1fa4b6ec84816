"""What lessons 6 and 7 train, kept for files: it comes out again, and is that of the pages."""

import numpy as np

from anyloss_core.teaching.take_home import (
    DATA,
    FOUR,
    IMBALANCES,
    METRICS,
    THREE,
    curves,
    kept,
    kept_folds,
)
from pages.ui.runs.kinds import FIRST_COMPARISON


def test_curves_that_are_kept_come_out_again():
    again, before = curves(IMBALANCES[-1]), kept()["curves"][str(IMBALANCES[-1])]
    assert again["epoch"] == before["epoch"]
    for metric in METRICS:
        for loss in FOUR:
            np.testing.assert_allclose(again[metric][loss], before[metric][loss], atol=0.02)


def test_all_that_a_file_offers_is_kept():
    assert list(kept()["curves"]) == [str(n) for n in IMBALANCES]
    scores, settings = kept_folds()
    assert set(scores["loss"]) == set(THREE)
    assert set(scores["metric"]) == {"f1"}
    assert scores["fold"].nunique() == settings["folds"] == 10


def test_the_kept_comparison_is_the_one_of_the_page():
    chosen = FIRST_COMPARISON["comparison"]
    assert FIRST_COMPARISON["data"] == DATA
    assert tuple(chosen["losses"]) == THREE
    assert chosen["folds"] == 10
