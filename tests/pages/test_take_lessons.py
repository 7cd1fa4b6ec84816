"""Lessons: every step opens by its own link, and has something to move."""

import pytest

from tests.pages.conftest import all_text

TITLES = {
    1: "Why 95 % accuracy can be worthless",
    2: "From threshold to amplifier",
    3: "L too small",
    4: "L too large: no more update",
    5: "The soft confusion matrix becomes a loss",
    6: "BCE, MSE, SOL and AnyLoss side by side",
    7: "Is the difference real?",
}


@pytest.mark.parametrize("step", TITLES)
def test_each_step_has_its_own_link(step, open_page):
    page = open_page("lessons", step=step)
    assert not page.exception
    assert page.title[0].value == TITLES[step]
    assert f"Lesson {step} of 7" in all_text(page)


def test_next_leads_on_and_leaves_the_settings_of_the_step_behind(open_page):
    page = open_page("lessons", share=20)
    page.button(key="go:Next").click().run()
    assert page.title[0].value == TITLES[2]
    assert page.query_params["step"] == "2"
    assert "share" not in page.query_params
    page.button(key="go:Back").click().run()
    assert page.slider[0].value == 20


def test_the_soft_matrix_comes_close_to_the_hard_one(open_page):
    def gap(L):
        sentence = open_page("lessons", step=5, L=L).markdown
        return float(all_text_of(sentence).split("gap ")[1].split(". ")[0])

    assert gap(60) < gap(3) / 5


def all_text_of(elements):
    return "\n".join(element.value for element in elements)


def test_four_losses_are_trained_side_by_side(open_page, finished):
    page = open_page("lessons", step=6, imbalance=9)
    page.button(key="lesson6.train").click().run()
    page = finished(page)
    assert not page.exception
    assert "AnyLoss-F1" in all_text(page).split("Now, on validation rows")[1]


def test_a_comparison_answers_whether_the_difference_is_real(open_page, finished):
    page = open_page("lessons", step=7)
    page.button(key="lesson7.compare").click().run()
    page = finished(page)
    assert not page.exception
    assert "no difference that matters" in all_text(page)
    page.slider[0].set_value(0.1).run()
    assert page.query_params["rope"] == "0.1"
