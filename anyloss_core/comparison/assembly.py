"""From a Dataset, a protocol and a list of losses to studies for the engine.

Folds are drawn, each is prepared as the protocol says, methods around BCE get their own training
rows, and every (fold, loss) becomes a model. Many folds share one study, and so one training, as
long as their copies of the table fit into memory.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import torch
from sklearn.model_selection import StratifiedKFold

from anyloss_core.comparison.protocols import batch_of, rate_of, schedule_of
from anyloss_core.comparison.recipes import (
    candidates,
    enough_to_choose,
    inner_splits,
    is_automatic,
    training_key,
)
from anyloss_core.comparison.resampling import RATIO, smote, undersample
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.data.dataset import Dataset, check_folds
from anyloss_core.data.preparation import most_features, paper_features, prepare_fresh
from anyloss_core.engine.batches import mix_seeds
from anyloss_core.engine.study import Recipe, Rows, Study, Watch
from anyloss_core.losses.spelling import LossSpec

CELLS = 32_000_000  # numbers that one study holds: 256 MB in float64, some in a few copies


class Fold(NamedTuple):
    """A split of the data set's rows and its random numbers."""

    number: int  # counts on through repeats and seeds
    train: np.ndarray
    valid: np.ndarray
    split: int  # folds with the same split share their preparation
    seed: int
    shuffle: int


class Member(NamedTuple):
    """What a model of a study is there for."""

    loss: int  # number in the list of losses
    fold: int  # number of the fold
    rows: np.ndarray  # rows of the data set it is judged on
    inner: bool = False  # trained only to tune a threshold or to choose a recipe
    key: str = ""  # of its recipe: inner models serve every loss that is trained alike
    recipe: int = 0  # number among the candidates of its loss


@dataclass(frozen=True)
class Assembly:
    """A study with the meaning of each of its models."""

    study: Study
    members: tuple[Member, ...]
    chain: str | None = None  # studies of one chain hand their networks on


def draw_folds(dataset: Dataset, settings: ComparisonSettings) -> list[Fold]:
    """All folds of all repeats and seeds."""
    settings = settings.settled(dataset)
    check_folds(dataset, settings.folds)
    folds: list[Fold] = []
    for repeat in range(settings.repeats or 1):
        state = settings.chosen_protocol.split_seed + settings.seed + repeat
        splitter = StratifiedKFold(settings.folds, shuffle=True, random_state=state)
        parts = list(splitter.split(np.zeros(dataset.rows), dataset.labels))[: settings.held_out]
        for seed in range(settings.seeds):
            own = settings.seed + repeat * settings.seeds + seed
            for number, (train, valid) in enumerate(parts):
                split, start = repeat * settings.folds + number, mix_seeds(own, number)
                folds.append(Fold(len(folds), train, valid, split, start, mix_seeds(own)))
    return folds


def count_studies(dataset: Dataset, settings: ComparisonSettings) -> int:
    """How many studies `assemble` gives; nearly always one."""
    if settings.chosen_protocol.carried:
        return settings.folds * len(settings.trained)
    return -(-settings.all_folds // folds_at_once(dataset, settings))


def assemble(
    dataset: Dataset, settings: ComparisonSettings, on_step: Callable[[], None] | None = None
) -> Iterator[Assembly]:
    """The studies of a comparison, one after the other.

    `on_step` is called for every loss of every fold and may raise to end the preparation.
    """
    folds = draw_folds(dataset, settings)
    features = None if settings.chosen_protocol.fitted_in_fold else paper_features(dataset)
    everything = settings.trained
    if settings.chosen_protocol.carried:
        for first in range(settings.folds):  # the same fold of every repeat and seed together
            for loss in everything:
                builder = _Builder(dataset, settings, features, on_step)
                built = builder.build(folds[first :: settings.folds], [loss])
                yield replace(built, chain=_chain(settings.specs[loss]))
        return
    at_once = folds_at_once(dataset, settings)
    for start in range(0, len(folds), at_once):
        chosen = folds[start : start + at_once]
        yield _Builder(dataset, settings, features, on_step).build(chosen, everything)


def assemble_whole(dataset: Dataset, settings: ComparisonSettings) -> Assembly:
    """All rows as one fold, for a model to take away; it is judged on the rows it learned from."""
    settings = replace(settings, training_rows=dataset.rows)
    everything, seed = np.arange(dataset.rows), mix_seeds(settings.seed)
    fold = Fold(0, everything, everything, 0, seed, seed)
    return _Builder(dataset, settings, None).build([fold], settings.trained)


def folds_at_once(dataset: Dataset, settings: ComparisonSettings) -> int:
    """As many as fit: copies of the table, and what hidden units make of all rows."""
    cells = dataset.rows * most_features(dataset)
    if not settings.chosen_protocol.fitted_in_fold:
        cells = 0  # all folds share one table
    plan = settings.plan
    if plan.batch is None and plan.network.hidden:
        models = sum(models_of(settings).values())
        cells += dataset.rows * models * (sum(plan.network.hidden) + 3)
    return min(settings.all_folds, CELLS // cells or 1) if cells else settings.all_folds


def _chain(spec: LossSpec) -> str:
    """In the released runs BCE and AnyLoss shared one network; MSE and SOL had their own."""
    return "shared" if spec.family in ("bce", "anyloss") and not spec.method else spec.spelling


class _Builder:
    """Gathers the table, the rows and the models of one study."""

    def __init__(
        self,
        dataset: Dataset,
        settings: ComparisonSettings,
        features: np.ndarray | None,
        on_step: Callable[[], None] | None = None,
    ) -> None:
        self.dataset, self.settings, self.shared = dataset, settings, features
        self.on_step = on_step
        self.tables: list[np.ndarray] = []
        self.answers: list[np.ndarray] = []
        self.height = 0
        self.prepared: dict[int, tuple[int, np.ndarray]] = {}  # split -> first row in the table
        self.categories: dict[int, tuple[slice, ...]] = {}  # split -> features of each category
        self.rows: list[Rows] = []
        self.inner: dict[int, list[tuple[int, np.ndarray]]] = {}  # fold -> its inner folds
        self.served: set[tuple[int, str]] = set()  # fold and recipe that have their inner models
        self.models: list[Recipe] = []
        self.members: list[Member] = []

    def build(self, folds: Sequence[Fold], losses: Sequence[int]) -> Assembly:
        for fold in folds:
            offset, features = self.prepare(fold)
            plain = self.add_rows(fold, offset + fold.train, offset + fold.valid, features)
            for loss in losses:
                if self.on_step is not None:
                    self.on_step()
                self.add_loss(loss, fold, plain, offset, features)
        return Assembly(self.study(), tuple(self.members))

    def study(self) -> Study:
        settings, plan = self.settings, self.settings.plan
        width = max(table.shape[1] for table in self.tables)
        features = np.zeros((self.height, width))
        start = 0
        for table in self.tables:
            features[start : start + len(table), : table.shape[1]] = table
            start += len(table)
        return Study(
            features,
            np.concatenate(self.answers),
            tuple(self.rows),
            tuple(self.models),
            plan.network,
            plan.optimiser,
            plan.epochs,
            stratified=plan.stratified,
            watch=Watch(settings.curve_spacing, "scores"),
            dtype=getattr(torch, plan.dtype) if plan.dtype else None,
            device=settings.device,
        )

    def prepare(self, fold: Fold) -> tuple[int, np.ndarray]:
        """Where the fold's copy of the table begins, and the copy itself."""
        key = fold.split if self.shared is None else -1
        if key not in self.prepared:
            features = self.shared
            if features is None:
                fitted = prepare_fresh(self.dataset, fold.train)
                features = fitted.transform(self.dataset.frame)
                booleans = {c.name for c in self.dataset.columns if c.kind == "boolean"}
                self.categories[key] = fitted.category_columns(booleans)
            self.prepared[key] = (self.add_table(features, self.dataset.labels), features)
        return self.prepared[key]

    def add_table(self, features: np.ndarray, labels: np.ndarray) -> int:
        self.tables.append(features)
        self.answers.append(labels)
        self.height += len(features)
        return self.height - len(features)

    def add_rows(
        self, fold: Fold, train: np.ndarray, valid: np.ndarray, features: np.ndarray
    ) -> int:
        self.rows.append(Rows(train, valid, fold.seed, fold.shuffle, features.shape[1]))
        return len(self.rows) - 1

    def add_loss(
        self, loss: int, fold: Fold, plain: int, offset: int, features: np.ndarray
    ) -> None:
        """The model of a loss on a fold, with the training rows its method gives it."""
        spec, rows = self.settings.specs[loss], plain
        labels = self.dataset.labels[fold.train]
        ratio = spec.options.get("ratio", RATIO)
        valid = offset + fold.valid
        if spec.method == "smote":
            categories = self.categories.get(fold.split, ())
            added = smote(features[fold.train], labels, ratio, self.settings.seed, categories)
            first = self.add_table(*added)
            train = np.append(offset + fold.train, np.arange(first, first + len(added[0])))
            rows = self.add_rows(fold, train, valid, features)
        elif spec.method == "undersample":
            chosen = undersample(labels, ratio, self.settings.seed)
            rows = self.add_rows(fold, offset + fold.train[chosen], valid, features)
        tried = self.tried(spec, labels)
        for number, recipe in enumerate(tried):
            if len(tried) > 1 or self.settings.tunes(spec):
                self.add_inner(loss, fold, offset, features, recipe)
            self.add_model(recipe, rows, Member(loss, fold.number, fold.valid, recipe=number))

    def tried(self, spec: LossSpec, labels: np.ndarray) -> tuple[LossSpec, ...]:
        """The candidates of a loss; its default alone where there is too little to choose by."""
        found = candidates(spec, self.settings.plan, self.rate(spec))
        return found if enough_to_choose(labels) else found[:1]

    def add_inner(
        self, loss: int, fold: Fold, offset: int, features: np.ndarray, recipe: LossSpec
    ) -> None:
        """Models that see parts of the training rows, to be judged on the other parts."""
        key = (fold.number, training_key(recipe))
        if key in self.served:
            return
        self.served.add(key)
        for rows, held_out in self.inner_rows(fold, offset, features):
            self.add_model(recipe, rows, Member(loss, fold.number, held_out, inner=True))

    def inner_rows(
        self, fold: Fold, offset: int, features: np.ndarray
    ) -> list[tuple[int, np.ndarray]]:
        """The inner folds of a fold, shared by all losses: number of the rows, rows held out."""
        if fold.number not in self.inner:
            labels = self.dataset.labels[fold.train]
            self.inner[fold.number] = [
                (
                    self.add_rows(
                        fold, offset + fold.train[train], offset + fold.train[held_out], features
                    ),
                    fold.train[held_out],
                )
                for train, held_out in inner_splits(labels, self.settings.seed)
            ]
        return self.inner[fold.number]

    def add_model(self, loss: LossSpec, rows: int, member: Member) -> None:
        """A model with everything that the spelling of its loss leaves to settings and protocol."""
        plan = self.settings.plan
        batch = batch_of(loss, plan, len(self.rows[rows].train))
        self.models.append(Recipe(loss, rows, self.rate(loss), batch, schedule_of(loss, plan)))
        self.members.append(member._replace(key=training_key(loss)))

    def rate(self, spec: LossSpec) -> float:
        settings = self.settings
        protocol, name = settings.chosen_protocol, self.dataset.name
        usual = spec.lr or settings.lr
        return usual or rate_of(spec, protocol, settings.model, name, settings.plan)


def models_of(settings: ComparisonSettings) -> dict[str, int]:
    """How many models a fold has: 'outer' ones on all its rows, 'inner' ones on each inner fold."""
    plan = settings.plan
    specs = [settings.specs[number] for number in settings.trained]
    tried = [(spec, candidates(spec, plan, plan.lr)) for spec in specs]
    inner = [found for s, found in tried if settings.tunes(s) or is_automatic(s, plan)]
    keys = {training_key(recipe) for found in inner for recipe in found}
    return {"outer": sum(len(found) for _, found in tried), "inner": len(keys)}
