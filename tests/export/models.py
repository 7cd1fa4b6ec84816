"""Trained models for tests of what is written without us: every kind of column, hostile names."""

import numpy as np
import pandas as pd

from anyloss_core.data.dataset import dataset_from_frame

COLUMN = "si\"ze'; DROP TABLE t; --"
CATEGORY = 'co"lour\n"""\\ {0}'
LEVELS = ["r'ed\"", "g\\reen{}", "blue); --", "=cmd|'/c'!A1"]
CLASSES = ("i'll\"\nis", "we\\ll'''")


def patients(rows: int = 300) -> pd.DataFrame:
    """A number with gaps, an extreme one, a category, a yes or no with gaps, and a date."""
    random = np.random.default_rng(0)
    size = random.normal(50, 20, rows)
    colour = random.choice(LEVELS, rows, p=[0.4, 0.3, 0.295, 0.005])
    day = pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 300, rows), "D")
    score = (size - 50) / 20 + (colour == LEVELS[0]) * 1.5 + random.normal(0, 0.5, rows)
    frame = pd.DataFrame(
        {
            COLUMN: size,
            "huge": size * 1e290 + random.normal(0, 1e290, rows),
            CATEGORY: colour,
            "smokes": np.where(score + random.normal(0, 1, rows) > 1, "yes", "no"),
            "day": day.strftime("%Y-%m-%d"),
            "answer": np.where(score > 1.2, *CLASSES),
        }
    )
    frame.loc[::17, COLUMN] = np.nan
    frame.loc[::23, "smokes"] = None
    frame.loc[::29, "day"] = None
    return frame


def dataset(rows: int = 300):
    """The patients as a data set."""
    return dataset_from_frame(patients(rows), "answer", CLASSES[0], name="patients")


def new_rows() -> pd.DataFrame:
    """Rows that the training did not show: other levels, gaps, wild numbers."""
    odd = patients(40).drop(columns="answer")
    odd.loc[:4, CATEGORY] = "viol'et"
    odd.loc[5:9, CATEGORY] = None
    odd.loc[10:12, COLUMN] = 1e30
    odd.loc[13:14, COLUMN] = -1e30
    odd.loc[15, "huge"] = None
    return odd
