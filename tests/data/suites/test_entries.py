"""Suites: the 102 twins, folders and zips of tables."""

import pytest

from anyloss_core.data.errors import DataError
from anyloss_core.data.reading.table import load_csv
from anyloss_core.data.suites.entries import load_twin, open_suite, synthetic_suite, twin_settings
from anyloss_core.data.suites.references import open_reference
from anyloss_core.paper.tables import load_table
from tests.nasty_files import csv_bytes, zipped


def test_the_twins_have_the_published_sizes():
    published = load_table("102_datasets_meta")
    twins = synthetic_suite()
    assert [twin.name for twin in twins] == [f"twin {number}" for number in range(1, 103)]
    assert [twin.rows for twin in twins] == list(published["samples"])
    for twin, share in zip(twins, published["positive_share"], strict=True):
        assert 1 / (1 + twin.ratio) == pytest.approx(share, abs=0.5 / twin.rows + 1e-12)


def test_a_twin_is_what_its_entry_says():
    meta = load_table("102_datasets_meta").set_index("dataset")
    for number in (1, 39, 60, 82):
        twin = synthetic_suite()[number - 1]
        dataset = load_twin(number)
        assert (dataset.rows, dataset.ratio) == (twin.rows, twin.ratio)
        assert dataset.frame.shape[1] == meta.loc[number, "features"]
        assert open_reference(twin.reference).fingerprint == dataset.fingerprint


def test_the_twins_differ_in_difficulty():
    made = twin_settings().values()
    assert len({settings.separation for settings in made}) > 50
    assert {settings.clusters for settings in made} == {1, 2, 3}


def test_a_folder_is_a_suite(tmp_path):
    (tmp_path / "b #1.csv").write_bytes(csv_bytes())
    (tmp_path / "a.tsv").write_bytes(csv_bytes(sep="\t"))
    (tmp_path / "notes.md").write_text("not a table")
    suite = open_suite(tmp_path)
    assert [entry.name for entry in suite] == ["a.tsv", "b #1.csv"]
    prints = {open_reference(entry.reference, files=True).fingerprint for entry in suite}
    assert prints == {load_csv(csv_bytes()).fingerprint}


def test_a_zip_of_tables_is_a_suite(tmp_path):
    path = tmp_path / "tables.zip"
    path.write_bytes(zipped({"x/one.csv": csv_bytes(), "two.csv": csv_bytes(sep=";")}))
    suite = open_suite(path)
    assert [entry.name for entry in suite] == ["two.csv", "x/one.csv"]
    opened = open_reference(suite[1].reference, files=True)
    assert opened.name == "x/one.csv"
    assert opened.fingerprint == open_reference(suite[0].reference, files=True).fingerprint


def test_an_empty_folder_and_a_missing_one_are_refused(tmp_path):
    with pytest.raises(DataError, match="holds no tables"):
        open_suite(tmp_path)
    with pytest.raises(DataError, match="cannot be opened"):
        open_suite(tmp_path / "nowhere")


def test_the_suites_are_known_by_name():
    assert open_suite("synthetic") == synthetic_suite()
    assert open_suite("real")[0].reference.startswith("real:")
