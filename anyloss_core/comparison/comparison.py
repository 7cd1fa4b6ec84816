"""k-fold comparison of losses on one data set -> tidy tables.

    compare(dataset, losses=["bce", "anyloss:f1"], model="mlp").summary()

`Comparing` is the same thing under way: an iterator of progress, whose `result()` may be asked for
at any time and holds what is trained so far.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from anyloss_core.assembly import assemble, count_studies
from anyloss_core.comparison_estimates import check_comparison
from anyloss_core.datasets import Dataset
from anyloss_core.engine import train
from anyloss_core.models import Parameters
from anyloss_core.results import Comparison, Record, tabulate
from anyloss_core.settings import ComparisonSettings

__all__ = ["Comparing", "Comparison", "ComparisonSettings", "Progress", "compare"]


@dataclass(frozen=True)
class Progress:
    """How far a comparison is."""

    done: int  # epochs
    total: int
    seconds: float

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
    chosen = ComparisonSettings.from_dict(
        {
            "losses": losses,
            "model": model,
            "protocol": protocol,
            "folds": folds,
            "seed": seed,
            **settings,
        }
    )
    comparing = Comparing(dataset, chosen)
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
        check_comparison(dataset, settings)
        self.dataset, self.settings, self._on_batch = dataset, settings, on_batch
        self.records: list[Record] = []
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
        return tabulate(self.dataset, self.settings, self.records, self.seconds)

    def _run(self) -> Iterator[Progress]:
        begun, epochs = time.perf_counter(), self.settings.plan.epochs
        total = epochs * count_studies(self.dataset, self.settings)
        studies = assemble(self.dataset, self.settings, self._on_batch)
        carried: dict[str, Parameters] = {}
        for number, assembly in enumerate(studies):
            study = replace(assembly.study, start=carried.get(assembly.chain))
            record = Record(assembly.members, train(study, self._on_batch))
            self.records.append(record)
            try:
                for event in record.training:
                    record.note(event)
                    self.seconds = time.perf_counter() - begun
                    yield Progress(number * epochs + event.epoch, total, self.seconds)
            finally:
                if assembly.chain is not None:
                    carried[assembly.chain] = record.training.parameters()
                record.finish()
