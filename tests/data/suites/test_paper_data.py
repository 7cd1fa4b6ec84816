"""The four data sets of the paper, digit by digit."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.decomposition import PCA

from anyloss_core.data.errors import DataError
from anyloss_core.data.preparation import paper_features
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.data.suites.paper_data import paper_dataset, thinned


def test_data_set_1_is_the_published_one():
    points, labels = make_classification(
        n_samples=10000, n_classes=2, weights=[0.9, 0.1], class_sep=1.2, n_features=5,
        n_informative=3, n_redundant=1, n_clusters_per_class=1, random_state=0,
    )  # fmt: skip
    dataset = builtin("random")
    np.testing.assert_array_equal(paper_features(dataset), PCA(2).fit_transform(points))
    np.testing.assert_array_equal(dataset.labels, labels)
    assert dataset.ready


def test_data_set_3_is_the_published_one():
    loaded = load_breast_cancer(as_frame=True)
    scaled = (loaded.data - loaded.data.mean()) / loaded.data.std(ddof=1)
    drawn = scaled[loaded.target == 0].sample(n=36, random_state=100)
    expected = pd.concat([scaled[loaded.target == 1], drawn]).to_numpy()
    dataset = builtin("breast_cancer_imbalanced")
    np.testing.assert_array_equal(paper_features(dataset), expected)
    np.testing.assert_array_equal(dataset.labels, [0] * 357 + [1] * 36)
    assert (dataset.positive, dataset.negative) == ("malignant", "benign")


def credit_file(rows=400):
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(3, 5, (rows, 28)), columns=[f"V{n}" for n in range(1, 29)])
    frame.insert(0, "id", np.arange(rows))
    return frame.assign(Amount=random.gamma(2, 50, rows).round(2), Class=np.arange(rows) % 2)


def test_data_set_2_is_standardised_and_thinned_like_the_published_one():
    frame = credit_file()
    features = frame.drop(columns=["id", "Class"])
    scaled = (features - features.mean()) / features.std(ddof=1)
    drawn = scaled[frame["Class"] == 1].sample(n=10, random_state=100)
    dataset = paper_dataset(2, frame.to_csv(index=False).encode())
    expected = pd.concat([scaled[frame["Class"] == 0], drawn])
    np.testing.assert_allclose(paper_features(dataset), expected.to_numpy(), atol=1e-14)
    assert (dataset.rows, dataset.positives, dataset.frame.shape[1]) == (210, 10, 29)
    assert any("568,630 rows, this one 400" in warning for warning in dataset.warnings)


def diabetes_file(rows=300):
    random = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "gender": random.choice(["Female", "Male", "Other"], rows, p=[0.58, 0.41, 0.01]),
            "age": random.choice([80.0, 54.0, 0.08, 36.0], rows),
            "hypertension": random.integers(0, 2, rows),
            "heart_disease": random.integers(0, 2, rows),
            "smoking_history": random.choice(["never", "No Info", "current", "not current"], rows),
            "bmi": random.normal(27, 6, rows).round(2),
            "HbA1c_level": random.choice([6.6, 5.7, 4.8], rows),
            "blood_glucose_level": random.choice([140, 80, 158], rows),
            "diabetes": (np.arange(rows) % 9 == 0).astype(int),
        }
    )


def test_data_set_4_is_coded_and_standardised_like_the_published_one():
    frame = diabetes_file()
    coded = frame.drop(columns="diabetes")
    for name in ("gender", "smoking_history"):
        coded[name] = pd.factorize(coded[name])[0]
    expected = (coded - coded.mean()) / coded.std(ddof=1)
    dataset = paper_dataset(4, frame.to_csv(index=False).encode())
    np.testing.assert_allclose(paper_features(dataset), expected.to_numpy(), atol=1e-13)
    np.testing.assert_array_equal(dataset.labels, frame["diabetes"])


def test_another_file_is_refused():
    with pytest.raises(DataError, match="not the file of the paper: it lacks 'gender'"):
        paper_dataset(4, credit_file().to_csv(index=False).encode())
    with pytest.raises(DataError, match="needs no file"):
        paper_dataset(1, b"x,y\n1,0\n")


def test_thinning_keeps_all_negatives_in_order_and_draws_a_share_of_them():
    table = pd.DataFrame({"x": np.arange(120.0)})
    positive = pd.Series(np.arange(120) % 3 == 0)
    thin = thinned(table, positive, share=0.25)
    np.testing.assert_array_equal(thin["x"][:80], table["x"][~positive])
    drawn = table[positive].sample(n=20, random_state=100)
    np.testing.assert_array_equal(thin["x"][80:], drawn["x"])
