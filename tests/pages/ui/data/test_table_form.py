"""The form of a table: what needs no question, and targets that are none."""

from anyloss_core.data import apart
from pages.ui.data.table_form import Table, obvious
from tests.nasty_files import csv_bytes, excel_book


def look(tmp_path, content, name="t.csv"):
    path = tmp_path / name
    path.write_bytes(content)
    return apart.look(str(path), name)


def test_two_classes_in_one_sheet_need_no_question(tmp_path):
    choices = obvious(look(tmp_path, csv_bytes()))
    assert choices["drop"] == ()
    assert choices["target"]


def test_three_classes_and_several_sheets_are_asked_about(tmp_path):
    three = b"x,y\n" + b"".join(b"%d,%s\n" % (n, [b"a", b"b", b"c"][n % 3]) for n in range(30))
    assert obvious(look(tmp_path, three)) is None
    rows = [["x", "y"], *([n, n % 2] for n in range(10))]
    assert obvious(look(tmp_path, excel_book({"one": rows, "two": rows}), "b.xlsx")) is None


def test_a_last_column_that_cannot_be_the_target_is_asked_about(tmp_path):
    rows = b"".join(b"%d,%s,no\n" % (n, [b"a", b"b"][n % 2]) for n in range(30))
    assert obvious(look(tmp_path, b"x,sex,churn\n" + rows)) is None
    assert obvious(look(tmp_path, b"x,target,churn\n" + rows))["target"] == "target"


def test_tables_are_the_same_by_id_and_name_whatever_reads_them():
    assert Table("1", "a.csv", lambda: b"") == Table("1", "a.csv", lambda: b"x")
