"""The Dataset itself: figures, fingerprint, the way back to CSV, refusals, folds."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anyloss_core.data import limits
from anyloss_core.data.dataset import check_folds, dataset_from_frame
from anyloss_core.data.errors import DataError
from anyloss_core.data.reading.table import load_csv
from anyloss_core.data.suites.builtin import BUILTIN, builtin
from tests.nasty_files import NASTY, good_frame

R = np.arange(30)


def small(**columns):
    return dataset_from_frame(pd.DataFrame({"x": R * 1.5, **columns, "y": R % 3 == 0}), "y")


def again(dataset):
    return load_csv(dataset.to_csv(), target=dataset.target, positive=dataset.positive)


def assert_same(one, other):
    pd.testing.assert_frame_equal(one.frame, other.frame)
    np.testing.assert_array_equal(one.labels, other.labels)
    assert one.fingerprint == other.fingerprint
    assert one.used_columns == other.used_columns
    assert (one.positive, one.negative) == (other.positive, other.negative)


@pytest.mark.parametrize("name", BUILTIN)
def test_a_built_in_data_set_survives_the_way_through_csv(name):
    assert_same(builtin(name), again(builtin(name)))


@pytest.mark.parametrize("name", [n for n, nasty in NASTY.items() if nasty.expected == "dataset"])
def test_whatever_was_read_survives_the_way_through_csv(name):
    dataset = load_csv(NASTY[name].content)
    assert_same(dataset, again(dataset))


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]) | st.just("\r"), max_size=5)


@settings(max_examples=80, deadline=None, database=None, derandomize=True)
@given(
    st.lists(st.floats(allow_nan=True, allow_infinity=False), min_size=12, max_size=12),
    st.lists(TEXTS, min_size=12, max_size=12),
)
def test_any_table_survives_the_way_through_csv(numbers, texts):
    table = pd.DataFrame({"n": numbers, "t": texts, "k": np.arange(12) % 5, "y": [0, 0, 1] * 4})
    dataset = dataset_from_frame(table, "y")
    assert_same(dataset, again(dataset))


def test_the_fingerprint_knows_content_and_nothing_else():
    base = small()
    other_name = dataset_from_frame(base.frame.assign(y=R % 3 == 0), "y", name="other")
    changed = dataset_from_frame(base.frame.assign(x=R * 1.5 + (R == 7), y=R % 3 == 0), "y")
    relabelled = dataset_from_frame(base.frame.assign(y=R % 4 == 0), "y")
    assert base.fingerprint == other_name.fingerprint
    assert len({base.fingerprint, changed.fingerprint, relabelled.fingerprint}) == 3
    assert len(base.fingerprint) == 16


def test_the_figures_are_those_of_the_labels():
    dataset = small()
    assert (dataset.rows, dataset.positives, dataset.minority, dataset.ratio) == (30, 10, 10, 2.0)
    assert dataset.labels.dtype == np.int8


def test_dropped_on_request_is_dropped_and_said():
    table = good_frame()
    dataset = dataset_from_frame(table, "churn", drop="income")
    assert list(dataset.frame) == ["age", "city"]
    assert "'income' was dropped: as you asked." in dataset.warnings
    with pytest.raises(DataError, match="'salary'"):
        dataset_from_frame(table, "churn", drop=["salary"])


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pd.DataFrame(), "no columns"),
        (pd.DataFrame({"y": [0, 1]}), "one column only"),
        (pd.DataFrame({"x": [], "y": []}), "no rows"),
        (pd.DataFrame([[1, 2, 0], [3, 4, 1]], columns=["a", "a", "y"]), "more than once: 'a'"),
        (pd.DataFrame({"x": [1.0, np.inf, 2.0], "y": [0, 1, 0]}), "1 infinite values"),
        (pd.DataFrame({"x": [1, 1, 1], "y": [0, 1, 0]}), "No feature column is left"),
    ],
)
def test_a_frame_that_cannot_be_used_is_refused(table, message):
    with pytest.raises(DataError, match=message) as caught:
        dataset_from_frame(table, "y")
    assert caught.value.repair


def test_fewer_minority_rows_than_folds_offers_fewer_folds():
    dataset = dataset_from_frame(pd.DataFrame({"x": R, "z": R * R % 7, "y": R < 4}), "y")
    check_folds(dataset, 4)
    with pytest.raises(DataError, match="'True' has 4 rows, too few for 10 folds") as caught:
        check_folds(dataset, 10)
    assert caught.value.repair.startswith("Use 4 folds or fewer")
    with pytest.raises(DataError, match="at least 2, got 1"):
        check_folds(dataset, 1)


def test_one_minority_row_cannot_be_cross_validated():
    with pytest.raises(DataError, match="needs at least 2"):
        check_folds(load_csv(NASTY["one minority row"].content), 2)


def test_limits_are_named_with_the_figure(monkeypatch):
    monkeypatch.setattr(limits, "ROWS", 20)
    with pytest.raises(DataError, match="30 rows; at most 20 fit"):
        small()


def test_an_error_keeps_both_sentences_between_processes():
    error = pickle.loads(pickle.dumps(DataError("What is wrong.", "What to do.")))
    assert (error.message, error.repair, str(error)) == (
        "What is wrong.",
        "What to do.",
        "What is wrong. What to do.",
    )
