"""Generated data with sliders: rows, features, imbalance, separation, noise.

Class sizes are exact. Noise swaps rows between the classes in pairs, so that it makes the task
harder without changing its balance.
"""

from dataclasses import asdict, dataclass, fields

import numpy as np
import pandas as pd

from anyloss_core.datasets import limits
from anyloss_core.datasets.dataset import Dataset, check_size, dataset_from_frame
from anyloss_core.datasets.errors import DataError

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
class Recipe:
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
    def reference(self) -> str:
        """What `open_reference` understands."""
        return "synthetic:" + ",".join(f"{name}={value}" for name, value in asdict(self).items())


def synthetic(
    rows: int = 1000,
    features: int = 5,
    imbalance: float = 9.0,
    separation: float = 1.0,
    noise: float = 0.02,
    seed: int = 0,
) -> Dataset:
    """A generated data set; the same settings give the same rows."""
    return generate(Recipe(rows, features, imbalance, separation, noise, seed=seed))


def generate(recipe: Recipe, name: str = "synthetic") -> Dataset:
    """The data set of a recipe."""
    _check(recipe)
    points, labels = _clouds(recipe)
    labels = _swapped(labels, recipe)
    names = [f"x{number}" for number in range(1, recipe.features + 1)]
    frame = pd.DataFrame(points, columns=names).assign(target=labels)
    return dataset_from_frame(frame, "target", 1, name=name, source=recipe.reference)


def parse_recipe(text: str) -> Recipe:
    """The recipe written as 'rows=500,noise=0.1'; what is not named keeps its default."""
    kinds = {field.name: field.type for field in fields(Recipe)}
    settings = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        if name not in kinds:
            raise DataError(
                f"Generated data has no setting '{name[:40]}'.", f"Use {', '.join(kinds)}."
            )
        settings[name] = _number(name, value, kinds[name])
    return Recipe(**settings)


def _number(name: str, value: str, kind: type) -> float:
    try:
        return kind(value)
    except (ValueError, OverflowError):
        raise DataError(f"{name} must be a number, got '{value[:40]}'.") from None


def _check(recipe: Recipe) -> None:
    for name, (low, high) in RANGES.items():
        value = getattr(recipe, name)
        if not low <= value <= high:  # also false for NaN
            raise DataError(
                f"{name} must lie between {low:,} and {high:,}, got {value}.",
                "Choose a value in between.",
            )
    check_size(recipe.rows, recipe.features)
    if recipe.positives < 2:
        raise DataError(
            f"{recipe.rows} rows at {recipe.imbalance:g}:1 leave {recipe.positives} positives.",
            "Choose more rows or a smaller imbalance.",
        )


def _clouds(recipe: Recipe) -> tuple[np.ndarray, np.ndarray]:
    """Points (rows, features) and labels (rows,), classes of exact size, without noise."""
    from sklearn.datasets import make_classification

    informative = min(recipe.features, max(2, -(-recipe.features * 3 // 5)), INFORMATIVE)
    clusters = min(recipe.clusters, 2 ** (informative - 1))
    # Rows are dealt out to the clusters rounded down: a spare row each makes up for it.
    dealt = recipe.rows + 2 * clusters
    positive_share = (recipe.positives + clusters) / dealt
    points, labels = make_classification(
        n_samples=dealt,
        n_features=recipe.features,
        n_informative=informative,
        n_redundant=min((recipe.features - informative) // 2, informative),
        n_clusters_per_class=clusters,
        weights=[1 - positive_share, positive_share],
        class_sep=max(recipe.separation, NO_SEPARATION),
        flip_y=0.0,
        random_state=recipe.seed,
    )
    kept = _first(labels, recipe)
    return points[kept], labels[kept]


def _first(labels: np.ndarray, recipe: Recipe) -> np.ndarray:
    """Rows of the first positives and negatives that the recipe asks for, in order."""
    sizes = {1: recipe.positives, 0: recipe.rows - recipe.positives}
    return np.sort(np.concatenate([np.flatnonzero(labels == k)[:n] for k, n in sizes.items()]))


def _swapped(labels: np.ndarray, recipe: Recipe) -> np.ndarray:
    """The labels after a share of the positives changed places with negatives."""
    random = np.random.default_rng(recipe.seed)
    labels = labels.copy()
    swaps = round(recipe.noise * recipe.positives)
    lost = random.choice(np.flatnonzero(labels == 1), swaps, replace=False)
    gained = random.choice(np.flatnonzero(labels == 0), swaps, replace=False)
    labels[lost], labels[gained] = 0, 1
    return labels
