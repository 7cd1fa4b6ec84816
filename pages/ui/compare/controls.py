"""The settings of the page Compare: what is in the URL, the form, and the ComparisonSettings."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.data.dataset import Dataset, check_folds
from anyloss_core.losses.spelling import parse_loss
from anyloss_core.store.store import Run
from pages.ui.base.buttons import start_button
from pages.ui.base.settings import Choice, Number, Several, Text
from pages.ui.base.state import Board
from pages.ui.choice import losses as loss_choice
from pages.ui.choice import question, study_form
from pages.ui.runs.runs import RUN

LOSSES = ("anyloss:f1", "bce", "bce+threshold")
METRICS = ("f1", "accuracy", "gmean", "balanced_accuracy", "mcc", "precision", "recall")
VIEWS = ("difference", "predictions", "learning", "ranking", "probabilities", "time", "why")
FIELDS = ("model", "protocol", "folds", "seed", "repeats", "epochs", "lr", "hidden")
STORED = "comparison"  # where a run keeps these settings
EXPERIMENT = (Several("losses", LOSSES, valid=parse_loss), *study_form.settings(*FIELDS))
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
    losses = loss_choice.losses(BOARD)
    study_form.row(BOARD, model=2, protocol=2, folds=1, seed=1)
    study_form.training(BOARD, epochs=1, lr=1, repeats=1, hidden=1)
    if not start_button("Compare", "compare.start", disabled=dataset is None):
        return None
    settings = current_settings(losses)
    check_folds(dataset, settings.folds)
    return settings


def current_settings(losses: Sequence[str]) -> ComparisonSettings:
    """What the widgets say, as the core takes it."""
    return ComparisonSettings(losses=tuple(losses), **study_form.values(BOARD, FIELDS))


def unchanged(run: Run) -> bool:
    """Whether the page still says what the run was made with; predictions came from elsewhere."""
    if "predictions" in run.settings:
        return True
    stored = run.settings.get(STORED, {})
    return study_form.unchanged(run, stored, lambda: current_settings(BOARD["losses"]))


def settings_of(run: Run) -> dict[str, Any]:
    """The settings of a stored run as the board holds them."""
    return study_form.stored_values(run.settings.get(STORED, {}), EXPERIMENT)
