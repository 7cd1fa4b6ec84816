"""Choosing losses and metrics: a list of the usual ones, formulas of the user, free spelling."""

from collections.abc import Iterable, Sequence

import streamlit as st

from anyloss_core.common.wording import loss_words, metric_words
from anyloss_core.losses.scores import METRICS, get_score
from anyloss_core.losses.spelling import FAMILIES, REFERENCES, parse_loss
from pages.ui.base.frame import formulas
from pages.ui.base.state import Board
from pages.ui.base.text import literal, option
from pages.ui.choice import grouped

PLAIN = tuple(name for name, kind in FAMILIES.items() if kind.listed and not kind.takes_metric)
METHODS = ("bce+threshold", "bce+search", "bce+online_f1", "bce+smote", "bce+undersample")
METHODS += REFERENCES  # neither can be watched while it trains
SOFT_F1 = ("sigmoid_f1", "soft:f1", "lee:f1")
SPELLING = (
    "Type to search, or spell a loss yourself: `anyloss:f1@L=50`, a ramp `anyloss:f1@L=5..73`, a "
    "BCE warm-up `anyloss:f1@warm_up=0.2`, its own rate `bce@lr=0.01`, a formula "
    "`anyloss:TP/(TP+FP+FN)`, `sol:gmean`, `soft:mcc`, `focal@gamma=3`."
)


def metrics_on_offer() -> tuple[str, ...]:
    """The named metrics and the formulas typed on 'Any metric'."""
    return (*METRICS, *formulas())


def losses_by_group() -> dict[str, tuple[str, ...]]:
    """The baselines, AnyLoss of every metric, other soft losses, what else there is to beat."""
    return {
        "Losses without a metric": tuple(loss for loss in PLAIN if loss not in SOFT_F1),
        "BCE and something around it": tuple(m for m in METHODS if m not in REFERENCES),
        "AnyLoss of a metric": tuple(f"anyloss:{metric}" for metric in metrics_on_offer()),
        "Other soft F1": SOFT_F1,
        "SOL of a metric": tuple(f"sol:{metric}" for metric in METRICS),
        "Classifiers of scikit-learn": REFERENCES,
    }


def losses(board: Board, name: str = "losses", label: str = "Losses and methods") -> list[str]:
    """A list of losses; a spelling that means nothing is named and left out."""
    more = {"help": SPELLING, "placeholder": "Choose or spell losses"}
    typed = grouped.multiselect(board, name, label, losses_by_group(), loss_option, **more)
    return _understood(typed)


def metric(board: Board, name: str, label: str, **more: object) -> str:
    """One metric or formula."""
    options = dict.fromkeys((board[name], *metrics_on_offer()))
    return board.select(name, label, options=list(options), format_func=metric_option, **more)


def metrics(board: Board, name: str, label: str, **more: object) -> tuple[str, ...]:
    """Several metrics or formulas."""
    options = dict.fromkeys((*board[name], *metrics_on_offer()))
    return board.multiselect(name, label, options=list(options), format_func=metric_option, **more)


def trained_by_us(losses: Iterable[str]) -> list[str]:
    """Those of which there can be a model file: not scikit-learn's references."""
    return [loss for loss in losses if loss.partition("@")[0] not in REFERENCES]


def is_metric(text: str) -> bool:
    """Whether a setting from a link names a metric or formula."""
    return ";" not in text and bool(get_score(text))


def loss_option(spelling: str) -> str:
    """A loss in a list of choices."""
    return option(loss_words(spelling))


def metric_option(metric: str) -> str:
    """A metric in a list of choices."""
    words = metric_words(metric)
    return option(words[:1].upper() + words[1:])


def _understood(typed: Sequence[str]) -> list[str]:
    known = []
    for spelling in typed:
        try:
            known.append(parse_loss(spelling).spelling)
        except ValueError as mistake:
            st.warning(literal(mistake, 400), icon=":material/info:")
    return list(dict.fromkeys(known))
