"""The loss as a pure function: outputs and labels in, 1 - score out, tensor operations only.

No value is read back to the host, so that it runs on every device, on the meta device, inside
torch.compile, torch.export and torch.func (grad, vmap, jacrev), and has second derivatives. The
module `AnyLoss` stands on it; for plain tensors on the CPU that has a quicker way to the same
numbers.

With several classes or labels there is one confusion matrix each, one against the rest. `average`
says what becomes of them, as in scikit-learn: the mean of the scores ("macro"), that mean weighted
by the size of the classes ("weighted"), the score of all counts together ("micro"), each (None).

Of C exclusive classes the softmax gives p_k, and a row is predicted to be the class with the
largest one. The amplifier that belongs to this decision is softmax(L/2 · p): for two classes it is
sigmoid(L/2 · (p - (1 - p))) = sigmoid(L(p - 1/2)) = A(p), and as L grows it is 1 for the largest
p_k and 0 for all others, so that the soft confusion matrix becomes that of argmax.
"""

from typing import Any, Unpack

import torch
from torch import Tensor
from torch.nn import functional as F

from anyloss_core.losses.approximation import THRESHOLD
from anyloss_core.losses.arrays import at_least
from anyloss_core.losses.confusion import Counts, Entry, even_weight, safe_ratio
from anyloss_core.losses.inputs import can_look, check_values
from anyloss_core.losses.program import Program
from anyloss_core.losses.scores import Score, get_score, run_program
from anyloss_core.losses.shapes import Classes, Options, Reading, Samples, arrange, check_shapes
from anyloss_core.losses.softening import (
    Amplifier,
    FromProbabilities,
    QuickSoften,
    Softening,
    number_like,
)

# L where nobody moves it. From a fresh start without a warm-up 5 has the best mean rank of nine
# fixed L and three ramps over 67 real tables, in the SLP and in the MLP (`sweep.good_amplifier`).
FIXED_AMPLIFIER = 5.0
# Counts overflow or round away in these; torch's autocast lets its own losses out of them too.
SHORT_TYPES = (torch.float16, torch.bfloat16)


def any_loss(
    logits: Tensor,
    labels: Tensor,
    metric: str | Score = "f1",
    L: float | Tensor = FIXED_AMPLIFIER,
    *,
    threshold: float = THRESHOLD,
    form: str = "safe",
    sample_weight: Tensor | None = None,
    **options: Unpack[Options],
) -> Tensor:
    """1 - score of amplified outputs; shapes and options as in `AnyLoss`."""
    reading = Reading(**options)
    samples = read_samples(logits, labels, sample_weight, reading)
    return loss_of(samples, get_score(metric), Amplifier(L, threshold, form), reading)


def read_samples(
    logits: Tensor, labels: Tensor, weights: Tensor | None, reading: Reading
) -> Samples:
    """Checked and in one form, in at least single precision."""
    check_shapes(logits, labels, weights, reading)
    if logits.dtype in SHORT_TYPES:
        logits = logits.float()
    samples = arrange(logits, labels, weights, reading)
    if can_look(logits):
        check_values(samples, labels, reading)
    return samples


def loss_of(samples: Samples, score: Score, softening: Softening, reading: Reading) -> Tensor:
    """The loss of softened outputs."""
    return averaged(
        score, class_sums(samples, soften(samples, softening, reading)), reading.average
    )


def soften(samples: Samples, softening: Softening, reading: Reading) -> Tensor:
    """The soft labels (..., B)."""
    outputs = samples.outputs
    if not samples.exclusive:
        softening = FromProbabilities(softening) if reading.from_probabilities else softening
        quick = can_look(outputs) and not softening.is_learnt
        return QuickSoften.apply(outputs, softening) if quick else softening(outputs)
    p = outputs if reading.from_probabilities else torch.softmax(outputs, -2)
    return amplify(p, softening)


def amplify(p: Tensor, softening: Softening) -> Tensor:
    """The soft labels of exclusive classes (..., C, B) of which p are the probabilities."""
    if not isinstance(softening, Amplifier):
        return softening.from_probabilities(p)
    if softening.threshold != THRESHOLD:
        raise ValueError("threshold is for two classes; with more the largest probability decides")
    return torch.softmax(p * (softening.L / 2), -2)


def class_sums(samples: Samples, *values: Tensor) -> Tensor:
    """(4, ...): the size of both classes and values (..., B) summed over each of them; two rows
    more for every further value.

    Both classes are summed by themselves: an absent one has counts of exactly 0.
    """
    classes = samples.classes
    if samples.weights is not None:
        classes = Classes(*(part * samples.weights for part in classes))
    positives, rows = classes.positive.sum(-1), classes.positive.shape[-1]
    negatives = rows - positives if samples.weights is None else classes.negative.sum(-1)
    sizes = [size.expand(values[0].shape[:-1]) for size in (positives, negatives)]
    return torch.stack([*sizes, *(dot(part, value) for value in values for part in classes)])


def dot(a: Tensor, b: Tensor) -> Tensor:
    """Σ a·b over the last axis without an intermediate of that size where possible."""
    return torch.dot(a, b) if a.ndim == b.ndim == 1 else (a * b).sum(-1)


def averaged(score: Score, sums: Tensor, average: str | None) -> Tensor:
    """The loss from sums (4, ...): one number, or one for each class or model."""
    if average == "micro":
        sums = sums.sum(-1)
    function = _ScoreOfSums if torch.compiler.is_compiling() else _ScoreBothWays
    values = function.apply(score, sums)
    if average == "macro":
        values = values.mean(-1)
    elif average == "weighted":
        values = (values * safe_ratio(sums[0], sums[0].sum(-1, keepdim=True))).sum(-1)
    return score.loss(values)


def counts_of_sums(
    positives: Entry, negatives: Entry, found: Entry, alarms: Entry
) -> Counts[Entry]:
    """Counts from the size of both classes and the sums of their soft labels."""
    # A difference of sums may fall below 0 by a rounding error; a count may not.
    return Counts(
        at_least(negatives - alarms, 0.0), at_least(positives - found, 0.0), alarms, found
    )


def without_traces(counts: Counts[Entry], tiny: float) -> Counts[Entry]:
    """Counts in which a trace counts as nothing where a class is absent.

    There a ratio such as TP / (TP + FP) is 1 for any TP above 0, however small; as L grows TP
    reaches 0 and the ratio 0. Beside both classes a trace is kept: it is what is learnt from.
    """
    positives, negatives = counts.tp + counts.fn, counts.fp + counts.tn
    floor = tiny * (positives + negatives) * ((positives == 0) | (negatives == 0))
    return Counts(*(entry * (entry >= floor) for entry in counts))


class _ScoreOfSums(torch.autograd.Function):
    """A score from class sums (4, ...) as one step; its slopes are differentiable themselves."""

    generate_vmap_rule = True

    @staticmethod
    def forward(score: Score, sums: Tensor) -> Tensor:
        return _run(score.value_program, sums)[0]

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Score, Tensor], output: Tensor) -> None:
        ctx.score, sums = inputs
        ctx.save_for_backward(sums)
        ctx.save_for_forward(sums)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[None, Tensor]:
        found, alarms = _class_slopes(ctx)
        nothing = torch.zeros_like(gradient)  # labels are given, not learnt
        return None, torch.stack([nothing, nothing, gradient * found, gradient * alarms])


class _ScoreBothWays(_ScoreOfSums):
    """With forward differentiation too, as in torch.func.hessian; torch.compile refuses it."""

    @staticmethod
    def jvp(ctx: Any, _: None, moved: Tensor) -> Tensor:
        found, alarms = _class_slopes(ctx)
        return moved[2] * found + moved[3] * alarms


def _class_slopes(ctx: Any) -> list[Tensor]:
    (sums,) = ctx.saved_tensors
    return _run(ctx.score.class_slopes, sums)[1:]


def _run(program: Program, sums: Tensor) -> list[Tensor]:
    """What a program gives at sums (4, ...); those of one matrix are quicker as numbers."""
    if sums.ndim > 1 or torch.is_grad_enabled() or not can_look(sums):
        return run_program(program, clean_counts(sums))
    counts = without_traces(counts_of_sums(*sums.tolist()), torch.finfo(sums.dtype).eps)
    return [number_like(value, sums) for value in program(counts)]


def clean_counts(sums: Tensor) -> Counts[Tensor]:
    return without_traces(counts_of_sums(*sums), torch.finfo(sums.dtype).eps)


def entropies(samples: Samples, reading: Reading) -> Tensor:
    """-log p (..., B) of the label; of exclusive classes that of each, whatever the label."""
    outputs = samples.outputs
    if samples.exclusive and reading.from_probabilities:
        return -outputs.clamp(min=torch.finfo(outputs.dtype).tiny).log()
    if samples.exclusive:
        return -torch.log_softmax(outputs, -2)
    labels = samples.classes.positive.expand_as(outputs)
    if reading.from_probabilities:
        return F.binary_cross_entropy(outputs, labels, reduction="none")
    return F.binary_cross_entropy_with_logits(outputs, labels, reduction="none")


def cross_entropy(
    sums: Tensor, exclusive: bool, average: str | None = None, even: bool = False
) -> Tensor:
    """The mean cross-entropy from sums (4, ...) of `entropies`; of several classes the mean.

    With `even` both classes count the same, or all exclusive ones that are present.
    """
    positives, negatives, missed, alarms = sums
    if not exclusive:
        weight = even_weight(positives, negatives) if even else 1.0
        means = safe_ratio(weight * missed + alarms, positives + negatives)
    elif even:
        means = safe_ratio(missed, positives).sum(-1) / (positives > 0).sum(-1).clamp(min=1)
    else:
        means = safe_ratio(missed.sum(-1), positives.sum(-1))
    if exclusive:
        return means if average else means[..., None].expand_as(positives)
    return means.mean(-1) if average else means
