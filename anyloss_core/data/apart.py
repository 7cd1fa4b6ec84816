"""What a page lets another process read (`jobs.isolated`), and how the result travels.

A Dataset goes as a dictionary of plain values and one table; of a file that was just brought, only
what its form shows. Nothing here decides anything about data.
"""

from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import pandas as pd

from anyloss_core.data.columns import Column
from anyloss_core.data.dataset import Dataset
from anyloss_core.data.reading.delimited import OnRead
from anyloss_core.data.reading.table import load_csv, read_table, stem
from anyloss_core.data.suites.entries import file_suite
from anyloss_core.data.suites.references import open_reference
from anyloss_core.data.target import class_counts, propose_target

LABELS = "labels"  # beside the features, as the last column
SHOWN = 5  # rows of a file that its form shows


def look(path: str, name: str, on_progress: OnRead | None = None) -> dict[str, Any]:
    """What the form of a new file shows: its size and notes, and what could be predicted."""
    frame = read_table(path, on_progress)
    candidates = propose_target(frame).candidates
    return {
        "name": stem(name),
        "notes": frame.attrs["notes"],
        "rows": len(frame),
        "columns": list(frame.columns),
        "classes": {target: class_counts(frame[target]) for target in candidates},
        "head": frame.head(SHOWN),
    }


def leaks(path: str, target: str, positive: str, drop: list[str]) -> dict[str, float]:
    """Columns of a new file that give the answer away, with these choices made."""
    return load_csv(path, target, positive, drop=tuple(drop)).leaks


def dataset_parts(reference: str, uploads: str) -> dict[str, Any]:
    """The data set of a reference, for `dataset_of` on the other side."""
    dataset = open_reference(reference, uploads=Path(uploads))
    plain = {field.name: getattr(dataset, field.name) for field in fields(Dataset)}
    plain["columns"] = [asdict(column) for column in dataset.columns]
    plain["frame"] = dataset.frame.set_axis(_places(dataset.frame), axis=1)
    plain["frame"][LABELS] = plain.pop("labels")
    return plain | {"names": list(dataset.frame.columns)}


def dataset_of(parts: dict[str, Any]) -> Dataset:
    """The Dataset that `dataset_parts` took apart."""
    frame = parts["frame"]
    labels = frame.pop(LABELS).to_numpy()
    columns = tuple(
        Column(**column | {"levels": tuple(column["levels"])}) for column in parts["columns"]
    )
    names = parts.pop("names")
    return Dataset(
        **parts
        | {"frame": frame.set_axis(names, axis=1), LABELS: labels, "columns": columns}
        | {"warnings": tuple(parts["warnings"])}
    )


def members(path: str) -> list[str]:
    """Names of the tables in a zip."""
    return [entry.name for entry in file_suite(Path(path))]


def _places(frame: pd.DataFrame) -> list[str]:
    """Names that no file can bring."""
    return [str(place) for place in range(frame.shape[1])]
