"""The four data sets of the paper, exactly as its figures were made.

1 (Random) and 3 (Breast Cancer) are built here; 2 (Credit Card) and 4 (Diabetes) come from the
user's copy of the Kaggle file. The draws of pandas and scikit-learn decide every digit, so seeds,
order and ddof matter.
"""

from dataclasses import replace

import pandas as pd

from anyloss_core.common.text import display_names
from anyloss_core.data.dataset import Dataset, dataset_from_frame
from anyloss_core.data.errors import DataError
from anyloss_core.data.reading.sources import Source
from anyloss_core.data.reading.table import read_table

SAMPLE_SEED = 100  # of the draws that make data sets 2 and 3 more imbalanced
CREDIT_COLUMNS = (*(f"V{number}" for number in range(1, 29)), "Amount")
DIABETES_COLUMNS = (
    "gender",
    "age",
    "hypertension",
    "heart_disease",
    "smoking_history",
    "bmi",
    "HbA1c_level",
    "blood_glucose_level",
)
ROWS = {2: 568_630, 4: 100_000}  # of the published files
SOURCES = {  # where a user gets the files
    2: "https://www.kaggle.com/datasets/nelgiriyewithana/"
    "credit-card-fraud-detection-dataset-2023 (creditcard_2023.csv)",
    4: "https://www.kaggle.com/datasets/iammustafatz/diabetes-prediction-dataset "
    "(diabetes_prediction_dataset.csv)",
}


def paper_dataset(number: int, source: Source) -> Dataset:
    """Data set 2 or 4 of the paper from the user's file; 1 and 3 are built in."""
    if number not in _FROM_FILE:
        raise DataError(
            f"Data set {number} of the paper needs no file.", "Only 2 and 4 come from a file."
        )
    frame = read_table(source)
    dataset = _FROM_FILE[number](frame)
    if len(frame) == ROWS[number]:
        return dataset
    remark = f"The published file has {ROWS[number]:,} rows, this one {len(frame):,}."
    return replace(dataset, warnings=(*dataset.warnings, remark))


def random_frame() -> pd.DataFrame:
    """Data set 1: 10,000 rows on two principal components, not standardised."""
    from sklearn.datasets import make_classification
    from sklearn.decomposition import PCA

    points, labels = make_classification(
        n_samples=10000,
        n_classes=2,
        weights=[0.9, 0.1],
        class_sep=1.2,
        n_features=5,
        n_informative=3,
        n_redundant=1,
        n_clusters_per_class=1,
        random_state=0,
    )
    plane = PCA(n_components=2).fit_transform(points)
    return pd.DataFrame(plane, columns=["component 1", "component 2"]).assign(target=labels)


def sampled_breast_cancer() -> pd.DataFrame:
    """Data set 3: standardised over all 569 rows, then 357 benign and 36 malignant rows."""
    from sklearn.datasets import load_breast_cancer

    loaded = load_breast_cancer(as_frame=True)
    table = standardised(loaded.data).assign(
        diagnosis=loaded.target.map({0: "malignant", 1: "benign"})
    )
    return thinned(table, table["diagnosis"] == "malignant", share=0.1)


def standardised(table: pd.DataFrame) -> pd.DataFrame:
    """(x - mean) / std over all rows; pandas' std has ddof = 1, as the paper's."""
    return (table - table.mean()) / table.std()


def thinned(table: pd.DataFrame, positive: pd.Series, share: float) -> pd.DataFrame:
    """All negatives in order, then a drawn number of positives: `share` of the negatives."""
    drawn = table[positive].sample(n=round(share * (~positive).sum()), random_state=SAMPLE_SEED)
    return pd.concat([table[~positive], drawn], ignore_index=True)


def credit_card_frame(features: pd.DataFrame, labels: pd.Series) -> pd.DataFrame:
    """Data set 2: standardised over all rows, then the negatives and a 20:1 draw of positives."""
    table = standardised(features.astype("float64")).assign(Class=labels)
    return thinned(table, labels == 1, share=0.05)


def _credit_card(frame: pd.DataFrame) -> Dataset:
    _check_columns(frame, (*CREDIT_COLUMNS, "Class"))
    table = credit_card_frame(frame[list(CREDIT_COLUMNS)], frame["Class"])
    dataset = dataset_from_frame(table, "Class", positive=1, name="credit_card", source=SOURCES[2])
    return replace(dataset, ready=True)


def _diabetes(frame: pd.DataFrame) -> Dataset:
    """Data set 4: `paper_features` makes the codes and the standardisation."""
    _check_columns(frame, (*DIABETES_COLUMNS, "diabetes"))
    table = frame[[*DIABETES_COLUMNS, "diabetes"]]
    return dataset_from_frame(table, "diabetes", positive=1, name="diabetes", source=SOURCES[4])


def _check_columns(frame: pd.DataFrame, expected: tuple[str, ...]) -> None:
    if absent := [name for name in expected if name not in frame.columns]:
        raise DataError(
            f"This is not the file of the paper: it lacks {display_names(absent)}.",
            "Get the file named on this page and do not change its header.",
        )


_FROM_FILE = {2: _credit_card, 4: _diabetes}
