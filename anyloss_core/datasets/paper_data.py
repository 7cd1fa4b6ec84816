"""The four data sets of the paper, exactly as its figures were made.

1 (Random) and 3 (Breast Cancer) are built here; 2 (Credit Card) and 4 (Diabetes) come from the
user's copy of the Kaggle file. The draws of pandas and scikit-learn decide every digit, so seeds,
order and ddof matter.
"""

import pandas as pd
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.decomposition import PCA

SAMPLE_SEED = 100  # of the draws that make data sets 2 and 3 more imbalanced


def random_frame() -> pd.DataFrame:
    """Data set 1: 10,000 rows on two principal components, not standardised."""
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
