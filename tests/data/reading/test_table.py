"""Reading: every nasty file has its outcome, and good files in any dress give the same table."""

import io

import numpy as np
import pandas as pd
import pytest

from anyloss_core.data.errors import DataError
from anyloss_core.data.preparation import prepare_fresh
from anyloss_core.data.reading.table import load_csv, read_table
from tests.nasty_files import NASTY, csv_bytes, good_frame


def upload(nasty):
    file = io.BytesIO(nasty.content)
    file.name = nasty.filename
    return file


@pytest.mark.parametrize("name", NASTY)
def test_a_nasty_file_has_its_expected_outcome(name):
    nasty = NASTY[name]
    if nasty.expected != "dataset":
        with pytest.raises(DataError) as caught:
            load_csv(upload(nasty))
        assert nasty.expected in caught.value.message + caught.value.repair
        assert caught.value.repair, "a refusal says what to do"
        return
    dataset = load_csv(upload(nasty))
    features = prepare_fresh(dataset, np.arange(dataset.rows)).transform(dataset.frame)
    assert np.isfinite(features).all()
    assert dataset.profile().rows == dataset.rows


def test_there_are_at_least_forty_nasty_files_and_most_are_refused():
    refused = [nasty for nasty in NASTY.values() if nasty.expected != "dataset"]
    assert len(NASTY) >= 40
    assert len(refused) >= 40


DRESSES = [
    "utf-8 with mark",
    "utf-16",
    "utf-16 without mark",
    "latin-1",
    "semicolon and decimal comma",
    "tabs",
    "bars",
    "blanks between columns",
    "old Mac line ends",
    "windows line ends",
    "spreadsheet hint",
    "gzip",
    "zip",
    "excel",
    "parquet",
    "csv called xlsx",
]


@pytest.mark.parametrize("name", DRESSES)
def test_the_dress_of_a_table_does_not_change_it(name):
    dataset = load_csv(upload(NASTY[name]))
    assert dataset.fingerprint == load_csv(csv_bytes()).fingerprint
    assert (dataset.target, dataset.positive, dataset.positives) == ("churn", "yes", 10)


def test_numbers_are_read_to_the_last_bit():
    values = np.random.default_rng(3).normal(size=500) * 10.0 ** np.arange(-250, 250)
    text = pd.DataFrame({"x": values, "y": np.arange(500) % 2}).to_csv(index=False)
    np.testing.assert_array_equal(read_table(text.encode())["x"], values)


def test_the_good_table_is_the_good_table():
    pd.testing.assert_frame_equal(
        read_table(csv_bytes())[["age", "income"]], good_frame()[["age", "income"]]
    )
