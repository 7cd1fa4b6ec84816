"""From trained models to one outcome per loss and fold: the recipe taken, its threshold and scores.

Inner models tell, on training rows they have not seen, which recipe of a loss is best (`choice`)
and where to cut (`thresholds`). What the loss then does on the held-out rows is left to `results`.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from anyloss_core.comparison.assembly import Assembly, Member
from anyloss_core.comparison.choice import choose, promised_gain
from anyloss_core.comparison.recipes import is_automatic, recipe_text
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.comparison.thresholds import (
    CUTS,
    best_cut,
    counts_above,
    find_cuts,
    half_of_f1,
    tune,
)
from anyloss_core.data.dataset import Dataset
from anyloss_core.engine.events import Event
from anyloss_core.engine.loop import Training
from anyloss_core.engine.study import Recipe
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.outputs import decision
from anyloss_core.losses.scores import Score, get_score
from anyloss_core.losses.spelling import LossSpec

TUNED_FOR = "f1"  # the metric of bce+threshold and bce+search where none is asked about
ONLINE = "online_f1"  # the method whose threshold comes from the training rows
RECIPES = [
    *("loss", "fold", "recipe", "inner_score", "default_score"),  # on the inner held-out rows
    *("promise", "promise_error", "against"),  # what they promise over BCE with a tuned threshold
]


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
    model: int  # number of the model in its record: that of the recipe taken
    trained: Recipe | None  # None: not by our engine, see `references`
    probabilities: np.ndarray
    threshold: float
    cuts: pd.DataFrame | None  # if the threshold is tuned for whatever metric is asked about
    dead_share: float
    status: str
    chosen: dict[str, object] | None  # a row of RECIPES, if there was a choice
    tried: int = 1  # recipes


def fold_results(
    record: Record, dataset: Dataset, settings: ComparisonSettings, metric: str = TUNED_FOR
) -> Iterator[FoldResult]:
    """The outcome of every loss on every fold of a finished record.

    `metric` is what thresholds are tuned for where the spelling does not say it.
    """
    status = record.last.status if record.last else ("training",) * len(record.members)
    inner = _Inner(record, dataset)
    for tried in _candidates(record.members):
        member = record.members[tried[0]]
        spec = settings.specs[member.loss]
        if spec.method in ("threshold", "search"):
            model, threshold, cuts = _tuned(record, tried, inner, settings, metric)
            chosen = None
        else:
            model, chosen = _chosen(record, tried, inner, settings)
            threshold, cuts = record.online.get(model, decision(record.models[model].loss)), None
            if settings.tunes(spec):
                _, threshold, cuts = _tuned(record, [model], inner, settings, _score(spec).name)
        yield FoldResult(
            member.loss,
            member.fold,
            member.rows,
            model,
            record.models[model],
            record.probabilities[model],
            threshold,
            cuts,
            record.dead_share[model],
            status[model],
            chosen,
            len(tried),
        )


def shown_models(record: Record) -> list[int]:
    """The models that learning curves show while nothing is chosen yet: the default recipes."""
    return [number for number, m in enumerate(record.members) if not m.inner and not m.recipe]


class _Inner:
    """What inner models say of the training rows of a fold that they have not seen."""

    def __init__(self, record: Record, dataset: Dataset) -> None:
        self.labels = dataset.labels
        self.models: dict[tuple[int, str], list[int]] = {}
        for number, member in enumerate(record.members):
            if member.inner:
                self.models.setdefault((member.fold, member.key), []).append(number)
        self.record = record

    def rows(self, member: Member) -> tuple[np.ndarray, np.ndarray]:
        """Labels and probabilities; both empty where the recipe has no inner models."""
        numbers = self.models.get((member.fold, member.key), [])
        labels = [self.labels[self.record.members[number].rows] for number in numbers]
        chances = [self.record.probabilities[number] for number in numbers]
        return (
            np.concatenate([self.labels[:0], *labels]),
            np.concatenate([np.empty(0), *chances]),
        )


def _candidates(members: Sequence[Member]) -> list[list[int]]:
    """The numbers of the models of every loss on every fold, the default recipe first."""
    found: dict[tuple[int, int], list[int]] = {}
    for number, member in enumerate(members):
        if not member.inner:
            found.setdefault((member.loss, member.fold), []).append(number)
    return list(found.values())


def _tuned(
    record: Record,
    tried: Sequence[int],
    inner: _Inner,
    settings: ComparisonSettings,
    metric: str,
) -> tuple[int, float, pd.DataFrame | None]:
    """Model, threshold and cuts of a loss, or of several forms of it, with a tuned threshold."""
    member = record.members[tried[0]]
    spelled = settings.specs[member.loss].options.get("metric")
    tables = []
    for number in tried:
        cuts = find_cuts(*inner.rows(record.members[number]))
        chances, labels = record.probabilities[number], inner.labels[member.rows]
        held_out = counts_above(labels, chances, cuts["threshold"])
        cuts = cuts.assign(**{name: part.astype(int) for name, part in held_out._asdict().items()})
        tables.append(cuts.assign(recipe=recipe_text(record.models[number].loss)))
    table = pd.concat(tables, ignore_index=True)
    table = table.assign(loss=settings.names[member.loss], fold=member.fold)[CUTS]
    best = tune(table, get_score(spelled or metric))
    recipes = [recipe_text(record.models[number].loss) for number in tried]
    model = tried[recipes.index(best["recipe"])]
    return model, float(best["threshold"]), None if spelled else table


def _chosen(
    record: Record, tried: Sequence[int], inner: _Inner, settings: ComparisonSettings
) -> tuple[int, dict[str, object] | None]:
    """The model of the recipe that is taken, and how the choice came out."""
    member = record.members[tried[0]]
    spec = settings.specs[member.loss]
    if not is_automatic(spec, settings.plan):
        return tried[0], None
    score, names = _score(spec), [recipe_text(record.models[number].loss) for number in tried]
    row: dict[str, object] = dict.fromkeys(RECIPES, np.nan)
    row |= {"loss": settings.names[member.loss], "fold": member.fold, "recipe": names[0]}
    if len(tried) == 1:  # too few rows to choose by
        return tried[0], row | {"against": ""}
    labels, decisions = _decisions(record, tried, inner, score if settings.tunes(spec) else None)
    choice = choose(labels, decisions, score)
    row |= {
        "recipe": names[choice.number],
        "inner_score": choice.scores[choice.number],
        "default_score": choice.scores[0],
        **_promise(record, labels, decisions, member, inner, settings),
    }
    return tried[choice.number], row


def _decisions(
    record: Record, tried: Sequence[int], inner: _Inner, tuned_for: Score | None
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Labels of the inner held-out rows, and what each candidate decides of them."""
    found = []
    for number in tried:
        labels, chances = inner.rows(record.members[number])
        usual = decision(record.models[number].loss)
        found.append(chances > (best_cut(labels, chances, tuned_for) if tuned_for else usual))
    return labels, found


def _promise(
    record: Record,
    labels: np.ndarray,
    decisions: Sequence[np.ndarray],
    member: Member,
    inner: _Inner,
    settings: ComparisonSettings,
) -> dict[str, object]:
    """The gain over BCE with a threshold tuned for the same metric, on the same inner rows.

    None where our own thresholds are tuned on them, too: they would look better than they are.
    """
    spec = settings.specs[member.loss]
    score = _score(spec)
    for own in () if settings.tunes(spec) else record.members:
        rival = settings.specs[own.loss]
        aim = rival.options.get("metric", score.name)
        if rival.method == "threshold" and own.fold == member.fold and aim == score.name:
            gain = promised_gain(labels, inner.rows(own)[1], decisions, score)
            against = settings.names[own.loss]
            return {"promise": gain.mean, "promise_error": gain.error, "against": against}
    return {"promise": np.nan, "promise_error": np.nan, "against": ""}


def _score(spec: LossSpec) -> Score:
    """The metric by which the candidates of a loss are judged."""
    assert spec.score is not None  # only losses that aim at a metric are automatic
    return spec.score
