"""Which data sets a benchmark runs on, and what the suite is called."""

import pytest

from pages.ui.many import suites
from tests.nasty_files import csv_bytes, zipped


@pytest.mark.parametrize(
    ("board", "name"),
    [
        ({"suite": "real", "largest": suites.LARGEST}, "real tables"),
        ({"suite": "real", "largest": 500}, "real tables up to 500 rows"),
        ({"suite": "openml", "largest": 500}, "openml"),
    ],
)
def test_a_suite_that_is_cut_says_where(board, name):
    assert suites.label(board) == name


def test_tables_of_the_same_name_are_told_apart(open_page, tmp_path):
    from pages.ui.runs import runs

    open_page("many")
    same = [runs.store().save_upload(b"a,b\n%d,1\n" % n, {"name": "t.csv"}) for n in range(2)]
    page = open_page("many", suite="upload", files=";".join(same))
    assert not page.exception
    assert any("2 data sets" in caption.value for caption in page.caption)


def test_the_tables_of_a_zip_are_named_and_can_be_opened(open_page):
    from anyloss_core.data.suites.references import open_reference
    from pages.ui.runs import runs

    open_page("many")
    packed = zipped({"a.csv": csv_bytes(), "of mine/b.csv": csv_bytes()})
    upload = runs.store().save_upload(packed, {"name": "tables.zip"})
    page = open_page("many", suite="upload", files=upload)
    assert any("2 tables: " in caption.value for caption in page.caption)
    items = suites._items(upload)
    assert [item.name for item in items] == ["a.csv", "of mine/b.csv"]
    for item in items:
        data = open_reference(item.reference, uploads=runs.store().home / "uploads")
        assert (data.target, data.rows) == ("churn", 40)
