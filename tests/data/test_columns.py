"""Column types: what each kind of column is taken for, and what happens to it."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core.datasets import dataset_from_frame, load_csv
from anyloss_core.datasets.columns import describe_column
from anyloss_core.datasets.values import typed_frame

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


def test_days_and_months_are_not_mixed_up():
    frame, _ = typed_frame(
        pd.DataFrame({"d": ["03/04/2020", "25/04/2020"], "m": ["03/04/2020", "04/25/2020"]})
    )
    assert list(frame["d"].dt.month) == [4, 4]
    assert list(frame["m"].dt.month) == [3, 4]


@pytest.mark.parametrize("text", ["1.2.3", "10/12", "version 2", "2020-13-45", "12:30"])
def test_what_only_looks_like_a_date_stays_text(text):
    frame, _ = typed_frame(pd.DataFrame({"x": [text, "2020-01-01"] * 3}))
    assert describe_column("x", frame["x"]).kind == "category"


def test_levels_keep_the_order_of_first_appearance_like_factorize():
    texts = ["pear", "fig", "pear", None, "apple", "fig"] * 5
    frame, _ = typed_frame(pd.DataFrame({"fruit": texts}))
    codes, levels = pd.factorize(pd.Series(texts))
    np.testing.assert_array_equal(frame["fruit"].cat.codes, codes)
    assert list(frame["fruit"].cat.categories) == list(levels)


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([1, 2, None, 4], dtype="Int64"),
        pd.Series([1.0, 2.0, None, 4.0], dtype="float32"),
        pd.Series([1, 2, 3, 4], dtype="uint8"),
        pd.Series(["1", "2", None, "4"], dtype="category"),
        pd.Series([1, 2, None, 4], dtype="category"),
        pd.Series([1, "2", None, 4.0], dtype=object),
        pd.Series(["1", "2", "3", "4"], dtype="str"),
        pd.Series(pd.to_timedelta([1, 2, 3, 4], unit="s")),
    ],
    ids=lambda column: str(column.dtype),
)
def test_any_dtype_of_numbers_is_numbers(column):
    frame, _ = typed_frame(pd.DataFrame({"x": column}))
    assert frame["x"].dtype in (np.dtype("int64"), np.dtype("float64"))
    assert list(frame["x"][[0, 1, 3]]) == [1, 2, 4]


def test_dates_with_a_time_zone_become_plain():
    dates = pd.Series(pd.date_range("2020-01-01", periods=4, tz="Europe/Oslo"))
    frame, _ = typed_frame(pd.DataFrame({"d": dates}))
    assert frame["d"].dt.tz is None
