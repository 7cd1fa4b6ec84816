"""Points of two classes on a plane: drawn by hand, read from a link, or drawn at random.

The plane is a square from -REACH to REACH. A link writes a point in four letters, two for each
coordinate; the negatives stand before the full stop, the positives after it. JavaScript writes the
same text: `draw_points.js`.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

REACH = 5.0
MOST = 400  # points: a link stays below 2,000 letters, a training below a second
LETTERS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
LEVELS = len(LETTERS) ** 2  # of a coordinate
PLACE = {letter: place for place, letter in enumerate(LETTERS)}
# The two kinds of data of the lesson.
POSITIVES = 0.1  # share of the points
QUARTER = 0.25  # of the positives lie far off
NEAR, FAR = (2.0, 0.0), (-4.0, 2.0)  # the middle of the other three quarters, and of this one
SPREADS = (0.6, 0.4)  # of the two groups; the negatives have 1
BESIDE = (1.5, 1.0)  # the middle of the positives in the other kind


@dataclass(frozen=True)
class Drawing:
    """Points (n, 2) of the plane with their labels (n,), 0 or 1."""

    points: np.ndarray
    labels: np.ndarray

    @property
    def trainable(self) -> bool:
        """Whether both classes are there, at more than one place."""
        return len(set(self.labels.tolist())) == 2 and bool((np.ptp(self.points, axis=0) > 0).any())


def read_drawing(text: str) -> Drawing:
    """The points that a text holds; ValueError tells what is wrong with it."""
    parts = text.split(".")
    if len(parts) != 2 or any(len(part) % 4 for part in parts):
        raise ValueError("a drawing is two lists of points, four letters each, with a '.' between")
    if len(text) > 4 * MOST + 1:
        raise ValueError(f"a drawing has at most {MOST} points, got {len(text) // 4}")
    if unknown := set(text) - set(LETTERS) - {"."}:
        raise ValueError(f"a drawing has letters, digits, - and _ only, got {min(unknown)!r}")
    places = np.array([PLACE[letter] for part in parts for letter in part]).reshape(-1, 2, 2)
    levels = places[..., 0] * len(LETTERS) + places[..., 1]  # (n, 2)
    labels = np.repeat([0.0, 1.0], [len(part) // 4 for part in parts])
    return Drawing((levels / (LEVELS - 1) * 2 - 1) * REACH, labels)


def write_drawing(drawing: Drawing) -> str:
    """The text of a link; points beyond the plane move to its edge."""
    shares = (np.clip(drawing.points / REACH, -1, 1) + 1) / 2
    first, second = np.divmod(np.rint(shares * (LEVELS - 1)).astype(int), len(LETTERS))
    letters = np.array(list(LETTERS))
    words = np.stack([letters[first], letters[second]], -1)  # (n, 2, 2)
    return ".".join("".join(words[drawing.labels == kind].ravel()) for kind in (0, 1))


def sample_far(rows: int, random: np.random.Generator) -> Drawing:
    """A quarter of the positives lies far off: no straight line is right for all of them."""
    positives = round(rows * POSITIVES)
    far = round(positives * QUARTER)
    near = NEAR + SPREADS[0] * random.normal(size=(positives - far, 2))
    away = FAR + SPREADS[1] * random.normal(size=(far, 2))
    return _joined(random.normal(size=(rows - positives, 2)), np.concatenate([near, away]))


def sample_beside(rows: int, random: np.random.Generator) -> Drawing:
    """Two round clouds of equal spread: the logistic model is true."""
    positives = round(rows * POSITIVES)
    negative = random.normal(size=(rows - positives, 2))
    return _joined(negative, BESIDE + random.normal(size=(positives, 2)))


Sampler = Callable[[int, np.random.Generator], Drawing]
KINDS: dict[str, Sampler] = {"far": sample_far, "beside": sample_beside}


def example(kind: str, seed: int = 0) -> Drawing:
    """One drawing of a kind, as large as one may be."""
    return read_drawing(write_drawing(KINDS[kind](MOST, np.random.default_rng(seed))))


def _joined(negative: np.ndarray, positive: np.ndarray) -> Drawing:
    labels = np.repeat([0.0, 1.0], [len(negative), len(positive)])
    return Drawing(np.concatenate([negative, positive]), labels)
