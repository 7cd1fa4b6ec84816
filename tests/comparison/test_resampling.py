"""SMOTE and under-sampling, as in the paper and as in imbalanced-learn."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core.comparison.assembly import assemble
from anyloss_core.comparison.comparison import compare
from anyloss_core.comparison.resampling import smote, undersample
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.suites.builtin import builtin


def test_resampling_equals_the_published_figures():
    losses = ("bce+smote@ratio=0.7", "bce+undersample@ratio=0.3")
    data = builtin("breast_cancer_imbalanced")
    found = compare(data, losses=losses, protocol="paper").summary()
    figures = found[["accuracy", "f1", "balanced_accuracy"]].round(4).to_numpy()
    assert figures.tolist() == [[0.9872, 0.9302, 0.9708], [0.9847, 0.9149, 0.9652]]


@pytest.fixture
def rows():
    random = np.random.default_rng(3)
    return random.normal(size=(60, 3)), (np.arange(60) % 5 == 0).astype(int)  # 48 and 12


def test_smote_gives_only_the_rows_to_add_and_they_lie_between_neighbours(rows):
    features, labels = rows
    added, answers = smote(features, labels, 0.5, seed=0)
    assert answers.tolist() == [1] * (24 - 12)
    rare = features[labels == 1]
    assert (added >= rare.min(0)).all()
    assert (added <= rare.max(0)).all()


def test_smote_of_few_rows_uses_as_many_neighbours_as_there_are(rows):
    features, _ = rows
    labels = np.zeros(60, dtype=int)
    labels[:2] = 1
    assert len(smote(features, labels, 1.0, seed=0)[0]) == 56


def mixed_table(rows=200, numbers=True):
    random = np.random.default_rng(1)
    frame = pd.DataFrame({"colour": random.choice(["red", "green", "blue"], rows)})
    frame["member"] = random.choice(["yes", "no"], rows)
    frame["flag"] = random.integers(0, 2, rows)  # a boolean stored as numbers
    if numbers:
        frame["size"] = random.normal(size=rows)
    frame["answer"] = np.where(np.arange(rows) % 6 == 0, "rare", "usual")
    return dataset_from_frame(frame, "answer", positive="rare", name="mixed")


@pytest.mark.parametrize("numbers", [True, False], ids=["SMOTENC", "SMOTEN"])
def test_categories_are_taken_over_and_not_interpolated(numbers):
    data = mixed_table(numbers=numbers)
    settings = ComparisonSettings(losses=("bce+smote",), folds=3)
    (built,) = assemble(data, settings)
    for rows in built.study.rows[1::2]:  # the folds with added rows
        train = built.study.features[rows.train]
        assert np.bincount(built.study.labels[rows.train])[0] * 2 == len(train)
        colours = train[:, :3]
        assert np.isin(colours, (0, 1)).all()
        assert (colours.sum(axis=1) == 1).all()
        assert all(len(np.unique(train[:, column])) == 2 for column in (3, 4))
        if numbers:
            assert len(np.unique(train[:, 5])) > 150  # between neighbours


@pytest.mark.parametrize(
    ("data", "protocol", "name"),
    [
        (mixed_table(), "fresh", "SMOTENC"),
        (mixed_table(numbers=False), "fresh", "SMOTEN"),
        (mixed_table(), "paper", "SMOTE"),
        (builtin("breast_cancer_imbalanced"), "fresh", "SMOTE"),
    ],
)
def test_the_result_says_which_form_was_used(data, protocol, name):
    found = compare(data, ["bce+smote", "bce"], protocol=protocol, folds=2, epochs=2)
    assert found.settings["trained"]["bce+smote"]["resampled"] == name
    assert found.settings["trained"]["bce"]["resampled"] is None


def test_undersampling_keeps_every_rare_row(rows):
    _, labels = rows
    kept = undersample(labels, 0.5, seed=0)
    assert np.bincount(labels[kept]).tolist() == [24, 12]
    assert len(np.unique(kept)) == 36


@pytest.mark.parametrize("ratio", [0.25, 0.1])
def test_a_fold_that_is_even_enough_keeps_its_rows(rows, ratio):
    features, labels = rows
    assert len(smote(features, labels, ratio, seed=0)[0]) == 0
    assert undersample(labels, ratio, seed=0).tolist() == list(range(60))


def test_a_class_too_small_to_resample_is_left_alone(rows):
    features, _ = rows
    for positives in (0, 1):
        labels = np.zeros(60, dtype=int)
        labels[:positives] = 1
        assert len(smote(features, labels, 1.0, seed=0)[0]) == 0
    assert len(undersample(np.zeros(60, dtype=int), 1.0, seed=0)) == 60
