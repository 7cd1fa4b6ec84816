"""The settings of the page Many data sets: what is in the URL, the form, the BenchmarkSettings."""

from __future__ import annotations

import os
from typing import Any

import streamlit as st

from anyloss_core.benchmark_settings import BenchmarkSettings, comparison_settings
from anyloss_core.cost_model import Clock, estimate
from anyloss_core.evidence import TESTS
from anyloss_core.protocols import PROTOCOLS
from anyloss_core.settings import MODELS
from anyloss_core.spelling import parse_loss
from anyloss_core.store import Run
from anyloss_core.uploads import UPLOAD_ID
from pages.ui import benchmark_suites, loss_choice
from pages.ui.comparison_controls import MODEL_NAMES, PROTOCOL_NAMES
from pages.ui.runs import MOST_WORKERS, RUN
from pages.ui.settings import Choice, Number, Several, Text
from pages.ui.state import Board
from pages.ui.text import duration

LOSSES = ("bce", "bce+threshold", "anyloss:f1", "anyloss:gmean", "anyloss:balanced_accuracy")
PAPER = (
    *("mse", "bce", "anyloss:accuracy", "anyloss:f1", "anyloss:f0.5", "anyloss:f2"),
    *("anyloss:gmean", "anyloss:balanced_accuracy"),
)
RIVALS = (
    *("anyloss:f1", "anyloss:gmean", "bce", "bce+threshold", "weighted_bce", "bce+smote"),
    *("sol:f1", "sol:gmean"),
)
PRESETS = {
    "AnyLoss and BCE": LOSSES,
    "The paper's eight losses": PAPER,
    "AnyLoss and its rivals": RIVALS,
}
VIEWS = ("verdict", "imbalance", "ranks", "datasets")
SOURCES = {"run": "Run a suite", "kept": "What we found", "scores": "Analyse my scores"}
HALVES = {"both": "All tables", "A": "Half A (chosen on)", "B": "Half B (confirmed on)"}
CORES = min(os.cpu_count() or 1, MOST_WORKERS)


def is_upload(text: str) -> bool:
    """Whether a setting from a link could name a kept file."""
    return text == "" or bool(UPLOAD_ID.fullmatch(text))


EXPERIMENT = (
    Several("losses", LOSSES, valid=parse_loss, at_most=16),
    Choice("model", "slp", MODELS),
    Choice("protocol", "fresh", tuple(PROTOCOL_NAMES)),
    Number("folds", 10, 2, 20),
    Number("seeds", 1, 1, 10),
    Number("seed", 0, 0, 10**6),
    Number("epochs", 0, 0, 5000),
)
SUITE = (
    Choice("suite", "real", tuple(benchmark_suites.SUITES)),
    Number("largest", benchmark_suites.LARGEST, 100, benchmark_suites.LARGEST),
    Text("openml", "", longest=1000),
    Several("files", (), valid=is_upload, at_most=50),
)
VIEW = (
    Text("metric", "", valid=lambda text: not text or loss_choice.is_metric(text)),
    Text("candidate", ""),
    Text("baseline", ""),
    Number("rope", 0.01, 0.0, 0.2),
    Choice("test", "sign", tuple(TESTS)),
    Choice("view", VIEWS[0], VIEWS),
)
BOARD = Board(
    "many",
    Choice("source", "run", tuple(SOURCES)),
    Number("workers", CORES, 1, MOST_WORKERS),
    Text("scores", "", valid=is_upload),
    Choice("half", "both", tuple(HALVES)),
    *SUITE,
    *EXPERIMENT,
    *VIEW,
    RUN,
)


def form() -> BenchmarkSettings | None:
    """The controls; settings when the button was pressed and they can be used."""
    items = benchmark_suites.choose(BOARD)
    losses = loss_choice.losses(BOARD)
    with st.container(horizontal=True, key="many.presets"):
        for name, chosen in PRESETS.items():
            st.button(name, key=f"many.preset:{name}", on_click=BOARD.set, args=("losses", chosen))
    columns = st.columns([2, 2, 1, 1, 1], vertical_alignment="top")
    with columns[0]:
        BOARD.segments("model", "Model", format_func=MODEL_NAMES.get)
    with columns[1]:
        BOARD.segments("protocol", "Protocol", format_func=PROTOCOL_NAMES.get)
    for column, name, label in zip(
        columns[2:], ("folds", "seeds", "workers"), ("Folds", "Seeds", "Processes"), strict=True
    ):
        with column:
            BOARD.number(name, label, step=1)
    with st.expander("Training settings", icon=":material/tune:"):
        _training()
    if not items or not losses:
        st.caption("Choose data sets and losses.")
        return None
    settings = BenchmarkSettings(benchmark_suites.label(BOARD), items, comparison(losses))
    st.caption(expectation(settings, BOARD["workers"]))
    pressed = st.button("Start", type="primary", icon=":material/play_arrow:", key="many.start")
    return settings if pressed else None


def comparison(losses: list[str]) -> Any:
    """The comparison of every data set as the board says."""
    values = {setting.name: BOARD[setting.name] for setting in EXPERIMENT}
    return comparison_settings(**values | {"losses": losses, "epochs": BOARD["epochs"] or None})


def expectation(settings: BenchmarkSettings, workers: int) -> str:
    """How much there is to do, and how long it takes by the measured cost model."""
    estimates = [estimate(settings.comparison, item.rows) for item in settings.items]
    chosen = settings.comparison
    models = len(chosen.losses) * chosen.folds * chosen.seeds * len(settings.items)
    return (
        f"{len(settings.items)} data sets, {models:,} models: about "
        f"{duration(Clock().left(estimates, workers))} with {workers} "
        f"process{'es' if workers > 1 else ''}. It goes on when you leave the page."
    )


def settings_of(run: Run) -> dict[str, Any]:
    """The settings of a stored run as the board holds them."""
    stored = run.settings.get("comparison", {})
    return {setting.name: stored.get(setting.name) or setting.default for setting in EXPERIMENT}


def _training() -> None:
    plan = PROTOCOLS[BOARD["protocol"]].plans[BOARD["model"]]
    columns = st.columns(3, vertical_alignment="top")
    with columns[0]:
        BOARD.number("epochs", "Epochs", step=50, help=f"0: as the protocol says, {plan.epochs}.")
    with columns[1]:
        BOARD.number("seed", "First seed", step=1)
