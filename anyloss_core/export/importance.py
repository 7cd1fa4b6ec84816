"""Which columns a model needs: permutation importance for the goal, on rows it has not seen.

The loss is trained on each of a few stratified folds as the comparison trains it, recipe and
threshold chosen inside the training rows. On the held-out rows one column after the other is
shuffled (scikit-learn's `permutation_importance`): what the metric loses is what the column gives.
Columns that say the same stand in for each other, and then neither seems to matter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.inspection import permutation_importance
from sklearn.model_selection import StratifiedKFold

from anyloss_core.data.dataset import Dataset
from anyloss_core.export.model_file import TrainedModel, train_final
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import get_score

FOLDS = 3
REPEATS = 10  # shufflings of a column in a fold
MOST_ROWS = 5_000  # held-out rows of a fold that are judged

OnStep = Callable[[float], None]


def importance(
    dataset: Dataset,
    loss: str,
    settings: Mapping[str, Any],
    metric: str,
    threshold: float | None = None,
    on_step: OnStep = lambda share: None,
) -> pd.DataFrame:
    """column, mean and std of what the metric loses, and the folds; the largest mean first.

    `std` is over all shufflings of all folds. `on_step` gets the share that is done and may raise
    to end the work; `threshold` is kept instead of that of the loss.
    """
    folds = min(FOLDS, dataset.minority)
    if folds < 2:
        raise ValueError("importance needs two rows of each class: one to learn from, one to judge")
    splitter = StratifiedKFold(folds, shuffle=True, random_state=int(settings.get("seed") or 0))
    found = []
    for number, (train, held) in enumerate(splitter.split(dataset.labels, dataset.labels)):
        step = partial(_step, on_step, number, folds)
        on_batch = partial(step, 0.0)
        learned = _rows(dataset, train)
        model = train_final(learned, loss, settings, on_batch, metric, threshold=threshold)
        found.append(_Shuffled(model, metric, step).of(_rows(dataset, held)))
    losses = np.concatenate(found, axis=1)  # (columns, folds x repeats)
    table = pd.DataFrame(
        {
            "column": list(dataset.frame.columns),
            "mean": losses.mean(1),
            "std": losses.std(1, ddof=1),
        }
    )
    return table.assign(folds=folds).sort_values("mean", ascending=False, ignore_index=True)


def _step(on_step: OnStep, number: int, folds: int, share: float) -> None:
    """Tell the share that is done of all folds."""
    on_step((number + share) / folds)


class _Shuffled:
    """A model as scikit-learn's function wants it: with `fit`, and a scorer that tells progress."""

    def __init__(self, model: TrainedModel, metric: str, on_step: OnStep) -> None:
        self.model, self.score, self.on_step = model, get_score(metric), on_step
        self.done = 0

    def of(self, held: Dataset) -> np.ndarray:
        """What the metric loses (columns, repeats)."""
        found = permutation_importance(
            self,
            held.frame,
            held.labels,
            scoring=self._scored,
            n_repeats=REPEATS,
            random_state=0,
            max_samples=min(MOST_ROWS, held.rows),
        )
        return found.importances

    def fit(self, rows: pd.DataFrame, labels: np.ndarray) -> _Shuffled:
        """It is trained; scikit-learn only asks whether it could be."""
        raise NotImplementedError

    def _scored(self, _: object, rows: pd.DataFrame, labels: np.ndarray) -> float:
        self.done += 1
        self.on_step(min(self.done / (1 + REPEATS * rows.shape[1]), 1.0))
        positive, above = labels == 1, self.model.scores(rows) > self.model.threshold
        cells = (~positive & ~above, positive & ~above, ~positive & above, positive & above)
        return float(self.score(Counts(*(float(cell.sum()) for cell in cells))))


def _rows(dataset: Dataset, rows: np.ndarray) -> Dataset:
    """Some rows of a data set."""
    frame = dataset.frame.iloc[rows].reset_index(drop=True)
    return replace(dataset, frame=frame, labels=dataset.labels[rows])
