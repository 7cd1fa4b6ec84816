"""What a comparison found: the outcome of every model, gathered into tidy tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from anyloss_core.assembly import Member, tuned_alike
from anyloss_core.confusion import Counts
from anyloss_core.datasets import Dataset
from anyloss_core.engine import Training
from anyloss_core.events import Event
from anyloss_core.outputs import decision
from anyloss_core.scores import METRICS, get_score
from anyloss_core.settings import ComparisonSettings, amplifier_text
from anyloss_core.spelling import LossSpec
from anyloss_core.thresholds import best_threshold

TUNED_FOR = "f1"  # the metric of bce+threshold unless its spelling names another


@dataclass(frozen=True, eq=False)
class Comparison:
    """The result: every loss on every fold, judged by every metric on the held-out rows."""

    scores: pd.DataFrame  # loss, fold, metric, score
    curves: pd.DataFrame  # loss, fold, epoch, train_loss and the validation scores
    confusion: pd.DataFrame  # loss, fold, tn, fn, fp, tp, threshold, dead_share
    probabilities: pd.DataFrame  # row, fold, label and a column of P(positive) per loss
    seconds: dict[str, float]  # of training, per loss
    total_seconds: float
    settings: dict[str, Any]  # as given, and what each loss was trained with
    notes: tuple[str, ...] = ()  # models that collapsed or diverged

    def summary(self, statistic: str = "mean") -> pd.DataFrame:
        """Losses x metrics over the folds: 'mean' or 'std'."""
        table = self.scores.pivot_table(
            index="loss", columns="metric", values="score", aggfunc=statistic, sort=False
        )
        return table.reindex(index=list(self.seconds), columns=list(METRICS))

    def to_dict(self) -> dict[str, Any]:
        """Means, standard deviations and folds of every loss and metric, as JSON can hold them."""
        rows = []
        for (loss, metric), group in self.scores.groupby(["loss", "metric"], sort=False):
            values = group.sort_values("fold")["score"]
            spread = float(values.std()) if len(values) > 1 else 0.0
            rows.append(
                {
                    "loss": loss,
                    "metric": metric,
                    "mean": float(values.mean()),
                    "std": spread,
                    "folds": values.tolist(),
                }
            )
        return {"scores": rows, "settings": self.settings, "seconds": self.total_seconds}


class Point(NamedTuple):
    """All models of a study at one epoch: training losses (M,) and validation counts (M,)."""

    epoch: int
    losses: np.ndarray
    counts: Counts


class Record:
    """What is kept of the training of one study; the training itself is let go at the end."""

    def __init__(self, members: tuple[Member, ...], training: Training) -> None:
        self.members = members
        self.training: Training | None = training
        self.recipes = training.study.models
        self.points: list[Point] = []
        self.status: tuple[str, ...] = ()
        self.probabilities: list[np.ndarray] = []
        self.seconds: list[float] = []
        self.dead_share: list[float] = []

    def note(self, event: Event) -> None:
        counts = Counts(*(entry.cpu().numpy() for entry in event.valid_hard))
        self.points.append(Point(event.epoch, event.losses.cpu().numpy(), counts))
        self.status = event.status

    def finish(self) -> None:
        """Take the outcome and free the table."""
        self.probabilities = self.training.probabilities()
        self.seconds = self.training.model_seconds()
        self.dead_share = self.training.dead_share().tolist()
        self.training = None


class Outcome(NamedTuple):
    """One loss on one fold."""

    loss: int
    fold: int
    rows: np.ndarray
    probabilities: np.ndarray
    threshold: float
    dead_share: float
    status: str


def tabulate(
    dataset: Dataset, settings: ComparisonSettings, records: Sequence[Record], seconds: float
) -> Comparison:
    """All tables of a comparison, from what has been trained."""
    outcomes = sorted(
        (
            outcome
            for record in records
            if record.probabilities
            for outcome in _outcomes(record, dataset, settings)
        ),
        key=lambda outcome: outcome[:2],
    )
    confusion = _confusion(outcomes, dataset, settings)
    spent = dict.fromkeys(settings.names, 0.0)
    for record in records:
        for member, own in zip(record.members, record.seconds, strict=False):
            spent[settings.names[member.loss]] += own
    return Comparison(
        scores=_scores(confusion),
        curves=_curves(records, settings),
        confusion=confusion,
        probabilities=_probabilities(outcomes, dataset, settings),
        seconds=spent,
        total_seconds=seconds,
        settings=_described(dataset, settings, records),
        notes=tuple(_notes(outcomes, settings)),
    )


def _outcomes(record: Record, dataset: Dataset, settings: ComparisonSettings) -> Iterator[Outcome]:
    for place, member in enumerate(record.members):
        if not member.inner:
            yield Outcome(
                member.loss,
                member.fold,
                member.rows,
                record.probabilities[place],
                _threshold(record, member, record.recipes[place].loss, dataset, settings),
                record.dead_share[place],
                record.status[place] if record.status else "training",
            )


def _threshold(
    record: Record,
    member: Member,
    trained: LossSpec,
    dataset: Dataset,
    settings: ComparisonSettings,
) -> float:
    """The loss's own threshold, or the one tuned on the inner folds."""
    spec = settings.specs[member.loss]
    if spec.method != "threshold":
        return decision(trained)
    inner = [
        (m.rows, p)
        for m, p in zip(record.members, record.probabilities, strict=True)
        if m.inner and m.fold == member.fold and tuned_alike(settings.specs[m.loss], spec)
    ]
    if not inner:
        return 0.5
    rows = np.concatenate([rows for rows, _ in inner])
    score = get_score(spec.options.get("metric", TUNED_FOR))
    return best_threshold(dataset.labels[rows], np.concatenate([p for _, p in inner]), score)


def _confusion(
    outcomes: Sequence[Outcome], dataset: Dataset, settings: ComparisonSettings
) -> pd.DataFrame:
    rows = []
    for outcome in outcomes:
        labels = dataset.labels[outcome.rows]
        predicted = outcome.probabilities > outcome.threshold
        table = np.bincount(2 * predicted + labels, minlength=4)  # tn, fn, fp, tp
        name, rest = settings.names[outcome.loss], (outcome.threshold, outcome.dead_share)
        rows.append((name, outcome.fold, *table, *rest))
    columns = ["loss", "fold", *Counts._fields, "threshold", "dead_share"]
    return pd.DataFrame(rows, columns=columns)


def _scores(confusion: pd.DataFrame) -> pd.DataFrame:
    counts = Counts(*(confusion[name].to_numpy(np.float64) for name in Counts._fields))
    values = {name: score(counts) for name, score in METRICS.items()}
    wide = confusion[["loss", "fold"]].assign(**values)
    tidy = wide.melt(["loss", "fold"], var_name="metric", value_name="score")
    return tidy[["loss", "fold", "metric", "score"]]


def _curves(records: Sequence[Record], settings: ComparisonSettings) -> pd.DataFrame:
    parts = []
    for record in records:
        kept = [place for place, member in enumerate(record.members) if not member.inner]
        names = [settings.names[record.members[place].loss] for place in kept]
        folds = [record.members[place].fold for place in kept]
        for point in record.points:
            counts = Counts(*(entry[kept] for entry in point.counts))
            scores = {name: score(counts) for name, score in METRICS.items()}
            losses = {"epoch": point.epoch, "train_loss": point.losses[kept]}
            parts.append(pd.DataFrame({"loss": names, "fold": folds, **losses, **scores}))
    columns = ["loss", "fold", "epoch", "train_loss", *METRICS]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _probabilities(
    outcomes: Sequence[Outcome], dataset: Dataset, settings: ComparisonSettings
) -> pd.DataFrame:
    """One line per held-out row of each fold; folds of repeats stand below each other."""
    folds = {outcome.fold: outcome.rows for outcome in outcomes}
    frames = []
    for fold, rows in sorted(folds.items()):
        frame = pd.DataFrame({"row": rows, "fold": fold, "label": dataset.labels[rows]})
        found = {
            settings.names[outcome.loss]: outcome.probabilities
            for outcome in outcomes
            if outcome.fold == fold
        }
        frames.append(frame.assign(**{name: found.get(name, np.nan) for name in settings.names}))
    columns = ["row", "fold", "label", *settings.names]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)


def _described(
    dataset: Dataset, settings: ComparisonSettings, records: Sequence[Record]
) -> dict[str, Any]:
    """The settings, and with what each loss was really trained."""
    trained: dict[str, Any] = {}
    for record in records:
        for member, recipe in zip(record.members, record.recipes, strict=True):
            name = settings.names[member.loss]
            if not member.inner and name not in trained:
                trained[name] = {
                    "lr": recipe.lr,
                    "batch": recipe.batch,
                    "L": amplifier_text(recipe.loss.L),
                    "warm_up": recipe.loss.warm_up,
                    "form": recipe.loss.family,
                }
    done = [record.points[-1].epoch if record.points else 0 for record in records]
    return {
        **settings.to_dict(),
        "dataset": dataset.name,
        "fingerprint": dataset.fingerprint,
        "rows": dataset.rows,
        "positives": dataset.positives,
        "trained": trained,
        "epochs": settings.plan.epochs,
        "epochs_done": min(done, default=0),
        "hidden": list(settings.plan.network.hidden),
        "optimiser": settings.plan.optimiser.name,
    }


def _notes(outcomes: Sequence[Outcome], settings: ComparisonSettings) -> Iterator[str]:
    why = {
        "diverged": "the loss is no longer a number; lower the learning rate",
        "collapsed": "every row gets the same class; try a smaller L, a ramp or a BCE warm-up",
    }
    for place, name in enumerate(settings.names):
        for status, reason in why.items():
            count = sum(o.loss == place and o.status == status for o in outcomes)
            if count:
                yield f"{name}: {status} in {count} of the folds ({reason})"
