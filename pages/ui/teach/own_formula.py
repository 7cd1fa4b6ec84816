"""A formula of one's own: typed, named, kept for every page, deleted; a cost becomes a score."""

import streamlit as st

from anyloss_core.losses.costs import as_score
from anyloss_core.losses.scores import Score, get_score, split_name
from pages.ui.base.buttons import quiet_button
from pages.ui.base.frame import forget_formula, formulas, remember_formula
from pages.ui.base.settings import Text
from pages.ui.base.state import Board
from pages.ui.base.text import in_markdown, literal
from pages.ui.choice.losses import metric_option

OWN = "formula"  # the choice of a metric that stands for one's own
EXAMPLE = "TP / (TP + FP + FN)"
LONGEST_NAME = 40  # characters
SETTINGS = (Text("typed", EXAMPLE, longest=300), Text("called", "", longest=LONGEST_NAME))
MARKS = (
    "TP, TN, FP, FN, N (all rows), P, NEG (rows of each class), numbers, + - * / ** "
    "( ), sqrt, min, max, abs, log, exp."
)
NAME_RULE = "A name begins with a letter; letters, digits, spaces and . % - _ may follow."
LAST = "last_formula"  # session_state: kept when it was typed, so that one deleted stays away


def type_formula(board: Board) -> Score | None:
    """The formula in the fields of the page; one that is refused is explained."""
    left, right = st.columns([2, 1])
    with left:
        # Another formula needs another name, or it would take the place of the first.
        anew = {"on_change": board.set, "args": ("called", "")}
        text = board.text("typed", "Formula", max_chars=300, help=MARKS, **anew)
    with right:
        more = {"max_chars": LONGEST_NAME, "placeholder": "such as Net value", "help": NAME_RULE}
        own = board.text("called", "Name (optional)", **more)
    try:
        score = get_score(_metric(own, text))
    except ValueError as refusal:
        st.error("This is not a formula that can be used:", icon=":material/error:")
        pointing = "\n" in str(refusal)  # its caret needs the line in one piece
        st.code(str(refusal), language=None, wrap_lines=not pointing)
        return None
    if st.session_state.get(LAST) != score.name:
        st.session_state[LAST] = score.name
        remember_formula(score.name)
    return score


def offer_score(score: Score, board: Board) -> None:
    """Say that a formula is a cost, or no score from 0 to 1, and turn it into one by a click."""
    better = as_score(score.text)
    if better is None:
        return
    what = "is a cost: it falls" if score.report.is_cost else "rises beyond 0 to 1"
    st.warning(
        f"This {what} as predictions improve. A loss needs a score from 0 to 1: "
        f"{literal(better, 300)}",
        icon=":material/swap_vert:",
    )
    st.button(
        "Turn it into a score",
        key="as_score",
        type="primary",
        on_click=_exchange,
        args=(score.name, better, board),
    )


def kept_formulas(board: Board) -> None:
    """All formulas that are offered on every page, to open and to delete."""
    kept = formulas()
    if not kept:
        return
    with st.expander(f"Your formulas ({len(kept)})"):
        st.caption("Every page offers them as metrics, and they are part of your links.")
        for number, text in enumerate(reversed(kept)):
            words, opener, remover = st.columns([6, 1, 1], vertical_alignment="center")
            own, formula = split_name(text)
            with words:
                st.markdown(
                    f"**{in_markdown(own)}**: {literal(formula, 200)}"
                    if own
                    else literal(formula, 200)
                )
            with opener:
                quiet_button("Open", "edit", f"open_formula:{number}", _open, text, board)
            with remover:
                quiet_button("Delete", "delete", f"forget:{number}", forget_formula, text)


def _metric(own: str, text: str) -> str:
    own = own.strip()
    if not own:
        return text
    if split_name(f"{own}: TP") != (own, "TP"):
        raise ValueError(f"{metric_option(own)!r} cannot be a name. {NAME_RULE}")
    return f"{own}: {text}"


def _open(text: str, board: Board) -> None:
    own, formula = split_name(text)
    for name, value in (("metric", OWN), ("called", own), ("typed", formula)):
        board.set(name, value)


def _exchange(cost: str, score: str, board: Board) -> None:
    """The score in the place of the cost, in the field and among the kept formulas."""
    forget_formula(cost)
    board.set("typed", score)
