"""What a comparison found: the outcome of every model, gathered into tidy tables."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from anyloss_core.comparison.outcomes import (
    RECIPES,
    FoldResult,
    Record,
    fold_results,
    shown_models,
)
from anyloss_core.comparison.protocols import plan_words
from anyloss_core.comparison.recipes import is_automatic, recipe_text, used_folds
from anyloss_core.comparison.references import References
from anyloss_core.comparison.resampling import smote_name
from anyloss_core.comparison.settings import ComparisonSettings, amplifier_text
from anyloss_core.comparison.tables import mean_table, metric_scores, tuned_for
from anyloss_core.comparison.thresholds import CUTS
from anyloss_core.data.dataset import Dataset
from anyloss_core.engine.empty_batches import empty_batches
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import METRICS
from anyloss_core.losses.spelling import LossSpec
from anyloss_core.statistics.small_data import few_rows_note


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
    cuts: pd.DataFrame  # of tuned thresholds: loss, fold, threshold, counts inside and held out
    notes: tuple[str, ...] = ()  # few rows, empty batches, models that collapsed or diverged
    # loss, fold, the recipe taken, and what inner rows say of it: see `outcomes`
    recipes: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=RECIPES))

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


def tabulate(
    dataset: Dataset,
    settings: ComparisonSettings,
    records: Sequence[Record],
    seconds: float,
    references: References | None = None,
) -> Comparison:
    """All tables of a comparison, from what has been trained."""
    trained = [record for record in records if record.probabilities]
    by_record = {record: list(fold_results(record, dataset, settings)) for record in trained}
    found = [result for results in by_record.values() for result in results]
    outside = references.done if references else []
    found += outside
    found.sort(key=lambda result: (result.loss, result.fold))
    confusion, cuts = _confusion(found, dataset, settings), _cuts(found)
    shown = sorted({*settings.trained, *(result.loss for result in outside)})
    spent = {settings.names[n]: references.spent(n) if references else 0.0 for n in shown}
    for record in records:
        for member, own in zip(record.members, record.seconds, strict=False):
            spent[settings.names[member.loss]] += own
    return Comparison(
        scores=metric_scores(confusion, list(METRICS), cuts),
        curves=_curves(records, by_record, settings),
        confusion=confusion,
        probabilities=_probabilities(found, dataset, settings, list(spent)),
        seconds=spent,
        total_seconds=seconds,
        settings=_described(dataset, settings, records, found),
        cuts=cuts,
        notes=tuple(_notes(found, dataset, settings)),
        recipes=pd.DataFrame([r.chosen for r in found if r.chosen], columns=RECIPES),
    )


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


def _curves(
    records: Sequence[Record],
    results: Mapping[Record, Sequence[FoldResult]],
    settings: ComparisonSettings,
) -> pd.DataFrame:
    """One line per point and model; all points of a record are scored together."""
    parts = []
    for record in records:
        kept = [result.model for result in results.get(record, ())] or shown_models(record)
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
    found: Sequence[FoldResult],
    dataset: Dataset,
    settings: ComparisonSettings,
    names: Sequence[str],
) -> pd.DataFrame:
    """One line per held-out row of each fold; folds of repeats stand below each other."""
    frames = []
    for fold, rows in sorted({result.fold: result.rows for result in found}.items()):
        frame = pd.DataFrame({"row": rows, "fold": fold, "label": dataset.labels[rows]})
        own = {settings.names[r.loss]: r.probabilities for r in found if r.fold == fold}
        frames.append(frame.assign(**{name: own.get(name, np.nan) for name in names}))
    columns = ["row", "fold", "label", *names]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)


def _described(
    dataset: Dataset,
    settings: ComparisonSettings,
    records: Sequence[Record],
    found: Sequence[FoldResult],
) -> dict[str, Any]:
    """The settings, and with what each loss was really trained."""
    done = [record.points[-1].epoch if record.points else 0 for record in records]
    plan, rows = settings.plan, settings.training_rows or dataset.rows
    return {
        **settings.to_dict(),
        "dataset": dataset.name,
        "fingerprint": dataset.fingerprint,
        "rows": dataset.rows,
        "positives": dataset.positives,
        "leaks": dataset.leaks,
        "trained": {
            name: _trained(number, dataset, settings, found)
            for number, name in enumerate(settings.names)
            if any(result.loss == number for result in found)
        },
        "plan": plan_words(plan, rows),
        "epochs": plan.epochs,
        "epochs_done": min(done, default=0),
        "hidden": list(plan.network.hidden),
        "optimiser": plan.optimiser.name,
        "inner_folds": used_folds(rows),
    }


def _trained(
    loss: int, dataset: Dataset, settings: ComparisonSettings, found: Sequence[FoldResult]
) -> dict[str, Any]:
    """The recipe of a loss; where it was chosen, the most frequent one, and how often each was."""
    spec, plan = settings.specs[loss], settings.plan
    if spec.is_reference:  # scikit-learn's own defaults
        unknown = dict.fromkeys(("lr", "schedule", "batch", "L", "resampled"))
        return {**unknown, "warm_up": 0.0, "form": spec.family}
    results = [result for result in found if result.loss == loss]
    own = [result.trained for result in results if result.trained]
    taken = Counter(recipe_text(model.loss) for model in own)
    usual = taken.most_common(1)[0][0]
    model = next(model for model in own if recipe_text(model.loss) == usual)
    chosen = {
        "candidates": max(result.tried for result in results),
        "recipes": dict(taken.most_common()),
    }
    return {
        "lr": model.lr,
        "schedule": model.schedule,
        "batch": model.batch,
        "L": amplifier_text(model.loss.L),
        "warm_up": model.loss.warm_up,
        "form": model.loss.family,
        "resampled": _resampled(spec, dataset, settings),
        **(chosen if is_automatic(spec, plan) else {}),
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
        if note := _empty_batches(loss, found, dataset, settings):
            yield f"{name}: {note}"
        for status, reason in why.items():
            count = sum(result.loss == loss and result.status == status for result in found)
            if count:
                yield f"{name}: {status} in {count} of the folds ({reason})"


def _empty_batches(
    loss: int, found: Sequence[FoldResult], dataset: Dataset, settings: ComparisonSettings
) -> str | None:
    """What is said of a loss whose batches are too small, from the first of its folds."""
    for result in found:
        if result.loss == loss and result.trained is not None:
            positives = dataset.positives - int(dataset.labels[result.rows].sum())
            rows = dataset.rows - len(result.rows)
            return empty_batches(result.trained, positives, rows, settings.plan.stratified)
    return None
