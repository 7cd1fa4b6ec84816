"""What a page has read elsewhere is what reading here would have given."""

import pandas as pd
import pytest

from anyloss_core.data import apart
from anyloss_core.data.errors import DataError
from anyloss_core.data.suites.references import open_reference
from anyloss_core.jobs.isolated import Readers, Reading
from tests.nasty_files import csv_bytes, excel_book, zipped
from tests.support.leaky_table import LEAK, leaky_csv

TABLE = b"day,town,x,flag,labels\n" + b"".join(
    b"2024-01-%02d,%s,%s,%s,%s\n"
    % (1 + n % 28, [b"Ulm", b"", b"Rom"][n % 3], b"%.3f" % (n / 7) if n % 5 else b"",
       [b"yes", b"no"][n % 2], b"ab"[n % 2 : n % 2 + 1])
    for n in range(60)
)  # fmt: skip
CACHED = ("frame", "labels", "fingerprint", "leaks")  # compared apart, or worked out when asked for


@pytest.fixture(scope="module")
def readers():
    several = Readers(preload=["anyloss_core.data.apart"])
    yield several
    several.end()


def read(readers, function, files=None, **arguments):
    target = f"anyloss_core.data.apart:{function}"
    return readers.call(target, arguments, files or {}, reading=Reading(refusal=DataError))


def plain(dataset):
    return {k: v for k, v in vars(dataset).items() if k not in CACHED}


@pytest.mark.parametrize(
    "reference",
    [
        "upload:{}?target=labels&drop=x",
        "builtin:random",
        "synthetic:rows=60",
        "real:DAAG/leafshape",
    ],
)
def test_a_data_set_arrives_as_it_is(reference, readers, store):
    reference = reference.format(store.save_upload(TABLE, {"name": "visits"}))
    uploads = store.home / "uploads"
    there = apart.dataset_of(
        read(readers, "dataset_parts", reference=reference, uploads=str(uploads))
    )
    here = open_reference(reference, uploads=uploads)
    pd.testing.assert_frame_equal(there.frame, here.frame)
    assert there.labels.tolist() == here.labels.tolist()
    assert there.labels.dtype == here.labels.dtype
    assert there.fingerprint == here.fingerprint
    assert plain(there) == plain(here)


def test_a_new_file_tells_which_column_gives_the_answer_away(readers):
    chosen = {"target": "late", "positive": "yes"}
    assert list(read(readers, "leaks", {"path": leaky_csv()}, drop=[], **chosen)) == [LEAK]
    assert read(readers, "leaks", {"path": leaky_csv()}, drop=[LEAK], **chosen) == {}


def test_a_new_file_shows_what_its_form_needs(readers):
    seen = read(readers, "look", {"path": TABLE}, name="visits.csv.gz")
    assert (seen["name"], seen["rows"], seen["notes"]) == ("visits", 60, [])
    assert seen["columns"] == ["day", "town", "x", "flag", "labels"]
    assert next(iter(seen["classes"])) == "labels"
    assert seen["classes"]["flag"] == {"yes": 30, "no": 30}
    assert seen["head"]["town"].isna().tolist() == [False, True, False, False, True]
    assert len(seen["head"]) == apart.SHOWN


def test_what_cannot_be_used_is_a_data_error_with_its_repair(readers):
    with pytest.raises(DataError, match="one column only") as refusal:
        read(readers, "look", {"path": b"a\n1\n2\n"}, name="x")
    assert refusal.value.repair


def test_the_tables_of_a_zip_are_named(readers):
    content = zipped({"b.csv": csv_bytes(), "a.csv": csv_bytes()})
    assert read(readers, "members", {"path": content}) == ["a.csv", "b.csv"]


def test_the_last_column_is_told_where_it_cannot_be_the_target(readers):
    rows = [b"%d,%d,%s" % (n, n % 2, b"no") for n in range(40)]
    seen = read(readers, "look", {"path": b"\n".join([b"x,flag,churn", *rows])}, name="t.csv")
    assert (seen["passed_over"], list(seen["classes"])) == ("churn", ["flag"])
    assert "holds one class only ('no')" in seen["refused"]["churn"][0]
    named = read(readers, "look", {"path": b"\n".join([b"x,target,churn", *rows])}, name="t.csv")
    assert named["passed_over"] is None


def test_a_book_begins_with_the_first_sheet_that_can_be_used(readers):
    usable = [["x", "y"], *([n, n % 2] for n in range(10))]
    book = excel_book({"Notes": [["what"], ["of 2024"]], "Rows": usable})
    seen = read(readers, "look", {"path": book}, name="b.xlsx")
    assert (seen["sheet"], seen["sheets"]) == ("Rows", ["Notes", "Rows"])
    notes = read(readers, "look", {"path": book}, name="b.xlsx", sheet="Notes")
    assert notes["sheet"] == "Notes"
    assert notes["fault"]
