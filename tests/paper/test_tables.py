"""The published tables: complete, in our spellings, and consistent with each other."""

import pandas as pd
import pytest

from anyloss_core.losses.scores import get_score
from anyloss_core.losses.spelling import parse_loss
from anyloss_core.paper.names import EIGHT, LOSSES, METRICS, paper_loss, paper_metric
from anyloss_core.paper.tables import TABLES, load_table
from anyloss_core.statistics.analysis import imbalance_group


@pytest.mark.parametrize("name", TABLES)
def test_every_table_loads_without_gaps(name):
    table = load_table(name)
    assert len(table)
    assert not table.isna().to_numpy().any()


@pytest.mark.parametrize("name", TABLES)
def test_metrics_and_losses_are_ones_that_the_core_knows(name):
    table = load_table(name)
    for metric in table.get("metric", pd.Series(dtype=str)).unique():
        assert get_score(metric).name == metric
    if "metric" in table and "loss" in table:
        for loss in table["loss"].unique():
            assert parse_loss(loss).spelling == loss


def test_a_cell_of_the_paper_is_found_under_our_names():
    table = load_table("slp_4_datasets").set_index(["dataset", "loss", "metric"])
    assert table.loc[(1, "anyloss:f1", "f1"), ["lr", "score"]].tolist() == [1e-2, 0.632383]
    assert table.loc[(3, "sol:balanced_accuracy", "gmean"), "score"] == 0.9635
    titanic = load_table("huge_titanic").set_index(["model", "loss", "metric"])["score"]
    assert titanic["mlp", "anyloss:balanced_accuracy", "balanced_accuracy"] == 0.796


def test_each_of_the_four_data_sets_has_eight_losses_three_sols_and_four_metrics():
    for name in ("slp_4_datasets", "mlp_4_datasets"):
        sizes = load_table(name).groupby("dataset").size()
        assert sizes.to_dict() == dict.fromkeys((1, 2, 3, 4), (len(EIGHT) + 3) * 4)


def test_verdicts_add_up_and_winning_numbers_cover_all_data_sets():
    for name in ("slp_102_bayes", "mlp_102_bayes"):
        table = load_table(name)
        total = table[["candidate_wins", "draw", "baseline_wins"]].sum(axis=1)
        assert total.tolist() == pytest.approx([1.0] * len(table), abs=0.0011)
    wins = load_table("102_wins").groupby(["metric", "model"])["wins"].sum()
    assert set(wins) == {102}


def test_our_groups_have_the_published_sizes_up_to_a_rounded_share():
    ours = load_table("102_datasets_meta")["positive_share"].map(imbalance_group).value_counts()
    theirs = load_table("102_imbalance_groups").groupby("group")["datasets"].first()
    # The published shares carry two decimals: one data set of 0.30 lies just below.
    assert (ours - theirs).abs().max() <= 1


def test_names_translate_back():
    assert [paper_loss(ours) for ours in LOSSES.values()] == list(LOSSES)
    assert paper_loss("focal") == "focal"
    assert {paper_metric(ours) for ours in METRICS.values()} == {"Acc", "F-1", "G-Mean", "B-Acc"}


def test_a_wrong_name_lists_what_there_is():
    with pytest.raises(ValueError, match="no published table 'x', there are valid_L_range"):
        load_table("x")
