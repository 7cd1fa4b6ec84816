"""The settings of the page Compare: what is in the URL, the form, and the ComparisonSettings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from anyloss_core.datasets import Dataset, check_folds
from anyloss_core.protocols import PROTOCOLS
from anyloss_core.settings import MODELS, ComparisonSettings
from anyloss_core.spelling import parse_loss
from anyloss_core.store import Run
from pages.ui import loss_choice
from pages.ui.runs import RUN
from pages.ui.settings import Choice, Number, Several, Text
from pages.ui.state import Board

LOSSES = ("anyloss:f1", "bce", "bce+threshold")
METRICS = ("f1", "accuracy", "gmean", "balanced_accuracy", "mcc", "precision", "recall")
VIEWS = ("difference", "predictions", "learning", "ranking", "probabilities", "time")
MODEL_NAMES = {"slp": "SLP", "mlp": "MLP"}
PROTOCOL_NAMES = {"fresh": "fresh", "paper": "paper"}
MOST_HIDDEN = 3  # layers, each up to WIDEST
WIDEST = 256


def read_hidden(text: str) -> tuple[int, ...]:
    """'16 8' -> (16, 8)."""
    parts = text.replace(",", " ").split()
    sizes = tuple(int(part) for part in parts if part.isdecimal() and len(part) < 5)
    if len(sizes) != len(parts) or not 1 <= len(sizes) <= MOST_HIDDEN:
        raise ValueError(f"hidden must be 1 to {MOST_HIDDEN} whole numbers such as '16 8'")
    if not all(1 <= size <= WIDEST for size in sizes):
        raise ValueError(f"a hidden layer has 1 to {WIDEST} units, got {text[:40]!r}")
    return sizes


EXPERIMENT = (
    Several("losses", LOSSES, valid=parse_loss),
    Choice("model", "slp", MODELS),
    Choice("protocol", "fresh", tuple(PROTOCOL_NAMES)),
    Number("folds", 10, 2, 20),
    Number("seed", 0, 0, 10**6),
    Number("repeats", 1, 1, 10),
    Number("epochs", 0, 0, 5000),
    Number("lr", 0.0, 0.0, 10.0),
    Text("hidden", "", longest=40, valid=lambda text: not text or read_hidden(text)),
)
VIEW = (
    Text("metric", "", valid=lambda text: not text or loss_choice.is_metric(text)),
    Several("metrics", METRICS, valid=loss_choice.is_metric, at_most=20),
    Text("candidate", ""),
    Text("baseline", ""),
    Number("rope", 0.01, 0.0, 0.2),
    Choice("view", VIEWS[0], VIEWS),
)
FITTED = replace(RUN, name="fitted")  # the run that trained a final model
BOARD = Board("compare", *EXPERIMENT, *VIEW, RUN, FITTED)


def form(dataset: Dataset | None) -> ComparisonSettings | None:
    """The controls; settings when the button was pressed and they can be used."""
    losses = loss_choice.losses(BOARD)
    columns = st.columns([2, 2, 1, 1], vertical_alignment="top")
    with columns[0]:
        BOARD.segments("model", "Model", format_func=MODEL_NAMES.get)
    with columns[1]:
        BOARD.segments(
            "protocol", "Protocol", format_func=PROTOCOL_NAMES.get, help=_protocol_help()
        )
    with columns[2]:
        BOARD.number("folds", "Folds", step=1)
    with columns[3]:
        BOARD.number("seed", "Seed", step=1)
    with st.expander("Training settings", icon=":material/tune:"):
        _training()
    pressed = st.button(
        "Compare",
        type="primary",
        icon=":material/play_arrow:",
        key="compare.start",
        disabled=dataset is None,
    )
    if not pressed:
        return None
    settings = chosen(losses)
    check_folds(dataset, settings.folds)
    return settings


def _training() -> None:
    plan = PROTOCOLS[BOARD["protocol"]].plans[BOARD["model"]]
    columns = st.columns(4, vertical_alignment="top")
    with columns[0]:
        BOARD.number("epochs", "Epochs", step=50, help=f"0: as the protocol says, {plan.epochs}.")
    with columns[1]:
        BOARD.number(
            "lr",
            "Learning rate",
            step=0.001,
            format="%g",
            help=f"For losses that spell none. 0: as the protocol says, mostly {plan.lr:g}.",
        )
    with columns[2]:
        BOARD.number("repeats", "Repeats", step=1, help="of the cross-validation, on other folds")
    with columns[3]:
        if BOARD["model"] == "mlp":
            own = " ".join(map(str, plan.network.hidden))
            BOARD.text("hidden", "Hidden units", placeholder=own, help="One layer: 4. Two: 16 8.")


def chosen(losses: list[str] | tuple[str, ...]) -> ComparisonSettings:
    """The settings of the board as the core takes them; 0 and nothing mean the protocol's own."""
    hidden = BOARD["hidden"].strip() if BOARD["model"] == "mlp" else ""
    return ComparisonSettings(
        losses=tuple(losses),
        model=BOARD["model"],
        protocol=BOARD["protocol"],
        folds=BOARD["folds"],
        seed=BOARD["seed"],
        repeats=BOARD["repeats"],
        epochs=BOARD["epochs"] or None,
        lr=BOARD["lr"] or None,
        hidden=read_hidden(hidden) if hidden else None,
    )


def unchanged(run: Run, data: str) -> bool:
    """Whether the board and the data set still say what the run was made with."""
    try:
        made = ComparisonSettings.from_dict(run.settings.get("comparison", {}))
        return made == chosen(BOARD["losses"]) and run.settings.get("data") == data
    except (ValueError, TypeError):
        return False


def settings_of(run: Run) -> dict[str, Any]:
    """The settings of a stored run as the board holds them."""
    stored = run.settings.get("comparison", {})
    values = {setting.name: stored.get(setting.name) or setting.default for setting in EXPERIMENT}
    return values | {"hidden": " ".join(str(size) for size in stored.get("hidden") or ())}


def _protocol_help() -> str:
    return "  \n".join(f"**{name}**: {PROTOCOLS[name].text}" for name in PROTOCOL_NAMES)
