"""The settings of a comparison: everything that decides its numbers, in plain values.

They can be written as JSON and read back, so that a job, a link or a report repeats a comparison.
What is None is left to the protocol.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from anyloss_core.common.settings import Settings, SettingsError
from anyloss_core.comparison.protocols import Plan, Protocol, get_protocol, plan_for
from anyloss_core.data.dataset import Dataset
from anyloss_core.engine.study import Optimiser
from anyloss_core.losses.spelling import SCHEDULES, LossSpec, Ramp, parse_loss
from anyloss_core.statistics.goal import parse_goal
from anyloss_core.statistics.small_data import usual_repeats

MODELS = ("slp", "mlp")
DTYPES = ("float64", "float32")


@dataclass(frozen=True)
class ComparisonSettings(Settings):
    """Which losses, on which model, how often and how long."""

    losses: tuple[str, ...] = ("bce", "anyloss:f1")
    model: str = "slp"
    protocol: str = "fresh"
    folds: int = 10
    seed: int = 0
    repeats: int | None = None  # of the cross-validation, with other folds; None: see `settled`
    seeds: int = 1  # starts per fold
    held_out: int | None = None  # so many of the folds are trained on the others; None: all
    epochs: int | None = None
    lr: float | None = None
    schedule: str | None = None  # of the learning rate: constant, linear or cosine
    batch: float | None = None  # rows, or below 1 a share of the training rows; 0: all
    optimiser: str | None = None
    hidden: tuple[int, ...] | None = None
    activation: str | None = None
    batch_norm: bool | None = None
    initial: str | None = None
    stratified: bool = False  # batches
    curves: int = 100  # points of a learning curve; 0: one per epoch
    dtype: str | None = None
    device: str = "auto"
    training_rows: int | None = None  # of a fold, on which the plan depends; None: see `settled`
    goal: str | None = None  # what is wanted, see `statistics.goal`; None: what the losses aim at

    def __post_init__(self) -> None:
        if isinstance(self.losses, str):  # a tuple of it would be its letters
            raise SettingsError(f"losses must be a list of spellings: [{self.losses!r}]")
        super().__post_init__()
        if self.goal is not None:
            object.__setattr__(self, "goal", parse_goal(self.goal).text)
        _check(self)
        _ = self.specs, self.plan  # a wrong spelling or network is refused here

    @cached_property
    def specs(self) -> tuple[LossSpec, ...]:
        return tuple(parse_loss(loss) for loss in self.losses)

    @property
    def names(self) -> tuple[str, ...]:
        """How the losses are called in results: their spellings, tidied."""
        return tuple(spec.spelling for spec in self.specs)

    @property
    def trained(self) -> tuple[int, ...]:
        """The numbers of the losses that our engine trains: all but scikit-learn's classifiers."""
        return tuple(n for n, spec in enumerate(self.specs) if not spec.is_reference)

    def tunes(self, spec: LossSpec) -> bool:
        """Whether a loss has its threshold chosen on inner folds: methods say so in their name; a
        floor asks it of whatever aims at it, because a loss comes near a floor and does not hold
        it. The published protocols cut at 1/2."""
        if spec.method in ("threshold", "search") or self.goal is None or spec.score is None:
            return spec.method in ("threshold", "search")
        goal = parse_goal(self.goal)
        aims = goal.kind == "floor" and spec.score.name == goal.metric
        return aims and self.chosen_protocol.fitted_in_fold

    @property
    def chosen_protocol(self) -> Protocol:
        return get_protocol(self.protocol)

    @cached_property
    def plan(self) -> Plan:
        """The protocol's plan for so many training rows, with what is set here."""
        rows, batch = self.training_rows, self.batch
        plan = plan_for(self.chosen_protocol, self.model, rows, batch)
        changes = {
            name: getattr(self, name)
            for name in ("hidden", "activation", "batch_norm", "initial")
            if getattr(self, name) is not None
        }
        if changes.get("hidden") and plan.network.initial == "zeros":
            changes.setdefault("initial", "glorot")
        plan = replace(plan, network=replace(plan.network, **changes))
        if self.optimiser is not None and self.optimiser != plan.optimiser.name:
            plan = replace(plan, optimiser=Optimiser(self.optimiser))
        if self.batch is not None:
            plan = replace(plan, batch=self.batch or None, batches={})
        for name in ("dtype", "schedule"):
            if getattr(self, name) is not None:
                plan = replace(plan, **{name: getattr(self, name)})
        stratified = self.stratified or plan.stratified
        return replace(plan, epochs=self.epochs or plan.epochs, stratified=stratified)

    def settled(self, dataset: Dataset) -> ComparisonSettings:
        """With what depends on the table: the training rows of a fold, which decide the plan, and
        the number of repeats: the ten folds of 'fresh' have several on a small table."""
        known = self.for_rows(dataset.rows)
        if self.repeats is not None:
            return known
        usual = self.protocol == "fresh" and self.folds == ComparisonSettings.folds
        repeats = usual_repeats(dataset.minority, dataset.rows) if usual else 1
        return replace(known, repeats=repeats)

    def for_rows(self, rows: int) -> ComparisonSettings:
        """With the plan for the folds of a table of so many rows."""
        return replace(self, training_rows=rows - rows // self.folds)

    @property
    def all_folds(self) -> int:
        """The trainings of each loss: folds of all repeats and seeds."""
        return min(self.held_out or self.folds, self.folds) * (self.repeats or 1) * self.seeds

    @property
    def curve_spacing(self) -> int:
        """Epochs between two points of a learning curve."""
        return max(1, self.plan.epochs // self.curves) if self.curves else 1


def _check(settings: ComparisonSettings) -> None:
    if not settings.losses:
        raise SettingsError("losses must be a list of spellings, for example ['bce', 'anyloss:f1']")
    choices = {"model": MODELS, "dtype": (None, *DTYPES), "schedule": (None, *SCHEDULES)}
    for name, known in choices.items():
        if getattr(settings, name) not in known:
            possible = ", ".join(str(value) for value in known)
            raise SettingsError(
                f"{name} must be one of {possible}, got {getattr(settings, name)!r}"
            )
    get_protocol(settings.protocol)
    least = {"folds": 2, "repeats": 1, "seeds": 1, "seed": 0, "curves": 0, "epochs": 1}
    least["held_out"] = 1
    for name, low in least.items():
        value = getattr(settings, name)
        if value is None and name in (
            "epochs",
            "repeats",
            "held_out",
        ):  # left to protocol and table
            continue
        if not isinstance(value, int) or value < low:
            raise SettingsError(f"{name} must be a whole number from {low}, got {value!r}")
    if settings.lr is not None and not 0 < settings.lr < float("inf"):
        raise SettingsError(f"lr must be a positive number, got {settings.lr!r}")
    if settings.batch is not None and not 0 <= settings.batch < float("inf"):
        raise SettingsError(f"batch must be positive, or 0 for all rows, got {settings.batch!r}")
    if len(settings.trained) < len(settings.losses):
        _check_references(settings)
    names = settings.names
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise SettingsError(f"losses names {twice!r} twice")


def _check_references(settings: ComparisonSettings) -> None:
    if not settings.trained:
        raise SettingsError("losses names only classifiers of scikit-learn; add a loss such as bce")
    if settings.protocol != "fresh":
        raise SettingsError(
            f"protocol {settings.protocol!r} is a published setting, in which scikit-learn's "
            "classifiers took no part; use protocol 'fresh' or leave them out"
        )


def amplifier_text(L: float | Ramp | None) -> str | None:
    """L as it is spelled: '73' or '5..73'."""
    if isinstance(L, Ramp):
        return f"{L.start:g}..{L.end:g}"
    return None if L is None else f"{L:g}"


def read_amplifier(L: float | str) -> float | Ramp:
    """Inverse of `amplifier_text`: a number, or a ramp spelled '5..73'."""
    found = parse_loss(f"anyloss:f1@L={L}").L
    assert found is not None
    return found
