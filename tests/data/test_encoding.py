"""Typed columns to one matrix of numbers."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core.data.columns import DATE_PARTS
from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.encoding import MISSING_CODE, UNKNOWN_CODE, Field, encode
from anyloss_core.data.errors import DataError
from anyloss_core.data.preparation import (
    prepare_fresh,
)
from anyloss_core.data.reading.table import read_table


def test_new_rows_of_other_types_are_understood():
    table = pd.DataFrame(
        {"code": ["1", "2", "x"] * 10, "n": np.arange(30) * 1.5, "y": [0, 1, 0] * 10}
    )
    fitted = prepare_fresh(dataset_from_frame(table, "y"), np.arange(30))
    as_read = read_table(b"n,code\n3,1\n4.5,2\n")  # here 'code' looks like numbers
    as_text = pd.DataFrame({"n": ["3", "4.5"], "code": ["1", "2"]})
    np.testing.assert_array_equal(fitted.transform(as_read), fitted.transform(as_text))
    np.testing.assert_array_equal(
        fitted.transform(as_read)[:, 0], [1.0, 0.0]
    )  # level 1, then level 2


def test_numbers_dates_and_levels_fill_their_columns():
    frame = pd.DataFrame(
        {
            "n": [1.5, np.nan, 3.0],
            "day": pd.to_datetime(["2020-02-03", None, "2021-12-31"]),
            "town": pd.Categorical(["Ulm", None, "Rom"], categories=["Rom", "Ulm"]),
        }
    )
    fields = (
        Field("town", "category", ("Ulm", "Rom")),
        Field("n", "number"),
        Field("day", "date"),
    )
    raw = encode(frame, fields)
    assert raw.shape == (3, 2 + len(DATE_PARTS))
    np.testing.assert_array_equal(raw[:, 0], [0, MISSING_CODE, 1])  # places in the field's list
    np.testing.assert_array_equal(raw[:, 1], [1.5, np.nan, 3.0])
    for place, part in enumerate(DATE_PARTS.values()):
        np.testing.assert_array_equal(raw[:, 2 + place], getattr(frame["day"].dt, part))


def test_a_level_that_was_never_seen_is_told_from_a_missing_one():
    frame = pd.DataFrame({"town": ["Ulm", "Mars", None]})
    codes = encode(frame, (Field("town", "category", ("Rom", "Ulm")),))[:, 0]
    np.testing.assert_array_equal(codes, [1, UNKNOWN_CODE, MISSING_CODE])


def test_a_column_of_the_wrong_kind_is_missing_and_an_absent_one_is_named():
    words = pd.DataFrame({"n": ["many", "few"], "day": ["Monday", "Friday"]})
    raw = encode(words, (Field("n", "number"), Field("day", "date")))
    assert np.isnan(raw).all()
    with pytest.raises(DataError, match="lacks the columns 'm'"):
        encode(words, (Field("n", "number"), Field("m", "number")))
