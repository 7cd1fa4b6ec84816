"""The paper's closed-form derivatives (Appendix A) for a single-layer perceptron.

dLoss/dW for accuracy, F-beta, G-mean and balanced accuracy, written with the sums of the appendix.
They are here for teaching and for checking: training uses the general chain rule. The appendix
writes the derivative of the G-mean loss with a factor -2; the derivative of 1 - sqrt(u) has -1/2,
which is what `gmean_gradient` uses (`published_factor=True` gives the printed one, four times as
long, which is how the published G-mean figures were made).
"""

from typing import NamedTuple

import torch
from torch import Tensor

from anyloss_core.losses.approximation import AMPLIFIER, THRESHOLD
from anyloss_core.losses.scores import get_score

CLOSED_FORMS = ("accuracy", "f1", "f0.5", "f2", "gmean", "balanced_accuracy")


IN_MATHS = {
    "accuracy": r"\frac{1}{n}\Big(\sum \hat y' - 2\sum y\hat y'\Big)",
    "gmean": r"-\frac12\,\frac{T\sum y\hat y' + \big(\sum y\hat y' - \sum\hat y'\big)\sum y\hat y}"
    r"{\sqrt{\sum y\,(n - \sum y)}\,\sqrt{T\sum y\hat y}},"
    r"\qquad T = n - \sum y - \sum\hat y + \sum y\hat y",
    "balanced_accuracy": r"\frac{\sum y\sum\hat y' - n\sum y\hat y'}{2\sum y\,(n - \sum y)}",
}
F_BETA_IN_MATHS = (
    r"-BOTH\,\frac{\sum y\hat y'\,\big(SQUARE\sum y + \sum\hat y\big) - \sum\hat y'\sum y\hat y}"
    r"{\big(SQUARE\sum y + \sum\hat y\big)^2}"
)


class Sums(NamedTuple):
    """The sums the appendix is written in; `d_` marks derivatives with respect to W, (F,)."""

    n: float
    y: Tensor  # Σ y
    yh: Tensor  # Σ yh
    y_yh: Tensor  # Σ y·yh
    d_yh: Tensor  # Σ dyh/dW
    d_y_yh: Tensor  # Σ y·dyh/dW


def closed_form_gradient(
    metric: str, x: Tensor, labels: Tensor, weights: Tensor, L: float = AMPLIFIER
) -> Tensor:
    """dLoss/dW (F,) of an SLP with inputs x (B, F), a column of ones for the intercept included."""
    sums = appendix_sums(x, labels, weights, L)
    if metric == "accuracy":
        return accuracy_gradient(sums)
    if metric == "gmean":
        return gmean_gradient(sums)
    if metric == "balanced_accuracy":
        return balanced_accuracy_gradient(sums)
    name = get_score(metric).name
    if name.startswith("f") and name[1:].replace(".", "", 1).isdigit():
        return f_beta_gradient(sums, float(name[1:]))
    known = ", ".join(CLOSED_FORMS)
    raise ValueError(f"no closed form for {metric!r} in the paper's appendix; there are {known}")


def closed_form_latex(metric: str) -> str:
    """dLoss/dW of a metric with a closed form; ŷ is A(p), ŷ' its derivative along a weight."""
    if metric in IN_MATHS:
        return IN_MATHS[metric]
    square = float(metric[1:]) ** 2
    shown = "" if square == 1 else f"{square:g}"
    return F_BETA_IN_MATHS.replace("BOTH", f"{1 + square:g}").replace("SQUARE", shown)


def appendix_sums(x: Tensor, labels: Tensor, weights: Tensor, L: float = AMPLIFIER) -> Sums:
    """The sums of the appendix at the weights (F,): yh = A(sigmoid(x·W)), equation (9)."""
    p = torch.sigmoid(x @ weights)  # (B,)
    yh = torch.sigmoid(L * (p - THRESHOLD))
    d_yh = ((L * yh * (1 - yh)) * (p * (1 - p)))[:, None] * x  # (B, F)
    y = labels.to(x.dtype)
    return Sums(len(y), y.sum(), yh.sum(), (y * yh).sum(), d_yh.sum(0), (y[:, None] * d_yh).sum(0))


def accuracy_gradient(s: Sums) -> Tensor:
    return (s.d_yh - 2 * s.d_y_yh) / s.n


def f_beta_gradient(s: Sums, beta: float = 1.0) -> Tensor:
    bottom = beta**2 * s.y + s.yh
    return -(1 + beta**2) * (s.d_y_yh * bottom - s.d_yh * s.y_yh) / bottom**2


def gmean_gradient(s: Sums, published_factor: bool = False) -> Tensor:
    true_negatives = s.n - s.y - s.yh + s.y_yh
    factor = -2.0 if published_factor else -0.5
    outer = factor / torch.sqrt(s.y * (s.n - s.y))
    inner = s.d_y_yh * true_negatives + (s.d_y_yh - s.d_yh) * s.y_yh
    return outer * inner / torch.sqrt(s.y_yh * true_negatives)


def balanced_accuracy_gradient(s: Sums) -> Tensor:
    return (s.y * s.d_yh - s.n * s.d_y_yh) / (2 * s.y * (s.n - s.y))
