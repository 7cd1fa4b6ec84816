"""The settings of a comparison: everything that decides its numbers, in plain values.

They can be written as JSON and read back, so that a job, a link or a report repeats a comparison.
What is None is left to the protocol.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from anyloss_core.protocols import Plan, Protocol, get_protocol
from anyloss_core.spelling import LossSpec, Ramp, parse_loss
from anyloss_core.study import Optimiser

MODELS = ("slp", "mlp")
DTYPES = ("float64", "float32")


class SettingsError(ValueError):
    """A setting that cannot be used; the message names it and what is possible."""


@dataclass(frozen=True)
class ComparisonSettings:
    """Which losses, on which model, how often and how long."""

    losses: tuple[str, ...] = ("bce", "anyloss:f1")
    model: str = "slp"
    protocol: str = "fresh"
    folds: int = 10
    seed: int = 0
    repeats: int = 1  # of the cross-validation, with other folds
    seeds: int = 1  # starts per fold
    epochs: int | None = None
    lr: float | None = None
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

    def __post_init__(self) -> None:
        if isinstance(self.losses, str):  # a tuple of it would be its letters
            raise SettingsError(f"losses must be a list of spellings: [{self.losses!r}]")
        object.__setattr__(self, "losses", tuple(self.losses))
        if self.hidden is not None:
            object.__setattr__(self, "hidden", tuple(self.hidden))
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
    def chosen_protocol(self) -> Protocol:
        return get_protocol(self.protocol)

    @cached_property
    def plan(self) -> Plan:
        """The protocol's plan with what is set here."""
        plan = self.chosen_protocol.plans[self.model]
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
        if self.dtype is not None:
            plan = replace(plan, dtype=self.dtype)
        return replace(plan, epochs=self.epochs or plan.epochs)

    @property
    def curve_spacing(self) -> int:
        """Epochs between two points of a learning curve."""
        return max(1, self.plan.epochs // self.curves) if self.curves else 1

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it; `from_dict` reads it back."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> ComparisonSettings:
        known = cls.__dataclass_fields__
        if unknown := sorted(set(stored) - set(known)):
            raise SettingsError(f"unknown setting {unknown[0]!r}; there are {', '.join(known)}")
        return cls(**stored)


def _check(settings: ComparisonSettings) -> None:
    if not settings.losses:
        raise SettingsError("losses must be a list of spellings, for example ['bce', 'anyloss:f1']")
    for name, known in (("model", MODELS), ("dtype", (None, *DTYPES))):
        if getattr(settings, name) not in known:
            possible = ", ".join(str(value) for value in known)
            raise SettingsError(
                f"{name} must be one of {possible}, got {getattr(settings, name)!r}"
            )
    get_protocol(settings.protocol)
    least = {"folds": 2, "repeats": 1, "seeds": 1, "seed": 0, "curves": 0}
    for name, low in least.items():
        value = getattr(settings, name)
        if not isinstance(value, int) or value < low:
            raise SettingsError(f"{name} must be a whole number from {low}, got {value!r}")
    if settings.epochs is not None and not (
        isinstance(settings.epochs, int) and settings.epochs > 0
    ):
        raise SettingsError(f"epochs must be a whole number above 0, got {settings.epochs!r}")
    if settings.lr is not None and not 0 < settings.lr < float("inf"):
        raise SettingsError(f"lr must be a positive number, got {settings.lr!r}")
    if settings.batch is not None and not 0 <= settings.batch < float("inf"):
        raise SettingsError(f"batch must be positive, or 0 for all rows, got {settings.batch!r}")
    names = settings.names
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise SettingsError(f"losses names {twice!r} twice")


def amplifier_text(L: float | Ramp | None) -> str | None:
    """L as it is spelled: '73' or '5..73'."""
    if isinstance(L, Ramp):
        return f"{L.start:g}..{L.end:g}"
    return None if L is None else f"{L:g}"
