"""What a live training is set to: everything that decides its numbers, in plain values.

They travel as a dictionary from the page to the process that trains. Losses may spell their own
options ("anyloss:f1@L=5"); what they leave open is filled in from here.
"""

from dataclasses import dataclass, replace
from functools import cached_property

from anyloss_core.common.settings import Settings, SettingsError
from anyloss_core.comparison.cost_model import Estimate, Load, estimate_load
from anyloss_core.comparison.estimates import check_fits
from anyloss_core.comparison.protocols import FRESH, Plan, batch_of, schedule_of, trained_as
from anyloss_core.data.dataset import Dataset
from anyloss_core.data.preparation import most_features
from anyloss_core.engine.models import Network
from anyloss_core.engine.study import OPTIMISERS, Optimiser, Recipe
from anyloss_core.losses.approximation import AMPLIFIER
from anyloss_core.losses.scores import get_score
from anyloss_core.losses.spelling import LossSpec, Ramp, parse_loss

MOST_LOSSES = 6
MOST_EPOCHS = 5_000
MOST_LAYERS = 4
WIDEST = 256  # hidden units of a layer
RAMP_START = 5.0  # where a growing L begins: the slope still reaches every sample
VALID_SHARES = (0.05, 0.5)


@dataclass(frozen=True)
class LiveSettings(Settings):
    """One split of one data set, one network, up to six losses."""

    data: str  # a reference, see data.suites.references
    losses: tuple[str, ...] = ("anyloss:f1", "bce")
    metric: str = "f1"
    L: float = AMPLIFIER
    ramp: bool = False  # L grows from RAMP_START to L
    warm_up: float = 0.0  # share of the epochs that losses over counts begin with BCE
    hidden: tuple[int, ...] = ()
    activation: str = "tanh"
    batch_norm: bool = False
    optimiser: str = "adam"
    lr: float = 0.03
    epochs: int = 300
    batch: int = 0  # rows; 0: all
    seed: int = 0
    valid_share: float = 0.3
    pace: float = 0.0  # epochs per second at most; 0: as fast as it goes
    # The recipe of comparisons: L and warm-up of AnyLoss are chosen on inner folds; L, ramp and
    # warm_up from here are not used then. See `automatic`.
    automatic: bool = False
    large: bool = False  # the candidates of large tables
    schedule: str = "constant"  # of the learning rate
    weight_decay: float = 0.0
    stratified: bool = False  # every batch holds its share of both classes
    trained: tuple[str, ...] = ()  # the losses with the recipes that were chosen; empty: as named

    def __post_init__(self) -> None:
        super().__post_init__()
        _check(self)
        _ = self.specs, self.network, get_score(self.metric)  # wrong ones are refused here

    @cached_property
    def specs(self) -> tuple[LossSpec, ...]:
        """The losses as they are trained, with L and warm-up filled in."""
        named = self.trained or self.losses
        return tuple(trained_as(parse_loss(loss), self.plan) for loss in named)

    @property
    def network(self) -> Network:
        if not self.hidden:
            return Network()
        initial = "he" if self.activation == "relu" else "glorot"
        return Network(self.hidden, self.activation, self.batch_norm, initial)

    @property
    def plan(self) -> Plan:
        """These settings as a plan, whose rules for spelled options are shared with Compare."""
        own = Plan(
            network=self.network,
            optimiser=Optimiser(self.optimiser, weight_decay=self.weight_decay),
            epochs=self.epochs,
            lr=self.lr,
            schedule=self.schedule,
            batch=self.batch or None,
            L=Ramp(RAMP_START, self.L) if self.ramp and self.L > RAMP_START else self.L,
            warm_up={"": self.warm_up},
            stratified=self.stratified,
        )
        if not self.automatic:
            return own
        model = "mlp" if self.hidden else "slp"
        usual = (FRESH.large if self.large else FRESH.plans)[model]
        return replace(own, L=usual.L, warm_up=usual.warm_up, search=usual.search)

    def recipes(self, train_rows: int) -> tuple[Recipe, ...]:
        """One model per loss."""
        return tuple(
            Recipe(
                spec,
                0,
                spec.lr or self.lr,
                batch_of(spec, self.plan, train_rows),
                schedule_of(spec, self.plan),
            )
            for spec in self.specs
        )


def check_size(
    settings: LiveSettings, dataset: Dataset, limit_seconds: float | None = None
) -> None:
    """Refuse a training that does not fit into memory or its time, before anything is made."""
    train_rows = dataset.rows - round(settings.valid_share * dataset.rows)
    needed = expected(settings, dataset.rows, max(1, most_features(dataset)), train_rows)
    check_fits(needed, "this training", limit_seconds)


def expected(settings: LiveSettings, rows: int, features: int, train_rows: int) -> Estimate:
    """Memory and time of a training; one that is slowed down takes as long as its pace says."""
    found = estimate_load(
        Load(
            rows=rows,
            features=features,
            train=train_rows,
            folds=1,
            models=len(settings.losses),
            epochs=settings.epochs,
            batch=settings.batch or None,
            network=settings.network,
        )
    )
    slowed = settings.epochs / settings.pace if settings.pace else 0.0
    return replace(found, seconds=max(found.seconds, slowed))


def read_hidden(text: str) -> tuple[int, ...]:
    """Widths of hidden layers as people write them: '16, 8'; empty for none."""
    try:
        widths = tuple(int(part) for part in text.replace(",", " ").split())
    except ValueError:
        raise SettingsError(
            f"hidden layers are numbers such as '16, 8', got {text[:40]!r}"
        ) from None
    _check_hidden(widths)
    return widths


def _check(settings: LiveSettings) -> None:
    if not 1 <= len(settings.losses) <= MOST_LOSSES:
        raise SettingsError(f"choose one to {MOST_LOSSES} losses, got {len(settings.losses)}")
    names = [parse_loss(loss).spelling for loss in settings.losses]
    if len(set(names)) < len(names):
        raise SettingsError(f"a loss is named twice: {', '.join(names)}")
    for loss in settings.losses:
        if parse_loss(loss).is_reference:
            raise SettingsError(
                f"{loss!r} is trained by scikit-learn, not in epochs that could be watched: it "
                "belongs on the page Compare"
            )
        if parse_loss(loss).method:
            raise SettingsError(f"{loss!r} is a method around BCE: it belongs on the page Compare")
    if settings.trained and len(settings.trained) != len(settings.losses):
        raise SettingsError("trained must spell every loss, or none")
    if settings.optimiser not in OPTIMISERS:
        raise SettingsError(f"optimiser must be one of {', '.join(OPTIMISERS)}")
    _check_hidden(settings.hidden)
    limits = {
        "epochs": (1, MOST_EPOCHS),
        "L": (1e-3, 1e4),
        "lr": (1e-9, 1e3),
        "batch": (0, 10**9),
        "seed": (0, 2**31 - 1),
        "valid_share": VALID_SHARES,
        "warm_up": (0.0, 1.0),
        "pace": (0.0, 1e6),
        "weight_decay": (0.0, 1.0),
    }
    for name, (low, high) in limits.items():
        if not low <= getattr(settings, name) <= high:
            value = getattr(settings, name)
            raise SettingsError(f"{name} must lie between {low:g} and {high:g}, got {value!r}")


def _check_hidden(widths: tuple[int, ...]) -> None:
    if len(widths) > MOST_LAYERS or any(not 1 <= width <= WIDEST for width in widths):
        raise SettingsError(
            f"use up to {MOST_LAYERS} hidden layers of 1 to {WIDEST} units, got {widths}"
        )
