"""The settings of the page Many data sets: what is in the URL, the form, the BenchmarkSettings."""

from typing import Any

import streamlit as st

from anyloss_core.benchmark.evidence import TESTS
from anyloss_core.benchmark.settings import BenchmarkSettings, comparison_settings
from anyloss_core.losses.spelling import parse_loss
from anyloss_core.paper.names import EIGHT
from anyloss_core.store.store import Run
from anyloss_core.store.uploads import UPLOAD_ID
from pages.ui.base.buttons import start_button
from pages.ui.base.settings import Choice, Flag, Number, Several, Text
from pages.ui.base.state import Board
from pages.ui.choice import goal, question, study_form
from pages.ui.choice import losses as loss_choice
from pages.ui.choice.expected_time import expectation
from pages.ui.many import cluster, suites
from pages.ui.runs.runs import MOST_WORKERS, RUN, cores

LOSSES = ("bce", "bce+threshold", "anyloss:f1", "anyloss:gmean", "anyloss:balanced_accuracy")
RIVALS = (
    *("anyloss:f1", "anyloss:gmean", "bce", "bce+threshold", "weighted_bce", "bce+smote"),
    *("sol:f1", "sol:gmean"),
)
PRESETS = {
    "AnyLoss and BCE": LOSSES,
    "The paper's eight losses": EIGHT,
    "AnyLoss and its rivals": RIVALS,
}
VIEWS = ("verdict", "imbalance", "ranks", "datasets")
SOURCES = {"run": "Run a suite", "kept": "What we found", "scores": "Analyse my scores"}
TABLES = {  # of our own study
    "both": "Up to 10,000 rows",
    "A": "Half A of these (chosen on)",
    "B": "Half B (confirmed on)",
    "large": "20,000 rows and more",
}


def is_upload(text: str) -> bool:
    """Whether a setting from a link could name a kept file."""
    return text == "" or bool(UPLOAD_ID.fullmatch(text))


FIELDS = ("model", "protocol", "folds", "seeds", "seed", "epochs", "schedule")
EXPERIMENT = (
    Several("losses", LOSSES, valid=parse_loss, at_most=16),
    *study_form.settings(*FIELDS),
)
SUITE = (
    Choice("suite", "real", tuple(suites.SUITES)),
    Number("largest", suites.LARGEST, 100, suites.LARGEST),
    Text("openml", "", longest=1000),
    Several("files", (), valid=is_upload, at_most=50),
)
VIEW = (
    *question.SETTINGS,
    Choice("test", "sign", tuple(TESTS)),
    Choice("view", VIEWS[0], VIEWS),
)
BOARD = Board(
    "many",
    Choice("source", "run", tuple(SOURCES)),
    Number("workers", cores(), 1, MOST_WORKERS),
    Flag("cluster", False),
    Text("scores", "", valid=is_upload),
    Choice("half", "both", tuple(TABLES)),
    *SUITE,
    *EXPERIMENT,
    *VIEW,
    RUN,
)


def form() -> BenchmarkSettings | None:
    """The controls; settings when the button was pressed and they can be used."""
    items = suites.choose(BOARD)
    goal.follow(BOARD)
    losses = loss_choice.losses(BOARD)
    study_form.presets(BOARD, "losses", PRESETS)
    study_form.row(BOARD, model=2, protocol=2, folds=1, seeds=1, workers=1)
    study_form.training(BOARD, epochs=1, schedule=1, seed=1)
    threads = cluster.choose(BOARD)
    if not items or not losses:
        st.caption("Choose data sets and losses.")
        return None
    values = study_form.values(BOARD, FIELDS)
    compared = comparison_settings(losses=losses, **values)
    settings = BenchmarkSettings(suites.label(BOARD), items, compared)
    st.caption(expectation(settings, threads or BOARD["workers"]))
    return settings if start_button("Start", "many.start") else None


def settings_of(run: Run) -> dict[str, Any]:
    """The settings of a stored run as the board holds them."""
    return study_form.stored_values(run.settings.get("comparison", {}), EXPERIMENT)
