"""Lessons: short steps, each with one question, a guess, one thing to move and one thing to see."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from anyloss_core.teaching.lessons import LESSONS, Lesson
from pages.ui.base import navigation
from pages.ui.base.buttons import on_demand
from pages.ui.base.settings import Number
from pages.ui.base.state import Board, hidden, note
from pages.ui.teach import classroom, guess, lessons, top, when_it_helps
from pages.ui.teach.amplifier_panel import range_chart, slope_chart

SHOWN: dict[str, tuple[Board, Callable[[Board], None]]] = {
    "accuracy": (lessons.WORTHLESS, lessons.worthless),
    "amplifier": (lessons.TO_AMPLIFIER, lambda board: lessons.amplifier(board, slope_chart)),
    "too_small": (lessons.TOO_SMALL, lambda board: lessons.amplifier(board, range_chart)),
    "too_large": (lessons.TOO_LARGE, lessons.too_large),
    "soft_matrix": (lessons.SOFT_MATRIX, lessons.soft_matrix),
    "side_by_side": (lessons.SIDE_BY_SIDE, lessons.side_by_side),
    "real": (lessons.REAL_DIFFERENCE, lessons.is_it_real),
    "helps": (when_it_helps.BOARD, when_it_helps.show),
}
STEPS = Board("lessons", Number("step", 1, 1, len(LESSONS)), classroom.CLASS, named="step")


def main() -> None:
    STEPS.open()
    number = STEPS["step"]
    lesson = LESSONS[number - 1]
    top.begin_at_top(lesson.name)
    note(guess.HIDE_ANSWER, "Answer")
    st.caption(f"Lesson {number} of {len(LESSONS)}")
    st.title(lesson.title)
    st.markdown(f"**{lesson.question}**")
    board, draw = SHOWN[lesson.name]
    board.open()
    if STEPS["class"]:
        opened, guessed = classroom.settled(lesson, STEPS)
    else:
        opened, guessed = guess.settled(lesson, board)
    if opened:
        guess.compare(lesson, guessed)
        show(lesson, board, draw)
    walk(number)
    # The notes tell the answer.
    if guess.HIDE_ANSWER not in hidden() and (opened or not STEPS["class"]):
        course = partial(take_home, number)
        on_demand("Notes and files for the teacher", "school", "course", course)


def show(lesson: Lesson, board: Board, draw: Callable[[Board], None]) -> None:
    """What to move, what moves, what there is to see."""
    st.markdown(f":material/touch_app: {lesson.move}")
    draw(board)
    if guess.HIDE_ANSWER not in hidden():
        with st.container(border=True):
            st.markdown(f":material/visibility: {lesson.see}")
    if lesson.further[0]:
        navigation.link(*lesson.further)


def walk(number: int) -> None:
    """Back, all steps, on; and the class."""
    st.divider()
    with st.container(horizontal=True, horizontal_alignment="distribute", key="walk"):
        _step("Back", number - 1, ":material/arrow_back:", disabled=number == 1)
        for other in range(1, len(LESSONS) + 1):
            kind = "primary" if other == number else "tertiary"
            _step(str(other), other, None, type=kind, help=LESSONS[other - 1].title)
        _step("Next", number + 1, ":material/arrow_forward:", disabled=number == len(LESSONS))
    if not STEPS["class"]:
        classroom.offer(STEPS)


def take_home(number: int) -> None:
    """The notes on a lesson, and the lessons as files."""
    from pages.ui.teach import course  # it draws all charts of all lessons

    course.offer(LESSONS[number - 1])


def _step(label: str, number: int, icon: str | None, **more: object) -> None:
    st.button(label, icon=icon, key=f"go:{label}", on_click=_go, args=(number,), **more)


def _go(number: int) -> None:
    """Another lesson: the settings of this one leave the URL and are remembered."""
    board, _ = SHOWN[LESSONS[STEPS["step"] - 1].name]
    for name in board.settings:
        if name in st.query_params:
            del st.query_params[name]
    STEPS.set("step", number)


main()
