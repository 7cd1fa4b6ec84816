"""The settings of the page Train: losses, network, optimiser, and how fast one wants to watch."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

import streamlit as st

from anyloss_core.comparison.protocols import FRESH, Plan, plan_for, plan_words
from anyloss_core.engine.models import ACTIVATIONS
from anyloss_core.engine.study import OPTIMISERS
from anyloss_core.live.settings import (
    MOST_EPOCHS,
    MOST_LOSSES,
    LiveSettings,
    check_size,
    read_hidden,
)
from anyloss_core.losses.approximation import AMPLIFIER
from anyloss_core.losses.spelling import parse_loss
from anyloss_core.store.store import Run
from pages.ui.base import presentation
from pages.ui.base.errors import show_mistake
from pages.ui.base.settings import Choice, Flag, Number, Several, Text
from pages.ui.base.state import Board
from pages.ui.choice import goal, grouped, losses, study_form
from pages.ui.data import chosen
from pages.ui.runs import runs
from pages.ui.runs.runs import RUN, seconds_allowed

RECIPES = {"automatic": "Automatic", "paper": "Paper: L = 73", "own": "My own"}
RECIPE_HELP = (
    "**Automatic** is what AnyLoss does on every page: L and warm-up are one of several recipes, "
    "chosen on inner folds of the training rows before the training begins.  \n"
    "**Paper**: L = 73 from the first epoch on.  \n"
    "**My own**: L, a ramp of L and a warm-up as you set them."
)
PACES = {"slow": 5.0, "watch": 30.0, "full": 0.0}  # epochs per second at most; 0: no limit
PACE_NAMES = {"slow": "Slow", "watch": "To watch", "full": "Full speed"}
ROW_NAMES = {"valid": "Validation", "train": "Training"}
PLANE_NAMES = {"components": "Principal components", "features": "Two features"}
OPTIMISER_NAMES = {"gd": "Gradient descent", "momentum": "Momentum", "adam": "Adam"}


PAPER_RECIPE = {"L": AMPLIFIER, "ramp": False, "warm_up": 0.0}


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
    Choice("recipe", "automatic", tuple(RECIPES)),
    Number("L", AMPLIFIER, 1.0, 150.0),
    Flag("ramp", False),
    Number("warm_up", 0.0, 0.0, 0.5),
    study_form.SETTINGS["model"],
    Text("hidden", "", valid=read_hidden),
    Choice("activation", "tanh", ACTIVATIONS),
    Flag("batch_norm", False),
    Choice("optimiser", "adam", OPTIMISERS),
    Number("lr", 0.0, 0.0, 10.0),  # 0, here and below: as comparisons have it
    study_form.SETTINGS["schedule"],
    Number("epochs", 0, 0, MOST_EPOCHS),
    Number("batch", 0, 0, 1_000_000),
    Number("valid", 0.3, 0.05, 0.5),
    Number("seed", 0, 0, 2**31 - 1),
    Choice("pace", "watch", tuple(PACES)),
    *VIEW,
    RUN,
)


def show() -> LiveSettings | None:
    """All widgets, and what they say; None, with a word on what to change, if that is wrong."""
    goal.follow(BOARD)
    _follow_an_earlier_link()
    run = runs.find(BOARD["run"]) if presentation.is_on() else None
    if run is None or not run.active:  # while a room watches, the curves have the screen
        _fields()
    try:
        settings = current_settings()
        if not chosen.opens(settings.data):  # the page has said so already
            return None
        check_size(settings, chosen.open_dataset(settings.data), seconds_allowed("train"))
    except ValueError as mistake:
        show_mistake(mistake)
        return None
    return settings


def _fields() -> None:
    words = f"One to six, side by side from the same start. {losses.SPELLING}"
    grouped.multiselect(
        BOARD, "losses", "Losses", _losses_by_group(), losses.loss_option, help=words
    )
    metric, recipe, model, pace = st.columns([0.7, 1.5, 0.75, 1.4], gap="medium")
    with metric:
        losses.metric(BOARD, "metric", "Metric")
    with recipe:
        BOARD.segments("recipe", "L of AnyLoss", format_func=RECIPES.get, help=RECIPE_HELP)
    with model:
        study_form.model_field(BOARD, label="Network")
    with pace:
        BOARD.segments("pace", "Speed", format_func=PACE_NAMES.get)
    if BOARD["recipe"] == "own":
        _own_recipe()
    with st.expander(f"Network and training · {_summary()}", key="train.more"):
        _details()


def current_settings() -> LiveSettings:
    """What the widgets say, as the job takes it; ValueError if it cannot be trained."""
    values, plan = BOARD.values(), usual_plan()
    is_mlp = values["model"] == "mlp"
    hidden = (read_hidden(values["hidden"]) or plan.network.hidden) if is_mlp else ()
    recipe = PAPER_RECIPE if values["recipe"] == "paper" else {n: values[n] for n in PAPER_RECIPE}
    same = ("losses", "metric", "activation", "batch_norm", "optimiser", "seed")
    return LiveSettings(
        data=chosen.reference(),
        hidden=hidden,
        lr=values["lr"] or plan.lr,
        epochs=values["epochs"] or plan.epochs,
        batch=values["batch"] or int(plan.batch or 0),
        valid_share=values["valid"],
        pace=PACES[values["pace"]],
        automatic=values["recipe"] == "automatic",
        large=plan.batch is not None,  # only plans of large tables have one
        schedule=values["schedule"] or plan.schedule,
        weight_decay=plan.optimiser.weight_decay,
        stratified=plan.stratified,
        **{name: values[name] for name in same},
        **recipe,
    )


def usual_plan() -> Plan:
    """How a comparison would train on as many rows: the defaults of this page."""
    return plan_for(FRESH, BOARD["model"], _training_rows())


def _training_rows() -> int | None:
    with suppress(ValueError):  # the page has said that the data cannot be opened
        return round(chosen.open_dataset(chosen.reference()).rows * (1 - BOARD["valid"]))
    return None


def settings_of(run: Run) -> dict[str, Any]:
    """The widgets as a run was set; empty if it was made by another version."""
    try:
        settings = LiveSettings.from_dict(run.settings)
    except (TypeError, ValueError):
        return {}
    shared = BOARD.settings.keys() & run.settings.keys() - {"hidden", "pace"}
    values = {name: getattr(settings, name) for name in shared}
    values["recipe"] = "automatic" if settings.automatic else "own"
    values["schedule"] = settings.schedule
    values["model"] = "mlp" if settings.hidden else "slp"
    if settings.hidden:
        values["hidden"] = ", ".join(map(str, settings.hidden))
    paces = {limit: name for name, limit in PACES.items()}
    return values | {"valid": settings.valid_share, "pace": paces.get(settings.pace, "full")}


def _follow_an_earlier_link() -> None:
    """A link that tells L, ramp or warm-up, but not whose recipe, means one's own."""
    told = st.query_params.keys()
    if "recipe" not in told and PAPER_RECIPE.keys() & told and BOARD["recipe"] == "automatic":
        BOARD.set("recipe", "own")


def _own_recipe() -> None:
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        BOARD.slider("L", "L of AnyLoss", step=1.0, format="%g", width=420)
        BOARD.toggle("ramp", "Let L grow from 5")
        BOARD.slider(
            "warm_up",
            "BCE warm-up: share of the epochs before AnyLoss, SOL and the like begin",
            step=0.05,
            width=420,
        )


def _details() -> None:
    is_slp, plan = BOARD["model"] == "slp", usual_plan()
    network, training, data, amplifier = st.columns(4, gap="medium")
    with network:
        BOARD.text(
            "hidden",
            "Hidden layers of the MLP",
            disabled=is_slp,
            placeholder=f"{', '.join(map(str, plan.network.hidden))} (default)" * (not is_slp),
            help="Units of each layer, such as 16, 8.",
        )
        BOARD.select("activation", "Activation", disabled=is_slp)
        BOARD.toggle("batch_norm", "Batch norm", disabled=is_slp)
    with training:
        BOARD.select("optimiser", "Optimiser", format_func=OPTIMISER_NAMES.get)
        BOARD.optional("lr", "Learning rate", f"{plan.lr:g}", step=0.01, format="%g")
        study_form.schedule_field(BOARD, plan)
    with data:
        BOARD.optional("epochs", "Epochs", plan.epochs, step=50)
        BOARD.optional("batch", "Rows in a batch", plan.batch or "all", step=32)
    with amplifier:
        BOARD.slider("valid", "Validation share", step=0.05)
        BOARD.number("seed", "Seed", step=1)


def _summary() -> str:
    """The hidden part of the form in one line."""
    values, plan = BOARD.values(), usual_plan()
    own = {name: values[name] or getattr(plan, name) for name in ("batch", "epochs")}
    rows = _training_rows()
    words = [] if rows is None else [plan_words(replace(plan, **own), rows)]
    rate = f"{OPTIMISER_NAMES[values['optimiser']]} {values['lr'] or plan.lr:g}"
    return ", ".join([values["model"].upper(), *words, rate, f"seed {values['seed']}"])


def _losses_by_group() -> dict[str, tuple[str, ...]]:
    """Losses alone: what else is compared cannot be watched while it trains."""
    groups = losses.losses_by_group().items()
    return {heading: group for heading, group in groups if not {*group} <= {*losses.METHODS}}
