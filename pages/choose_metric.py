"""Any metric: choose one or type a formula, and see it as maths, as a surface and as a gradient."""

import streamlit as st

from anyloss_core.losses.scores import METRICS, Score, get_score
from pages.ui.base.frame import remember_formula
from pages.ui.base.settings import Choice, Number, Text
from pages.ui.base.state import Board
from pages.ui.choice.losses import metric_option
from pages.ui.data import chosen
from pages.ui.teach import matrix
from pages.ui.teach import metric_panels as panels

OWN = "formula"
EXAMPLE = "TP / (TP + FP + FN)"
BOARD = Board(
    "metric",
    Choice("metric", "f1", (*METRICS, OWN)),
    Text("typed", EXAMPLE, longest=300),
    Number("L", 73.0, 1.0, 150.0),
    *matrix.settings(),
)


def main() -> None:
    st.title("Any metric")
    st.markdown(
        "A metric is a formula in the four counts of the confusion matrix. With soft counts it "
        "has a slope everywhere, so it can be trained. Choose one, or write your own."
    )
    BOARD.open()
    score = choose_score()
    if score is None:
        return
    panels.maths(score)
    matrix.show(score, BOARD)
    if dataset := chosen.current():
        panels.on_data(score, dataset, BOARD)


def choose_score() -> Score | None:
    """The metric of the page; a formula that is refused is explained."""
    first, second = st.columns([1, 2])
    with first:
        words = {name: metric_option(name) for name in METRICS} | {OWN: "My own formula"}
        name = BOARD.select("metric", "Metric", format_func=lambda name: words[name])
    if name != OWN:
        return get_score(name)
    with second:
        text = BOARD.text(
            "typed",
            "Formula",
            max_chars=300,
            help="TP, TN, FP, FN, N (all rows), P, NEG (rows of each class), numbers, + - * / ** "
            "( ), sqrt, min, max, abs, log, exp.",
        )
    try:
        score = get_score(text)
    except ValueError as refusal:
        st.error("This is not a formula that can be used:", icon=":material/error:")
        pointing = "\n" in str(refusal)  # its caret needs the line in one piece
        st.code(str(refusal), language=None, wrap_lines=not pointing)
        return None
    if score.name not in METRICS:
        remember_formula(score.text)
    return score


main()
