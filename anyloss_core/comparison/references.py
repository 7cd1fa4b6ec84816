"""Outside references of a comparison: scikit-learn's logistic regression and boosted trees.

They tell what a user gains or loses against the usual tools. They see the folds of the losses,
prepared alike, and have their threshold tuned on the same inner folds as BCE's, for whatever metric
is asked about. Trained one after the other, on one thread, they have no learning curves; their
settings are scikit-learn's defaults.
"""

import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from anyloss_core.common.wording import loss_words
from anyloss_core.comparison.assembly import Fold, draw_folds
from anyloss_core.comparison.outcomes import TUNED_FOR, FoldResult
from anyloss_core.comparison.recipes import inner_splits, used_folds
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.comparison.thresholds import CUTS, counts_above, find_cuts, tune
from anyloss_core.data.dataset import Dataset
from anyloss_core.data.preparation import prepare_fresh
from anyloss_core.losses.scores import get_score

STEPS = 1_000  # of the solver of the logistic regression at most
# Processor seconds of one fit: once, per feature, per row and feature (200 to 100,000 rows, 8 to
# 100 features; 2026-11-18, a busy machine).
COSTS = {"logistic_regression": (0.005, 0.0, 1e-7), "boosted_trees": (0.03, 0.012, 1.5e-6)}


class References:
    """The references of a comparison under way: what is trained of them, and for how long."""

    def __init__(self, dataset: Dataset, settings: ComparisonSettings) -> None:
        self.dataset, self.settings = dataset, settings
        self.numbers = [n for n, spec in enumerate(settings.specs) if spec.is_reference]
        self.fits = len(self.numbers) * settings.all_folds
        self.results: list[FoldResult] = []
        self._seconds = dict.fromkeys(self.numbers, 0.0)

    def fit(self, on_step: Callable[[], None] | None = None) -> Iterator[str]:
        """Train them, and say after each what was done; `on_step` may raise between two fits."""
        if not self.numbers:
            return
        for fold in draw_folds(self.dataset, self.settings):
            features = prepare_fresh(self.dataset, fold.train).transform(self.dataset.frame)
            for number in self.numbers:
                begun, name = time.perf_counter(), self.settings.names[number]
                self.results.append(self._fold(number, fold, features, on_step))
                self._seconds[number] += time.perf_counter() - begun
                yield f"{loss_words(name)}, fold {fold.number + 1} of {self.settings.all_folds}"

    def spent(self, number: int) -> float:
        """Seconds of training of a loss; 0 if it is no reference."""
        return self._seconds.get(number, 0.0)

    @property
    def done(self) -> list[FoldResult]:
        """The results of those that are through with all folds."""
        folds = {n: sum(result.loss == n for result in self.results) for n in self.numbers}
        return [r for r in self.results if folds[r.loss] == self.settings.all_folds]

    def _fold(
        self, number: int, fold: Fold, features: np.ndarray, on_step: Callable[[], None] | None
    ) -> FoldResult:
        """A reference on a fold, with its threshold from the inner folds."""
        spec, labels = self.settings.specs[number], self.dataset.labels

        def chances(train: np.ndarray, held_out: np.ndarray) -> np.ndarray:
            if on_step is not None:
                on_step()
            return fitted(spec.family, features[train], labels[train], fold.seed)(
                features[held_out]
            )

        inner = [
            (fold.train[train], fold.train[rest])
            for train, rest in inner_splits(labels[fold.train], self.settings.seed)
        ]
        unseen = [labels[:0], *(labels[rest] for _, rest in inner)]
        cuts = find_cuts(
            np.concatenate(unseen),
            np.concatenate([np.empty(0), *(chances(*rows) for rows in inner)]),
        )
        found = chances(fold.train, fold.valid)
        held_out = counts_above(labels[fold.valid], found, cuts["threshold"])._asdict()
        table = cuts.assign(
            **{name: part.astype(int) for name, part in held_out.items()},
            loss=self.settings.names[number],
            fold=fold.number,
            recipe=spec.family,
        )[CUTS]
        return _result(number, fold, found, table, spec.options.get("metric"))


def fitted(family: str, features: np.ndarray, labels: np.ndarray, seed: int) -> Callable:
    """features (rows, F) -> chances (rows,) of a trained reference."""
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # STEPS are what it gets
        model = _classifier(family, seed).fit(features, labels)
    return lambda rows: _chances(model, rows)


def reference_seconds(settings: ComparisonSettings, rows: int, features: int) -> float:
    """Seconds of one core for all references of a comparison."""
    seconds = 0.0
    train = rows - rows // settings.folds
    for spec in settings.specs:
        if spec.is_reference:
            once, feature, cell = COSTS[spec.family]
            seconds += once + features * (feature + cell * train)
    return seconds * settings.all_folds * (1 + used_folds(train))


def _classifier(family: str, seed: int) -> Any:
    if family == "logistic_regression":
        return LogisticRegression(max_iter=STEPS)
    return HistGradientBoostingClassifier(random_state=seed % 2**32)


def _chances(model: Any, features: np.ndarray) -> np.ndarray:
    with threadpool_limits(1):
        return model.predict_proba(features)[:, 1]


def _result(
    number: int, fold: Fold, chances: np.ndarray, table: pd.DataFrame, spelled: str | None
) -> FoldResult:
    best = tune(table, get_score(spelled or TUNED_FOR))
    return FoldResult(
        loss=number,
        fold=fold.number,
        rows=fold.valid,
        model=-1,
        trained=None,
        probabilities=chances,
        threshold=float(best["threshold"]),
        cuts=None if spelled else table,
        dead_share=0.0,
        status="done",
        chosen=None,
    )
