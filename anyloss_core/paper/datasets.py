"""The paper's four data sets as it used them: 1 and 3 are built in, 2 and 4 come from a CSV."""

from dataclasses import replace
from os import PathLike
from typing import IO

import numpy as np
import pandas as pd

from anyloss_core.data.dataset import Dataset, dataset_from_frame
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.data.suites.paper_data import SOURCES, credit_card_frame, standardised
from anyloss_core.paper.names import DATASETS, OFFLINE

# Names under which `protocols` knows the published learning rates.
NAMES = {1: "random", 2: "credit_card", 3: "breast_cancer_imbalanced", 4: "diabetes"}
TARGETS = {2: "Class", 4: "diabetes"}


def paper_dataset(number: int, csv: str | PathLike | IO | None = None) -> Dataset:
    """Data set 1 or 3, or 2 or 4 from its CSV, prepared over the whole table as published."""
    if number not in DATASETS:
        raise ValueError(f"dataset: the paper has the data sets 1 to 4, got {number!r}")
    if number in OFFLINE:
        return builtin(NAMES[number])
    if csv is None:
        raise ValueError(
            f"dataset {number} ({DATASETS[number]}) is not available offline; download "
            f"{SOURCES[number]} and give its CSV"
        )
    table = _read(number, csv)
    if number == 2:
        features = table.drop(columns=[name for name in ("id", TARGETS[2]) if name in table])
        table = credit_card_frame(features, table[TARGETS[2]])
    else:
        table = _diabetes(table)
    _require_numbers(number, table)
    dataset = dataset_from_frame(table, TARGETS[number], positive=1)
    return replace(dataset, ready=True, name=NAMES[number], source=SOURCES[number])


def _read(number: int, csv: str | PathLike | IO) -> pd.DataFrame:
    try:
        table = pd.read_csv(csv)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise ValueError(f"csv: not a CSV table ({error}); expected {SOURCES[number]}") from error
    if TARGETS[number] not in table.columns:
        raise ValueError(
            f"csv: data set {number} needs the column {TARGETS[number]!r}; expected "
            f"{SOURCES[number]}, got the columns {', '.join(map(str, table.columns[:8]))}"
        )
    if not table[TARGETS[number]].isin((0, 1)).all():
        raise ValueError(f"csv: the column {TARGETS[number]!r} must hold 0 and 1 only")
    return table


def _diabetes(table: pd.DataFrame) -> pd.DataFrame:
    """Text columns become codes in order of first appearance, then all are standardised."""
    features = table.drop(columns=TARGETS[4])
    for name in features.columns:
        if not pd.api.types.is_numeric_dtype(features[name]):
            features[name] = pd.factorize(features[name])[0]
    return standardised(features.astype(np.float64)).assign(**{TARGETS[4]: table[TARGETS[4]]})


def _require_numbers(number: int, table: pd.DataFrame) -> None:
    wrong = ~np.isfinite(table.to_numpy(dtype=np.float64)).all(axis=0)
    if wrong.any():
        raise ValueError(
            f"csv: the column {str(table.columns[wrong][0])!r} is constant or has missing "
            f"values; expected the complete {SOURCES[number]}"
        )
