"""The settings of the page L sweep: what is in the URL, the form, and the SweepSettings."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from anyloss_core.comparison.estimates import check_comparison
from anyloss_core.comparison.settings import MODELS, read_amplifier
from anyloss_core.data.dataset import Dataset, check_folds
from anyloss_core.losses.spelling import Ramp
from anyloss_core.store.store import Run
from anyloss_core.sweep.job import SweepSettings
from anyloss_core.sweep.sweep import AUTO, PUBLISHED, sweep_losses
from anyloss_core.teaching.amplifier import LEVELS
from pages.ui.base.buttons import start_button
from pages.ui.base.settings import Choice, Several, Text
from pages.ui.base.state import Board
from pages.ui.choice import goal, losses, study_form
from pages.ui.choice.expected_time import comparison_expectation
from pages.ui.runs.runs import RUN, seconds_allowed
from pages.ui.sweep import good_amplifier

WIDE = "1 2 5 10 20 30 50 73 110 5..73 10..73 auto"
PAPER = " ".join(f"{L:g}" for L in PUBLISHED)
PRESETS = {"Wide, with two ramps and automatic": WIDE, "The paper's five values": PAPER}
L_HELP = (
    "Numbers and ramps with a space between: 10 73 5..73. `auto` is what AnyLoss does by itself: "
    "one of several recipes, chosen on inner folds of the training rows."
)
LARGEST = 1000.0
MOST_VALUES = 24


def read_values(text: str) -> tuple[float | str, ...]:
    """'1 5 73 5..73' -> (1.0, 5.0, 73.0, '5..73')."""
    parts = tuple(dict.fromkeys(text.replace(",", " ").replace(";", " ").split()))
    if not 1 <= len(parts) <= MOST_VALUES:
        raise ValueError(f"L must be 1 to {MOST_VALUES} values such as '10 73 5..73'")
    values = []
    for part in parts:
        if part == AUTO:
            values.append(part)
            continue
        found = read_amplifier(part)
        highest = max(found.start, found.end) if isinstance(found, Ramp) else found
        if highest > LARGEST:
            raise ValueError(f"L must be at most {LARGEST:g}, got {part[:20]!r}")
        values.append(part if isinstance(found, Ramp) else found)
    return tuple(values)


FIELDS = (
    "model",
    "protocol",
    "folds",
    "seeds",
    "seed",
    "epochs",
    "lr",
    "schedule",
    "dtype",
    "form",
)
EXPERIMENT = (
    Several("metrics", ("f1",), valid=losses.is_metric, at_most=4),
    Text("L", WIDE, valid=read_values),
    *study_form.settings(*FIELDS, "warm", folds=5),
)
VIEW = (
    Choice("t", "0.01", tuple(f"{t:g}" for t in LEVELS)),
    Choice("good_model", "slp", MODELS),
    Choice("good_start", "warm", tuple(good_amplifier.STARTS)),
)
BOARD = Board("sweep", *EXPERIMENT, *VIEW, RUN)


def form(dataset: Dataset | None) -> SweepSettings | None:
    """The controls; settings when the button was pressed and they can be used."""
    goal.follow(BOARD)
    losses.metrics(BOARD, "metrics", "Metrics")
    BOARD.text("L", "Values of L", help=L_HELP)
    study_form.presets(BOARD, "L", PRESETS)
    study_form.row(BOARD, model=2, protocol=2, folds=1, seeds=1, seed=1)
    study_form.training(BOARD, epochs=1, lr=1, schedule=1, dtype=2, form=2, warm=2)
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = start_button("Sweep", "sweep.start", disabled=dataset is None)
        if dataset is not None:
            st.caption(comparison_expectation(dataset, lambda: current_settings().comparison))
    if not pressed:
        return None
    settings = current_settings()
    check_folds(dataset, settings.folds)
    # What cannot be trained is refused before anything is queued.
    check_comparison(dataset, settings.comparison, seconds_allowed("sweep"))
    return settings


def current_settings() -> SweepSettings:
    """What the widgets say, as the core takes it."""
    return SweepSettings(
        metrics=tuple(BOARD["metrics"]),
        amplifiers=read_values(BOARD["L"]),
        warm_up=0.0 if BOARD["warm"] == "none" else None,
        **study_form.values(BOARD, FIELDS),
    )


def loss_of(stored: Mapping[str, Any], metric: str, setting: str) -> str:
    """How the AnyLoss of a sweep is spelled elsewhere."""
    made = SweepSettings.from_dict(stored)
    return sweep_losses((metric,), (setting,), made.form, made.warm_up)[0]


def unchanged(run: Run) -> bool:
    """Whether the page still says what the run was made with."""
    return study_form.unchanged(run, run.settings.get("sweep", {}), current_settings)


def settings_of(run: Run) -> dict[str, Any]:
    """The settings of a stored run as the board holds them."""
    stored = run.settings.get("sweep", {})
    spelled = (L if isinstance(L, str) else f"{L:g}" for L in stored.get("amplifiers", ()))
    warm = "none" if stored.get("warm_up") == 0 else "protocol"
    values = study_form.stored_values(stored, EXPERIMENT)
    return values | {"L": " ".join(spelled), "warm": warm}
