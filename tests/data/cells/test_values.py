"""Cells to typed columns: all texts of a column, and the columns of a table, decide together."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from anyloss_core.data.cells.values import (
    ColumnBuilder,
    arrow_column,
    class_text,
    first_seen,
    typed_frame,
)
from anyloss_core.data.reading.table import load_csv, read_table
from tests.nasty_files import lines


def test_the_other_columns_settle_an_open_comma():
    alone = read_table(b"x;y\n1,234;0\n5,678;1\n")
    beside = read_table(b"x;z;y\n1,234;0,5;0\n5,678;7,25;1\n")
    assert list(alone["x"]) == [1234, 5678]
    assert list(beside["x"]) == [1.234, 5.678]


def test_a_slip_of_the_pen_does_not_make_a_column_text():
    text = lines("x,y", lambda r: "n.b." if r == 7 else r * 1.5, lambda r: r % 2)
    dataset = load_csv(text)
    assert dataset.columns[0].kind == "numeric"
    assert dataset.columns[0].missing_share == pytest.approx(1 / 150)
    assert any("1 cells such as 'n.b.'" in warning for warning in dataset.warnings)


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


def test_a_builder_keeps_numbers_until_a_text_comes():
    builder = ColumnBuilder()
    builder.add(pa.array(["1", " 2 ", "NA"]))
    builder.add(pa.array(["3", "4", "5"]))
    assert not builder.spoilt
    np.testing.assert_array_equal(builder.finish(), [1, 2, np.nan, 3, 4, 5])
    spoilt = ColumnBuilder()
    spoilt.add(pa.array(["1"]))
    spoilt.add(pa.array(["one"]))
    assert spoilt.spoilt  # the texts of the numbers are gone: to be read again


def test_a_column_of_whole_numbers_stays_whole():
    column = arrow_column(pa.chunked_array([["9007199254740993", "-1"]]))
    assert column.dtype == np.int64
    assert column[0] == 2**53 + 1  # which no float64 can hold


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.0, "1"), (1, "1"), (1.5, "1.5"), (" yes ", "yes"), (np.float64(-3), "-3"), (True, "True")],
)
def test_a_class_is_written_as_people_write_it(value, text):
    assert class_text(value) == text


def test_levels_that_are_absent_are_dropped_and_the_rest_sorted_by_appearance():
    column = pd.Series(pd.Categorical(["c", None, "a", "c"], categories=["a", "b", "c"]))
    found = first_seen(column)
    assert list(found.cat.categories) == ["c", "a"]
    assert list(found.cat.codes) == [0, -1, 1, 0]


def test_scrap_needs_many_numbers_around_it():
    few = [str(number) for number in range(10)] + ["oops"]
    many = [str(number) for number in range(60)] + ["oops"]
    kept, notes = typed_frame(pd.DataFrame({"few": few}))
    assert isinstance(kept["few"].dtype, pd.CategoricalDtype)
    assert notes == []
    cleaned, notes = typed_frame(pd.DataFrame({"many": many}))
    assert cleaned["many"].isna().sum() == 1
    assert notes == ["'many': 1 cells such as 'oops' are no numbers and count as missing."]


@pytest.mark.parametrize("text", ["0x10", "0XfF", "-0x1"])
def test_a_hexadecimal_text_is_no_number(text):
    column = arrow_column(pa.chunked_array([pa.array([text, "12", "7"])]))
    assert list(column) == [text, "12", "7"]
    assert arrow_column(pa.chunked_array([pa.array(["10", "12"])])).dtype == np.int64
