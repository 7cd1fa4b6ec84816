"""Is BCE as good as scikit-learn's LogisticRegression, and a tuned threshold as good as its own?

    python -m tests.benchmarks.against_sklearn scores.csv [--largest 2000] [--lr 0.1 ...]

Both see the same folds, prepared alike: `bce` beside `LogisticRegression()` (its default, an L2
penalty with C = 1) and `bce+threshold` beside `TunedThresholdClassifierCV` around it (five inner
folds, F1). F1 of every table is added to the file, which goes on where it was interrupted; then the
means and the tables on which we are behind are printed. Small tables come first.
"""

import argparse
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import TunedThresholdClassifierCV

from anyloss_core.comparison.assembly import draw_folds
from anyloss_core.comparison.comparison import compare
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.comparison.suite_study import extend_study, read_study
from anyloss_core.data.preparation import prepare_fresh
from anyloss_core.data.suites.real_suite import real_suite

SKLEARN = "sklearn"  # the part of the file with its scores
PAIRS = {"bce": "LogisticRegression", "bce+threshold": "TunedThresholdClassifierCV"}
WANTED = (0.003, 0.05)  # behind in the mean, and on the worst table
STEPS = 1000  # of its solver at most


def sklearn_scores(dataset):
    """Mean F1 of scikit-learn's pair over the folds of our comparison."""
    found = {name: [] for name in PAIRS.values()}
    for fold in draw_folds(dataset, ComparisonSettings(losses=("bce",), repeats=1)):
        features = prepare_fresh(dataset, fold.train).transform(dataset.frame)
        plain = LogisticRegression(max_iter=STEPS)
        tuned = TunedThresholdClassifierCV(plain, scoring=make_scorer(quick_f1), cv=5)
        tuned.fit(features[fold.train], dataset.labels[fold.train])
        for name, model in zip(found, (tuned.estimator_, tuned), strict=True):
            predicted = model.predict(features[fold.valid])
            found[name].append(quick_f1(dataset.labels[fold.valid], predicted))
    means = {name: float(np.mean(scores)) for name, scores in found.items()}
    return pd.DataFrame({"loss": list(means), "score": list(means.values())}).round(5)


def quick_f1(labels, predicted):
    """scikit-learn's f1_score of 0/1 labels, quicker: it is asked 5,000 times."""
    return 2.0 * (labels & predicted).sum() / max(labels.sum() + predicted.sum(), 1)


def our_scores(dataset, settings):
    """Mean F1 of ours."""
    found = compare(dataset, list(PAIRS), repeats=1, curves=2, **settings).summary()["f1"]
    return found.round(5).rename("score").rename_axis("loss").reset_index()


def gaps(file, setting):
    """dataset x our losses: how far scikit-learn is ahead."""
    theirs, ours = (
        read_study(file, setting=part).pivot(index="dataset", columns="loss", values="score")
        for part in (SKLEARN, setting)
    )
    return pd.DataFrame({name: theirs[rival] - ours[name] for name, rival in PAIRS.items()}), ours


def report(file, setting):
    """Means, and the tables on which we are far behind."""
    behind, ours = gaps(file, setting)
    behind = behind.dropna()
    print(f"{len(behind)} tables, {setting}, {date.today()}")
    for name, rival in PAIRS.items():
        own, worst = ours.loc[behind.index, name].mean(), behind[name].idxmax()
        far = behind.index[behind[name] > WANTED[1]].tolist()
        print(
            f"{name:14} F1 {own:.4f}, {rival} {own + behind[name].mean():.4f}: behind by "
            f"{behind[name].mean():+.4f}, at most {behind[name].max():+.3f} ({worst}); "
            f"more than {WANTED[1]} on {len(far)}: {', '.join(far)}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--largest", type=int, default=10**9, help="rows")
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--lr", type=float)
    parser.add_argument("--schedule")
    options = vars(parser.parse_args())
    file, largest = options.pop("file"), options.pop("largest")
    settings = {name: value for name, value in options.items() if value is not None}
    setting = ",".join(f"{name}={value}" for name, value in settings.items()) or "default plan"
    torch.set_num_threads(1)
    for task in sorted(real_suite(), key=lambda task: task.rows):
        if task.rows <= largest:
            one = {task.name: task.reference}
            extend_study(file, one, sklearn_scores, setting=SKLEARN)
            extend_study(file, one, lambda data: our_scores(data, settings), setting=setting)
    report(file, setting)


if __name__ == "__main__":
    main()
