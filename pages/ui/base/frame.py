"""What all pages share: data set, goal, hidden controls, typed formulas, presentation."""

from pages.ui.base.settings import Flag, Several, Text
from pages.ui.base.state import HIDE, Board

DEFAULT_DATA = "builtin:random"
MAX_FORMULAS = 5

DEFAULT_GOAL = "f1"


def _is_goal(text: str) -> bool:
    from anyloss_core.statistics.goal import parse_goal

    return ";" not in text and bool(parse_goal(text))


FRAME = Board(
    "frame",
    Text("data", DEFAULT_DATA, longest=4_000),
    Text("goal", DEFAULT_GOAL, longest=400, valid=_is_goal),
    HIDE,
    Several("formula", (), at_most=MAX_FORMULAS),
    Flag("present", False),
)


def formulas() -> tuple[str, ...]:
    """Formulas that the user typed on 'Any metric'; every page offers them as metrics."""
    return tuple(text for text in FRAME["formula"] if _is_formula(text))


def remember_formula(text: str) -> None:
    """Offer a formula on every page from now on; the oldest makes room.

    'Name: formula' takes the place of the same formula, and of another one of that name.
    """
    others = [known for known in FRAME["formula"] if not _is_same(known, text)]
    FRAME.set("formula", (*others, text)[-MAX_FORMULAS:])


def forget_formula(text: str) -> None:
    """Offer a formula no longer."""
    FRAME.set("formula", tuple(known for known in FRAME["formula"] if known != text))


def _is_same(known: str, text: str) -> bool:
    from anyloss_core.losses.scores import split_name

    (own, formula), (other, typed) = split_name(known), split_name(text)
    return "".join(formula.split()) == "".join(typed.split()) or bool(own and own == other)


def _is_formula(text: str) -> bool:
    from anyloss_core.losses.scores import get_score

    try:
        get_score(text)
    except ValueError:
        return False
    return ";" not in text
