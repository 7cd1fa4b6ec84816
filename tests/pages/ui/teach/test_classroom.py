"""A class without a browser: a teacher, students, what each of them may see."""

import pytest

from anyloss_core.store.classes import Classes
from anyloss_core.teaching.guesses import to_text
from anyloss_core.teaching.lessons import LESSONS
from pages.ui.runs import runs
from tests.pages.conftest import all_text, button, charts, clean

LESSON = LESSONS[2]  # a choice
UNKNOWN = "abcd2345"


@pytest.fixture
def classes(open_page):
    return Classes(runs.store().database)


@pytest.fixture
def code(classes):
    return classes.open("teacher")


def guessed(page, option):
    page.radio(key=f"{LESSON.name}.guess").set_value(option).run()
    button(page, "This is my guess").click().run()
    return clean(page)


def test_a_class_is_made_with_one_click(visit, classes):
    page = visit("teacher", "lessons", step=3)
    button(page, "Start a class").click().run()
    code = page.query_params["class"]
    assert classes.look(code, LESSON.name, "teacher").mine
    assert code in all_text(clean(page))


def test_the_teacher_sees_counts_and_no_answer_until_it_is_revealed(visit, classes, code):
    for number, option in enumerate((0, 0, 2)):
        classes.guess(code, LESSON.name, f"s{number}", to_text(LESSON.guess, option))
    link = {"step": 3, "class": code}
    page = visit("teacher", "lessons", **link)
    assert "3 guesses so far." in all_text(page)
    assert charts(page)[f"{LESSON.name}.class"]["figure"]["data"][0]["x"] == [2, 0, 1]
    assert LESSON.see not in all_text(page)
    assert LESSON.guess.because not in all_text(page)
    button(page, "Reveal").click().run()
    assert LESSON.see in all_text(clean(page))


def test_a_student_guesses_once_and_waits(visit, classes, code):
    link = {"step": 3, "class": code}
    page = guessed(visit("anna", "lessons", **link), 1)
    assert "Your guess is in. 1 guess so far." in all_text(page)
    assert LESSON.see not in all_text(page)
    assert not charts(page)  # what the others guessed is not shown yet
    again = visit("anna", "lessons", **link)  # a reload
    assert not again.radio
    classes.reveal(code, LESSON.name, "teacher")
    page = clean(visit("anna", "lessons", **link))
    assert "You said: 0.10: it stays where it is." in all_text(page)
    assert LESSON.see in all_text(page)
    assert charts(page)[f"{LESSON.name}.class"]["figure"]["data"][0]["x"] == [0, 1, 0]


def test_who_does_not_guess_waits_as_well(visit, code):
    page = visit("anna", "lessons", step=3, **{"class": code})
    button(page, "No guess").click().run()
    assert not page.radio
    assert "The answer opens when" in all_text(clean(page))
    assert LESSON.see not in all_text(page)


def test_students_are_offered_no_button_of_the_teacher(visit, code):
    page = visit("anna", "lessons", step=3, **{"class": code})
    labels = {button.label for button in page.button}
    assert not labels & {"Reveal", "Close the class", "Start a class", "Show me"}
    notes = [block.proto.popover.label for block in page.get("popover")]
    assert not any("Notes" in label for label in notes)  # they tell the answer


def test_a_class_that_is_closed_says_so(visit, classes, code):
    link = {"step": 3, "class": code}
    page = visit("teacher", "lessons", **link)
    button(page, "Close the class").click().run()
    assert "class" not in clean(page).query_params
    for gone in (code, UNKNOWN):
        page = visit("anna", "lessons", step=3, **{"class": gone})
        assert "This class is over" in all_text(clean(page))
        button(page, "Go on alone").click().run()
        assert LESSON.guess.question in all_text(clean(page))


def test_a_code_is_typed(visit, code):
    page = visit("anna", "lessons", step=3)
    page.text_input(key="join.class").set_value(f" {code[:4].upper()}-{code[4:]} ").run()
    button(page, "Join").click().run()
    assert page.query_params["class"] == code


def test_too_many_classes_are_refused_in_a_sentence(visit, classes):
    for _ in range(5):
        classes.open("teacher")
    page = visit("teacher", "lessons")
    button(page, "Start a class").click().run()
    assert "close one of them first" in all_text(clean(page))
    assert "class" not in page.query_params
