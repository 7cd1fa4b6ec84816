"""A flat look into many features: the plane in which a decision boundary is drawn.

Two features span it, or the first two principal components of the training rows; all other
directions stay at the mean. Models are asked on a grid of that plane, rows are projected onto it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

GRID = 56  # points along each side: fine enough for a smooth line, cheap enough for 4 Hz
MARGIN = 0.06  # of the range, around the outermost rows


@dataclass(frozen=True)
class Plane:
    """Points origin + a·axes[0] + b·axes[1], shown at (a, b)."""

    origin: np.ndarray  # (F,)
    axes: np.ndarray  # (2, F), orthonormal
    names: tuple[str, str]

    def project(self, rows: np.ndarray) -> np.ndarray:
        """Where rows (n, F) are shown: (n, 2)."""
        return (rows - self.origin) @ self.axes.T

    def grid(self, shown: np.ndarray, size: int = GRID) -> Grid:
        """A grid around what is shown (n, 2)."""
        low, high = shown.min(0), shown.max(0)
        reach = np.where(high > low, high - low, 2.0)
        low, high = low - MARGIN * reach, high + MARGIN * reach
        x, y = (np.linspace(low[axis], high[axis], size) for axis in (0, 1))
        points = np.stack(np.meshgrid(x, y), -1).reshape(-1, 2)
        return Grid(x, y, self.origin + points @ self.axes)


@dataclass(frozen=True)
class Grid:
    """Coordinates of the columns and rows of a grid, and its points in feature space."""

    x: np.ndarray  # (size,)
    y: np.ndarray  # (size,)
    points: np.ndarray  # (size * size, F), row by row


def principal_axes(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first two principal components (2, F) and their shares of the variance.

    The sign is fixed by making the largest loading positive. A missing second one is 0.
    """
    centred = rows - rows.mean(0)
    _, lengths, turned = np.linalg.svd(centred, full_matrices=False)
    axes, shares = np.zeros((2, rows.shape[1])), np.zeros(2)
    found = min(2, len(turned))
    largest = np.abs(turned[:found]).argmax(1)
    axes[:found] = turned[:found] * np.sign(turned[np.arange(found), largest])[:, None]
    shares[:found] = lengths[:found] ** 2 / max((lengths**2).sum(), np.finfo(float).tiny)
    return axes, shares


def principal_plane(origin: np.ndarray, axes: np.ndarray, shares: np.ndarray) -> Plane:
    """The plane of the principal components through the mean."""
    first, second = (
        f"principal component {n + 1} ({100 * shares[n]:.0f} % of variance)" for n in (0, 1)
    )
    return Plane(origin, axes, (first, second))


def feature_plane(origin: np.ndarray, names: list[str], first: int, second: int) -> Plane:
    """The plane of two features; (a, b) are then their own prepared values."""
    axes = np.zeros((2, len(origin)))
    axes[0, first] = 1.0
    if second != first:
        axes[1, second] = 1.0
    rest = origin.copy()
    rest[[first, second]] = 0.0
    return Plane(rest, axes, (names[first], names[second]))
