"""What a data set is like before any training: figures, warnings, one line per column."""

import numpy as np
import pandas as pd

from anyloss_core.data.dataset import dataset_from_frame
from tests.pages.conftest import drawn


def shown(dataset):
    from pages.ui.data import profile

    profile.show(dataset)


def table(**more):
    """40 rows, 8 of them ill; every fifth age is missing, and one row stands there twice."""
    ill = np.arange(40) % 5 == 0
    age = np.where(np.arange(40) % 5 == 1, np.nan, np.arange(40.0) * 7 % 23)
    height = np.arange(40.0) * 11 % 17
    frame = pd.DataFrame({"age": age, "**height**": height} | more)
    frame["ill"] = np.where(ill, "yes", "no")
    frame.iloc[39] = frame.iloc[38]
    return dataset_from_frame(frame, "ill", "yes", name="clinic")


def test_figures_say_how_large_and_how_balanced_it_is():
    page = drawn(shown, dataset=table())
    assert {metric.label: metric.value for metric in page.metric} == {
        "Rows": "40",
        "Features": "2",
        "Positive": "20.0 %",
        "Imbalance": "4.0 : 1",
        "Missing cells": "10.0 %",  # 8 of 40 ages, and all heights are there
        "Repeated rows": "1",
    }
    assert "`clinic`: predict whether `ill` is `yes` (1) or `no` (0)." in page.markdown[0].value


def test_every_column_has_a_line():
    lines = drawn(shown, dataset=table()).dataframe[0].value.set_index("column")
    assert lines.loc["age", "missing"] == 0.2
    assert lines.loc["**height**", ["missing", "different values"]].tolist() == [0.0, 17]


def test_a_column_that_gives_the_answer_away_is_named():
    leak = (np.arange(40) % 5 == 0) * 100 + np.arange(40)  # beyond 99 for the ill, and only them
    page = drawn(shown, dataset=table(**{"**answer**": leak}))
    (warning,) = [box.value for box in page.warning]
    assert warning.startswith("`**answer**` alone reaches AUC 1.0000")
