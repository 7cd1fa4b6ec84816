"""Generated data with sliders: rows, features, imbalance, separation, noise.

Class sizes are exact. Noise swaps rows between the classes in pairs, so that it makes the task
harder without changing its balance.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from anyloss_core.data import limits
from anyloss_core.data.dataset import Dataset, check_size, dataset_from_frame
from anyloss_core.data.errors import DataError

INFORMATIVE = 10  # features that matter, at most; the others are combinations or chance
NO_SEPARATION = 1e-9  # stands for 0, which scikit-learn refuses
RANGES = {  # what a slider may offer
    "rows": (20, limits.ROWS),
    "features": (1, 500),
    "imbalance": (1.0, 1000.0),
    "separation": (0.0, 10.0),
    "noise": (0.0, 0.5),
    "clusters": (1, 4),
    "seed": (0, 2**32 - 1),
}


@dataclass(frozen=True)
class SyntheticSettings:
    """The settings of one generated data set."""

    rows: int = 1000
    features: int = 5
    imbalance: float = 9.0  # n of 'n:1'
    separation: float = 1.0  # distance of the classes; 0 means none
    noise: float = 0.02  # share of the positives that change places with negatives
    clusters: int = 1  # clouds per class: with more than one a straight line is not enough
    seed: int = 0

    @property
    def positives(self) -> int:
        """Rows of the positive class."""
        return round(self.rows / (1 + self.imbalance))

    @property
    def ratio(self) -> float:
        """Negative rows for each positive one, as generated."""
        return (self.rows - self.positives) / self.positives

    @property
    def reference(self) -> str:
        """What `open_reference` understands."""
        return "synthetic:" + ",".join(f"{name}={value}" for name, value in asdict(self).items())


def generate(settings: SyntheticSettings, name: str = "synthetic") -> Dataset:
    """The data set of these settings; the same settings give the same rows."""
    _check(settings)
    points, labels = _clouds(settings)
    labels = _swapped(labels, settings)
    names = [f"x{number}" for number in range(1, settings.features + 1)]
    frame = pd.DataFrame(points, columns=names).assign(target=labels)
    return dataset_from_frame(frame, "target", 1, name=name, source=settings.reference)


def parse_settings(text: str) -> SyntheticSettings:
    """The settings written as 'rows=500,noise=0.1'; what is not named keeps its default."""
    kinds = {name: type(value) for name, value in asdict(SyntheticSettings()).items()}
    settings: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        if name not in kinds:
            raise DataError(
                f"Generated data has no setting '{name[:40]}'.", f"Use {', '.join(kinds)}."
            )
        settings[name] = _number(name, value, kinds[name])
    return SyntheticSettings(**settings)


def _number(name: str, value: str, kind: type[float]) -> float:
    try:
        return kind(value)
    except (ValueError, OverflowError):
        raise DataError(f"{name} must be a number, got '{value[:40]}'.") from None


def _check(settings: SyntheticSettings) -> None:
    for name, (low, high) in RANGES.items():
        value = getattr(settings, name)
        if not low <= value <= high:  # also false for NaN
            raise DataError(
                f"{name} must lie between {low:,} and {high:,}, got {value}.",
                "Choose a value in between.",
            )
    check_size(settings.rows, settings.features)
    if settings.positives < 2:
        raise DataError(
            f"{settings.rows} rows at {settings.imbalance:g}:1 leave {settings.positives} "
            "positives.",
            "Choose more rows or a smaller imbalance.",
        )


def _clouds(settings: SyntheticSettings) -> tuple[np.ndarray, np.ndarray]:
    """Points (rows, features) and labels (rows,), classes of exact size, without noise."""
    from sklearn.datasets import make_classification

    informative = min(settings.features, max(2, -(-settings.features * 3 // 5)), INFORMATIVE)
    clusters = min(settings.clusters, 2 ** (informative - 1))
    # Rows are dealt out to the clusters rounded down: a spare row each makes up for it.
    dealt = settings.rows + 2 * clusters
    positive_share = (settings.positives + clusters) / dealt
    points, labels = make_classification(
        n_samples=dealt,
        n_features=settings.features,
        n_informative=informative,
        n_redundant=min((settings.features - informative) // 2, informative),
        n_clusters_per_class=clusters,
        weights=[1 - positive_share, positive_share],
        class_sep=max(settings.separation, NO_SEPARATION),
        flip_y=0.0,
        random_state=settings.seed,
    )
    kept = _first(labels, settings)
    return points[kept], labels[kept]


def _first(labels: np.ndarray, settings: SyntheticSettings) -> np.ndarray:
    """Rows of the first positives and negatives that the settings ask for, in order."""
    sizes = {1: settings.positives, 0: settings.rows - settings.positives}
    return np.sort(np.concatenate([np.flatnonzero(labels == k)[:n] for k, n in sizes.items()]))


def _swapped(labels: np.ndarray, settings: SyntheticSettings) -> np.ndarray:
    """The labels after a share of the positives changed places with negatives."""
    random = np.random.default_rng(settings.seed)
    labels = labels.copy()
    swaps = round(settings.noise * settings.positives)
    lost = random.choice(np.flatnonzero(labels == 1), swaps, replace=False)
    gained = random.choice(np.flatnonzero(labels == 0), swaps, replace=False)
    labels[lost], labels[gained] = 0, 1
    return labels
