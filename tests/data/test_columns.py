"""Column types: what each kind of column is taken for, and what happens to it."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.reading.table import load_csv

ROWS = 60
R = np.arange(ROWS)
KINDS = {
    "numeric": R * 1.5,
    "whole numbers": R * 7 % 23,
    "repeated id name": R % 30,
    "boolean text": np.where(R % 2, "Yes", "no"),
    "boolean": R % 3 == 0,
    "zero one": R % 2,
    "category": [f"level {row % 5}" for row in R],
    "iso dates": [f"2021-03-{row % 28 + 1:02}" for row in R],
    "german dates": [f"{row % 28 + 1}.12.2020" for row in R],
    "american dates": [f"12/{row % 28 + 1}/2020" for row in R],
    "short american dates": [f"12/{row % 28 + 1}/20" for row in R],
    "american times": [f"12/{row % 28 + 1}/2020 {row % 12 + 1}:30 PM" for row in R],
    "written dates": [f"{row % 28 + 1} Mar 2020" for row in R],
    "date and time": [f"2021-03-01 {row % 24:02}:30" for row in R],
    "free text": [f"a rather long remark number {row} about nothing" for row in R],
    "codes": [f"K{row:04}" for row in R],
    "row number": R + 1,
    "customerID": R * 13 + 5,
    "constant": ["same"] * ROWS,
    "constant with gaps": [1.0, np.nan] * (ROWS // 2),
    "level with gaps": ["x", None] * (ROWS // 2),
    "empty": [None] * ROWS,
}
EXPECTED = {
    "numeric": "numeric",
    "whole numbers": "numeric",
    "repeated id name": "numeric",
    "boolean text": "boolean",
    "boolean": "boolean",
    "zero one": "boolean",
    "category": "category",
    "iso dates": "date",
    "german dates": "date",
    "american dates": "date",
    "short american dates": "date",
    "american times": "date",
    "written dates": "date",
    "date and time": "date",
    "free text": "text",
    "codes": "id",
    "row number": "id",
    "customerID": "id",
    "constant": "constant",
    "constant with gaps": "constant",
    "level with gaps": "category",
    "empty": "empty",
}


@pytest.fixture(scope="module")
def dataset():
    return dataset_from_frame(pd.DataFrame(KINDS).assign(y=R % 4 == 0), "y")


@pytest.mark.parametrize("name", KINDS)
def test_a_column_is_taken_for_what_it_is(dataset, name):
    column = next(column for column in dataset.columns if column.name == name)
    assert column.kind == EXPECTED[name]
    assert column.used == (column.kind in {"numeric", "boolean", "category", "date"})
    assert column.used == (name in dataset.frame)


def test_dropped_columns_are_said(dataset):
    assert "'free text' was dropped: free text cannot be used here." in dataset.warnings
    assert "'empty' was dropped: no values." in dataset.warnings
    ids = next(warning for warning in dataset.warnings if "identifier" in warning)
    assert ids.startswith("'codes', 'row number', 'customerID' were dropped")


def test_a_csv_gives_the_same_kinds_as_a_frame(dataset):
    text = pd.DataFrame(KINDS).assign(y=R % 4 == 0).to_csv(index=False)
    from_csv = load_csv(text.encode(), target="y")
    assert {c.name: c.kind for c in from_csv.columns} == {c.name: c.kind for c in dataset.columns}
