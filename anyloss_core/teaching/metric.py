"""One metric looked at from four sides: its loss surface, soft against hard value, the gradient
it sends to every sample, and autograd against the paper's closed form.

The probabilities come from a logistic regression on the user's data: a model that any reader
knows, fitted in a moment. Nothing is drawn here.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from anyloss_core.data.dataset import Dataset
from anyloss_core.data.preparation import most_features, prepare_fresh
from anyloss_core.losses.approximation import THRESHOLD, approximate
from anyloss_core.losses.confusion import Counts, hard_counts, soft_counts
from anyloss_core.losses.gradients import (
    CLOSED_FORMS,
    appendix_sums,
    closed_form_gradient,
    gmean_gradient,
)
from anyloss_core.losses.losses import AnyLoss
from anyloss_core.losses.scores import Score

MOST_ROWS = 4_000  # of the data set that are looked at
MOST_CELLS = 4_000_000  # fewer rows of a wide one: 32 MB, where categories alone made 1.3 GB
SURFACE_POINTS = 51
SHORTENED = 0.3  # the weights are shrunk by this, so that p is not all 0 or 1


@dataclass(frozen=True)
class Sample:
    """Rows of a data set with the probabilities of a logistic regression."""

    features: Tensor  # (B, F), a column of ones last
    weights: Tensor  # (F,)
    labels: Tensor  # (B,) 0 or 1, float64

    @property
    def logits(self) -> Tensor:
        return self.features @ self.weights

    @property
    def probabilities(self) -> Tensor:
        return torch.sigmoid(self.logits)


def reference_sample(dataset: Dataset, seed: int = 0) -> Sample:
    """A logistic regression on (a sample of) the data set."""
    from sklearn.linear_model import LogisticRegression

    rows = _some_rows(dataset, seed)
    features = prepare_fresh(dataset, rows).transform(dataset.frame.iloc[rows])
    labels = dataset.labels[rows]
    model = LogisticRegression(max_iter=200).fit(features, labels)
    weights = np.append(model.coef_[0], model.intercept_)
    ones = np.ones((len(rows), 1))
    return Sample(
        torch.as_tensor(np.hstack([features, ones])),
        torch.as_tensor(weights),
        torch.as_tensor(labels.astype(np.float64)),
    )


def loss_surface(score: Score, rows: int, positives: int) -> tuple[np.ndarray, np.ndarray]:
    """Axis of FPR and TPR (G,) and the loss (TPR, FPR) of a data set of this size and balance."""
    rates, scores = score_surface(score, positives, rows - positives)
    return rates, score.loss(scores)


def score_surface(
    score: Score, positives: float, negatives: float
) -> tuple[np.ndarray, np.ndarray]:
    """Axis of FPR and TPR (G,) and the score (TPR, FPR) with so many rows of each class."""
    rates = np.linspace(0.0, 1.0, SURFACE_POINTS)
    fpr, tpr = np.meshgrid(rates, rates)
    counts = Counts(
        tn=negatives * (1 - fpr), fn=positives * (1 - tpr), fp=negatives * fpr, tp=positives * tpr
    )
    return rates, score(counts)


def soft_against_hard(score: Score, sample: Sample, values: np.ndarray) -> pd.DataFrame:
    """The score of soft labels A(p) for each L, beside the score of hard ones."""
    p, labels = sample.probabilities, sample.labels
    soft = [float(score(soft_counts(labels, approximate(p, float(L))))) for L in values]
    hard = float(score(hard_counts(labels, p > THRESHOLD)))
    return pd.DataFrame({"L": values, "soft": soft, "hard": hard, "gap": np.subtract(soft, hard)})


def sample_gradients(score: Score, sample: Sample, L: float) -> pd.DataFrame:
    """What the loss tells every sample: d loss / d logit."""
    logits = sample.logits.requires_grad_()
    (gradient,) = torch.autograd.grad(AnyLoss(score, L=L)(logits, sample.labels), logits)
    return pd.DataFrame(
        {
            "p": sample.probabilities.numpy(),
            "class": sample.labels.numpy().astype(int),
            "gradient": gradient.numpy(),
        }
    )


def has_closed_form(score: Score) -> bool:
    """Whether the paper's appendix derives this metric's gradient."""
    return score.name in CLOSED_FORMS


def gradient_check(score: Score, sample: Sample, L: float, names: list[str]) -> pd.DataFrame:
    """dLoss/dW by autograd and by the appendix, weight by weight, at a half-fitted model."""
    weights = SHORTENED * sample.weights
    free = weights.clone().requires_grad_()
    loss = AnyLoss(score, L=L)(sample.features @ free, sample.labels)
    (by_autograd,) = torch.autograd.grad(loss, free)
    by_hand = closed_form_gradient(score.name, sample.features, sample.labels, weights, L)
    table = pd.DataFrame(
        {
            "weight": [*names, "intercept"],
            "autograd": by_autograd.numpy(),
            "closed form": by_hand.numpy(),
            "difference": (by_autograd - by_hand).numpy(),
        }
    )
    if score.name == "gmean":
        sums = appendix_sums(sample.features, sample.labels, weights, L)
        table["as printed (factor -2)"] = gmean_gradient(sums, published_factor=True).numpy()
    return table


def _some_rows(dataset: Dataset, seed: int) -> np.ndarray:
    """As many rows as fit the limits, each class in its share and at least once."""
    most = min(MOST_ROWS, MOST_CELLS // most_features(dataset))
    if dataset.rows <= most:
        return np.arange(dataset.rows)
    random = np.random.default_rng(seed)
    chosen = []
    for label in (0, 1):
        rows = np.flatnonzero(dataset.labels == label)
        wanted = max(1, round(most * len(rows) / dataset.rows))
        chosen.append(random.choice(rows, wanted, replace=False))
    return np.sort(np.concatenate(chosen))
