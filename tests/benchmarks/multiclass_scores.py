"""Macro-F1 with three and more classes: AnyLoss against cross-entropy, cross-validated.

    python -m tests.benchmarks.multiclass_scores

The answer to the paper's first open question, as far as these data sets go. Mean ± sd over the
folds; every method sees the same folds and starts from the same weights.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits, load_iris, load_wine, make_classification
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold

from anyloss_core import AnyLossClassifier

METHODS = {
    "cross-entropy": {"loss": "bce"},
    "balanced cross-entropy": {"loss": "weighted_bce"},
    "AnyLoss-F1, defaults": {},
    "AnyLoss-F1, L = 73 from the start": {"loss": "anyloss@L=73,warm_up=0"},
    "AnyLoss-F1, L = 5..73 after warm-up": {"loss": "anyloss@L=5..73,warm_up=0.2"},
}
SHARED = {"epochs": 150, "lr": 0.05, "random_state": 0}
FOLDS = 5


def thinned(data, rows: dict[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """So many rows of each class."""
    features, labels = data
    random = np.random.default_rng(0)
    chosen = [random.permutation(np.flatnonzero(labels == k))[:n] for k, n in rows.items()]
    kept = np.concatenate(chosen)
    return features[kept], labels[kept]


def imbalanced(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Four overlapping classes, the rarest 4 % of the rows."""
    return make_classification(
        1000,
        n_features=8,
        n_informative=5,
        n_classes=4,
        weights=[0.75, 0.15, 0.06],
        class_sep=0.7,
        random_state=seed,
    )


def problems() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    digits, iris = load_digits(return_X_y=True), load_iris(return_X_y=True)
    rare = {k: 170 if k < 5 else 15 for k in range(10)}
    return {
        "digits": digits,
        "digits, half of the classes rare": thinned(digits, rare),
        "iris": iris,
        "iris, one class rare": thinned(iris, {0: 50, 1: 50, 2: 8}),
        "wine": load_wine(return_X_y=True),
        **{f"four classes, 75:15:6:4, seed {seed}": imbalanced(seed) for seed in range(3)},
    }


def fold_scores(features: np.ndarray, labels: np.ndarray, settings: dict) -> list[float]:
    """Macro-F1 of scikit-learn on each held-out fold."""
    splitter = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    scores = []
    for train, test in splitter.split(features, labels):
        model = AnyLossClassifier("f1", **SHARED, **settings).fit(features[train], labels[train])
        scores.append(f1_score(labels[test], model.predict(features[test]), average="macro"))
    return scores


def main() -> None:
    for name, data in problems().items():
        row = {method: fold_scores(*data, settings) for method, settings in METHODS.items()}
        means = pd.DataFrame(row).agg(["mean", "std"])
        words = [f"{method} {m:.3f} ± {s:.3f}" for method, (m, s) in means.items()]
        print(f"{name}: {', '.join(words)}", flush=True)


if __name__ == "__main__":
    main()
