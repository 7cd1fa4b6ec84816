"""What the page Any metric shows of a metric: its maths, and its values on a data set."""

import pytest

from anyloss_core.losses.gradients import CLOSED_FORMS, closed_form_latex
from anyloss_core.losses.scores import get_score
from tests.pages.conftest import all_text, charts, drawn
from tests.support.small_table import small


@pytest.mark.parametrize("metric", CLOSED_FORMS)
def test_the_closed_form_is_one_click_away(metric, open_page):
    page = open_page("metric", metric=metric, data="builtin:moons")
    assert not page.exception
    assert closed_form_latex(metric) in all_text(page)


def maths(score):
    from pages.ui.teach import metric_panels

    metric_panels.maths(score)


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("f1", "As a loss: 1 - score."),
        ("mcc", "As a loss: (1 - score) / 2."),
        ("TP / (TP + 2 * FN)", "As a loss: 1 - score. You find it as a metric on every page."),
    ],
)
def test_the_loss_of_a_metric_is_written_out(metric, words):
    page = drawn(maths, score=get_score(metric))
    assert page.caption[0].value.endswith(words)


def test_what_is_odd_about_a_formula_is_said():
    page = drawn(maths, score=get_score("FP / (FP + TN)"))
    told = [box.value for box in page.info]
    assert "The score can fall when a false alarm is avoided (FP to TN)." in told
    assert len(told) == 3
    assert not drawn(maths, score=get_score("accuracy")).info


def on_data(score, dataset):
    from pages.ui.base.settings import Number
    from pages.ui.base.state import Board
    from pages.ui.teach import metric_panels

    board = Board("metric", Number("L", 73.0, 1.0, 150.0)).open()
    metric_panels.on_data(score, dataset, board)


@pytest.fixture(scope="module")
def gmean():
    return drawn(on_data, score=get_score("gmean"), dataset=small())


def test_corners_of_the_surface_are_told(gmean):
    dataset = small()
    alt = charts(gmean)["loss_surface"]["alt"]
    assert f"at {dataset.positives / dataset.rows:.1%}".replace("%", " %") in alt
    assert "0.000 at the best corner, 1.000 at the worst, 1.000 when nothing" in alt


def test_the_soft_value_comes_close_to_the_hard_one(gmean):
    words = charts(gmean)["soft_and_hard"]["alt"].rstrip(".").split()
    first, last, hard = (float(words[place].rstrip(";")) for place in (5, 11, -1))
    assert abs(last - hard) < abs(first - hard) / 5


def test_autograd_and_the_appendix_agree(gmean):
    table = gmean.dataframe[0].value
    assert table["difference"].abs().max() < 1e-12 < table["autograd"].abs().max()
    assert any("Largest difference: " in caption.value for caption in gmean.caption)
    assert "four times as long" in all_text(gmean)  # the misprint of the appendix


def test_a_metric_without_a_closed_form_says_so():
    page = drawn(on_data, score=get_score("mcc"), dataset=small())
    assert "Every other metric uses autograd" in all_text(page)
    assert not page.dataframe
    assert "0.000 at the best corner, 1.000 at the worst" in charts(page)["loss_surface"]["alt"]
