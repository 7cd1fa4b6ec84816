"""The study of lesson 8: what is kept can be made again, and the sentences follow from it."""

import re

import pytest

from anyloss_core.teaching.when_it_helps import METHODS, findings, kept, study, summary


@pytest.fixture(scope="module")
def means():
    return summary(kept()).set_index(["data", "method"])["mean"]


def test_a_draw_of_the_kept_study_comes_out_again():
    """Not to the last digit: another machine may put a fresh point on the other side."""
    again = study(range(1)).set_index(["data", "draw", "method"])["f1"]
    before = kept().set_index(["data", "draw", "method"])["f1"].loc[again.index]
    assert len(again) == 2 * len(METHODS)
    assert (again - before).abs().max() < 0.01


def test_where_the_line_must_turn_no_threshold_is_enough(means):
    far = means["far"]
    assert far["AnyLoss-F1"] > far["BCE + the best threshold there is"] + 0.2
    assert far["BCE + threshold"] <= far["BCE + the best threshold there is"] < 0.35
    assert far["weighted BCE + threshold"] < far["AnyLoss-F1"] - 0.2
    longer = far["BCE, five times as long, + threshold"]
    assert longer == pytest.approx(far["BCE + threshold"], abs=0.005)


def test_where_the_model_is_true_a_threshold_is_all_one_needs(means):
    beside = means["beside"]
    assert beside["AnyLoss-F1"] == pytest.approx(beside["BCE + threshold"], abs=0.01)
    assert beside["BCE"] < beside["BCE + threshold"] - 0.03


def test_a_model_that_can_bend_needs_no_such_help(means):
    assert means["far"]["MLP: BCE + threshold"] > means["far"]["MLP: AnyLoss-F1"]
    assert means["far"]["MLP: BCE + threshold"] > means["far"]["AnyLoss-F1"]


def test_sentences_have_the_figures_of_the_table(means):
    told = " ".join(findings(summary(kept())))
    figures = set(re.findall(r"0\.\d\d\b", told))
    assert figures <= {f"{value:.2f}" for value in means}
    assert len(figures) >= 6
