"""Counting wins and grouping by imbalance, held against hand counts and the paper's group sizes."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core.statistics.analysis import (
    count_wins,
    dataset_differences,
    group_differences,
    imbalance_group,
    winning_numbers,
)


def table(columns, metric="f1"):
    """Wide scores (a column a loss) -> tidy."""
    wide = pd.DataFrame(columns).rename_axis("dataset").reset_index()
    wide["dataset"] = "d" + wide["dataset"].astype(str)
    return wide.melt("dataset", var_name="loss", value_name="score").dropna().assign(metric=metric)


def test_ties_are_counted_apart_and_the_published_way_adds_them():
    scores = table({"bce": [0.5, 0.5, 0.5, 0.5], "mse": [0.6, 0.5, 0.5 + 1e-12, 0.4]})
    row = count_wins(scores).iloc[0]
    assert (row["wins"], row["ties"], row["losses"]) == (1, 2, 1)
    assert row["wins_as_published"] == 3


def test_a_tolerance_widens_the_ties():
    scores = table({"bce": [0.5, 0.5], "mse": [0.52, 0.48]})
    assert count_wins(scores, rope=0.05).iloc[0]["ties"] == 2


def test_every_metric_and_loss_is_counted_against_the_baseline():
    scores = pd.concat(
        [
            table({"bce": [0.1, 0.2, 0.3], "mse": [0.2, 0.1, np.nan], "sol:f1": [0.0, 0.0, 0.9]}),
            table({"bce": [0.1], "mse": [0.2]}, metric="mcc"),
        ]
    )
    counts = count_wins(scores).set_index(["metric", "candidate"])
    assert counts.loc[("f1", "mse"), ["wins", "losses", "dropped"]].tolist() == [1, 1, 1]
    assert counts.loc[("f1", "sol:f1"), ["wins", "losses", "dropped"]].tolist() == [1, 2, 0]
    assert counts.loc[("mcc", "mse"), "wins"] == 1


def test_winning_numbers_give_shared_wins_to_the_candidate_as_the_paper_did():
    scores = table(
        {
            "mse": [0.9, 0.5, 0.7, 0.6, 0.1],
            "bce": [0.8, 0.5, 0.7, 0.6, 0.2],
            "anyloss:f1": [0.7, 0.9, 0.7, 0.5, 0.2],
        }
    )
    numbers = winning_numbers(scores, {"f1": "anyloss:f1"}).set_index("loss")
    assert numbers["wins"].to_dict() == {"mse": 1, "bce": 0, "anyloss:f1": 1}
    assert numbers["ties"].to_dict() == {"mse": 2, "bce": 3, "anyloss:f1": 2}
    assert numbers["as_published"].to_dict() == {"mse": 2, "bce": 0, "anyloss:f1": 3}
    assert numbers["as_published"].sum() == 5


def test_winning_numbers_name_a_loss_that_is_missing():
    with pytest.raises(ValueError, match="no loss 'anyloss:mcc'"):
        winning_numbers(table({"mse": [1.0], "bce": [0.5]}), {"f1": "anyloss:mcc"})


@pytest.mark.parametrize(
    ("share", "group"),
    [
        (0.05, "above 90:10"),
        (0.1, "80:20-90:10"),
        (0.19, "80:20-90:10"),
        (0.2, "70:30-80:20"),
        (0.3, "60:40-70:30"),
        (0.4, "60:40-70:30"),
        (0.41, "below 60:40"),
        (0.5, "below 60:40"),
        (0.95, "above 90:10"),
    ],
)
def test_a_share_falls_into_its_group_and_the_smaller_class_decides(share, group):
    assert imbalance_group(share) == group


def test_group_differences_are_means_and_deviations_within_a_group():
    gains = [0.1, 0.3, 0.0, 0.2, -0.4]
    scores = table({"bce": [0.5] * 5, "mse": [0.5 + gain for gain in gains]})
    shares = {"d0": 0.35, "d1": 0.31, "d2": 0.05, "d3": 0.05, "d4": 0.25}
    groups = group_differences(scores, shares, [("mse", "bce", "f1")]).set_index("group")
    assert groups.index.tolist() == ["60:40-70:30", "70:30-80:20", "above 90:10"]
    assert groups["datasets"].tolist() == [2, 1, 2]
    assert groups["mean"].tolist() == pytest.approx([0.2, -0.4, 0.1])
    assert groups.loc["60:40-70:30", "sd"] == pytest.approx(np.std([0.1, 0.3], ddof=1))
    assert np.isnan(groups.loc["70:30-80:20", "sd"])


def test_group_differences_ask_for_every_share():
    with pytest.raises(ValueError, match="positive_shares lacks 1 of the data"):
        group_differences(table({"bce": [0.5, 0.5], "mse": [0.6, 0.6]}), {"d0": 0.1}, [])


def test_differences_come_one_row_a_data_set():
    rows = dataset_differences(table({"bce": [0.5, 0.2], "mse": [0.6, 0.1]}), "mse", "bce", "f1")
    assert rows["dataset"].tolist() == ["d0", "d1"]
    assert rows["difference"].tolist() == pytest.approx([0.1, -0.1])
