"""Three and more classes: a metric's mean over the classes, each against the rest, as a loss.

The paper leaves this open; `losses.functional` says how it is done and why, and is what trains
here. M models (inner folds x recipes) are trained as one stack on a leading axis M; rows that a
model must not see have weight 0 there.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from anyloss_core.engine.models import Parameters, initial_parameters, outputs_of
from anyloss_core.engine.optimisers import scheduled
from anyloss_core.engine.stopping import Best
from anyloss_core.engine.study import Optimiser, Rows, Stopping, pick_device
from anyloss_core.estimator.training import (
    FitSettings,
    Fitted,
    check_memory,
    choose,
    gather,
    plan_rows,
    with_bar,
)
from anyloss_core.losses.approximation import THRESHOLD
from anyloss_core.losses.functional import amplify, averaged, class_sums, counts_of_sums
from anyloss_core.losses.losses import CountsLoss
from anyloss_core.losses.shapes import Classes, Samples
from anyloss_core.losses.softening import Amplifier, Softening
from anyloss_core.losses.spelling import LossSpec

CROSS_ENTROPY = ("bce", "weighted_bce")  # cross-entropy, plain and with even classes


def fit(
    features: np.ndarray,
    codes: np.ndarray,
    classes: int,
    weights: np.ndarray | None,
    settings: FitSettings,
) -> Fitted:
    """Train on features (N, F) and class numbers (N,)."""
    rows = plan_rows(codes, settings)
    batch = settings.batch or len(features)  # rows are never taken in chunks
    check_memory(features, rows, settings, batch, classes)
    stack = _Stack(features, codes, classes, weights, rows, settings)
    curves = np.array([losses.numpy() for losses in with_bar(stack.run(), settings)])
    best = stack.best
    tensors = {name: value.cpu().numpy() for name, value in best.state.items()}
    predicted = stack.predicted(best.state).cpu().numpy()  # (M, N)
    losses = len(settings.losses)
    decided = [own[rows[model // losses].valid] for model, own in enumerate(predicted)]
    judged = gather(decided, rows, codes, weights, losses)
    return choose(tensors, curves, best.stopped.cpu().numpy(), judged, settings)


class _Stack:
    """M models under training, their best parameters and what they score on held-out rows."""

    def __init__(
        self,
        features: np.ndarray,
        codes: np.ndarray,
        classes: int,
        weights: np.ndarray | None,
        rows: Sequence[Rows],
        settings: FitSettings,
    ) -> None:
        self.settings = settings
        device = pick_device(settings.device)
        dtype = torch.float32 if device.type == "mps" else torch.float64
        self.features = torch.as_tensor(features, dtype=dtype, device=device)
        self.codes = torch.as_tensor(codes, device=device)
        self.actual = torch.nn.functional.one_hot(self.codes, classes).T.to(dtype)  # (K, N)
        own = np.ones(len(codes)) if weights is None else weights
        spread = [_masks(fold, own) for fold in rows for _ in settings.losses]
        self.train, self.valid = (
            torch.as_tensor(np.stack(side), dtype=dtype, device=device)
            for side in zip(*spread, strict=True)
        )  # (M, N)
        self.specs = [spec for _ in rows for spec in settings.losses]
        self.models = len(self.specs)
        spec = self.specs[0]
        self.softening = None if spec.family in CROSS_ENTROPY else softening_of(spec)
        start = initial_parameters(settings.network, features.shape[1], settings.seed, classes)
        tensors = {
            name: value.to(dtype).to(device).repeat(self.models, *[1] * value.ndim)
            for name, value in start.items()
        }
        self.parameters = Parameters(
            settings.network, {name: value.requires_grad_() for name, value in tensors.items()}
        )
        stopping = Stopping(settings.score.name, settings.patience or settings.epochs)
        warm_ups = [spec.warm_up_epochs(settings.epochs) for spec in self.specs]
        self.best = Best(stopping, self.train.new_tensor(warm_ups), self.parameters.tensors)

    def run(self) -> Iterator[Tensor]:
        """Train; the losses (M,) of every epoch."""
        settings = self.settings
        tensors = self.parameters.tensors
        step = _optimiser(settings.optimiser, list(tensors.values()), settings.lr)
        order = torch.Generator().manual_seed(settings.seed)
        for epoch in range(settings.epochs):
            total = torch.zeros(self.models, dtype=self.train.dtype)
            batches = _batches(len(self.codes), settings.batch, order)
            for number, chosen in enumerate(batches):
                done = (epoch + number / len(batches)) / settings.epochs
                step.param_groups[0]["lr"] = settings.lr * scheduled(settings.schedule, done)
                step.zero_grad()
                losses = self.losses(epoch, chosen)
                losses.sum().backward()
                step.step()
                total += losses.detach().cpu() * len(chosen)
            yield total / len(self.codes)
            if settings.patience is not None:
                self.best.update(epoch + 1, self.held_out_scores(tensors), tensors)
                if self.best.all_stopped:
                    break
        last = {name: value.detach() for name, value in tensors.items()}
        self.best.state = self.best.kept(last)

    def losses(self, epoch: int, chosen: Tensor) -> Tensor:
        """The loss (M,) of every model on some rows."""
        chosen = chosen.to(self.codes.device)
        logits = outputs_of(self.parameters, self.features[chosen])  # (M, K, B)
        actual, weights = self.actual[:, chosen], self.train[:, chosen]
        spec, softening = self.specs[0], self.softening
        phases = [own.at(epoch, self.settings.epochs) for own in self.specs]
        warm = torch.tensor([phase.warming_up for phase in phases], device=logits.device)
        if warm.all() or softening is None or spec.score is None:
            even = spec.family == "weighted_bce" and not warm.all()
            return _cross_entropy(logits, actual, self._even(weights, chosen) if even else weights)
        if isinstance(softening, Amplifier):
            L = logits.new_tensor([phase.L for phase in phases])
            softening = Amplifier(L[:, None, None])
        soft = amplify(logits.softmax(1), softening)
        losses = averaged(spec.score, _sums(actual, soft, weights), "macro")
        if warm.any():  # recipes begin with cross-entropy for a while, or not at all
            losses = torch.where(warm, _cross_entropy(logits, actual, weights), losses)
        return losses

    def _even(self, weights: Tensor, chosen: Tensor) -> Tensor:
        """Weights under which every class counts the same in training."""
        sizes = self.train @ self.actual.T  # (M, K)
        factors = 1 / sizes.clamp(min=torch.finfo(sizes.dtype).tiny)
        return weights * factors[:, self.codes[chosen]]

    @torch.no_grad()
    def predicted(self, tensors: Mapping[str, Tensor]) -> Tensor:
        """The classes (M, N) that the models decide for."""
        return outputs_of(Parameters(self.settings.network, tensors), self.features).argmax(1)

    @torch.no_grad()
    def held_out_scores(self, tensors: Mapping[str, Tensor]) -> Tensor:
        """The macro score (M,) of the predictions on the held-out rows."""
        predicted = self.predicted(tensors)
        hard = torch.nn.functional.one_hot(predicted, len(self.actual)).transpose(1, 2)
        sums = _sums(self.actual, hard.to(self.actual), self.valid)
        return self.settings.score(counts_of_sums(*sums)).mean(-1)


def _sums(actual: Tensor, soft: Tensor, weights: Tensor) -> Tensor:
    """The class sums (4, M, K) of soft labels (M, K, B) under weights (M, B)."""
    classes = Classes(actual, 1 - actual)
    return class_sums(Samples(soft, classes, weights[:, None], exclusive=True), soft)


def softening_of(spec: LossSpec) -> Softening:
    """How probabilities become soft labels; refuses losses that know two classes only."""
    loss = spec.build()
    if not isinstance(loss, CountsLoss) or spec.family == "sigmoid_f1":
        raise ValueError(
            f"loss={spec.name!r} is for two classes; with more use anyloss, sol, soft, bce "
            "(cross-entropy) or weighted_bce"
        )
    softening = loss.softening
    if isinstance(softening, Amplifier) and softening.threshold != THRESHOLD:
        raise ValueError("threshold is for two classes; with more the largest probability decides")
    return softening


def _masks(rows: Rows, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights (N,) in training and in validation."""
    sides = np.zeros((2, len(weights)))
    sides[0, rows.train], sides[1, rows.valid] = weights[rows.train], weights[rows.valid]
    return sides[0], sides[1]


def _cross_entropy(logits: Tensor, actual: Tensor, weights: Tensor) -> Tensor:
    values = -(torch.log_softmax(logits, 1) * actual).sum(1)  # (M, B)
    return (values * weights).sum(-1) / weights.sum(-1).clamp(min=torch.finfo(weights.dtype).tiny)


def _batches(rows: int, size: int | None, order: torch.Generator) -> Sequence[Tensor]:
    if size is None or size >= rows:
        return (torch.arange(rows),)
    return torch.randperm(rows, generator=order).split(size)


def _optimiser(optimiser: Optimiser, parameters: list[Tensor], lr: float) -> torch.optim.Optimizer:
    if optimiser.name == "adam":
        betas, decay = optimiser.betas, optimiser.weight_decay
        return torch.optim.Adam(parameters, lr, betas, optimiser.epsilon, decay)
    momentum = optimiser.momentum if optimiser.name == "momentum" else 0.0
    return torch.optim.SGD(parameters, lr, momentum)
