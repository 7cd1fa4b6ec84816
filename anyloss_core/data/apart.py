"""What a page lets another process read (`jobs.isolated`), and how the result travels.

A Dataset goes as a dictionary of plain values and one table; of a file that was just brought, only
what its form shows. Nothing here decides anything about data.
"""

from contextlib import suppress
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import pandas as pd

from anyloss_core.data.columns import Column
from anyloss_core.data.dataset import Dataset
from anyloss_core.data.errors import DataError
from anyloss_core.data.reading.delimited import OnRead
from anyloss_core.data.reading.table import load_csv, read_table, sheets_of, stem
from anyloss_core.data.suites.entries import file_suite
from anyloss_core.data.suites.references import open_reference
from anyloss_core.data.target import class_counts, is_named, propose_target, refusal

LABELS = "labels"  # beside the features, as the last column
SHOWN = 5  # rows of a file that its form shows


def look(
    path: str, name: str, sheet: str | None = None, on_progress: OnRead | None = None
) -> dict[str, Any]:
    """What the form of a file shows: its size and notes, and what could be predicted.

    An Excel file of which nobody has picked a sheet begins with the first that can be used. Of a
    sheet that cannot: the fault, and the sheets to choose from.
    """
    try:
        return {"name": stem(name), **_seen(read_table(path, on_progress, sheet=sheet))}
    except DataError as fault:
        sheets, usual = sheets_of(path)
        if len(sheets) < 2:
            raise
        for other in sheets if sheet is None else ():
            with suppress(DataError):
                return {"name": stem(name), **_seen(read_table(path, on_progress, sheet=other))}
        said = [fault.message, fault.repair]
        return {"name": stem(name), "sheets": sheets, "sheet": sheet or usual, "fault": said}


def _seen(frame: pd.DataFrame) -> dict[str, Any]:
    candidates = propose_target(frame).candidates
    last = frame.columns[-1]  # where a target usually stands
    passed_over = last not in candidates and not is_named(candidates[0])
    return {
        **{name: frame.attrs[name] for name in ("notes", "sheets", "sheet")},
        "rows": len(frame),
        "columns": list(frame.columns),
        "head": frame.head(SHOWN),
        "classes": {target: class_counts(frame[target]) for target in candidates},
        "refused": {name: _why(frame[name]) for name in frame.columns if name not in candidates},
        "passed_over": last if passed_over else None,
    }


def _why(column: pd.Series) -> list[str]:
    fault = refusal(column)
    return [fault.message, fault.repair] if fault else []


def leaks(
    path: str, target: str, positive: str, drop: list[str], sheet: str | None = None
) -> dict[str, float]:
    """Columns of a new file that give the answer away, with these choices made."""
    return load_csv(path, target, positive, drop=tuple(drop), sheet=sheet).leaks


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
