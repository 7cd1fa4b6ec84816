"""A guess before each lesson: committed, compared, or passed over; never asked twice."""

import pytest

from anyloss_core.teaching.lessons import LESSONS
from pages.ui.teach import guess
from tests.pages.conftest import all_text, button, charts, clean


@pytest.mark.parametrize("step", range(1, len(LESSONS) + 1))
def test_a_lesson_asks_before_it_shows(step, open_page):
    page = clean(open_page("lessons", step=step))
    lesson = LESSONS[step - 1]
    said = all_text(page)
    assert lesson.guess.question in said
    for kept in (lesson.move, lesson.see, lesson.guess.because, lesson.guess.right):
        assert kept not in said
    button(page, "Show me").click().run()
    said = all_text(clean(page))
    for shown in (lesson.move, lesson.see, lesson.guess.right):
        assert shown in said


def test_a_number_is_committed_and_the_difference_drawn(open_page):
    page = open_page("lessons", step=4)
    page.slider(key="too_large.guess").set_value(73.0)
    button(page, "This is my guess").click().run()
    assert "You said 73, it is 33: 40 too high." in all_text(clean(page))
    line = charts(page)["too_large.difference"]["figure"]["data"][0]
    assert sorted(line["x"]) == [33, 73]


def test_a_choice_has_to_be_made_before_it_is_committed(open_page):
    page = open_page("lessons", step=3)
    assert button(page, "This is my guess").disabled
    page.radio(key="too_small.guess").set_value(0).run()
    button(page, "This is my guess").click().run()
    assert "The answer: 0.12: pulled towards 0.5" in all_text(clean(page))


def test_a_curve_is_committed_as_the_browser_sent_it(open_page, monkeypatch):
    sent = [min(1.0, place / 20) for place in range(21)]
    monkeypatch.setattr(guess, "sketched", lambda key: sent)
    page = open_page("lessons", step=2)
    button(page, "This is my guess").click().run()
    assert "away from A(p) with L = 20 on average" in all_text(clean(page))
    yours, _ = charts(page)["amplifier.difference"]["figure"]["data"]
    assert yours["y"] == sent


@pytest.mark.parametrize("sent", [None, "x", [0.5] * 20, [2.0] * 21, [None] * 21])
def test_what_is_no_curve_cannot_be_committed(sent, open_page, monkeypatch):
    monkeypatch.setattr(guess, "sketched", lambda key: sent)
    assert button(open_page("lessons", step=2), "This is my guess").disabled


def test_a_guess_is_remembered(open_page):
    page = open_page("lessons")
    button(page, "This is my guess").click().run()
    page.button(key="go:Next").click().run()
    page.button(key="go:Back").click().run()
    assert "You said 50 %, it is 93.75 %: 43.75 percentage points too low." in all_text(page)


def test_a_link_to_an_experiment_opens_it(open_page):
    page = open_page("lessons", step=1, share=20)
    assert LESSONS[0].see in all_text(page)
    assert LESSONS[0].guess.right not in all_text(page)  # nobody asked
    page.slider[0].set_value(5).run()  # back to the default: the link is short again
    assert LESSONS[0].see in all_text(page)


def test_a_teacher_can_leave_out_the_guess_or_the_answer(open_page):
    assert LESSONS[0].see in all_text(open_page("lessons", hide="guess"))
    page = open_page("lessons", hide="answer")
    button(page, "This is my guess").click().run()
    said = all_text(clean(page))
    assert LESSONS[0].move in said
    assert LESSONS[0].see not in said
    assert "it is 93.75" not in said
    assert "Answer" in page.multiselect(key="frame.hide").options


def test_an_answer_can_be_left_out_before_it_was_shown(open_page):
    assert "Answer" in open_page("lessons").multiselect(key="frame.hide").options


def test_where_the_answer_is_left_out_neither_notes_nor_study_tell_it(open_page):
    page = clean(open_page("lessons", step=8, hide="answer;guess"))
    assert LESSONS[7].move in all_text(page)
    assert "0.54" not in all_text(page)
    assert not offers_notes(page)
    assert offers_notes(open_page("lessons"))


def offers_notes(page):
    return any("Notes" in block.proto.popover.label for block in page.get("popover"))
