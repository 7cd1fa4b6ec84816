"""What a comparison found: the outcome of every model, gathered into tidy tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from anyloss_core.comparison.assembly import INNER_FOLDS, Assembly, Member, training_key
from anyloss_core.comparison.resampling import smote_name
from anyloss_core.comparison.settings import ComparisonSettings, amplifier_text
from anyloss_core.comparison.tables import mean_table, metric_scores, tuned_for
from anyloss_core.comparison.thresholds import CUTS, counts_above, find_cuts, half_of_f1, tune
from anyloss_core.data.dataset import Dataset
from anyloss_core.engine.events import Event
from anyloss_core.engine.loop import Training
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.outputs import decision
from anyloss_core.losses.scores import METRICS, get_score
from anyloss_core.losses.spelling import LossSpec
from anyloss_core.statistics.small_data import few_rows_note

TUNED_FOR = "f1"  # the metric of bce+threshold where none is asked about
ONLINE = "online_f1"  # the method whose threshold comes from the training rows


@dataclass(frozen=True, eq=False)
class Comparison:
    """The result: every loss on every fold, judged by every metric on the held-out rows."""

    scores: pd.DataFrame  # loss, fold, metric, score
    curves: pd.DataFrame  # loss, fold, epoch, train_loss and the validation scores
    # loss, fold, tn, fn, fp, tp, threshold, dead_share; bce+threshold is tuned for F1 here
    confusion: pd.DataFrame
    probabilities: pd.DataFrame  # row, fold, label and per loss a score in [0, 1], not calibrated
    seconds: dict[str, float]  # of training, per loss
    total_seconds: float
    settings: dict[str, Any]  # as given, and what each loss was trained with
    cuts: pd.DataFrame  # of bce+threshold: loss, fold, threshold, counts inside and held out
    notes: tuple[str, ...] = ()  # models that collapsed or diverged

    def summary(self, statistic: str = "mean") -> pd.DataFrame:
        """Losses x metrics over the folds: 'mean' or 'std'."""
        table = mean_table(self.scores, statistic)
        return table.reindex(index=list(self.seconds), columns=list(METRICS))

    def scores_of(self, metrics: Sequence[str]) -> pd.DataFrame:
        """Tidy scores of any metrics or formulas, each with the threshold tuned for it."""
        return metric_scores(self.confusion, metrics, self.cuts)

    def confusion_for(self, metric: str) -> pd.DataFrame:
        """`confusion` with the thresholds tuned for a metric."""
        return tuned_for(self.confusion, self.cuts, metric)

    def to_dict(self) -> dict[str, Any]:
        """Means, standard deviations and folds of every loss and metric, as JSON can hold them."""
        folds = self.scores.groupby(["loss", "metric"], sort=False)["score"]
        found = folds.agg(mean="mean", std="std", folds=list).fillna({"std": 0.0})
        rows = found.reset_index().to_dict("records")
        return {"scores": rows, "settings": self.settings, "seconds": self.total_seconds}


class Point(NamedTuple):
    """All models of a study at one epoch: training losses (M,) and validation counts (M,)."""

    epoch: int
    losses: np.ndarray
    counts: Counts


class Record:
    """What is kept of the training of one study, which is let go at the end."""

    def __init__(self, assembly: Assembly) -> None:
        self.members, self.models = assembly.members, assembly.study.models
        self.points: list[Point] = []
        self.last: Event | None = None
        self.probabilities: list[np.ndarray] = []
        self.seconds: list[float] = []
        self.dead_share: list[float] = []
        self.online: dict[int, float] = {}  # model -> its threshold

    def add(self, event: Event) -> None:
        """A point of the learning curves."""
        counts = Counts(*(entry.cpu().numpy() for entry in event.valid_hard))
        self.points.append(Point(event.epoch, event.losses.cpu().numpy(), counts))
        self.last = event

    def finish(self, training: Training) -> None:
        """What came out."""
        self.probabilities = training.probabilities()
        self.seconds = training.model_seconds()
        self.dead_share = training.dead_share().tolist()
        chosen = [i for i, model in enumerate(self.models) if model.loss.method == ONLINE]
        on_train, study = training.probabilities("train") if chosen else [], training.study
        for model in chosen:
            labels = np.asarray(study.labels)[study.rows[self.models[model].rows].train]
            self.online[model] = half_of_f1(labels, on_train[model])


class FoldResult(NamedTuple):
    """One loss on one fold."""

    loss: int
    fold: int
    rows: np.ndarray
    probabilities: np.ndarray
    threshold: float
    cuts: pd.DataFrame | None  # if the threshold is tuned for whatever metric is asked about
    dead_share: float
    status: str


def tabulate(
    dataset: Dataset, settings: ComparisonSettings, records: Sequence[Record], seconds: float
) -> Comparison:
    """All tables of a comparison, from what has been trained."""
    trained = [record for record in records if record.probabilities]
    found = [result for record in trained for result in _results(record, dataset, settings)]
    found.sort(key=lambda result: (result.loss, result.fold))
    confusion, cuts = _confusion(found, dataset, settings), _cuts(found)
    spent = dict.fromkeys(settings.names, 0.0)
    for record in records:
        for member, own in zip(record.members, record.seconds, strict=False):
            spent[settings.names[member.loss]] += own
    return Comparison(
        scores=metric_scores(confusion, list(METRICS), cuts),
        curves=_curves(records, settings),
        confusion=confusion,
        probabilities=_probabilities(found, dataset, settings),
        seconds=spent,
        total_seconds=seconds,
        settings=_described(dataset, settings, records),
        cuts=cuts,
        notes=tuple(_notes(found, dataset, settings)),
    )


def _results(
    record: Record, dataset: Dataset, settings: ComparisonSettings
) -> Iterator[FoldResult]:
    status = record.last.status if record.last else ("training",) * len(record.members)
    for number, (member, model) in enumerate(zip(record.members, record.models, strict=True)):
        if not member.inner:
            p = record.probabilities[number]
            yield FoldResult(
                member.loss,
                member.fold,
                member.rows,
                p,
                *_threshold(record, number, p, model.loss, dataset, settings),
                record.dead_share[number],
                status[number],
            )


def _threshold(
    record: Record,
    model: int,
    probabilities: np.ndarray,
    trained: LossSpec,
    dataset: Dataset,
    settings: ComparisonSettings,
) -> tuple[float, pd.DataFrame | None]:
    """The loss's own threshold, or the one tuned on the inner folds, and its cuts if it is free."""
    member = record.members[model]
    spec = settings.specs[member.loss]
    if spec.method == ONLINE:
        return record.online[model], None
    if spec.method != "threshold":
        return decision(trained), None
    cuts = find_cuts(*_inner_rows(record, member, dataset, settings))
    held_out = counts_above(dataset.labels[member.rows], probabilities, cuts["threshold"])
    cuts = cuts.assign(**{name: part.astype(int) for name, part in held_out._asdict().items()})
    cuts = cuts.assign(loss=settings.names[member.loss], fold=member.fold)[CUTS]
    metric = spec.options.get("metric")
    best = tune(cuts, get_score(metric or TUNED_FOR))
    return float(best["threshold"].iloc[0]), None if metric else cuts


def _inner_rows(
    record: Record, member: Member, dataset: Dataset, settings: ComparisonSettings
) -> tuple[np.ndarray, np.ndarray]:
    """Labels and probabilities of the training rows of a fold, by models that left them out."""
    key = training_key(settings.specs[member.loss])
    inner = [
        (dataset.labels[m.rows], p)
        for m, p in zip(record.members, record.probabilities, strict=True)
        if m.inner and m.fold == member.fold and training_key(settings.specs[m.loss]) == key
    ]
    empty = (dataset.labels[:0], np.empty(0))
    labels, probabilities = zip(empty, *inner, strict=True)
    return np.concatenate(labels), np.concatenate(probabilities)


def _confusion(
    found: Sequence[FoldResult], dataset: Dataset, settings: ComparisonSettings
) -> pd.DataFrame:
    rows = []
    for result in found:
        predicted = result.probabilities > result.threshold
        table = np.bincount(2 * predicted + dataset.labels[result.rows], minlength=4)  # as Counts
        name, rest = settings.names[result.loss], (result.threshold, result.dead_share)
        rows.append((name, result.fold, *table, *rest))
    columns = ["loss", "fold", *Counts._fields, "threshold", "dead_share"]
    return pd.DataFrame(rows, columns=columns)


def _cuts(found: Sequence[FoldResult]) -> pd.DataFrame:
    """The cuts of all tuned thresholds, one below the other."""
    tables = [result.cuts for result in found if result.cuts is not None]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=CUTS)


def _curves(records: Sequence[Record], settings: ComparisonSettings) -> pd.DataFrame:
    """One line per point and model; all points of a record are scored together."""
    parts = []
    for record in records:
        kept = [number for number, member in enumerate(record.members) if not member.inner]
        points = record.points
        if not points:
            continue
        members = [record.members[number] for number in kept]
        counts = np.stack([point.counts for point in points], 1)[..., kept]  # (4, points, models)
        known = {
            "loss": [settings.names[member.loss] for member in members] * len(points),
            "fold": [member.fold for member in members] * len(points),
            "epoch": np.repeat([point.epoch for point in points], len(kept)),
            "train_loss": np.concatenate([point.losses[kept] for point in points]),
        }
        flat = Counts(*counts.reshape(4, -1))
        parts.append(pd.DataFrame(known | {name: score(flat) for name, score in METRICS.items()}))
    columns = ["loss", "fold", "epoch", "train_loss", *METRICS]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _probabilities(
    found: Sequence[FoldResult], dataset: Dataset, settings: ComparisonSettings
) -> pd.DataFrame:
    """One line per held-out row of each fold; folds of repeats stand below each other."""
    frames = []
    for fold, rows in sorted({result.fold: result.rows for result in found}.items()):
        frame = pd.DataFrame({"row": rows, "fold": fold, "label": dataset.labels[rows]})
        own = {settings.names[r.loss]: r.probabilities for r in found if r.fold == fold}
        frames.append(frame.assign(**{name: own.get(name, np.nan) for name in settings.names}))
    columns = ["row", "fold", "label", *settings.names]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)


def _described(
    dataset: Dataset, settings: ComparisonSettings, records: Sequence[Record]
) -> dict[str, Any]:
    """The settings, and with what each loss was really trained."""
    trained: dict[str, Any] = {}
    for record in records:
        for member, model in zip(record.members, record.models, strict=True):
            name = settings.names[member.loss]
            if not member.inner and name not in trained:
                trained[name] = {
                    "lr": model.lr,
                    "schedule": model.schedule,
                    "batch": model.batch,
                    "L": amplifier_text(model.loss.L),
                    "warm_up": model.loss.warm_up,
                    "form": model.loss.family,
                    "resampled": _resampled(settings.specs[member.loss], dataset, settings),
                }
    done = [record.points[-1].epoch if record.points else 0 for record in records]
    return {
        **settings.to_dict(),
        "dataset": dataset.name,
        "fingerprint": dataset.fingerprint,
        "rows": dataset.rows,
        "positives": dataset.positives,
        "leaks": dataset.leaks,
        "trained": trained,
        "epochs": settings.plan.epochs,
        "epochs_done": min(done, default=0),
        "hidden": list(settings.plan.network.hidden),
        "optimiser": settings.plan.optimiser.name,
        "inner_folds": INNER_FOLDS,
    }


def _resampled(spec: LossSpec, dataset: Dataset, settings: ComparisonSettings) -> str | None:
    """How training rows were added or taken away, if they were."""
    if spec.method == "undersample":
        return "RandomUnderSampler"
    if spec.method != "smote":
        return None
    kinds = [column.kind in ("category", "boolean") for column in dataset.columns if column.used]
    categories = sum(kinds) if settings.chosen_protocol.fitted_in_fold else 0
    return smote_name(len(kinds) - categories, categories)


def _notes(
    found: Sequence[FoldResult], dataset: Dataset, settings: ComparisonSettings
) -> Iterator[str]:
    if note := few_rows_note(dataset.minority, settings.folds):
        yield note
    why = {
        "diverged": "the loss is no longer a number; lower the learning rate",
        "collapsed": "every row gets the same class; try a smaller L, a ramp or a BCE warm-up",
    }
    for loss, name in enumerate(settings.names):
        for status, reason in why.items():
            count = sum(result.loss == loss and result.status == status for result in found)
            if count:
                yield f"{name}: {status} in {count} of the folds ({reason})"
