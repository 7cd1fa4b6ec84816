"""The K losses of a stack: from logits to d loss/d logits, for all models at once.

Every loss is a function of two sums per model, one over the positive and one over the negative
rows: of soft labels or of losses. So the chain rule splits into a slope per sample and one number
per class (see `class_gradients`), which are put together where the rows are:

    d loss/d z_i = slope_i · w_i · (y_i ? dTP - dFN : dFP - dTN)        (equation 5 of the paper)

Slopes come from the losses themselves: `Softening` for scores, `PointwiseLoss` for means.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from time import perf_counter

from torch import Tensor

from anyloss_core.engine.class_gradients import ClassGradients
from anyloss_core.engine.stack import FoldSpan, folds_of
from anyloss_core.losses.losses import BCELoss, CountsLoss, LeeLoss, PointwiseLoss
from anyloss_core.losses.scores import Score
from anyloss_core.losses.softening import Amplifier, Buffer, Softening
from anyloss_core.losses.spelling import LossSpec, Phase, Ramp

BCE = "bce"  # the key of the kernel that weighted BCE and warm-ups share with it


def order_losses(specs: Sequence[LossSpec]) -> list[int]:
    """The order in which losses share most work: means first, then scores, alike together."""

    def key(index: int) -> tuple[bool, float, str, str, int]:
        spec, score = specs[index], score_of(specs[index])
        kind = str(_kernel_key(spec))
        return (score is not None, -spec.warm_up, kind, score.tree.shape if score else "", index)

    return sorted(range(len(specs)), key=key)


def score_of(spec: LossSpec) -> Score | None:
    """The score behind a loss over counts, None for a mean over samples."""
    loss = spec.build()
    return loss.score if isinstance(loss, CountsLoss) else None


@dataclass(frozen=True, eq=False)
class Buffers:
    """Tensors (G, K, B) that a step is worked out in."""

    outputs: Tensor  # logits, then soft labels or losses, then d loss/d logits
    slopes: Tensor
    spare: Tensor

    def of(self, models: slice) -> tuple[Tensor, Tensor, Tensor]:
        return self.outputs[:, models], self.slopes[:, models], self.spare[:, models]


@dataclass(eq=False)
class Kernel:
    """Neighbouring models of a stack that go from logit to slope together."""

    models: slice
    function: Softening | PointwiseLoss
    seconds: float = 0.0  # spent so far


class Objective:
    """The losses of a stack of G folds x K losses, in the order of `order_losses`."""

    def __init__(self, specs: Sequence[LossSpec], positive_weights: Tensor, epochs: int) -> None:
        self.specs, self.epochs = tuple(specs), epochs
        self.positive_weights = positive_weights  # (G, K): how much a positive row weighs in a mean
        self.scores = [score_of(spec) for spec in self.specs]
        self.kernels: list[Kernel] = []
        self.means = -1  # the first so many losses are means over samples
        self._buffers: dict[tuple[int, int], Buffers] = {}
        self._scales = positive_weights.new_ones(len(self.specs))
        self._own = [0.0] * len(self.specs)
        self._changes = any(spec.warm_up or isinstance(spec.L, Ramp) for spec in self.specs)
        self.begin(0)

    def begin(self, epoch: int) -> None:
        """Set up epoch `epoch` (from 0): warm-ups end, L moves along its ramp."""
        if self.kernels and not self._changes:
            return
        phases = [spec.at(epoch, self.epochs) for spec in self.specs]
        means = sum(
            score is None or phase.warming_up
            for score, phase in zip(self.scores, phases, strict=True)
        )
        if means != self.means:
            self._lay_out(means)
        self._amplify(phases)

    def buffers(self, folds: int, rows: int) -> Buffers:
        """Buffers for a step on so many rows, kept from step to step."""
        key = (folds, rows)
        if key not in self._buffers:
            whole = self.positive_weights.new_zeros(3, folds, len(self.specs), rows)
            self._buffers[key] = Buffers(*whole)
        return self._buffers[key]

    def soften(
        self, buffers: Buffers, labels: Tensor, valued: bool, part: FoldSpan = None
    ) -> Tensor:
        """Logits become soft labels, or losses where these are wanted; labels broadcast."""
        for kernel, outputs, buffer in self._each(buffers):
            function = kernel.function
            if isinstance(function, Softening):
                function.soften(outputs, buffer, out=outputs)
                continue
            if isinstance(function, LeeLoss):  # the balance of each fold
                weights = self.positive_weights[folds_of(part)][:, kernel.models, None]
                function = function.balanced(weights)
            function.fill(outputs, labels, outputs if valued else None, buffer[0])
        return buffers.outputs

    def slopes(self, buffers: Buffers) -> Tensor:
        """After `soften`: d soft label/d logit, or d loss/d logit, of every sample."""
        for kernel, _, buffer in self._each(buffers):
            if isinstance(kernel.function, Softening):
                kernel.function.chain(None, buffer)
        return buffers.slopes

    def chain(self, buffers: Buffers) -> Tensor:
        """After `soften`: the outputs, now the class gradient of every sample, times the slopes."""
        for kernel, outputs, buffer in self._each(buffers):
            if isinstance(kernel.function, Softening):
                kernel.function.chain(outputs, buffer)
            else:
                outputs.mul_(buffer[0])
        return buffers.outputs

    def class_gradients(
        self, sums: Tensor, totals: Tensor, part: FoldSpan = None
    ) -> tuple[Tensor, Tensor]:
        """Losses (G, K) and class gradients (G, K, 2) from sums (G, K, 2) over both classes.

        `totals` (G, 2) is the weight of the positive and of the negative rows.
        """
        if part not in self._gradients:
            weights = self.positive_weights[folds_of(part)]
            scores = [score for score in self.scores[self.means :] if score]
            self._gradients[part] = ClassGradients(scores, weights, self._scales)
        return self._gradients[part](sums, totals)

    def seconds(self) -> list[float]:
        """The time each loss has taken for itself, kernel by kernel."""
        self._settle()
        return list(self._own)

    def _each(self, buffers: Buffers) -> Iterator[tuple[Kernel, Tensor, Buffer]]:
        """What each kernel sees of the buffers; the time until the next one is asked for is its."""
        if buffers not in self._views:
            self._views[buffers] = [(kernel, *buffers.of(kernel.models)) for kernel in self.kernels]
        for kernel, outputs, slopes, spare in self._views[buffers]:
            started = perf_counter()
            yield kernel, outputs, (slopes, spare)
            kernel.seconds += perf_counter() - started

    def _lay_out(self, means: int) -> None:
        """Neighbouring models with the same kernel become one slice."""
        self._settle()
        self.means, self.kernels = means, []
        self._views: dict[Buffers, list[tuple[Kernel, Tensor, Tensor, Tensor]]] = {}
        self._gradients: dict[FoldSpan, ClassGradients] = {}
        start = 0
        for _, group in groupby(range(len(self.specs)), key=self._key):
            count = len(list(group))
            models = slice(start, start + count)
            loss = BCELoss() if self._key(start) == BCE else self.specs[start].build()
            assert isinstance(loss, CountsLoss | PointwiseLoss)
            function = loss.softening if isinstance(loss, CountsLoss) else loss
            self.kernels.append(Kernel(models, function))
            start += count

    def _amplify(self, phases: Sequence[Phase]) -> None:
        """Give the amplifiers their L of this epoch: a number, or one (k, 1) for each model."""
        for kernel in self.kernels:
            if isinstance(kernel.function, Amplifier):
                own = [phase.L for phase in phases[kernel.models] if phase.L]
                L = own[0] if len(set(own)) == 1 else self.positive_weights.new_tensor(own)[:, None]
                kernel.function = replace(kernel.function, L=L)
            if isinstance(kernel.function, Softening):
                self._scales[kernel.models, None] = kernel.function.scale

    def _key(self, index: int) -> Hashable:
        warming = self.scores[index] is not None and index < self.means
        return BCE if warming else _kernel_key(self.specs[index])

    def _settle(self) -> None:
        """Share out what the kernels have spent among their losses."""
        for kernel in self.kernels:
            models = range(len(self.specs))[kernel.models]
            for index in models:
                self._own[index] += kernel.seconds / len(models)
            kernel.seconds = 0.0


def _kernel_key(spec: LossSpec) -> Hashable:
    """Losses with equal keys share a kernel."""
    if spec.family in ("bce", "weighted_bce"):  # class weights enter later, through the sums
        return BCE
    aim = spec.score.name if spec.family == "lee" and spec.score else ""  # others: in the sums
    return (spec.family, aim, tuple(sorted(spec.options.items())))
