"""What do you want to maximise? A metric, money, a floor or a formula, asked for once.

The frame holds the goal as text, so that it goes along to every page and stands in every link;
the fields here are only its parts.
"""

from collections.abc import Callable

import streamlit as st

from anyloss_core.common.goal_formulas import RATES
from anyloss_core.losses.costs import as_score
from anyloss_core.losses.scores import get_score
from anyloss_core.statistics.goal import (
    KINDS,
    LARGEST_PRICE,
    Goal,
    cost_goal,
    floor_goal,
    formula_goal,
    parse_goal,
)
from anyloss_core.statistics.verdict_sentence import metric_of
from pages.ui.base.buttons import button
from pages.ui.base.errors import show_mistake
from pages.ui.base.frame import DEFAULT_GOAL, FRAME
from pages.ui.base.settings import Choice, Number, Text
from pages.ui.base.state import Board, hidden
from pages.ui.base.text import in_markdown
from pages.ui.choice.losses import is_metric, metric_option, metrics_on_offer

QUESTION = "What do you want to maximise?"
KIND_NAMES = {"metric": "A metric", "cost": "Money", "floor": "A rate, with a floor"}
KIND_NAMES["formula"] = "My own formula"
EXAMPLE = "TP / (TP + FP + FN)"
FORMULA_HELP = (
    "TP, TN, FP, FN, N (all rows), P, NEG (rows of each class), numbers, + - * / ** ( ), sqrt, "
    "min, max, abs, log, exp. It should rise as predictions improve."
)
FOLLOWED = "goal"  # session_state: page -> the metric that its losses were last chosen for
SEEN = "goal.seen"  # session_state: the goal that the fields were last set to


class Fields(Board):
    """The parts of the goal; the URL holds the whole of it instead."""

    def _save(self, name: str) -> None:
        """Nothing: see the frame."""


FIELDS = Fields(
    "goal",
    Choice("goal", KINDS[0], KINDS),
    Text("goal_metric", "f1", valid=is_metric),
    Number("miss", 10.0, 0.0, LARGEST_PRICE),
    Number("alarm", 1.0, 0.0, LARGEST_PRICE),
    Number("hit", 0.0, 0.0, LARGEST_PRICE),
    Text("currency", "EUR", longest=8),
    Choice("wanted", "precision", tuple(RATES)),
    Choice("held", "recall", tuple(RATES)),
    Number("floor", 0.9, 0.01, 0.99),
    Text("goal_formula", EXAMPLE),
)


def current() -> Goal:
    """What the visitor wants to maximise, on whatever page."""
    return parse_goal(FRAME["goal"])


def choose(goal: Goal | str) -> None:
    """Make this the goal of all pages."""
    FRAME.set("goal", parse_goal(goal).text)


def follow(board: Board) -> None:
    """Losses and metrics of a page that were for the goal of before are for the new one."""
    key, now = f"{board.page}.{FOLLOWED}", current().metric
    before = st.session_state.get(key, DEFAULT_GOAL)
    st.session_state[key] = now
    if before == now:
        return
    for name in {"metric", "metrics", "losses"} & board.settings.keys():
        value = board[name]
        if isinstance(value, str):
            board.set(name, now if value == before else value)
        elif not any(now in (entry, metric_of(entry)) for entry in value):
            board.set(name, tuple(dict.fromkeys(_aimed(entry, before, now) for entry in value)))


def _aimed(entry: str, before: str, now: str) -> str:
    """A metric, or AnyLoss of it, for another goal; its options stay."""
    name, at, options = entry.partition("@")
    renamed = {before: now, f"anyloss:{before}": f"anyloss:{now}"}
    return f"{renamed.get(name, name)}{at}{options}"


def field() -> Goal:
    """The question and its fields; what cannot be a goal is explained, and the old one stays."""
    goal = current()
    if "goal" in hidden():
        return goal
    _follow(goal)
    kind = FIELDS.segments("goal", QUESTION, format_func=KIND_NAMES.get)
    try:
        goal = PARTS[kind]()
    except ValueError as mistake:
        show_mistake(mistake)
        return current()
    if goal.text != FRAME["goal"]:
        choose(goal)
        st.session_state[SEEN] = goal.text
    return goal


def _follow(goal: Goal) -> None:
    """The fields say what the frame holds, after a link, a run or a change on another page."""
    if st.session_state.get(SEEN) == goal.text:
        return
    st.session_state[SEEN] = goal.text
    FIELDS.set("goal", goal.kind)
    own = {
        "metric": {"goal_metric": goal.metric},
        "cost": {name: getattr(goal, name) for name in ("miss", "alarm", "hit", "currency")},
        "floor": {name: getattr(goal, name) for name in ("wanted", "held", "floor")},
        "formula": {"goal_formula": goal.metric},
    }
    for name, value in own[goal.kind].items():
        FIELDS.set(name, value)


def _metric() -> Goal:
    offered = dict.fromkeys((FIELDS["goal_metric"], *metrics_on_offer()))
    chosen = FIELDS.select(
        "goal_metric", "Metric", options=list(offered), format_func=metric_option, width=320
    )
    return formula_goal(chosen)


def _cost() -> Goal:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        amounts = {
            name: FIELDS.number(name, label, format="%g", step=1.0, width=200)
            for name, label in (
                ("miss", "A missed positive costs"),
                ("alarm", "A false alarm costs"),
                ("hit", "A hit earns"),
            )
        }
        currency = FIELDS.text("currency", "Currency", max_chars=8, width=110)
    goal = cost_goal(**amounts, currency=currency.strip())
    _shown(goal, "money, as a share of what finding every positive is worth")
    return goal


def _floor() -> Goal:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        wanted = FIELDS.select("wanted", "The most", format_func=metric_option, width=220)
        held = FIELDS.select("held", "while this rate", format_func=metric_option, width=220)
        floor = FIELDS.number("floor", "is at least", format="%.2f", step=0.05, width=130)
    goal = floor_goal(wanted, held, floor)
    _shown(goal, f"{metric_option(wanted)}, less 5 points for each point missing below the floor")
    return goal


def _formula() -> Goal:
    text = FIELDS.text("goal_formula", "Formula", max_chars=300, help=FORMULA_HELP, width=520)
    score = get_score(text)
    if score.report.is_cost and (better := as_score(text)):
        st.warning("This formula falls as predictions improve: it is a cost.")
        button("Turn it into a score", "swap_vert", "goal.turn", choose, better)
    for warning in () if score.report.is_cost else score.report.warnings:
        if "undefined" not in warning:  # 0 is used, which is what everybody does
            st.caption(f"Note: {in_markdown(warning, 200)}.")
    return formula_goal(score.name)


def _shown(goal: Goal, meaning: str) -> None:
    st.caption(f"Trained and judged by `{goal.metric}`: {meaning}.")


PARTS: dict[str, Callable[[], Goal]] = {
    "metric": _metric,
    "cost": _cost,
    "floor": _floor,
    "formula": _formula,
}
assert PARTS.keys() == KIND_NAMES.keys() == set(KINDS)
