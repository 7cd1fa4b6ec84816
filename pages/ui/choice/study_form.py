"""The fields of a study: Compare, L sweep and Many data sets ask for the same things in one way.

A field has one setting and one way to be drawn. A page names the fields that it has; `values`
gives them as the core takes them, `stored_values` reads them from the settings of a run.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import streamlit as st

from anyloss_core.comparison.protocols import PROTOCOLS, Plan, plan_for
from anyloss_core.comparison.settings import DTYPES, MODELS
from anyloss_core.live.settings import read_hidden
from anyloss_core.losses.approximation import FORMS
from anyloss_core.store.store import Run
from pages.ui.base.settings import Choice, Number, Setting, Text
from pages.ui.base.state import Board
from pages.ui.base.text import FORM_NAMES
from pages.ui.data import chosen

OFFERED_PROTOCOLS = ("fresh", "paper")  # 'as_released' belongs to the page Paper
REPEATS = "Of the cross-validation, on other folds. Empty: five on a small table, else one."
WARM_UPS = {"protocol": "as the protocol says", "none": "none"}
LEFT_TO_PROTOCOL = ("epochs", "lr", "schedule", "hidden", "repeats")  # if they are 0 or empty
MANY = ("many",)  # pages whose tables have plans of their own
SCHEDULE_NAMES = {  # what the learning rate does over the epochs
    "": "as the protocol says",
    "constant": "stays",
    "linear": "falls to 0",
    "cosine": "falls to 0 like a cosine",
}

SETTINGS: dict[str, Setting] = {
    setting.name: setting
    for setting in (
        Choice("model", "slp", MODELS),
        Choice("protocol", "fresh", OFFERED_PROTOCOLS),
        Number("folds", 10, 2, 20),
        Number("seed", 0, 0, 10**6),
        Number("seeds", 1, 1, 10),
        Number("repeats", 0, 0, 10),
        Number("epochs", 0, 0, 5000),
        Number("lr", 0.0, 0.0, 10.0),
        Choice("schedule", "", tuple(SCHEDULE_NAMES)),
        Text("hidden", "", longest=40, valid=read_hidden),
        Choice("dtype", "float64", DTYPES),
        Choice("form", "safe", FORMS),
        Choice("warm", "protocol", tuple(WARM_UPS)),
    )
}


def settings(*names: str, **defaults: Any) -> tuple[Setting, ...]:
    """The settings of these fields; a page may have a default of its own."""
    own = {name: {"default": value} for name, value in defaults.items()}
    return tuple(replace(SETTINGS[name], **own.get(name, {})) for name in names)


def row(board: Board, **widths: float) -> None:
    """Fields side by side, each as wide as told."""
    columns = st.columns(list(widths.values()), vertical_alignment="top")
    for column, name in zip(columns, widths, strict=True):
        with column:
            FIELDS[name](board)


def training(board: Board, **widths: float) -> None:
    """Fields that most visitors leave to the protocol, one click away."""
    with st.expander("Training settings", icon=":material/tune:"):
        row(board, **widths)


def presets(board: Board, name: str, choices: Mapping[str, Any]) -> None:
    """Values of a setting that are one click away."""
    with st.container(horizontal=True, key=f"{board.page}.presets"):
        for label, value in choices.items():
            key = f"{board.page}.preset:{label}"
            st.button(label, key=key, on_click=board.set, args=(name, value))


def values(board: Board, names: Iterable[str]) -> dict[str, Any]:
    """These fields as the core takes them; 0 and nothing mean the protocol's own."""
    found = {name: board[name] for name in names}
    if "hidden" in found:
        found["hidden"] = read_hidden(found["hidden"]) if found["model"] == "mlp" else ()
    return {
        name: (value or None) if name in LEFT_TO_PROTOCOL else value
        for name, value in found.items()
    }


def stored_values(stored: Mapping[str, Any], settings: Iterable[Setting]) -> dict[str, Any]:
    """The settings of a stored run as the board holds them."""
    values = {setting.name: stored.get(setting.name) or setting.default for setting in settings}
    if isinstance(values.get("hidden"), list | tuple):
        values["hidden"] = " ".join(str(size) for size in values["hidden"])
    return values


def unchanged(run: Run, stored: Mapping[str, Any], now: Callable[[], Any]) -> bool:
    """Whether form and data set still say what the run was made with."""
    try:
        settings = now()
        same = type(settings).from_dict(stored) == settings
    except (ValueError, TypeError):
        return False
    return same and run.settings.get("data") == chosen.reference()


def model_field(board: Board, name: str = "model", label: str = "Model") -> str:
    """SLP or MLP."""
    return board.segments(name, label, format_func=str.upper)


def _protocol(board: Board) -> None:
    texts = (f"**{name}**: {PROTOCOLS[name].text}" for name in OFFERED_PROTOCOLS)
    board.segments("protocol", "Protocol", help="  \n".join(texts))


def _number(name: str, label: str, **more: Any) -> Callable[[Board], Any]:
    return lambda board: board.number(name, label, step=1, **more)


def _epochs(board: Board) -> None:
    usual = "automatic" if board.page in MANY else _plan(board).epochs
    board.optional("epochs", "Epochs", usual, step=50, help="Empty: the protocol's.")


def _learning_rate(board: Board) -> None:
    usual = f"{_plan(board).lr:g}"
    about = "For losses that spell none. Empty: the protocol's."
    board.optional("lr", "Learning rate", usual, step=0.001, format="%g", help=about)


def schedule_field(board: Board, plan: Plan | None) -> str:
    """What the learning rate does over the epochs; no plan: that depends on the table."""
    usual = {} if plan is None else {"": f"{SCHEDULE_NAMES[plan.schedule]} (default)"}
    return board.select(
        "schedule", "Learning-rate schedule", format_func=(SCHEDULE_NAMES | usual).get
    )


def _hidden(board: Board) -> None:
    if board["model"] == "mlp":
        usual = " ".join(map(str, _plan(board).network.hidden))
        board.text("hidden", "Hidden units", placeholder=usual, help="One layer: 4. Two: 16 8.")


def _plan(board: Board) -> Plan:
    """The protocol's for a fold of the chosen data."""
    rows = None
    with suppress(ValueError):  # the page has said that the data cannot be opened
        rows = chosen.open_dataset(chosen.reference()).rows
        rows -= rows // board["folds"]
    return plan_for(PROTOCOLS[board["protocol"]], board["model"], rows)


FIELDS: dict[str, Callable[[Board], Any]] = {
    "model": model_field,
    "protocol": _protocol,
    "folds": _number("folds", "Folds"),
    "seed": _number("seed", "Seed"),
    "seeds": _number("seeds", "Starts per fold"),
    "workers": _number("workers", "Processes"),
    "repeats": lambda board: board.optional(
        "repeats", "Repeats", "automatic", step=1, help=REPEATS
    ),
    "epochs": _epochs,
    "lr": _learning_rate,
    "schedule": lambda board: schedule_field(board, None if board.page in MANY else _plan(board)),
    "hidden": _hidden,
    "dtype": lambda board: board.segments(
        "dtype", "Precision", help="of the training and of the shaded range"
    ),
    "form": lambda board: board.segments("form", "Form of A", format_func=FORM_NAMES.get),
    "warm": lambda board: board.segments("warm", "BCE warm-up", format_func=WARM_UPS.get),
}
