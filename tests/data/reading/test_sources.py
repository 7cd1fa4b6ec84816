"""Whatever the user hands over as one open, unpacked, bounded file."""

import gzip
import io

import pytest

from anyloss_core.data import limits
from anyloss_core.data.dataset import Dataset
from anyloss_core.data.errors import DataError
from anyloss_core.data.reading.sources import member, size_of, table_members, unpacked, zip_archive
from anyloss_core.data.reading.table import load_csv
from tests.nasty_files import csv_bytes, good_excel, good_frame, good_parquet, zipped


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


def test_a_zip_is_read_in_memory_and_never_unpacked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    assert isinstance(load_csv(zipped({"../outside.csv": csv_bytes()})), Dataset)
    assert not (tmp_path / "outside.csv").exists()


def kind_and_bytes(data):
    with unpacked(io.BytesIO(data)) as (kind, file):
        return kind, file.read()


def test_the_content_decides_what_a_file_is():
    table = csv_bytes()
    assert kind_and_bytes(table) == ("text", table)
    assert kind_and_bytes(gzip.compress(table)) == ("text", table)
    assert kind_and_bytes(zipped({"folder/": b"", ".hidden": b"x", "t.csv": table})) == (
        "text",
        table,
    )
    assert kind_and_bytes(good_excel())[0] == "excel"
    assert kind_and_bytes(gzip.compress(good_parquet())) == ("parquet", good_parquet())


@pytest.mark.parametrize(
    ("begin", "word"),
    [
        (b"%PDF-1.7", "a PDF"),
        (b"BZh91", "bzip2"),
        (b"SQLite format 3\0", "SQLite"),
        (b"Rar!", "RAR"),
    ],
)
def test_foreign_files_are_named_with_a_way_out(begin, word):
    with pytest.raises(DataError, match=word) as refused:
        kind_and_bytes(begin + bytes(50))
    assert refused.value.repair


def test_tables_of_a_zip_are_listed_without_folders_and_hidden_files():
    data = zipped({"b.csv": b"1", "a/": b"", "a/c.csv": b"2", "__MACOSX/x": b"3", ".d": b"4"})
    with zip_archive(io.BytesIO(data)) as archive:
        assert table_members(archive) == ["a/c.csv", "b.csv"]
        with member(archive, "a/c.csv") as file:
            assert file.read() == b"2"


def test_the_size_of_a_file_leaves_it_at_its_beginning():
    file = io.BytesIO(b"12345")
    file.seek(3)
    assert size_of(file) == 5
    assert file.tell() == 0
