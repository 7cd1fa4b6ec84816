"""Lessons: eight short steps, each with one question, one thing to move and one thing to see."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from pages.ui.base import navigation
from pages.ui.base.settings import Number
from pages.ui.base.state import Board
from pages.ui.teach import lessons, when_it_helps
from pages.ui.teach.amplifier_panel import range_chart, slope_chart


@dataclass(frozen=True)
class Lesson:
    """One step: a question, something to move, what there is to see."""

    title: str
    question: str
    move: str
    see: str
    board: Board
    show: Callable[[Board], None]
    further: tuple[str, str] = ("", "")


LESSONS = (
    Lesson(
        "Why 95 % accuracy can be worthless",
        "Five of a hundred patients are ill. A classifier calls everybody healthy. How good is it?",
        "Move the share of ill patients.",
        "Accuracy praises the lazy classifier the more, the rarer the illness. Recall, F1 and MCC "
        "are not fooled: it finds nobody.",
        lessons.WORTHLESS,
        lessons.worthless,
        ("metric", "Look at any metric"),
    ),
    Lesson(
        "From threshold to amplifier",
        "A metric needs yes or no. A threshold at 0.5 gives it, but a step has no slope: nothing "
        "to learn from. Can a curve be almost a step and still have a slope?",
        "Drag L to the right.",
        "A(p) comes close to the step at 0.5 and still has a slope, which gathers around the "
        "threshold. L can be too small or too large for that: what gets shaded at the ends is "
        "told in the next two lessons.",
        lessons.TO_AMPLIFIER,
        lambda board: lessons.amplifier(board, slope_chart),
    ),
    Lesson(
        "L too small",
        "If a gentle curve is easy to learn from, why not take a very gentle one?",
        "Drag L until the first sentence turns good.",
        "Below its minimum, A pulls p towards 0.5 instead of away from it: p = 0.1 becomes 0.12. "
        "The soft counts are then further from the truth than p itself. As a measure such an A is "
        "wrong; as a start of a training it can be right, for every row still has a slope. So the "
        "Lab begins at L = 1 (MLP) or 2 (single layer) and lets L rise.",
        lessons.TOO_SMALL,
        lambda board: lessons.amplifier(board, range_chart),
        ("sweep", "Which L trains best, on many real tables"),
    ),
    Lesson(
        "L too large: no more update",
        "Then why not take an enormous L, almost a true step?",
        "Switch to float32, then drag L back until nothing is shaded.",
        "A computer has finitely many digits: A(p) becomes exactly 1, its slope exactly 0, and "
        "the network learns nothing more from the sample. float32 has half the digits, so it "
        "happens at half the L: 73, the paper's choice, is too large for it, unless 1 - A is "
        "computed with care.",
        lessons.TOO_LARGE,
        lessons.too_large,
        ("approximation", "Train with several L and watch samples die"),
    ),
    Lesson(
        "The soft confusion matrix becomes a loss",
        "Four counts make every metric. What if the counts are sums of A(p) instead of ones?",
        "Move L and compare the two matrices.",
        "The soft matrix comes close to the hard one as L grows, and so does its F1. But unlike "
        "the hard one it changes a little when a weight changes a little: 1 - F1 is a loss.",
        lessons.SOFT_MATRIX,
        lessons.soft_matrix,
        ("metric", "The same for any metric"),
    ),
    Lesson(
        "BCE, MSE, SOL and AnyLoss side by side",
        "Does it matter which loss a network learns with, if the data is imbalanced?",
        "Choose an imbalance, press Train, then look at other metrics.",
        "BCE and MSE care about every row equally, so rare positives are easily given up: high "
        "accuracy, low recall. SOL and AnyLoss aim at F1 itself.",
        lessons.SIDE_BY_SIDE,
        lessons.side_by_side,
        ("train", "All panels of a live training"),
    ),
    Lesson(
        "Is the difference real?",
        "One loss scored higher. Would it again, on other patients? And does it matter?",
        "Compare, then move the rope.",
        "Ten folds of data set 1 give ten differences, and from them the probability that the true "
        "one lies above, inside or below the rope. AnyLoss-F1 is far ahead of BCE, but BCE with a "
        "threshold tuned for F1 closes the gap: there no winner can be named. On other data the "
        "answer differs; that is why it is asked each time.",
        lessons.REAL_DIFFERENCE,
        lessons.is_it_real,
        ("compare", "Compare any losses on your data"),
    ),
    Lesson(
        "When does it help?",
        "BCE with a tuned threshold is hard to beat. Are there data on which no threshold is "
        "enough?",
        "Look at both examples, then draw your own: where does the line of AnyLoss turn away from "
        "that of BCE?",
        "A threshold moves the line, a loss can turn it. Where a straight line cannot be right for "
        "all rows, BCE compromises between them and AnyLoss-F1 gives up those that cost F1. Where "
        "the model fits the data, or can bend, a tuned threshold is all one needs.",
        when_it_helps.BOARD,
        when_it_helps.show,
        ("compare", "Find out on your own data"),
    ),
)
STEPS = Board("lessons", Number("step", 1, 1, len(LESSONS)))


def main() -> None:
    STEPS.open()
    number = STEPS["step"]
    lesson = LESSONS[number - 1]
    st.caption(f"Lesson {number} of {len(LESSONS)}")
    st.title(lesson.title)
    st.markdown(f"**{lesson.question}**")
    lesson.board.open()
    st.markdown(f":material/touch_app: {lesson.move}")
    lesson.show(lesson.board)
    with st.container(border=True):
        st.markdown(f":material/visibility: {lesson.see}")
    if lesson.further[0]:
        navigation.link(*lesson.further)
    walk(number)


def walk(number: int) -> None:
    """Back, all steps, on."""
    st.divider()
    with st.container(horizontal=True, horizontal_alignment="distribute", key="walk"):
        _step("Back", number - 1, ":material/arrow_back:", disabled=number == 1)
        for other in range(1, len(LESSONS) + 1):
            kind = "primary" if other == number else "tertiary"
            _step(str(other), other, None, type=kind, help=LESSONS[other - 1].title)
        _step("Next", number + 1, ":material/arrow_forward:", disabled=number == len(LESSONS))


def _step(label: str, number: int, icon: str | None, **more: object) -> None:
    st.button(label, icon=icon, key=f"go:{label}", on_click=_go, args=(number,), **more)


def _go(number: int) -> None:
    """Another lesson: the settings of this one leave the URL and are remembered."""
    for name in LESSONS[STEPS["step"] - 1].board.settings:
        if name in st.query_params:
            del st.query_params[name]
    STEPS.set("step", number)


main()
