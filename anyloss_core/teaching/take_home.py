"""What lessons 6 and 7 train, worked out once for files without a server: curves and fold scores.

python -m anyloss_core.teaching.take_home     # writes take_home.json again
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pandas as pd

from anyloss_core.common.settings import as_plain
from anyloss_core.comparison.comparison import compare
from anyloss_core.data.suites.references import open_reference
from anyloss_core.data.suites.synthetic import SyntheticSettings
from anyloss_core.engine.loop import train
from anyloss_core.live.scene import prepare
from anyloss_core.live.settings import LiveSettings

KEPT = Path(__file__).with_suffix(".json")
ROWS = 4_000  # of lesson 6
FOUR = ("bce", "mse", "sol:f1", "anyloss:f1@L=73")  # as in the paper: nothing is chosen here
METRICS = ("f1", "accuracy", "recall", "balanced_accuracy")
IMBALANCES = (1, 4, 9, 19, 49)  # of a file; the page has every number in between
EVERY = 4  # epochs between two points of a curve
DATA, THREE = "builtin:random", ("bce", "anyloss:f1", "bce+threshold")  # of lesson 7


def four_losses(imbalance: int) -> LiveSettings:
    """The training of lesson 6: four losses on generated data."""
    data = SyntheticSettings(ROWS, 5, float(imbalance), 1.0, 0.02).reference
    return LiveSettings(data=data, losses=FOUR, epochs=200, pace=60.0)


def curves(imbalance: int) -> dict[str, dict[str, list[float]]]:
    """Every metric on validation rows: for each loss its scores, every few epochs."""
    settings = four_losses(imbalance)
    scene = prepare(settings, open_reference(settings.data))
    events = [each for each in train(scene.study) if each.epoch % EVERY == 0 or each.epoch == 1]
    found: dict[str, dict[str, list[float]]] = {"epoch": {"": [each.epoch for each in events]}}
    for metric in METRICS:
        scores = [each.scores(metric).tolist() for each in events]  # (E, M)
        found[metric] = {
            loss: [round(row[model], 4) for row in scores] for model, loss in enumerate(FOUR)
        }
    return found


def ten_folds() -> dict[str, Any]:
    """F1 of the comparison of lesson 7, fold by fold, and its settings."""
    found = compare(open_reference(DATA), THREE, folds=10)
    scores = found.scores.query("metric == 'f1'")
    return {"scores": scores.to_dict("list"), "settings": dict(found.settings)}


@lru_cache(maxsize=1)
def kept() -> dict[str, Any]:
    """Both, as they were worked out last."""
    return json.loads(KEPT.read_text(encoding="utf-8"))


def kept_folds() -> tuple[pd.DataFrame, dict[str, Any]]:
    """Scores and settings of lesson 7, as a comparison has them."""
    found = kept()["folds"]
    return pd.DataFrame(found["scores"]), found["settings"]


if __name__ == "__main__":
    whole = {"curves": {str(n): curves(n) for n in IMBALANCES}, "folds": ten_folds()}
    KEPT.write_text(json.dumps(whole, default=as_plain) + "\n", encoding="utf-8")
