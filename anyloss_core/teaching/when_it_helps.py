"""When does a loss made of the metric help, and when is a threshold all one needs?

Two kinds of data on a plane, many draws of each. Every method learns a draw of 400 points and is
judged by F1 on fresh ones. BCE gets the threshold that is best on its training points; beside it
stands the best threshold there is, chosen on the very points that judge it, which nobody has.

    python -m anyloss_core.teaching.when_it_helps     # writes when_it_helps.csv again
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from anyloss_core.comparison.thresholds import counts_above
from anyloss_core.engine.loop import train
from anyloss_core.engine.models import Parameters, predict
from anyloss_core.teaching.boundaries import F1, best_cut, standard, study_of
from anyloss_core.teaching.drawing import KINDS, MOST, Drawing

KEPT = Path(__file__).with_suffix(".csv")
DRAWS = 30
FRESH_POINTS = 20_000  # that judge: F1 is then known to about 0.005
SEED = 20_000  # draw d is judged on points of the seed SEED + d
HALF, TUNED, BEST = "p = 0.5", "tuned on the training points", "best there is"


@dataclass(frozen=True)
class Method:
    """What is trained, for how long, and where it is cut."""

    name: str
    loss: str
    cut: str = HALF
    model: str = "slp"
    longer: int = 1


METHODS = (
    Method("BCE", "bce"),
    Method("BCE + threshold", "bce", TUNED),
    Method("BCE + the best threshold there is", "bce", BEST),
    Method("BCE, five times as long, + threshold", "bce", TUNED, longer=5),
    Method("weighted BCE + threshold", "weighted_bce", TUNED),
    Method("AnyLoss-F1", "anyloss:f1"),
    Method("MLP: BCE + threshold", "bce", TUNED, "mlp"),
    Method("MLP: BCE, four times as long, + threshold", "bce", TUNED, "mlp", 4),
    Method("MLP: AnyLoss-F1", "anyloss:f1", HALF, "mlp"),
)


def study(draws: range = range(DRAWS)) -> pd.DataFrame:
    """One row a draw: data, draw, method, F1 on fresh points."""
    rows = [row for kind in KINDS for row in _judge(kind, draws)]
    return pd.DataFrame(rows, columns=["data", "draw", "method", "f1"])


def kept() -> pd.DataFrame:
    """The study as it was run last; its test runs a part of it again."""
    return pd.read_csv(KEPT)


def summary(scores: pd.DataFrame) -> pd.DataFrame:
    """Mean F1 and its standard deviation over the draws, a line a kind of data and method."""
    groups = scores.groupby(["data", "method"], sort=False)["f1"]
    return groups.agg(["mean", "std"]).reset_index()


def findings(table: pd.DataFrame) -> tuple[str, ...]:
    """What a summary says, a sentence a point."""
    mean = table.set_index(["data", "method"])["mean"]
    far, beside = mean["far"], mean["beside"]
    bce, best, ours = "BCE + threshold", "BCE + the best threshold there is", "AnyLoss-F1"
    longer, half = "BCE, five times as long, + threshold", "BCE"
    return (
        f"A quarter of the positives far off, a straight line: BCE with a tuned threshold reaches "
        f"F1 {far[bce]:.2f}, with the best threshold there is {far[best]:.2f}, trained five times "
        f"as long {far[longer]:.2f}. Its direction is wrong, not its cut. AnyLoss-F1 turns the "
        f"line towards the rest: {far[ours]:.2f}.",
        f"Two round clouds, for which the logistic model is true: BCE has the right direction and "
        f"needs the threshold alone ({beside[half]:.2f} at p = 0.5, {beside[bce]:.2f} tuned). "
        f"AnyLoss-F1 has nothing to add: {beside[ours]:.2f}.",
        f"A model that can bend needed no such help here: on the far-off data an MLP of four "
        f"hidden units reaches {far['MLP: ' + bce]:.2f} with BCE and a tuned threshold, with "
        f"AnyLoss-F1 {far['MLP: ' + ours]:.2f}.",
    )


def _judge(kind: str, draws: range) -> Iterator[tuple[str, int, str, float]]:
    learnt = [_standardised(kind, draw, MOST, draw) for draw in draws]
    judged = [_standardised(kind, draw, FRESH_POINTS, SEED + draw) for draw in draws]
    for model, longer in dict.fromkeys((each.model, each.longer) for each in METHODS):
        methods = [each for each in METHODS if (each.model, each.longer) == (model, longer)]
        losses = list(dict.fromkeys(each.loss for each in methods))
        parameters = _trained(learnt, losses, model, longer)
        for place, draw in enumerate(draws):
            for method in methods:
                one = parameters.one(place * len(losses) + losses.index(method.loss))
                score = _score(one, learnt[place], judged[place], method.cut)
                yield kind, draw, method.name, round(score, 4)


def _standardised(kind: str, draw: int, rows: int, seed: int) -> Drawing:
    """Points of a seed as the models of a draw see them."""
    mean, spread = standard(KINDS[kind](MOST, np.random.default_rng(draw)).points)
    found = KINDS[kind](rows, np.random.default_rng(seed))
    return Drawing((found.points - mean) / spread, found.labels)


def _trained(learnt: list[Drawing], losses: list[str], model: str, longer: int) -> Parameters:
    """All losses on all draws, side by side."""
    points = np.concatenate([each.points for each in learnt])
    labels = np.concatenate([each.labels for each in learnt])
    folds = list(np.arange(len(labels)).reshape(len(learnt), -1))
    training = train(study_of(points, labels, losses, folds, model, longer))
    for _ in training:
        pass
    return training.parameters()


def _score(model: Parameters, learnt: Drawing, judged: Drawing, cut: str) -> float:
    logits = _logits(model, judged)
    if cut == BEST:
        place = best_cut(judged.labels, logits)
    else:
        place = best_cut(learnt.labels, _logits(model, learnt)) if cut == TUNED else 0.0
    counts = counts_above(judged.labels, logits, np.array([place]))
    return float(np.asarray(F1(counts))[0])


def _logits(model: Parameters, drawing: Drawing) -> np.ndarray:
    return predict(model, torch.as_tensor(drawing.points))[0].numpy()


if __name__ == "__main__":
    found = study()
    found.to_csv(KEPT, index=False)
    print(summary(found).to_string(float_format="%.3f"))
