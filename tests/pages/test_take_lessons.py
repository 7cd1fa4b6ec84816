"""Lessons: every step opens by its own link, and has something to move."""

import pytest

from anyloss_core.teaching.lessons import LESSONS
from pages.ui.base import state
from tests.pages.conftest import all_text

TITLES = {
    1: "Why 95 % accuracy can be worthless",
    2: "From threshold to amplifier",
    3: "L too small",
    4: "L too large: no more update",
    5: "The soft confusion matrix becomes a loss",
    6: "BCE, MSE, SOL and AnyLoss side by side",
    7: "Is the difference real?",
    8: "When does it help?",
}


@pytest.mark.parametrize("step", TITLES)
def test_each_step_has_its_own_link(step, open_page):
    page = open_page("lessons", step=step)
    assert not page.exception
    assert page.title[0].value == TITLES[step]
    assert f"Lesson {step} of 8" in all_text(page)


def test_next_leads_on_and_leaves_the_settings_of_the_step_behind(open_page):
    page = open_page("lessons", share=20)
    page.button(key="go:Next").click().run()
    assert page.title[0].value == TITLES[2]
    assert page.query_params["step"] == "2"
    assert "share" not in page.query_params
    page.button(key="go:Back").click().run()
    assert page.slider[0].value == 20
    assert page.query_params["step"] == "1"  # the way back leads to a link that says so


def test_the_browsers_back_button_leads_to_the_lesson_before(open_page, monkeypatch):
    page = open_page("lessons")
    assert "step" not in page.query_params
    page.button(key="go:Next").click().run()
    monkeypatch.setattr(state, "went_back", lambda: True)
    page.query_params.clear()  # at once: no answer that comes late
    page.run()
    assert page.title[0].value == TITLES[1]
    assert page.query_params["step"] == "1"


def test_every_lesson_of_the_core_is_shown():
    assert [lesson.title for lesson in LESSONS] == list(TITLES.values())
