"""Methods around BCE that change the training rows: SMOTE and random under-sampling.

Both look at the training rows of a fold only. A fold in which the rarer class is already at the
wanted ratio, or too small to resample, keeps its rows.
"""

import numpy as np

RATIO = 1.0  # rows of the rarer class over rows of the other, after resampling
NEIGHBOURS = 5  # of SMOTE, as in imbalanced-learn


def smote(
    features: np.ndarray, labels: np.ndarray, ratio: float, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """The synthetic rows and their labels, to be added to the given training rows."""
    from imblearn.over_sampling import SMOTE

    smaller, larger = np.sort(np.bincount(labels, minlength=2))
    if smaller < 2 or int(ratio * larger) <= smaller:
        return features[:0], labels[:0]
    sampler = SMOTE(
        sampling_strategy=ratio, k_neighbors=min(NEIGHBOURS, smaller - 1), random_state=seed
    )
    resampled, answers = sampler.fit_resample(features, labels)
    return resampled[len(features) :], answers[len(labels) :]


def undersample(labels: np.ndarray, ratio: float, seed: int) -> np.ndarray:
    """The positions of the training rows that stay."""
    from imblearn.under_sampling import RandomUnderSampler

    smaller, larger = np.sort(np.bincount(labels, minlength=2))
    if smaller < 1 or int(smaller / ratio) >= larger:
        return np.arange(len(labels))
    sampler = RandomUnderSampler(sampling_strategy=ratio, random_state=seed)
    sampler.fit_resample(np.zeros((len(labels), 1)), labels)
    return sampler.sample_indices_
