"""A guess before a lesson shows: asked, committed, and then compared with the answer.

Alone, a guess is remembered while the window is open. In a class it goes to the store
(`classroom`), and the answer waits for the teacher.
"""

from collections.abc import Callable
from typing import Any

import streamlit as st

from anyloss_core.figures import guesses as figures
from anyloss_core.teaching.guesses import ChoiceGuess, CurveGuess, NumberGuess
from anyloss_core.teaching.lessons import Lesson
from pages.ui.base.buttons import button, quiet_button
from pages.ui.base.state import Board, hidden, note
from pages.ui.charts.charts import show_figure
from pages.ui.charts.sketch import sketch, sketched

GUESSES = "guesses"  # session_state: name of a lesson -> the guess, None for 'Show me'
NOT_ASKED = "not asked"  # in the place of a guess
HIDE_GUESS, HIDE_ANSWER = "guess", "answer"  # names in ?hide=


def settled(lesson: Lesson, board: Board) -> tuple[bool, Any]:
    """Whether the lesson may show itself to somebody alone, and the guess; asks for it if not.

    A link to settings of the lesson is a link to the experiment: it opens at once.
    """
    made = st.session_state.setdefault(GUESSES, {})
    if HIDE_GUESS in hidden() or any(name in st.query_params for name in board.settings):
        made.setdefault(lesson.name, NOT_ASKED)
    if lesson.name not in made:
        ask(lesson, _keep)
    return lesson.name in made, made.get(lesson.name)


def ask(lesson: Lesson, commit: Callable[[Lesson, Any], None], skip: str = "Show me") -> None:
    """The question with its field; `commit` gets the guess, or None from who makes none."""
    note(HIDE_GUESS, "Guess before the lesson")
    with st.container(border=True, key="guess"):
        st.markdown(f":material/help: **Guess first.** {lesson.guess.question}")
        _field(lesson)
        with st.container(horizontal=True):
            unset = given(lesson) is None
            what = ("This is my guess", "check", "guess.commit", _commit, lesson, commit)
            button(*what, look="primary", disabled=unset)
            quiet_button(skip, "visibility", "guess.skip", commit, lesson, None)


def given(lesson: Lesson) -> Any:
    """What the field holds now, or None."""
    key = f"{lesson.name}.guess"
    if isinstance(lesson.guess, CurveGuess):
        return lesson.guess.read(sketched(key))
    return lesson.guess.read(st.session_state.get(key))


def compare(lesson: Lesson, value: Any) -> None:
    """The answer, and how far a guess was from it; None for no guess."""
    if value == NOT_ASKED or HIDE_ANSWER in hidden():
        return
    with st.container(border=True, key="verdict"):
        words = lesson.guess.right if value is None else lesson.guess.verdict(value)
        st.markdown(f":material/lightbulb: **{words}** {lesson.guess.because}")
        if value is not None and not isinstance(lesson.guess, ChoiceGuess):
            show_figure(
                figures.own_figure(lesson.guess, value),
                f"{lesson.name}.difference",
                alt=words,
                table=figures.own_table(lesson.guess, value),
                formula=f"The difference is the guess minus the answer. {lesson.guess.because}",
            )


def _commit(lesson: Lesson, commit: Callable[[Lesson, Any], None]) -> None:
    # Read now: a change of the field may have come with the same click.
    if (value := given(lesson)) is not None:
        commit(lesson, value)


def _keep(lesson: Lesson, value: Any) -> None:
    st.session_state.setdefault(GUESSES, {})[lesson.name] = value


def _field(lesson: Lesson) -> None:
    guess, key = lesson.guess, f"{lesson.name}.guess"
    if isinstance(guess, NumberGuess):
        _number(guess, key)
    elif isinstance(guess, ChoiceGuess):
        places = range(len(guess.options))
        st.radio("Your guess", places, None, lambda place: guess.options[place], key)
    else:
        _curve(guess, key)


def _number(guess: NumberGuess, key: str) -> None:
    middle = guess.low + guess.step * round((guess.high - guess.low) / guess.step / 2)
    shown = guess.write(0).replace("0", "%g", 1) if guess.step >= 1 else "%.2f"
    limits = (guess.low, guess.high, middle, guess.step)
    st.slider("Your guess", *limits, format=shown.replace(" %", " %%"), key=key)


def _curve(guess: CurveGuess, key: str) -> None:
    label = "Your curve: draw it, or use the arrow keys"
    sketch(key, label, guess.x, guess.low, guess.high, guess.x_title)
    st.caption(f"{label}: left and right choose a point, up and down move it.")
