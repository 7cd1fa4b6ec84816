"""Data sets 2 and 4 from their CSV, prepared as protocol.md says; 1 and 3 without a file."""

import io

import numpy as np
import pandas as pd
import pytest

from anyloss_core.data.preparation import paper_features
from anyloss_core.paper.datasets import paper_dataset


@pytest.fixture
def diabetes():
    rng = np.random.default_rng(0)
    size = 200
    return pd.DataFrame(
        {
            "gender": rng.choice(["Female", "Male", "Other"], size),
            "age": rng.integers(1, 80, size).astype(float),
            "hypertension": rng.integers(0, 2, size),
            "smoking_history": rng.choice(["never", "No Info", "current"], size),
            "bmi": rng.normal(27, 5, size).round(2),
            "blood_glucose_level": rng.integers(80, 300, size),
            "diabetes": (rng.random(size) < 0.2).astype(int),
        }
    )


def as_file(table):
    return io.StringIO(table.to_csv(index=False))


def test_diabetes_is_coded_by_first_appearance_and_standardised_with_ddof_1(diabetes):
    dataset = paper_dataset(4, as_file(diabetes))
    codes = {}
    expected = diabetes["smoking_history"].map(lambda word: codes.setdefault(word, len(codes)))
    column = (expected - expected.mean()) / expected.std(ddof=1)
    features = paper_features(dataset)
    assert features.shape == (200, 6)
    assert features[:, 3] == pytest.approx(column.to_numpy())
    assert dataset.labels.tolist() == diabetes["diabetes"].tolist()
    assert dataset.name == "diabetes"


def test_credit_card_keeps_all_negatives_and_a_twentieth_of_positives():
    rng = np.random.default_rng(1)
    table = pd.DataFrame(rng.normal(size=(800, 3)), columns=["V1", "V2", "Amount"])
    table.insert(0, "id", range(800))
    table["Class"] = [0, 1] * 400
    dataset = paper_dataset(2, as_file(table))
    assert (dataset.rows, dataset.positives) == (420, 20)
    features = paper_features(dataset)
    assert features.shape[1] == 3
    whole = table["V1"]
    negatives = ((whole - whole.mean()) / whole.std())[table["Class"] == 0]
    assert features[:400, 0] == pytest.approx(negatives.to_numpy())
    drawn = table[table["Class"] == 1].sample(n=20, random_state=100)["V1"]
    assert features[400:, 0] == pytest.approx(((drawn - whole.mean()) / whole.std()).to_numpy())


def test_built_in_data_sets_need_no_file():
    assert paper_dataset(1).rows == 10_000
    assert (paper_dataset(3).rows, paper_dataset(3).positives) == (393, 36)


@pytest.mark.parametrize(
    ("number", "csv", "message"),
    [
        (7, None, "1 to 4, got 7"),
        (4, None, "not available offline; download https"),
        (4, "a,b\n1,2\n", "needs the column 'diabetes'"),
        (4, "a,diabetes\n1,2\n", "must hold 0 and 1"),
        (4, "", "not a CSV"),
        (4, "a,b,diabetes\n1,5,0\n2,5,1\n3,5,0\n", "'b' is constant or has missing"),
        (2, "V1,Class\n,0\n" + 20 * "1,0\n" + "3,1\n", "'V1' is constant or has missing"),
    ],
)
def test_a_wrong_file_is_refused_with_the_repair(number, csv, message):
    with pytest.raises(ValueError, match=message):
        paper_dataset(number, None if csv is None else io.StringIO(csv))
