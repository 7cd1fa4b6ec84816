"""The settings of the page Compare: what is in the URL, the form, and the ComparisonSettings.

It begins with the goal, which all pages share; the candidate follows it. L and warm-up of AnyLoss
are asked for beside it: left empty, they are chosen on inner folds.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from anyloss_core.comparison.settings import ComparisonSettings, read_amplifier
from anyloss_core.data.dataset import Dataset, check_folds
from anyloss_core.losses.spelling import LossError, parse_loss
from anyloss_core.store.store import Run
from pages.ui.base.buttons import start_button
from pages.ui.base.settings import Choice, Number, Several, Text
from pages.ui.base.state import Board
from pages.ui.choice import goal as goal_choice
from pages.ui.choice import losses as loss_choice
from pages.ui.choice import question, study_form
from pages.ui.choice.expected_time import comparison_expectation
from pages.ui.runs.runs import RUN

LOSSES = ("anyloss:f1", "bce", "bce+threshold")
METRICS = ("f1", "accuracy", "gmean", "balanced_accuracy", "mcc", "precision", "recall")
VIEWS = ("difference", "predictions", "learning", "ranking", "probabilities", "time", "why")
FIELDS = ("model", "protocol", "folds", "seed", "repeats", "epochs", "lr", "schedule", "hidden")
STORED = "comparison"  # where a run keeps these settings
LEFT_OPEN = ("L", "warm_up")  # '' leaves them to the inner folds


def is_amplifier(text: str) -> bool:
    """Whether a setting from a link is an L, a ramp or left open."""
    return not text or (bool(parse_loss(f"anyloss:f1@L={text}")) and bool(read_amplifier(text)))


def is_warm_up(text: str) -> bool:
    """Whether a setting from a link is a share of the epochs or left open."""
    return not text or bool(parse_loss(f"anyloss:f1@warm_up={text}"))


EXPERIMENT = (
    Several("losses", LOSSES, valid=parse_loss),
    Text("L", "", longest=20, valid=is_amplifier),
    Text("warm_up", "", longest=20, valid=is_warm_up),
    *study_form.settings(*FIELDS),
)
VIEW = (
    *question.SETTINGS,
    Several("metrics", METRICS, valid=loss_choice.is_metric, at_most=20),
    Choice("view", VIEWS[0], VIEWS),
    # The model whose threshold is moved ('': the candidate), a threshold (-1: its own), and the
    # share of positives in production in percent (0: as in the table).
    Text("cut", ""),
    Number("threshold", -1.0, -1.0, 1.0),
    Number("share", 0.0, 0.0, 99.0),
)
FITTED = replace(RUN, name="fitted")  # the run that trained a final model
EXPLAINED = replace(RUN, name="explained")  # the run that found which columns matter
BOARD = Board("compare", *EXPERIMENT, *VIEW, RUN, FITTED, EXPLAINED)


def form(dataset: Dataset | None) -> ComparisonSettings | None:
    """The controls; settings when the button was pressed and they can be used."""
    goal_choice.field()
    goal_choice.follow(BOARD)
    asked, *left_open = st.columns([4, 1, 1], vertical_alignment="top")
    with asked:
        losses = loss_choice.losses(BOARD)
    recipe(left_open)
    study_form.row(BOARD, model=2, protocol=2, folds=1, seed=1)
    study_form.training(BOARD, epochs=1, lr=1, schedule=1, repeats=1, hidden=1)
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = start_button("Compare", "compare.start", disabled=dataset is None)
        if dataset is not None:
            st.caption(comparison_expectation(dataset, lambda: current_settings(losses)))
    if not pressed:
        return None
    settings = current_settings(losses)
    check_folds(dataset, settings.folds)
    return settings


def recipe(columns: Sequence[Any]) -> None:
    """L and warm-up where one looks for them: beside AnyLoss."""
    labels = {"L": "L of AnyLoss", "warm_up": "Warm-up with BCE"}
    helps = {
        "L": "A number, or a ramp such as 5..73. Empty: chosen on inner folds.",
        "warm_up": "Share of the epochs before AnyLoss begins, 0 to 1. Empty: chosen with L.",
    }
    for column, name in zip(columns, LEFT_OPEN, strict=True):
        with column:
            BOARD.text(name, labels[name], placeholder="automatic", help=helps[name])


def current_settings(losses: Sequence[str]) -> ComparisonSettings:
    """What the widgets say, as the core takes it."""
    spelled = tuple(dict.fromkeys(map(with_recipe, losses)))
    values = study_form.values(BOARD, FIELDS)
    return ComparisonSettings(losses=spelled, goal=goal_choice.current().text, **values)


def with_recipe(loss: str) -> str:
    """An AnyLoss that spells no options takes those of the form."""
    given = {name: BOARD[name].strip() for name in LEFT_OPEN if BOARD[name].strip()}
    try:
        spec = parse_loss(loss)
    except LossError:
        return loss
    if spec.family != "anyloss" or spec.spelled or not given:
        return loss
    return parse_loss(f"{loss}@" + ",".join(f"{k}={v}" for k, v in given.items())).spelling


def unchanged(run: Run) -> bool:
    """Whether the page still says what the run was made with; predictions came from elsewhere."""
    if "predictions" in run.settings:
        return True
    stored = dict(run.settings.get(STORED, {}))
    stored["goal"] = stored.get("goal") or goal_choice.current().text  # runs of before have none
    return study_form.unchanged(run, stored, lambda: current_settings(BOARD["losses"]))


def settings_of(run: Run) -> dict[str, Any]:
    """The settings of a stored run as the board and the frame hold them."""
    stored = run.settings.get(STORED, {})
    goal = {"goal": stored["goal"]} if stored.get("goal") else {}
    return study_form.stored_values(stored, EXPERIMENT) | goal
