"""CSV and its relatives: delimiter, header, ragged rows, block by block."""

import io

import numpy as np
import pytest

from anyloss_core.data import limits
from anyloss_core.data.errors import DataError
from anyloss_core.data.reading.delimited import name_columns, read_delimited
from anyloss_core.data.reading.table import load_csv
from tests.nasty_files import NASTY, lines


def test_text_far_down_a_column_of_numbers_is_not_lost(monkeypatch):
    from anyloss_core.data.reading import delimited

    monkeypatch.setattr(delimited, "BLOCK", 2048)
    text = lines("x,y", lambda r: r % 9 if r < 900 else f"late {r % 3}", lambda r: r % 2, rows=1000)
    column = load_csv(text).frame["x"]
    assert list(column.cat.categories) == [*map(str, range(9)), "late 0", "late 1", "late 2"]
    assert column[905] == "late 2"
    assert column[8] == "8"


def test_cells_are_counted_before_they_are_kept(monkeypatch):
    monkeypatch.setattr(limits, "CELLS", 1000)
    with pytest.raises(DataError, match="1,004 cells"):
        load_csv(lines("x,y,z,w", *[lambda r: r % 2] * 4, rows=251))


def test_progress_rises_to_one(monkeypatch):
    from anyloss_core.data.reading import delimited

    monkeypatch.setattr(delimited, "BLOCK", 4096)
    seen = []
    load_csv(lines("x,y", lambda r: r / 3, lambda r: r % 2, rows=2000), on_progress=seen.append)
    assert len(seen) > 3
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_blank_names_and_missing_headers_get_names():
    blank = load_csv(NASTY["blank names"].content)
    bare = load_csv(NASTY["no header"].content)
    assert [column.name for column in blank.columns] == ["unnamed 1", "unnamed 2", "city"]
    assert bare.target == "column 3"
    assert bare.rows == 60
    assert any("named by their place" in warning for warning in bare.warnings)


def test_strange_names_are_kept_to_the_letter():
    assert "<script>alert(1)</script>" in load_csv(NASTY["html names"].content).frame
    assert "n" * 100_000 in load_csv(NASTY["name of 100 kB"].content).frame
    assert "a\x1b[31mred" in load_csv(NASTY["control characters in names"].content).frame


@pytest.mark.parametrize(
    ("cells", "names", "is_header"),
    [
        (["a", " b ", ""], ["a", "b", "unnamed 3"], True),
        (["1.5", "2", "-3e4"], ["column 1", "column 2", "column 3"], False),
        (["0", "1", "2"], ["0", "1", "2"], True),  # what pandas writes without names
        (["1", "2", "3"], ["1", "2", "3"], True),
        (["1", "y"], ["1", "y"], True),
    ],
)
def test_a_first_row_of_numbers_is_no_header(cells, names, is_header):
    assert name_columns(cells) == (names, is_header)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", "  "])
def test_the_delimiter_is_the_one_that_parts_rows_evenly(delimiter):
    rows = [["x", "y", "z"], *([str(r), f"w{r % 3}", str(r % 2)] for r in range(30))]
    text = "\n".join(delimiter.join(row) for row in rows)
    columns = read_delimited(io.BytesIO(text.encode()))
    assert list(columns) == ["x", "y", "z"]
    np.testing.assert_array_equal(columns["x"], range(30))
    assert list(columns["y"][:3]) == ["w0", "w1", "w2"]


def test_commas_inside_texts_do_not_win_over_the_delimiter():
    text = "name;note\n" + "".join(f"n{r};a, b, c\n" for r in range(9))
    assert list(read_delimited(io.BytesIO(text.encode()))) == ["name", "note"]


def test_rows_of_another_length_are_counted_and_the_first_is_named():
    text = "a,b\n1,2\n3\n4,5\n6,7,8\n"
    with pytest.raises(DataError, match=r"Row 3 has 1 cells where the header has 2 \(1 more"):
        read_delimited(io.BytesIO(text.encode()))
