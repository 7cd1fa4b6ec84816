"""Any metric: choose one or type a formula, and see it as maths, as a surface and as a gradient."""

import streamlit as st

from anyloss_core.losses.scores import METRICS, Score, get_score
from pages.ui.base.presentation import aside
from pages.ui.base.settings import Choice, Number
from pages.ui.base.state import Board
from pages.ui.choice.losses import metric_option
from pages.ui.data import chosen
from pages.ui.teach import matrix, own_formula
from pages.ui.teach import metric_panels as panels
from pages.ui.teach.own_formula import OWN

BOARD = Board(
    "metric",
    Choice("metric", "f1", (*METRICS, OWN)),
    *own_formula.SETTINGS,
    Number("L", 73.0, 1.0, 150.0),
    *matrix.settings(),
)


def main() -> None:
    st.title("Any metric")
    aside(
        "A metric is a formula in the four counts of the confusion matrix. With soft counts it "
        "has a slope everywhere, so it can be trained. Choose one, or write your own."
    )
    BOARD.open()
    score = choose_score()
    own_formula.kept_formulas(BOARD)
    if score is None:
        return
    panels.maths(score)
    own_formula.offer_score(score, BOARD)
    matrix.show(score, BOARD)
    if dataset := chosen.current():
        panels.on_data(score, dataset, BOARD)


def choose_score() -> Score | None:
    """The metric of the page; None where a formula is refused."""
    first, second = st.columns([1, 2])
    with first:
        words = {name: metric_option(name) for name in METRICS} | {OWN: "My own formula"}
        name = BOARD.select("metric", "Metric", format_func=lambda name: words[name])
    if name != OWN:
        return get_score(name)
    with second:
        return own_formula.type_formula(BOARD)


main()
