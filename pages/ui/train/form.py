"""The settings of the page Train: losses, network, optimiser, and how fast one wants to watch."""

from typing import Any

import streamlit as st

from anyloss_core.engine.models import ACTIVATIONS
from anyloss_core.engine.study import OPTIMISERS
from anyloss_core.live.settings import (
    MOST_EPOCHS,
    MOST_LOSSES,
    LiveSettings,
    check_size,
    read_hidden,
)
from anyloss_core.losses.spelling import parse_loss
from anyloss_core.store.store import Run
from pages.ui.base.errors import show_mistake
from pages.ui.base.settings import Choice, Flag, Number, Several, Text
from pages.ui.base.state import Board
from pages.ui.choice import grouped, losses, study_form
from pages.ui.data import chosen
from pages.ui.runs.runs import RUN, seconds_allowed

PACES = {"slow": 5.0, "watch": 30.0, "full": 0.0}  # epochs per second at most; 0: no limit
PACE_NAMES = {"slow": "Slow", "watch": "To watch", "full": "Full speed"}
ROW_NAMES = {"valid": "Validation", "train": "Training"}
PLANE_NAMES = {"components": "Principal components", "features": "Two features"}
OPTIMISER_NAMES = {"gd": "Gradient descent", "momentum": "Momentum", "adam": "Adam"}


def _is_trainable(loss: str) -> bool:
    return parse_loss(loss).method is None


VIEW = (  # what is looked at, not what is trained
    Number("epoch", 0, 0, MOST_EPOCHS),  # 0: the newest
    Text("closely", ""),  # the loss that is seen from close up; "": the first
    Choice("rows", "valid", tuple(ROW_NAMES)),
    Choice("plane", "components", tuple(PLANE_NAMES)),
    Number("across", 0, 0, 100_000),  # features by their index: names are data
    Number("up", 1, 0, 100_000),
)
BOARD = Board(
    "train",
    Several("losses", ("anyloss:f1", "bce"), valid=_is_trainable, at_most=MOST_LOSSES),
    Text("metric", "f1", valid=losses.is_metric),
    Number("L", 73.0, 1.0, 150.0),
    Flag("ramp", False),
    Number("warm_up", 0.0, 0.0, 0.5),
    study_form.SETTINGS["model"],
    Text("hidden", "8", valid=read_hidden),
    Choice("activation", "tanh", ACTIVATIONS),
    Flag("batch_norm", False),
    Choice("optimiser", "adam", OPTIMISERS),
    Number("lr", 0.03, 0.0001, 10.0),
    Number("epochs", 300, 1, MOST_EPOCHS),
    Number("batch", 0, 0, 1_000_000),
    Number("valid", 0.3, 0.05, 0.5),
    Number("seed", 0, 0, 2**31 - 1),
    Choice("pace", "watch", tuple(PACES)),
    *VIEW,
    RUN,
)


def show() -> LiveSettings | None:
    """All widgets; None, with a word on what to change, if they cannot be trained together."""
    words = f"One to six, side by side from the same start. {losses.SPELLING}"
    grouped.multiselect(
        BOARD, "losses", "Losses", _losses_by_group(), losses.loss_option, help=words
    )
    metric, amplifier, model, pace = st.columns([1, 1.2, 0.7, 1.3], gap="medium")
    with metric:
        losses.metric(BOARD, "metric", "Metric")
    with amplifier:
        BOARD.slider("L", "L of AnyLoss", step=1.0, format="%g")
    with model:
        study_form.model_field(BOARD, label="Network")
    with pace:
        BOARD.segments("pace", "Speed", format_func=PACE_NAMES.get)
    with st.expander(f"Network and training · {_summary()}", key="train.more"):
        _details()
    try:
        settings = current_settings()
        if not chosen.opens(settings.data):  # the page has said so already
            return None
        check_size(settings, chosen.open_dataset(settings.data), seconds_allowed("train"))
    except ValueError as mistake:
        show_mistake(mistake)
        return None
    return settings


def current_settings() -> LiveSettings:
    """What the widgets say, as the job takes it; ValueError if it cannot be trained."""
    values = BOARD.values()
    is_mlp = values["model"] == "mlp"
    return LiveSettings(
        data=chosen.reference(),
        losses=values["losses"],
        hidden=read_hidden(values["hidden"]) if is_mlp else (),
        valid_share=values["valid"],
        pace=PACES[values["pace"]],
        **{
            name: values[name]
            for name in LiveSettings.__dataclass_fields__
            if name in values and name not in ("losses", "hidden", "pace")
        },
    )


def settings_of(run: Run) -> dict[str, Any]:
    """The widgets as a run was set; empty if it was made by another version."""
    try:
        settings = LiveSettings.from_dict(run.settings)
    except (TypeError, ValueError):
        return {}
    shared = BOARD.settings.keys() & run.settings.keys() - {"hidden", "pace"}
    values = {name: getattr(settings, name) for name in shared}
    values["model"] = "mlp" if settings.hidden else "slp"
    if settings.hidden:
        values["hidden"] = ", ".join(map(str, settings.hidden))
    paces = {limit: name for name, limit in PACES.items()}
    return values | {"valid": settings.valid_share, "pace": paces.get(settings.pace, "full")}


def _details() -> None:
    is_slp = BOARD["model"] == "slp"
    network, training, data, amplifier = st.columns(4, gap="medium")
    with network:
        BOARD.text(
            "hidden",
            "Hidden layers of the MLP",
            disabled=is_slp,
            help="Units of each layer, such as 16, 8.",
        )
        BOARD.select("activation", "Activation", disabled=is_slp)
        BOARD.toggle("batch_norm", "Batch norm", disabled=is_slp)
    with training:
        BOARD.select("optimiser", "Optimiser", format_func=OPTIMISER_NAMES.get)
        BOARD.number("lr", "Learning rate", step=0.01, format="%g")
    with data:
        BOARD.number("epochs", "Epochs", step=50)
        BOARD.number("batch", "Rows in a batch (0: all)", step=32)
    with amplifier:
        BOARD.slider("valid", "Validation share", step=0.05)
        BOARD.number("seed", "Seed", step=1)
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        BOARD.slider(
            "warm_up",
            "BCE warm-up: share of the epochs before AnyLoss, SOL and the like begin",
            step=0.05,
            width=420,
        )
        BOARD.toggle("ramp", "Let L grow from 5")


def _summary() -> str:
    """The hidden part of the form in one line."""
    values = BOARD.values()
    batch = f"batches of {values['batch']}" if values["batch"] else "all rows at once"
    return (
        f"{values['model'].upper()}, {OPTIMISER_NAMES[values['optimiser']]} {values['lr']:g}, "
        f"{values['epochs']} epochs, {batch}, seed {values['seed']}"
    )


def _losses_by_group() -> dict[str, tuple[str, ...]]:
    """Losses without the methods around BCE, which need rows of their own."""
    groups = losses.losses_by_group().items()
    return {heading: group for heading, group in groups if group != losses.METHODS}
