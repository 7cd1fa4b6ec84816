"""The target: which column is proposed, how classes become labels, what is refused."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.errors import DataError
from anyloss_core.data.reading.table import load_csv
from anyloss_core.data.target import propose_target

R = np.arange(40)


def frame(**columns):
    return pd.DataFrame({"x": R * 1.5, **columns})


@pytest.mark.parametrize(
    ("columns", "target"),
    [
        ({"a": R % 2, "b": R % 3}, "a"),  # two values beat three
        ({"a": R % 2, "b": R % 5 == 0}, "b"),  # of two the last
        ({"Target": R % 3, "b": R % 2}, "Target"),  # a telling name beats all
        ({"class": R % 3, "a": R % 2}, "a"),  # 'class' is a feature's name too
        ({"a": R % 2, "class": R % 3}, "class"),
        ({"y": R % 3, "label": R % 2}, "label"),  # of two telling names the two-valued
        ({"y": R % 30, "inside": R % 2}, "inside"),  # 'y' may be a coordinate
        ({"a": R % 2, "y": R % 3}, "y"),
        ({"a": R % 3, "b": R % 7}, "b"),  # otherwise the last with few values
    ],
)
def test_the_likeliest_target_is_proposed(columns, target):
    proposal = propose_target(frame(**columns))
    assert proposal.target == target
    assert set(proposal.candidates) >= {target}


def test_the_minority_is_proposed_as_positive():
    proposal = propose_target(frame(y=np.where(R % 4, "good", "bad")))
    assert (proposal.positive, proposal.classes) == ("bad", {"bad": 10, "good": 30})


@pytest.mark.parametrize(
    ("classes", "positive"), [(("no", "yes"), "yes"), (("1", "0"), "1"), (("b", "a"), "b")]
)
def test_equal_classes_are_told_apart_by_name(classes, positive):
    assert propose_target(frame(y=[classes[row % 2] for row in R])).positive == positive


@pytest.mark.parametrize("positive", [1, 1.0, "1", "1.0", np.int64(1), True, np.True_])
def test_a_class_is_found_however_it_is_written(positive):
    dataset = dataset_from_frame(frame(y=(R % 4 == 0).astype(int)), "y", positive)
    np.testing.assert_array_equal(dataset.labels, R % 4 == 0)


@pytest.mark.parametrize("positive", [True, "true", 1, "1"])
def test_a_truth_value_may_be_given_as_a_number(positive):
    dataset = dataset_from_frame(frame(y=R % 4 == 0), "y", positive)
    assert (dataset.positives, dataset.positive) == (10, "True")


@pytest.mark.parametrize(("many", "few"), [("$5", "$10"), ("1,000", "2,000"), ("0%", "100%")])
def test_a_class_may_be_given_as_the_file_writes_it(many, few):
    dataset = dataset_from_frame(frame(y=np.where(R % 4 == 0, few, many)), "y", positive=few)
    assert dataset.positives == 10


def test_infinity_is_no_class():
    with pytest.raises(DataError, match=r"'y' holds infinite values.*leave the cells empty"):
        dataset_from_frame(frame(y=np.where(R % 4 == 0, np.inf, 0.0)), "y")


@pytest.mark.parametrize("positive", ["yes", "YES", " yes "])
def test_case_and_blanks_of_a_class_are_forgiven(positive):
    dataset = dataset_from_frame(frame(y=np.where(R % 4 == 0, "yes", "no")), "y", positive)
    assert (dataset.positives, dataset.positive, dataset.negative) == (10, "yes", "no")


def test_more_classes_become_one_against_the_rest():
    dataset = dataset_from_frame(frame(y=np.array(list("abc"))[R % 3]), "y", positive="b")
    assert (dataset.positive, dataset.negative) == ("b", "not b")
    np.testing.assert_array_equal(dataset.labels, R % 3 == 1)


def test_more_classes_without_a_choice_are_listed():
    with pytest.raises(DataError, match=r"3 classes: 'a', 'b', 'c'\. Pick the class"):
        dataset_from_frame(frame(y=np.array(list("abc"))[R % 3]), "y")


def test_the_majority_may_be_positive():
    dataset = dataset_from_frame(frame(y=R % 4 == 0), "y", positive="False")
    assert (dataset.positives, dataset.minority, dataset.ratio) == (30, 10, 3.0)


def test_rows_without_a_class_are_left_out_and_said():
    column = np.where(R % 2, "yes", "no").astype(object)
    column[[3, 8]] = None
    dataset = dataset_from_frame(frame(y=column), "y")
    assert dataset.rows == 38
    assert list(dataset.frame["x"][:4]) == [0, 1.5, 3.0, 6.0]
    assert "2 rows without a class were left out." in dataset.warnings


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([None] * 40, "is empty in every row"),
        (["same"] * 40, "one class only \\('same'\\)"),
        (R * 2.5, "There is no column 'z'"),
    ],
)
def test_a_useless_target_is_refused(column, message):
    target = "z" if "no column" in message else "y"
    with pytest.raises(DataError, match=message):
        dataset_from_frame(frame(y=column), target)


def test_hundreds_of_classes_are_refused_even_with_a_choice():
    table = pd.DataFrame({"x": np.arange(300) % 7, "y": [f"c{n}" for n in range(300)]})
    with pytest.raises(DataError, match="300 different values"):
        dataset_from_frame(table, "y", positive="c1")


def test_an_unknown_class_is_refused_with_the_known_ones():
    with pytest.raises(DataError, match=r"no class 'maybe'.*'no', 'yes'"):
        dataset_from_frame(frame(y=np.where(R % 2, "yes", "no")), "y", "maybe")


def test_the_name_of_the_target_is_forgiving():
    text = frame(Churn=R % 2).to_csv(index=False)
    assert load_csv(text.encode(), target=" churn ").target == "Churn"


def test_a_class_called_none_is_a_class():
    dataset = dataset_from_frame(frame(y=np.where(R % 4 == 0, "None", "some")), "y")
    assert (dataset.rows, dataset.positive) == (40, "None")
