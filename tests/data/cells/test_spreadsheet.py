"""Formulas in cells: harmless when written, plain again when read."""

import csv
import io

import numpy as np
import pandas as pd
import pytest

from anyloss_core.data.cells.spreadsheet import harmless, harmless_csv, harmless_frame, plain
from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.reading.table import load_csv
from tests.nasty_files import NASTY


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-x", "@SUM(A1)", "\t=1", "--", "-1a", "+"])
def test_what_a_spreadsheet_might_run_gets_an_apostrophe(text):
    assert harmless(text) == "'" + text
    assert plain(harmless(text)) == text


@pytest.mark.parametrize("text", ["", "a=1", "-1", "+2.5e3", "5", "'quoted'", "it's"])
def test_everything_else_is_left_alone(text):
    assert harmless(text) == text == plain(text)


def test_no_cell_of_a_written_data_set_is_a_formula():
    table = pd.DataFrame(
        {
            "=HYPERLINK()": np.arange(30) - 15.5,
            "kind": ["=1+1", "-x", "fine"] * 10,
            "+y": ["@a", "@b", "@b"] * 10,
        }
    )
    dataset = dataset_from_frame(table, "+y")
    rows = list(csv.reader(io.StringIO(dataset.to_csv().decode())))
    cells = [cell for row in rows for cell in row]
    risky = [cell for cell in cells if cell[:1] in "=+-@" and cell]
    assert all(float(cell) < 0 for cell in risky)
    again = load_csv(dataset.to_csv(), target="+y", positive=dataset.positive)
    assert again.fingerprint == dataset.fingerprint
    assert list(again.frame) == ["=HYPERLINK()", "kind"]


def test_a_formula_in_a_file_is_a_text_like_any_other():
    dataset = load_csv(NASTY["formulas in cells"].content)
    assert (dataset.target, dataset.positive, dataset.negative) == ("=cmd()", "=1+1", "@SUM(A1)")


def test_any_frame_can_be_made_harmless():
    frame = pd.DataFrame({"=a": ["=1", None, "x"], "b": pd.Categorical([1, 2, 1]), "c": [1, 2, 3]})
    made = harmless_frame(frame)
    assert list(made) == ["'=a", "b", "c"]
    assert list(made["'=a"])[::2] == ["'=1", "x"]
    pd.testing.assert_series_equal(made["b"], frame["b"])


def test_texts_and_names_that_become_the_same_are_all_kept():
    twins = pd.Categorical(["=1", "'=1", None, "x"])
    made = harmless_frame(pd.DataFrame({"=a": twins, "'=a": [1, 2, 3, 4]}))
    assert made.to_csv(index=False).split() == ["'=a,'=a", "'=1,1", "'=1,2", ",3", "x,4"]


def test_an_empty_frame_stays_empty():
    assert harmless_frame(pd.DataFrame(index=[0, 1])).shape == (2, 0)


def test_cells_and_names_that_a_spreadsheet_would_run_are_quoted():
    frame = pd.DataFrame(
        {"=cmd()": ["+1+1", "-2*A1", "@x", "\tz", "plain"], "n": [-1.5, 2, 3, 4, 5]}
    )
    lines = harmless_csv(frame).decode().splitlines()
    assert lines[0] == "'=cmd(),n"
    assert lines[1] == "'+1+1,-1.5"
    assert all(line.startswith("'") for line in lines[1:5])
    assert lines[5] == "plain,5.0"


def test_numbers_read_back_as_they_were():
    frame = pd.DataFrame({"a": [0.1, -1e-300], "same": [1, 2]})
    pd.testing.assert_frame_equal(pd.read_csv(io.BytesIO(harmless_csv(frame))), frame)


def test_columns_of_the_same_name_are_both_kept():
    frame = pd.DataFrame([["=a", "=b"]], columns=["x", "x"])
    assert harmless_csv(frame).decode().splitlines()[1] == "'=a,'=b"
