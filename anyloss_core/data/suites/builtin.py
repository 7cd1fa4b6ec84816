"""Data that is there without a file or a network.

Data sets 1 and 3 of the paper exactly as they were used, and a few well-known ones. Each is a
Dataset that can be written as CSV, so that the upload can be tried with it.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial

import pandas as pd

from anyloss_core.data.dataset import Dataset, dataset_from_frame
from anyloss_core.data.errors import DataError
from anyloss_core.data.suites.paper_data import random_frame, sampled_breast_cancer

SHAPE_ROWS = 1_000
SHAPE_POSITIVES = 150  # moons and circles are imbalanced too: that is what they are here for

Question = tuple[pd.DataFrame, str, object]  # table, target, positive class

BUILTIN: dict[str, str] = {
    "random": "Data set 1 of the paper: 10,000 generated rows, two features, 9:1",
    "breast_cancer_imbalanced": "Data set 3 of the paper: 393 tumours, 36 of them malignant",
    "breast_cancer": "All 569 tumours of the Wisconsin study: malignant or benign?",
    "moons": "Two interleaved half moons, 15 % positive: a straight line cannot part them",
    "circles": "A ring around a disc, 15 % positive: a straight line is lost",
    "digits": "Handwritten digits, 8 x 8 pixels: is it an 8, or any other?",
}
AS_PUBLISHED = ("random", "breast_cancer_imbalanced")  # features that the paper used as they stand


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
    frame, target, positive = _MAKERS[name]()
    dataset = dataset_from_frame(frame, target, positive, name=name, source=BUILTIN[name])
    return replace(dataset, ready=name in AS_PUBLISHED)


def _breast_cancer() -> Question:
    from sklearn.datasets import load_breast_cancer

    loaded = load_breast_cancer(as_frame=True)
    names = loaded.target.map(dict(enumerate(loaded.target_names)))
    return loaded.data.assign(diagnosis=names), "diagnosis", "malignant"


def _plane(maker: str, **settings: float) -> Question:
    """Two shapes in a plane, by one of scikit-learn's makers."""
    from sklearn import datasets

    rows = (SHAPE_ROWS - SHAPE_POSITIVES, SHAPE_POSITIVES)
    points, labels = getattr(datasets, maker)(rows, random_state=0, **settings)
    return pd.DataFrame(points, columns=["x1", "x2"]).assign(target=labels), "target", 1


def _digits() -> Question:
    from sklearn.datasets import load_digits

    loaded = load_digits(as_frame=True)
    return loaded.data.assign(digit=loaded.target), "digit", 8


_MAKERS: dict[str, Callable[[], Question]] = {
    "random": lambda: (random_frame(), "target", 1),
    "breast_cancer_imbalanced": lambda: (sampled_breast_cancer(), "diagnosis", "malignant"),
    "breast_cancer": _breast_cancer,
    "moons": partial(_plane, "make_moons", noise=0.2),
    "circles": partial(_plane, "make_circles", noise=0.1, factor=0.5),
    "digits": _digits,
}
