"""A class that guesses together: join by a code, see the counts, reveal the answer on all screens.

Who opened the class sees the counts live and reveals; everybody else guesses once and waits. Nobody
is named. The pages ask the store, as they do for runs.
"""

from contextlib import suppress
from typing import Any

import streamlit as st

from anyloss_core.figures.guesses import class_figure
from anyloss_core.store.classes import Classes, Look, UnknownClass, read_code
from anyloss_core.store.store import StoreError
from anyloss_core.teaching.guesses import from_text, from_texts, to_text
from anyloss_core.teaching.lessons import Lesson
from pages.ui.base import server_start
from pages.ui.base.buttons import button, quiet_button
from pages.ui.base.copy_link import copy_link
from pages.ui.base.errors import guarded
from pages.ui.base.presentation import aside
from pages.ui.base.settings import Text
from pages.ui.base.state import Board, hidden, note
from pages.ui.charts.charts import show_figure
from pages.ui.runs import runs
from pages.ui.teach import guess

CLASS = Text("class", "", valid=lambda text: bool(read_code(text)))
POLL_SECONDS = 2.0
PASSED = "passed"  # session_state: (code, lesson) that this visitor does not guess
HOW = (
    "Students open this link, or type the code under *Join a class*. You see how often each guess "
    "was made, and open the answer on all screens at once. No names, no accounts; the guesses are "
    "deleted with the class, after a day without use at the latest."
)
COUNTED = (
    "How often each guess was made in this class, counted from the store. Nothing but the guess is "
    "kept, and it is deleted with the class."
)


def settled(lesson: Lesson, board: Board) -> tuple[bool, Any]:
    """Whether the class may see the lesson, and this visitor's guess; draws what it waits for."""
    code = read_code(board["class"])
    try:
        look = _look(code, lesson)
    except UnknownClass:
        st.info("This class is over. You can go on alone.", icon=":material/info:")
        quiet_button("Go on alone", "person", "class.leave", board.set, "class", "")
        return False, None
    if look.mine:
        _teacher(code, lesson, board, look)
    else:
        _student(code, lesson, look)
    return look.revealed, look.own and from_text(lesson.guess, look.own)


def offer(board: Board) -> None:
    """At the foot of a lesson: open a class, or join one."""
    note("class", "Guess as a class")
    if "class" in hidden():
        return
    with st.container(horizontal=True, vertical_alignment="center", key="class.offer"):
        quiet_button("Start a class", "groups", "class.start", _start, board)
        with st.popover("Join a class", icon=":material/login:", type="tertiary"):
            typed = st.text_input("Code of the class", key="join.class", max_chars=20)
            if typed and not read_code(typed):
                st.caption("A code has eight letters and digits.")
            button("Join", "login", "class.join", _join, board, disabled=not read_code(typed))


def _teacher(code: str, lesson: Lesson, board: Board, look: Look) -> None:
    """Code, counts, reveal."""
    with st.container(border=True, key="class"):
        st.markdown(f":material/groups: Your class **{code}** · {lesson.guess.question}")
        with st.container(horizontal=True, vertical_alignment="center"):
            shown = ("Reveal", "visibility", "class.reveal", _reveal, code, lesson.name)
            button(*shown, look="primary", disabled=look.revealed)
            copy_link("classroom", label="Copy the link of the class")
            quiet_button("Close the class", "close", "class.close", _close, board, code)
        aside(HOW)
        _live_counts(code, lesson, look.revealed)


def _student(code: str, lesson: Lesson, look: Look) -> None:
    """Guess once, then wait."""
    if look.revealed:
        _counts(code, lesson, revealed=True)
        return
    if look.own is None and (code, lesson.name) not in st.session_state.get(PASSED, ()):
        guess.ask(lesson, lambda lesson, value: _commit(code, lesson, value), skip="No guess")
    _wait(code, lesson)


@st.fragment(run_every=POLL_SECONDS)
@guarded
def _wait(code: str, lesson: Lesson) -> None:
    """How many have guessed; the whole page learns of the reveal."""
    look = _look_or_rerun(code, lesson)
    if look.revealed:
        st.rerun()
    begin = "" if look.own is None else "Your guess is in. "
    st.caption(f"{begin}{_in_words(look)} The answer opens when your teacher reveals it.")


@st.fragment(run_every=POLL_SECONDS)
@guarded
def _live_counts(code: str, lesson: Lesson, revealed: bool) -> None:
    """The counts as they grow."""
    look = _look_or_rerun(code, lesson)
    if look.revealed != revealed:
        st.rerun()  # in another window of the teacher
    st.markdown(_in_words(look))
    _counts(code, lesson, revealed)


def _counts(code: str, lesson: Lesson, revealed: bool) -> None:
    values = from_texts(lesson.guess, _classes().guesses(code, lesson.name, runs.owner()))
    show_figure(
        class_figure(lesson.guess, values, revealed),
        f"{lesson.name}.class",
        alt=f"{len(values)} guesses of the class. {lesson.guess.right if revealed else ''}",
        table=lambda: lesson.guess.tally(values),
        formula=COUNTED,
    )


def _in_words(look: Look) -> str:
    return f"{look.guesses} guess{'' if look.guesses == 1 else 'es'} so far."


@guarded
def _start(board: Board) -> None:
    board.set("class", _classes().open(runs.owner()))


def _join(board: Board) -> None:
    board.set("class", read_code(st.session_state["join.class"]))


@guarded
def _commit(code: str, lesson: Lesson, value: Any) -> None:
    text = to_text(lesson.guess, value)
    if text is None:
        st.session_state.setdefault(PASSED, set()).add((code, lesson.name))
    else:
        _classes().guess(code, lesson.name, runs.owner(), text)


@guarded
def _reveal(code: str, lesson: str) -> None:
    _classes().reveal(code, lesson, runs.owner())


@guarded
def _close(board: Board, code: str) -> None:
    _classes().close(code, runs.owner())
    board.set("class", "")


def _look(code: str, lesson: Lesson) -> Look:
    return _classes().look(code, lesson.name, runs.owner())


def _look_or_rerun(code: str, lesson: Lesson) -> Look:
    try:
        return _look(code, lesson)
    except UnknownClass:
        st.rerun()  # closed meanwhile: the page says so


def _classes() -> Classes:
    return Classes(runs.store().database)


def _forget_unused() -> None:
    with suppress(StoreError):  # the disk may be full: then the next time
        _classes().forget_unused()


server_start.when_empty(_forget_unused)
