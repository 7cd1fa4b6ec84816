"""Excel and Parquet files as typed columns."""

import io
import subprocess
import sys
import time
import zipfile
from decimal import Decimal

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from anyloss_core.data import limits
from anyloss_core.data.errors import DataError
from anyloss_core.data.reading.table import load_csv
from anyloss_core.data.reading.workbooks import excel_sheets, read_excel, read_parquet
from tests.nasty_files import excel, excel_book, good_excel, good_parquet, parquet


def test_excel_dates_and_numbers_keep_their_types():
    from tests.nasty_files import excel

    rows = [
        [pd.Timestamp(2020, 1, 1 + r % 28), r * 1.5, r % 2 == 0, "ab"[r % 2]] for r in range(30)
    ]
    dataset = load_csv(excel([["day", "x", "flag", "y"], *rows]), target="y")
    assert [column.kind for column in dataset.columns] == ["date", "numeric", "boolean"]


def test_the_first_sheet_that_holds_anything_is_read():
    book = openpyxl.Workbook()
    book.create_sheet("data").append(["x", "y"])
    for row in range(5):
        book["data"].append([row * 1.5, "ab"[row % 2]])
    file = io.BytesIO()
    book.save(file)
    columns = read_excel(file).columns
    np.testing.assert_array_equal(columns["x"], np.arange(5) * 1.5)
    assert list(columns["y"]) == list("ababa")


def test_a_sheet_can_be_picked_and_a_cover_is_not_taken_for_a_table():
    table = [["x", "y"], *([n, "ab"[n % 2]] for n in range(6))]
    book = excel_book({"About": [["made in May"]], "2023": table, "2024": table[:4], "empty": []})
    first = read_excel(io.BytesIO(book))
    assert (first.name, first.names) == ("2023", ["About", "2023", "2024"])
    assert len(read_excel(io.BytesIO(book), "2024").columns["x"]) == 3
    assert excel_sheets(io.BytesIO(book)) == (["About", "2023", "2024"], "2023")
    with pytest.raises(DataError, match="no sheet '2025' with cells"):
        read_excel(io.BytesIO(book), "2025")


def test_short_rows_are_filled_up_and_long_ones_are_named():
    columns = read_excel(io.BytesIO(excel([["x", "y"], [1, 2], [3]]))).columns
    np.testing.assert_array_equal(columns["y"], [2, np.nan])
    with pytest.raises(DataError, match="Row 2 has 3 cells where the header has 2"):
        read_excel(io.BytesIO(excel([["x", "y"], [1, 2, 3]])))


def test_parquet_keeps_the_types_of_its_columns():
    table = pa.table(
        {
            "n": pa.array([1, None, 3], pa.int16()),
            "money": pa.array([Decimal("1.25"), None, Decimal("-7.50")]),
            "town": pa.array(["Ulm", "Rom", "Ulm"]).dictionary_encode(),
            "day": pa.array([0, 1, None], pa.date32()),
            "__index_level_0__": pa.array([7, 8, 9]),
        }
    )
    columns = read_parquet(io.BytesIO(parquet(table)))
    assert list(columns) == ["n", "money", "town", "day"]
    np.testing.assert_array_equal(columns["n"], [1, np.nan, 3])
    np.testing.assert_array_equal(columns["money"], [1.25, np.nan, -7.5])
    assert list(columns["town"].cat.categories) == ["Ulm", "Rom"]


def test_maps_lists_and_records_in_parquet_are_read_as_texts():
    rows = range(12)
    table = pa.table(
        {
            "map": pa.array([[("k", n % 2)] for n in rows], pa.map_(pa.string(), pa.int64())),
            "list": [[n % 2] for n in rows],
            "record": [{"a": n % 2, "b": {"c": "x"}} for n in rows],
            "y": [n % 2 for n in rows],
        }
    )
    file = io.BytesIO()
    pq.write_table(table, file)
    found = read_parquet(file)
    assert {name: column.nunique() for name, column in found.items()} == dict.fromkeys(found, 2)


def test_a_file_that_is_cut_off_is_damaged():
    with pytest.raises(DataError, match="Parquet file cannot be read"):
        read_parquet(io.BytesIO(good_parquet()[:-100]))
    with pytest.raises(DataError, match="Excel file cannot be read"):
        read_excel(io.BytesIO(good_excel()[:-100]))


def sheet_of(cells):
    """A workbook whose sheet holds so many cells without a value, in rows of a hundred."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(excel([["x", "y"]]))) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    rows = b"<row>" + b"<c/>" * 100 + b"</row>"
    name = "xl/worksheets/sheet1.xml"
    parts[name] = parts[name].replace(b"</sheetData>", rows * (cells // 100) + b"</sheetData>")
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name, part in parts.items():
            new.writestr(name, part)
    return file.getvalue()


def test_a_sheet_of_twelve_million_cells_is_refused_before_it_is_parsed():
    content = sheet_of(12_000_000)
    spent = time.process_time()  # of this process: how busy the machine is does not count
    with pytest.raises(DataError, match="sheet of 4,0") as refusal:
        read_excel(io.BytesIO(content))
    assert time.process_time() - spent < 20  # 77 s when it was parsed
    assert "CSV" in refusal.value.repair


@pytest.mark.parametrize(("cells", "fits"), [(300, True), (100_000, False)])
def test_cells_are_counted_across_the_pieces_of_a_part(cells, fits, monkeypatch):
    monkeypatch.setattr(limits, "EXCEL_CELLS", 302)  # two of them in the header
    monkeypatch.setattr(limits, "MEGABYTE", 7)  # pieces shorter than a tag with its neighbours
    if fits:
        assert list(read_excel(io.BytesIO(sheet_of(cells))).columns) == ["x", "y"]
    else:
        with pytest.raises(DataError, match=r"sheet of 30\d cells or more"):
            read_excel(io.BytesIO(sheet_of(cells)))


def test_the_parquet_file_that_ended_the_server_is_refused():
    """In a process of its own: if it ends that again, this test fails and the others go on."""
    code = (
        "import io\n"
        "from anyloss_core.data.errors import DataError\n"
        "from anyloss_core.data.reading.workbooks import read_parquet\n"
        "from tests.support.killing_parquet import KILLING\n"
        "try:\n    read_parquet(io.BytesIO(KILLING))\n"
        "except DataError as refusal:\n    print(refusal.message)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("The Parquet file cannot be read")
