"""AnyLossClassifier: the losses of this package behind scikit-learn's interface.

Two classes are trained by the engine; three or more by `multiclass` on the mean of the metric
over the classes. Features are standardised inside (weighted mean and deviation of the training
rows), because gradient descent needs it; switch it off with `standardize=False`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from anyloss_core.comparison.protocols import FRESH, Plan, plan_for, trained_as
from anyloss_core.comparison.recipes import candidates, enough_to_choose, recipe_text
from anyloss_core.comparison.settings import amplifier_text, read_amplifier
from anyloss_core.engine.models import Network, Parameters, outputs_of
from anyloss_core.engine.study import Optimiser
from anyloss_core.estimator import multiclass
from anyloss_core.estimator.inputs import (
    check_numbers,
    count_cells,
    location,
    row_weights,
    sizes,
    weighted_rows,
)
from anyloss_core.estimator.training import FitSettings, fit_binary
from anyloss_core.losses.approximation import check_amplifier
from anyloss_core.losses.outputs import cut, probabilities
from anyloss_core.losses.scores import Score, get_score
from anyloss_core.losses.spelling import FAMILIES, LossSpec, Ramp, parse_loss

FARTHEST = 1e100  # of a feature, in deviations; squares and sums of it are still numbers


class AnyLossClassifier(ClassifierMixin, BaseEstimator):
    """A single- or multi-layer perceptron trained on the metric that you care about.

    Parameters
    ----------
    metric : name such as "f1", "gmean", "mcc", or a formula such as "TP / (TP + FP + FN)".
        What to optimise, and what `score` returns. With three or more classes: its mean over the
        classes, each against the rest.
    loss : "anyloss", "sol" or "soft" (on `metric`), or any spelling, such as "bce", "focal",
        "sol:gmean" or "anyloss:f1@L=5..73,warm_up=0.2". What it spells out wins.
    L : amplifying scale of AnyLoss; a ramp such as "2..20", which grows from one to the other; or
        "auto", as in the Lab's comparisons: several recipes of L and warm-up are trained at once,
        and the default gives way to one that is better by a standard error on inner held-out rows
        (`L_`, `recipe_`, `validation_scores_`). With fewer than ten rows of a class, or where
        `warm_up` is set, it is the default.
    hidden : widths of the hidden layers; () is a single-layer perceptron.
    activation : "tanh", "sigmoid" or "relu".
    epochs, lr : length and steps of the training; None is as in the Lab's comparisons: 600 and 0.2
        for a single layer, 200 and 0.03 with hidden ones; above 10,000 rows about 2,000 steps,
        at 0.05 and 0.01.
    schedule : "constant", or how lr falls to 0 over the training: "linear" or "cosine". None is
        linear for a single layer and above 10,000 rows, else constant.
    batch_size : rows of a step; None takes all, above 10,000 rows 1,024.
    optimizer : "adam", "momentum" or "gd". As in the Lab's comparisons, Adam decays the weights of
        a network with hidden layers by 0.001, up to 10,000 rows.
    class_weight : None, "balanced" or a dict of label to weight.
    pos_label : the class that two-class metrics are about; by default `classes_[1]`.
    early_stopping, validation_fraction, n_iter_no_change : hold rows out and stop when the metric
        on them has not risen for so many epochs; the best epoch is kept.
    warm_up : epochs trained with cross-entropy first; below 1 it is a share of the epochs. None
        is that of the recipe chosen, the share of the Lab's comparisons for other losses over
        counts, and 0 for the rest.
    standardize : bring every feature to mean 0 and deviation 1 first.
    device : "auto", "cpu", "cuda" or "mps".
    random_state : seed of the initial weights, the batches and the held-out rows.
    verbose : show a progress bar.
    """

    def __init__(
        self,
        metric: str | Score = "f1",
        *,
        loss: str = "anyloss",
        L: float | str = "auto",
        hidden: int | Sequence[int] = (),
        activation: str = "tanh",
        epochs: int | None = None,
        lr: float | None = None,
        schedule: str | None = None,
        batch_size: int | None = None,
        optimizer: str = "adam",
        class_weight: dict | str | None = None,
        pos_label: Any = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 20,
        warm_up: float | None = None,
        standardize: bool = True,
        device: str = "auto",
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None:
        self.metric = metric
        self.loss = loss
        self.L = L
        self.hidden = hidden
        self.activation = activation
        self.epochs = epochs
        self.lr = lr
        self.schedule = schedule
        self.batch_size = batch_size
        self.optimizer = optimizer
        self.class_weight = class_weight
        self.pos_label = pos_label
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_up = warm_up
        self.standardize = standardize
        self.device = device
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> AnyLossClassifier:
        """Train on features (rows, F) and one label a row."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        settings = self._settings(y)
        weights = row_weights(X, y, sample_weight, self.class_weight)
        self.classes_, codes = np.unique(y, return_inverse=True)
        X, codes, weights = weighted_rows(X, codes, weights, self.classes_)
        self._size, self._mean, self._scale = np.zeros(1, int), np.zeros(1), np.ones(1)
        if self.standardize:
            self._size = sizes(X)
            self._mean, self._scale = location(np.ldexp(X, -self._size), weights)
        if len(self.classes_) == 2:
            labels = (codes == self._positive()).astype(np.int8)
            fitted = fit_binary(self._scaled(X), labels, weights, settings)
        elif self.pos_label is not None:
            raise ValueError(
                f"pos_label={self.pos_label!r} needs two classes, got {len(self.classes_)}; "
                "with more the metric is averaged over all of them"
            )
        else:
            fitted = multiclass.fit(self._scaled(X), codes, len(self.classes_), weights, settings)
        self._fitted = fitted
        self.loss_curve_, self.n_iter_ = fitted.curve, fitted.epochs
        self.L_ = _as_given(fitted.L)
        self.recipe_ = recipe_text(fitted.loss)
        self.validation_scores_ = fitted.validation
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """(rows,): above 0 for `classes_[1]`; (rows, classes) with three or more classes."""
        outputs = self._outputs(X)
        if outputs.shape[0] > 1:
            return outputs.T
        sign = 1.0 if self._positive() == 1 else -1.0
        return sign * (outputs[0] - cut(self._fitted.loss))

    def predict_proba(self, X: Any) -> np.ndarray:
        """Scores in [0, 1] (rows, classes) in the order of `classes_`: two classes cut at 0.5.

        Only a loss such as "bce" makes probabilities of them. One that aims at a metric pushes them
        towards 0 and 1; scikit-learn's CalibratedClassifierCV(AnyLossClassifier(...)) gives
        probabilities.
        """
        outputs = torch.from_numpy(self._outputs(X))
        if len(outputs) > 1:
            return torch.softmax(outputs, 0).T.numpy()
        p = probabilities(self._fitted.loss, outputs[0]).numpy()
        return np.stack([1 - p, p] if self._positive() == 1 else [p, 1 - p], axis=1)

    def predict(self, X: Any) -> np.ndarray:
        """The class of every row."""
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(1)]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The metric of the predictions (not their accuracy), so that searches pursue it."""
        predicted, y = self.predict(X), np.asarray(y)
        weights = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, float)
        score = self._spec(self._plan(0)).score or get_score(self.metric)
        positives = self.classes_
        if len(self.classes_) == 2:
            positives = self.classes_[[self._positive()]]
        cells = [count_cells(y == label, predicted == label, weights) for label in positives]
        return float(np.mean([score(counts) for counts in cells]))

    def _outputs(self, X: Any) -> np.ndarray:
        """Raw outputs (1, rows), or (classes, rows)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        tensors = {n: torch.from_numpy(v)[None] for n, v in self._fitted.tensors.items()}
        parameters = Parameters(self._fitted.network, tensors)
        features = torch.from_numpy(self._scaled(X))
        return outputs_of(parameters, features)[0].double().numpy()

    def _scaled(self, X: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore", under="ignore"):
            scaled = (np.ldexp(X, -self._size) - self._mean) / self._scale
        return np.ascontiguousarray(scaled.clip(-FARTHEST, FARTHEST))

    def _positive(self) -> int:
        """The index of the positive class among two classes."""
        if self.pos_label is None:
            return 1
        found = np.flatnonzero(self.classes_ == self.pos_label)
        if not len(found):
            known = ", ".join(repr(label) for label in self.classes_.tolist())
            raise ValueError(f"pos_label={self.pos_label!r} is no class; there are {known}")
        return int(found[0])

    def _settings(self, y: np.ndarray) -> FitSettings:
        """All parameters, checked."""
        check_numbers(self)
        plan = self._plan(len(y))
        spec, batch = self._spec(plan), plan.batch
        usual = self.optimizer == plan.optimiser.name  # with the weight decay of the plan
        widths = [self.hidden] if isinstance(self.hidden, int | np.integer) else self.hidden
        hidden = tuple(int(width) for width in widths)
        if self.batch_size is not None:
            batch = int(self.batch_size)
        return FitSettings(
            losses=self._recipes(spec, plan, y),
            score=spec.score or get_score(self.metric),
            network=Network(hidden, self.activation, initial="glorot" if hidden else "zeros"),
            optimiser=plan.optimiser if usual else Optimiser(self.optimizer),
            epochs=self._epochs(plan),
            lr=spec.lr or self.lr or plan.lr,
            schedule=spec.schedule or self.schedule or plan.schedule,
            batch=None if batch is None else int(batch),
            stratified=plan.stratified,
            seed=int(check_random_state(self.random_state).randint(2**31 - 1)),
            device=self.device,
            patience=int(self.n_iter_no_change) if self.early_stopping else None,
            validation_fraction=self.validation_fraction,
            verbose=self.verbose,
        )

    def _recipes(self, spec: LossSpec, plan: Plan, y: np.ndarray) -> tuple[LossSpec, ...]:
        """What to train with: one recipe, or those of a comparison to choose from."""
        if spec.family != "anyloss" or "L" in spec.spelled:
            return (spec,)
        if isinstance(self.L, str) and self.L != "auto" and ".." not in self.L:
            raise ValueError(f'L must be a positive number, a ramp or "auto", got {self.L!r}')
        if self.L != "auto":
            value = read_amplifier(self.L) if isinstance(self.L, str) else self.L
            check_amplifier(value.end if isinstance(value, Ramp) else value)
            return (replace(spec, L=value),)
        found = candidates(parse_loss(spec.name), plan, plan.lr)
        if self.warm_up is not None or spec.spelled:
            return (replace(spec, L=found[0].L),)
        return found if enough_to_choose(y) else found[:1]

    def _spec(self, plan: Plan) -> LossSpec:
        """The loss with the metric filled in and the share of warm-up epochs."""
        head, at, tail = str(self.loss).partition("@")
        family = FAMILIES.get(head.strip().lower())
        if family is not None and family.takes_metric:
            head = f"{head}:{get_score(self.metric).name}"
        spec = parse_loss(head + at + tail)
        if spec.is_reference:
            raise ValueError(f"loss={self.loss!r} is a classifier of scikit-learn; use that itself")
        if spec.method:
            raise ValueError(
                f"loss={self.loss!r} is a method around BCE; use imbalanced-learn's Pipeline or "
                "scikit-learn's TunedThresholdClassifierCV around AnyLossClassifier(loss='bce')"
            )
        if "warm_up" not in spec.spelled:
            epochs = self.warm_up
            if epochs is None:
                epochs = trained_as(spec, plan).warm_up
            share = epochs if epochs < 1 else min(epochs / self._epochs(plan), 1.0)
            spec = replace(spec, warm_up=float(share))
        return spec

    def _plan(self, rows: int) -> Plan:
        """What is None is as in a comparison with so many training rows."""
        kind = "slp" if np.size(self.hidden) == 0 else "mlp"
        return plan_for(FRESH, kind, rows, self.batch_size)

    def _epochs(self, plan: Plan) -> int:
        return plan.epochs if self.epochs is None else int(self.epochs)


def _as_given(L: float | Ramp | None) -> float | str | None:
    """L in a form that can be passed to a classifier again."""
    return amplifier_text(L) if isinstance(L, Ramp) else L
