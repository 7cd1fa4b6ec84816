"""References: one line of text opens the same data set elsewhere, and nothing else."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anyloss_core.data.errors import DataError
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.data.suites.references import Reference, open_reference, parse_reference
from tests.data.suites.test_paper_data import diabetes_file
from tests.nasty_files import csv_bytes, good_frame, zipped

ID = "0123456789abcdef" * 2


@pytest.fixture
def uploads(tmp_path):
    def add(content, name="my file.csv"):
        (tmp_path / ID).mkdir()
        (tmp_path / ID / "data").write_bytes(content)
        (tmp_path / ID / "meta.json").write_text(json.dumps({"name": name}))
        return tmp_path

    return add


def test_a_built_in_data_set_opens_by_its_reference():
    assert open_reference("builtin:moons").fingerprint == builtin("moons").fingerprint


def test_an_upload_opens_with_the_users_choices(uploads):
    folder = uploads(csv_bytes())
    reference = Reference("upload", ID, target="city", positive="Zürich", drop=("age",))
    dataset = open_reference(str(reference), folder)
    assert (dataset.name, dataset.target, dataset.positive) == ("my file.csv", "city", "Zürich")
    assert list(dataset.frame) == ["income", "churn"]
    assert dataset.positives == (good_frame()["city"] == "Zürich").sum()


def test_a_dict_means_the_same_as_the_line(uploads):
    folder = uploads(csv_bytes())
    stored = {"ref": f"upload:{ID}", "target": "churn", "positive": "no", "drop": ["city"]}
    line = str(parse_reference(stored))
    assert open_reference(stored, folder).fingerprint == open_reference(line, folder).fingerprint


def test_a_table_of_an_uploaded_zip_is_picked_by_name(uploads):
    folder = uploads(zipped({"a b.csv": csv_bytes(), "c.csv": csv_bytes()}))
    assert open_reference(str(Reference("upload", ID, member="a b.csv")), folder).rows == 40
    with pytest.raises(DataError, match="holds no table"):
        open_reference(f"upload:{ID}#d.csv", folder)


def test_an_upload_can_be_a_data_set_of_the_paper(uploads):
    folder = uploads(diabetes_file().to_csv(index=False).encode())
    dataset = open_reference(f"upload:{ID}?paper=4", folder)
    assert (dataset.target, dataset.frame.shape[1]) == ("diabetes", 8)


@pytest.mark.parametrize(
    "reference",
    [
        f"upload:{'f' * 32}",
        "upload:../../etc/passwd",
        "upload:" + ID[:-1],
        "upload:" + ID.upper(),
        "file:/etc/passwd",
        "builtin:../x",
        "builtin:moons?target=x",
        "real:nothing/here",
        "twin:103",
        "twin:-1",
        "synthetic:rows=abc",
        "synthetic:rows=1000000000",
        "synthetic:separation=inf",
        "openml:<script>",
        "pickle:x",
        "",
        "moons",
        {},
    ],
    ids=str,
)
def test_a_bad_reference_is_refused(reference, uploads):
    with pytest.raises(DataError):
        open_reference(reference, uploads(csv_bytes()))


def test_without_a_folder_no_upload_is_found():
    with pytest.raises(DataError, match="no longer there"):
        open_reference(f"upload:{ID}")


TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)


@settings(max_examples=300, deadline=None, database=None, derandomize=True)
@given(TEXT, TEXT, st.lists(TEXT, max_size=3), TEXT)
def test_any_column_and_class_names_survive_the_line(target, positive, drop, member):
    reference = Reference("upload", ID, member, target, positive, tuple(drop))
    assert parse_reference(str(reference)) == reference


@settings(max_examples=300, deadline=None, database=None, derandomize=True)
@given(st.text(max_size=60), st.sampled_from(["", "builtin:", "twin:", "upload:", "file:", "x:"]))
def test_any_text_opens_a_data_set_or_is_refused(text, kind):
    try:
        dataset = open_reference(kind + text)
    except DataError:
        return
    assert set(np.unique(dataset.labels)) == {0, 1}


def test_columns_are_left_out_where_they_can_be():
    assert str(Reference("upload", ID, target="y", drop=("a",)).without(["b", "a"])) == (
        f"upload:{ID}?target=y&drop=a&drop=b"
    )
    assert Reference("openml", "31").without(["b"]).drop == ("b",)
    assert Reference("builtin", "moons").without(["x"]) is None
    assert Reference("upload", ID, paper=2).without(["x"]) is None  # its columns are the paper's
