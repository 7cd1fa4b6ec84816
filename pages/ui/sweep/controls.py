"""The settings of the page L sweep: what is in the URL, the form, and the SweepSettings."""

from __future__ import annotations

from typing import Any

import streamlit as st

from anyloss_core.amplifier_view import LEVELS
from anyloss_core.approximation import FORMS
from anyloss_core.datasets import Dataset, check_folds
from anyloss_core.protocols import PROTOCOLS
from anyloss_core.settings import DTYPES, MODELS, amplifier_text
from anyloss_core.store import Run
from anyloss_core.sweep import PUBLISHED, read_amplifier
from anyloss_core.sweep_job import SweepSettings
from pages.ui import good_amplifier, loss_choice
from pages.ui.comparison_controls import MODEL_NAMES, PROTOCOL_NAMES
from pages.ui.runs import RUN
from pages.ui.settings import Choice, Number, Several, Text
from pages.ui.state import Board

WIDE = "1 2 5 10 20 30 50 73 110 5..73 10..73"
PAPER = " ".join(f"{L:g}" for L in PUBLISHED)
PRESETS = {"Wide, with two ramps": WIDE, "The paper's five values": PAPER}
LARGEST = 1000.0
MOST_VALUES = 24
WARM_UPS = {"protocol": "as the protocol says", "none": "none"}
FORM_NAMES = {"safe": "complement-safe", "naive": "as in the paper"}


def read_values(text: str) -> tuple[float | str, ...]:
    """'1 5 73 5..73' -> (1.0, 5.0, 73.0, '5..73')."""
    parts = tuple(dict.fromkeys(text.replace(",", " ").replace(";", " ").split()))
    if not 1 <= len(parts) <= MOST_VALUES:
        raise ValueError(f"L must be 1 to {MOST_VALUES} values such as '10 73 5..73'")
    values = []
    for part in parts:
        ends = [float(end) for end in amplifier_text(read_amplifier(part)).split("..")]
        if max(ends) > LARGEST:
            raise ValueError(f"L must be at most {LARGEST:g}, got {part[:20]!r}")
        values.append(part if len(ends) > 1 else ends[0])
    return tuple(values)


EXPERIMENT = (
    Several("metrics", ("f1",), valid=loss_choice.is_metric, at_most=4),
    Text("L", WIDE, valid=read_values),
    Choice("model", "slp", MODELS),
    Choice("protocol", "fresh", tuple(PROTOCOL_NAMES)),
    Number("folds", 5, 2, 20),
    Number("seeds", 1, 1, 10),
    Number("seed", 0, 0, 10**6),
    Number("epochs", 0, 0, 5000),
    Number("lr", 0.0, 0.0, 10.0),
    Choice("dtype", "float64", DTYPES),
    Choice("form", "safe", FORMS),
    Choice("warm", "protocol", tuple(WARM_UPS)),
)
VIEW = (
    Choice("t", "0.01", tuple(f"{t:g}" for t in LEVELS)),
    Choice("good_model", "slp", MODELS),
    Choice("good_start", "warm", tuple(good_amplifier.STARTS)),
)
BOARD = Board("sweep", *EXPERIMENT, *VIEW, RUN)


def form(dataset: Dataset | None) -> SweepSettings | None:
    """The controls; settings when the button was pressed and they can be used."""
    loss_choice.metrics(BOARD, "metrics", "Metrics")
    BOARD.text("L", "Values of L", help="Numbers and ramps with a space between: 10 73 5..73")
    with st.container(horizontal=True, key="sweep.presets"):
        for name, text in PRESETS.items():
            st.button(name, key=f"sweep.preset:{name}", on_click=BOARD.set, args=("L", text))
    columns = st.columns([2, 2, 1, 1, 1], vertical_alignment="top")
    with columns[0]:
        BOARD.segments("model", "Model", format_func=MODEL_NAMES.get)
    with columns[1]:
        BOARD.segments("protocol", "Protocol", format_func=PROTOCOL_NAMES.get)
    for column, name, label in zip(
        columns[2:], ("folds", "seeds", "seed"), ("Folds", "Starts per fold", "Seed"), strict=True
    ):
        with column:
            BOARD.number(name, label, step=1)
    with st.expander("Training settings", icon=":material/tune:"):
        _training()
    pressed = st.button(
        "Sweep",
        type="primary",
        icon=":material/play_arrow:",
        key="sweep.start",
        disabled=dataset is None,
    )
    if not pressed:
        return None
    settings = chosen()
    check_folds(dataset, settings.folds)
    settings.start(dataset)  # refuses what cannot be trained, before anything is queued
    return settings


def _training() -> None:
    plan = PROTOCOLS[BOARD["protocol"]].plans[BOARD["model"]]
    columns = st.columns([1, 1, 2, 2, 2], vertical_alignment="top")
    with columns[0]:
        BOARD.number("epochs", "Epochs", step=50, help=f"0: as the protocol says, {plan.epochs}.")
    with columns[1]:
        BOARD.number(
            "lr",
            "Learning rate",
            step=0.001,
            format="%g",
            help=f"0: as the protocol says, {plan.lr:g}.",
        )
    with columns[2]:
        BOARD.segments("dtype", "Precision", help="of the training and of the shaded range")
    with columns[3]:
        BOARD.segments("form", "Form of A", format_func=FORM_NAMES.get)
    with columns[4]:
        BOARD.segments("warm", "BCE warm-up", format_func=WARM_UPS.get)


def chosen() -> SweepSettings:
    """The settings of the board as the core takes them."""
    return SweepSettings(
        metrics=tuple(BOARD["metrics"]),
        amplifiers=read_values(BOARD["L"]),
        model=BOARD["model"],
        protocol=BOARD["protocol"],
        folds=BOARD["folds"],
        seeds=BOARD["seeds"],
        seed=BOARD["seed"],
        epochs=BOARD["epochs"] or None,
        lr=BOARD["lr"] or None,
        dtype=BOARD["dtype"],
        form=BOARD["form"],
        warm_up=0.0 if BOARD["warm"] == "none" else None,
    )


def unchanged(run: Run, data: str) -> bool:
    """Whether the board and the data set still say what the run was made with."""
    try:
        made = SweepSettings.from_dict(run.settings.get("sweep", {}))
        return made == chosen() and run.settings.get("data") == data
    except (ValueError, TypeError):
        return False


def settings_of(run: Run) -> dict[str, Any]:
    """The settings of a stored run as the board holds them."""
    stored = run.settings.get("sweep", {})
    values = {setting.name: stored.get(setting.name) or setting.default for setting in EXPERIMENT}
    spelled = (L if isinstance(L, str) else f"{L:g}" for L in stored.get("amplifiers", ()))
    warm = "none" if stored.get("warm_up") == 0 else "protocol"
    return values | {"L": " ".join(spelled), "warm": warm}
