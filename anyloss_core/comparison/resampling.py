"""Methods around BCE that change the training rows: SMOTE and random under-sampling.

Both look at the training rows of a fold only. A fold in which the rarer class is already at the
wanted ratio, or too small to resample, keeps its rows. SMOTE draws new rows between neighbours. A
half category does not exist, so tables with categories take SMOTENC, and SMOTEN if they have
nothing else: a new row has the categories of most of its neighbours.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

RATIO = 1.0  # rows of the rarer class over rows of the other, after resampling
NEIGHBOURS = 5  # of SMOTE, as in imbalanced-learn


def smote(
    features: np.ndarray,
    labels: np.ndarray,
    ratio: float,
    seed: int,
    categories: Sequence[slice] = (),
) -> tuple[np.ndarray, np.ndarray]:
    """The synthetic rows and their labels, to be added to the given training rows.

    `categories` are the features that belong together as one category each.
    """
    smaller, larger = np.sort(np.bincount(labels, minlength=2))
    if smaller < 2 or int(ratio * larger) <= smaller:
        return features[:0], labels[:0]
    levels = [np.unique(features[:, own], axis=0, return_inverse=True) for own in categories]
    plain = np.setdiff1d(np.arange(features.shape[1]), _columns(categories))
    table = np.column_stack([features[:, plain], *(codes for _, codes in levels)])
    sampler = _sampler(len(plain), len(levels))(
        sampling_strategy=ratio, k_neighbors=min(NEIGHBOURS, smaller - 1), random_state=seed
    )
    resampled, answers = sampler.fit_resample(table, labels)
    added = np.empty((len(resampled) - len(features), features.shape[1]))
    added[:, plain] = resampled[len(features) :, : len(plain)]
    for column, (own, (rows, _)) in enumerate(zip(categories, levels, strict=True), len(plain)):
        added[:, own] = rows[resampled[len(features) :, column].astype(int)]
    return added, answers[len(labels) :]


def smote_name(numbers: int, categories: int) -> str:
    """The form of SMOTE for so many numbers and categories, as imbalanced-learn calls it."""
    if not categories:
        return "SMOTE"
    return "SMOTENC" if numbers else "SMOTEN"


def _sampler(numbers: int, categories: int) -> Callable[..., Any]:
    from imblearn import over_sampling

    name = smote_name(numbers, categories)
    kind = getattr(over_sampling, name)
    if name != "SMOTENC":
        return kind
    return partial(kind, categorical_features=list(range(numbers, numbers + categories)))


def _columns(categories: Sequence[slice]) -> list[int]:
    return [column for own in categories for column in range(own.start, own.stop)]


def undersample(labels: np.ndarray, ratio: float, seed: int) -> np.ndarray:
    """The positions of the training rows that stay."""
    from imblearn.under_sampling import RandomUnderSampler

    smaller, larger = np.sort(np.bincount(labels, minlength=2))
    if smaller < 1 or int(smaller / ratio) >= larger:
        return np.arange(len(labels))
    sampler = RandomUnderSampler(sampling_strategy=ratio, random_state=seed)
    sampler.fit_resample(np.zeros((len(labels), 1)), labels)
    return sampler.sample_indices_
