"""The same training without a stack: plain torch, and NumPy with the paper's closed forms.

Both train one model after the other, as a reader of the paper would write it.
"""

import numpy as np
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits, mse_loss

L = 73.0
# name -> (spelling under the 'paper' protocol, share of the rows in a batch of the MLP)
LOSSES = {
    "mse": 0.05,
    "bce": 0.05,
    "anyloss:accuracy": 0.05,
    "anyloss:f1": 0.05,
    "anyloss:f0.5": 0.05,
    "anyloss:f2": 0.05,
    "anyloss:gmean": 0.5,
    "anyloss:balanced_accuracy": 0.5,
}


class BatchNorm(nn.BatchNorm1d):
    """torch's own refuses a batch of one row; this one leaves the running statistics alone."""

    def forward(self, x):
        learn = len(x) > 1
        mean, var = (self.running_mean, self.running_var) if learn else (None, None)
        return torch.batch_norm(
            x, self.weight, self.bias, mean, var, True, self.momentum, self.eps, False
        )


def torch_loss(name, logits, labels):
    """The loss of a batch, with autograd; counts as the paper defines them."""
    if name == "mse":
        return mse_loss(logits, labels)
    if name == "bce":
        return binary_cross_entropy_with_logits(logits, labels)
    soft = torch.sigmoid(L * (torch.sigmoid(logits) - 0.5))
    tn, fn = ((1 - labels) * (1 - soft)).sum(), (labels * (1 - soft)).sum()
    fp, tp = ((1 - labels) * soft).sum(), (labels * soft).sum()
    return 1 - score(name.removeprefix("anyloss:"), tn, fn, fp, tp, torch)


def score(metric, tn, fn, fp, tp, xp):
    if metric == "accuracy":
        return (tp + tn) / (tp + tn + fp + fn)
    if metric.startswith("f"):
        square = float(metric[1:]) ** 2
        return (1 + square) * tp / ((1 + square) * tp + square * fn + fp + 1e-12)
    recall, specificity = tp / (tp + fn + 1e-12), tn / (tn + fp + 1e-12)
    if metric == "gmean":
        return xp.sqrt(recall * specificity + 1e-12)
    return (recall + specificity) / 2


def torch_mlp(x, y, name, epochs, lr=0.005):
    """Mini-batches of the 'paper' protocol with Adam."""
    net = nn.Sequential(
        nn.Linear(x.shape[1], 2, dtype=x.dtype),
        BatchNorm(2, eps=1e-3, momentum=0.01, dtype=x.dtype),
        nn.Sigmoid(),
        nn.Linear(2, 1, dtype=x.dtype),
    )
    optimiser = torch.optim.Adam(net.parameters(), lr=lr, eps=1e-7)
    size = int(LOSSES[name] * len(x))
    for _ in range(epochs):
        for rows in torch.randperm(len(x)).split(size):
            optimiser.zero_grad()
            torch_loss(name, net(x[rows])[:, 0], y[rows]).backward()
            optimiser.step()


def torch_slp(x, y, name, epochs, lr=0.01):
    """Full-batch gradient descent."""
    net = nn.Linear(x.shape[1], 1, dtype=x.dtype)
    optimiser = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(epochs):
        optimiser.zero_grad()
        torch_loss(name, net(x)[:, 0], y).backward()
        optimiser.step()


def numpy_slp(x, y, name, epochs, lr=0.01):
    """Full-batch gradient descent with the sums of the paper's appendix, as its authors did it."""
    inputs = np.column_stack([x, np.ones(len(x))])
    weights, signs, n = np.zeros(inputs.shape[1]), 2.0 * y - 1, len(y)
    for _ in range(epochs):
        z = inputs @ weights
        if name == "mse":
            gradient = inputs.T @ (z - signs) / n
        else:
            p = 1 / (1 + np.exp(-z))
            if name == "bce":
                gradient = inputs.T @ (p - y) / n
            else:
                yh = 1 / (1 + np.exp(-L * (p - 0.5)))
                slope = L * yh * (1 - yh) * p * (1 - p)
                sums = y.sum(), yh.sum(), (y * yh).sum(), inputs.T @ slope, inputs.T @ (y * slope)
                gradient = appendix(name.removeprefix("anyloss:"), n, *sums)
        weights -= lr * gradient


def appendix(metric, n, y, yh, y_yh, d_yh, d_y_yh):
    """dLoss/dW from Σy, Σyh, Σy·yh, Σdyh/dW and Σy·dyh/dW."""
    if metric == "accuracy":
        return (d_yh - 2 * d_y_yh) / n
    if metric.startswith("f"):
        square = float(metric[1:]) ** 2
        bottom = square * y + yh
        return -(1 + square) * (d_y_yh * bottom - d_yh * y_yh) / bottom**2
    if metric == "balanced_accuracy":
        return (y * d_yh - n * d_y_yh) / (2 * y * (n - y))
    true_negatives = n - y - yh + y_yh
    inner = d_y_yh * true_negatives + (d_y_yh - d_yh) * y_yh
    return -inner / (2 * np.sqrt(y * (n - y) * y_yh * true_negatives))
