"""A study over many data sets whose scores are kept in a CSV: it goes on where it was interrupted.

The file has a column `dataset`, columns that tell the parts of the study (such as `model`), and
what was found. What is worked out for a data set is left to the studies.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import pandas as pd

from anyloss_core.data.dataset import Dataset
from anyloss_core.data.suites.references import open_reference

TEXT = ("dataset", "model", "loss", "metric", "setting")  # columns that are no numbers


def extend_study(
    file: Path,
    references: Mapping[str, str],
    work: Callable[[Dataset], pd.DataFrame],
    **part: object,
) -> None:
    """Add the data sets (name -> reference) that a part of the study does not hold yet.

    Each is written when it is done.
    """
    done = set(read_study(file, **part)["dataset"]) if file.exists() else set()
    for name, reference in references.items():
        if name not in done:
            rows = work(open_reference(reference))
            for position, (column, value) in enumerate({"dataset": name, **part}.items()):
                rows.insert(position, column, value)
            rows.to_csv(file, mode="a", header=not file.exists(), index=False)


def read_study(file: Path, **part: object) -> pd.DataFrame:
    """The rows of a part, without the columns that tell it."""
    rows = pd.read_csv(file, dtype=dict.fromkeys(TEXT, str))
    for column, value in part.items():
        rows = rows[rows[column] == value]
    return rows.drop(columns=list(part))
