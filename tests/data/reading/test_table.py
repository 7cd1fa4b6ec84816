"""Reading: every nasty file has its outcome, and good files in any dress give the same table."""

import io

import numpy as np
import pandas as pd
import pytest

from anyloss_core.datasets import DataError, Dataset, limits, load_csv, read_table
from anyloss_core.datasets.preparation import prepare_fresh
from tests.nasty_files import NASTY, csv_bytes, good_frame, lines, zipped


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


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["1,234", "12", "1,000,000.5"], [1234, 12, 1000000.5]),
        (["12%", "7.5%", "100 %"], [12, 7.5, 100]),
        (["$5", "-$7.25", "($3)"], [5, -7.25, -3]),
        (["€ 5", "3 €", "£4"], [5, 3, 4]),
        (["1.234,5", "7,25", "0,5"], [1234.5, 7.25, 0.5]),
        (["1 234", "12 345 678", "5"], [1234, 12345678, 5]),
        (["5", "NA", "7"], [5, np.nan, 7]),
        (["5", "-", "."], [5, np.nan, np.nan]),
        ([" 5", "null ", "?"], [5, np.nan, np.nan]),
        (["+5", "1e3", ".5"], [5, 1000, 0.5]),
    ],
)
def test_numbers_stored_as_text_are_numbers(cells, numbers):
    text = "\n".join(["x;y", *(f'"{cell}";{n}' for n, cell in enumerate(cells))])
    np.testing.assert_array_equal(read_table(text.encode())["x"].to_numpy(float), numbers)


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


def test_text_far_down_a_column_of_numbers_is_not_lost(monkeypatch):
    from anyloss_core.datasets import delimited

    monkeypatch.setattr(delimited, "BLOCK", 2048)
    text = lines("x,y", lambda r: r % 9 if r < 900 else f"late {r % 3}", lambda r: r % 2, rows=1000)
    column = load_csv(text).frame["x"]
    assert list(column.cat.categories) == [*map(str, range(9)), "late 0", "late 1", "late 2"]
    assert column[905] == "late 2"
    assert column[8] == "8"


def test_a_path_a_file_and_bytes_give_the_same(tmp_path):
    path = tmp_path / "my data.csv"
    path.write_bytes(csv_bytes())
    with path.open("rb") as file:
        from_file = load_csv(file)
    assert {load_csv(s).fingerprint for s in (path, str(path), csv_bytes())} == {
        from_file.fingerprint
    }
    assert load_csv(path).name == from_file.name == "my data"
    assert load_csv(io.StringIO(csv_bytes().decode())).fingerprint == from_file.fingerprint


@pytest.mark.parametrize("path", ["no/such/file.csv", ".", "\0"])
def test_a_path_that_cannot_be_opened_is_refused(path):
    with pytest.raises(DataError, match="cannot be opened"):
        load_csv(path)


@pytest.mark.parametrize("source", [None, 7, good_frame()])
def test_what_is_no_file_is_refused(source):
    with pytest.raises(DataError, match="Give a path, an open file or bytes"):
        load_csv(source)


def test_a_file_over_the_limit_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "large.csv"
    with path.open("wb") as file:
        file.truncate(limits.FILE_BYTES + 1)  # sparse: no disk is used
    with pytest.raises(DataError, match="at most 400 MB"):
        load_csv(path)


def test_cells_are_counted_before_they_are_kept(monkeypatch):
    monkeypatch.setattr(limits, "CELLS", 1000)
    with pytest.raises(DataError, match="1,004 cells"):
        load_csv(lines("x,y,z,w", *[lambda r: r % 2] * 4, rows=251))


def test_progress_rises_to_one(monkeypatch):
    from anyloss_core.datasets import delimited

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


def test_excel_dates_and_numbers_keep_their_types():
    from tests.nasty_files import excel

    rows = [
        [pd.Timestamp(2020, 1, 1 + r % 28), r * 1.5, r % 2 == 0, "ab"[r % 2]] for r in range(30)
    ]
    dataset = load_csv(excel([["day", "x", "flag", "y"], *rows]), target="y")
    assert [column.kind for column in dataset.columns] == ["date", "numeric", "boolean"]


def test_a_zip_is_read_in_memory_and_never_unpacked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    assert isinstance(load_csv(zipped({"../outside.csv": csv_bytes()})), Dataset)
    assert not (tmp_path / "outside.csv").exists()


def test_the_good_table_is_the_good_table():
    pd.testing.assert_frame_equal(
        read_table(csv_bytes())[["age", "income"]], good_frame()[["age", "income"]]
    )
