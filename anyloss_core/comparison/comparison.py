"""k-fold comparison of losses on one data set -> tidy tables.

    compare(dataset, losses=["bce", "anyloss:f1"], model="mlp").summary()

`Comparing` is the same thing under way: an iterator of progress, whose `result()` may be asked for
at any time and holds what is trained so far.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Any

from anyloss_core.comparison.assembly import assemble, count_studies
from anyloss_core.comparison.estimates import check_comparison, epochs_of_a_fit
from anyloss_core.comparison.outcomes import Record
from anyloss_core.comparison.references import References
from anyloss_core.comparison.results import Comparison, tabulate
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.data.dataset import Dataset
from anyloss_core.engine.loop import train
from anyloss_core.engine.models import Parameters

__all__ = ["Comparing", "Comparison", "ComparisonSettings", "Progress", "compare"]


@dataclass(frozen=True)
class Progress:
    """How far a comparison is; a fit of scikit-learn's counts as the epochs that it lasts."""

    done: int  # epochs
    total: int
    seconds: float
    what: str = ""  # is being trained

    @property
    def fraction(self) -> float:
        return self.done / self.total

    @property
    def seconds_left(self) -> float:
        return self.seconds / self.done * (self.total - self.done)


def compare(
    dataset: Dataset,
    losses: list[str] | tuple[str, ...] = ("bce", "anyloss:f1"),
    model: str = "slp",
    protocol: str = "fresh",
    folds: int = 10,
    seed: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
    **settings: Any,
) -> Comparison:
    """Compare losses by cross-validation; further settings are those of ComparisonSettings."""
    named = {"losses": losses, "model": model, "protocol": protocol, "folds": folds, "seed": seed}
    comparing = Comparing(dataset, ComparisonSettings.from_dict(named | settings))
    for progress in comparing:
        if on_progress is not None:
            on_progress(progress)
    return comparing.result()


class Comparing:
    """A comparison under way; leave it at any time and take `result()`.

    One that does not fit into memory is refused at once (TooLarge, with the figure).
    `on_batch` is called after every batch, and for every loss and fold that is prepared; it may
    raise to end the comparison at once.
    """

    def __init__(
        self,
        dataset: Dataset,
        settings: ComparisonSettings,
        on_batch: Callable[[], None] | None = None,
    ) -> None:
        settings = settings.settled(dataset)
        check_comparison(dataset, settings)
        self.dataset, self.settings, self._on_batch = dataset, settings, on_batch
        self.records: list[Record] = []
        self.references = References(dataset, settings)
        self.seconds = 0.0
        self._steps = self._run()

    def __iter__(self) -> Comparing:
        return self

    def __next__(self) -> Progress:
        return next(self._steps)

    def close(self) -> None:
        """Stop; `result()` holds what was trained so far."""
        self._steps.close()

    def result(self) -> Comparison:
        """What is trained so far, as tables."""
        found = self.records, self.seconds, self.references
        return tabulate(self.dataset, self.settings, *found)

    @property
    def begun(self) -> bool:
        """Whether `result()` holds anything."""
        return any(record.points for record in self.records)

    def _run(self) -> Generator[Progress, None, None]:
        begun, epochs = time.perf_counter(), self.settings.plan.epochs
        parts = count_studies(self.dataset, self.settings)
        fit = epochs_of_a_fit(self.dataset, self.settings)
        total = epochs * parts + fit * self.references.fits
        studies = assemble(self.dataset, self.settings, self._on_batch)
        carried: dict[str | None, Parameters] = {}
        for number, assembly in enumerate(studies):
            training = train(
                replace(assembly.study, start=carried.get(assembly.chain)), self._on_batch
            )
            record = Record(assembly)
            self.records.append(record)
            try:
                for event in training:
                    record.add(event)
                    self.seconds = time.perf_counter() - begun
                    what = self._words(number, parts, event.epoch)
                    yield Progress(number * epochs + event.epoch, total, self.seconds, what)
            finally:
                if assembly.chain is not None:
                    carried[assembly.chain] = training.parameters()
                record.finish(training)
                del training  # frees its table before the next study is assembled
        for number, what in enumerate(self.references.fit(self._on_batch), 1):
            self.seconds = time.perf_counter() - begun
            yield Progress(epochs * parts + fit * number, total, self.seconds, what)

    def _words(self, part: int, parts: int, epoch: int) -> str:
        """All folds train at once, or in several parts when memory asks for it."""
        at_once = f"all {self.settings.all_folds} folds at once"
        where = at_once if parts == 1 else f"folds, part {part + 1} of {parts}"
        return f"{where}, epoch {epoch} of {self.settings.plan.epochs}"
