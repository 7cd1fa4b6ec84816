"""Data that is there without a file or a network.

Data sets 1 and 3 of the paper exactly as they were used, and a few well-known ones. Each is a
Dataset that can be written as CSV, so that the upload can be tried with it.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pandas as pd

from anyloss_core.datasets.dataset import Dataset, as_published, dataset_from_frame
from anyloss_core.datasets.errors import DataError
from anyloss_core.datasets.paper_data import random_frame, sampled_breast_cancer

SHAPE_ROWS = 1_000
SHAPE_POSITIVES = 150  # moons and circles are imbalanced too: that is what they are here for

BUILTIN: dict[str, str] = {
    "random": "Data set 1 of the paper: 10,000 generated rows, two features, 9:1",
    "breast_cancer_imbalanced": "Data set 3 of the paper: 393 tumours, 36 of them malignant",
    "breast_cancer": "All 569 tumours of the Wisconsin study: malignant or benign?",
    "moons": "Two interleaved half moons, 15 % positive: a straight line cannot part them",
    "circles": "A ring around a disc, 15 % positive: a straight line is lost",
    "digits": "Handwritten digits, 8 x 8 pixels: is it an 8, or any other?",
}


def builtin(name: str) -> Dataset:
    """The built-in data set of that name (see BUILTIN)."""
    if name not in _MAKERS:
        raise DataError(
            f"There is no built-in data set '{str(name)[:60]}'.",
            f"Choose one of {', '.join(BUILTIN)}.",
        )
    return _made(name)


@lru_cache(maxsize=len(BUILTIN))
def _made(name: str) -> Dataset:
    return replace(_MAKERS[name](), name=name, source=BUILTIN[name])


def _random() -> Dataset:
    return as_published(dataset_from_frame(random_frame(), "target", positive=1))


def _breast_cancer_imbalanced() -> Dataset:
    frame = sampled_breast_cancer()
    return as_published(dataset_from_frame(frame, "diagnosis", positive="malignant"))


def _breast_cancer() -> Dataset:
    from sklearn.datasets import load_breast_cancer

    loaded = load_breast_cancer(as_frame=True)
    names = loaded.target.map(dict(enumerate(loaded.target_names)))
    frame = loaded.data.assign(diagnosis=names)
    return dataset_from_frame(frame, "diagnosis", positive="malignant")


def _moons() -> Dataset:
    from sklearn.datasets import make_moons

    rows = (SHAPE_ROWS - SHAPE_POSITIVES, SHAPE_POSITIVES)
    return _plane(*make_moons(rows, noise=0.2, random_state=0))


def _circles() -> Dataset:
    from sklearn.datasets import make_circles

    rows = (SHAPE_ROWS - SHAPE_POSITIVES, SHAPE_POSITIVES)
    return _plane(*make_circles(rows, noise=0.1, factor=0.5, random_state=0))


def _plane(points: np.ndarray, labels: np.ndarray) -> Dataset:
    frame = pd.DataFrame(points, columns=["x1", "x2"]).assign(target=labels)
    return dataset_from_frame(frame, "target", positive=1)


def _digits() -> Dataset:
    from sklearn.datasets import load_digits

    loaded = load_digits(as_frame=True)
    return dataset_from_frame(loaded.data.assign(digit=loaded.target), "digit", positive=8)


_MAKERS: dict[str, Callable[[], Dataset]] = {
    "random": _random,
    "breast_cancer_imbalanced": _breast_cancer_imbalanced,
    "breast_cancer": _breast_cancer,
    "moons": _moons,
    "circles": _circles,
    "digits": _digits,
}
