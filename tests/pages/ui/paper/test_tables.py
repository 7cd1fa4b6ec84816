"""Published figures beside ours: the sentence, the marks and what they mean."""

import time

import pytest

from anyloss_core.paper.cells import Result
from anyloss_core.paper.kept import Kept
from pages.ui.paper import tables
from tests.pages.conftest import all_text, drawn
from tests.pages.ui.paper.conftest import cell, keep


def test_different_figures_come_with_their_reason(open_page, nothing_shipped):
    open_page("paper")
    rows = [cell("slp_4_datasets_sol", 3, "sol:f1", "f1", 0.92, 0.90, "different", "other folds")]
    keep("sol 3", Result(rows, {}, {}, 1.0))
    page = open_page("paper", show="sol")
    table = page.dataframe[0].value
    assert table["Mark"].tolist() == ["≠ different"]
    assert table["Why"].tolist() == ["other folds"]
    assert table["Loss"].tolist() == ["S_F"]
    legend = [caption.value for caption in page.caption if "different, with" in caption.value]
    assert legend == ["≠ different, with the reason"]  # marks that do not occur are not explained


def judged(*verdicts, published=0.5):
    return [cell("t", 1, "bce", "f1", published, 0.5, verdict) for verdict in verdicts]


def test_the_sentence_counts_published_figures_alone():
    ours_only = judged("ours only", published=None)
    assert tables.tally([*judged("equal", "equal"), *ours_only]) == (
        "All 2 published figures are equal in every printed digit."
    )
    mixed = judged("equal", "within noise", "within noise", "different", "different", "different")
    assert tables.tally([*mixed, *ours_only]) == (
        "Of 6 published figures: 1 equal, 2 within noise, 3 different."
    )


def test_marks_are_explained_in_their_order_and_only_if_they_occur():
    legend = tables.legend(["different", "within noise", "different"], noise="at most 0.1")
    assert legend == "≈ within noise: at most 0.1 · ≠ different, with the reason"
    assert "and 0.05" in tables.legend(["within noise"])  # what is far off is no noise
    assert tables.marked("ours only") == "○ ours only"


@pytest.mark.parametrize(
    ("metric", "name"),
    [("f1", "F-1"), ("gmean wins", "G-Mean wins"), ("balanced_accuracy", "B-Acc"), ("L_min",) * 2],
)
def test_metrics_are_called_as_in_the_paper(metric, name):
    assert tables._metric(metric) == name


@pytest.mark.parametrize(("dataset", "name"), [(3, "Breast Cancer"), ("mlp", "MLP"), ("x", "x")])
def test_data_sets_are_called_as_in_the_paper(dataset, name):
    assert tables._dataset(dataset) == name


def test_results_are_found_by_their_part():
    found = {"mlp 3": 1, "slp 3": 2, "mlp 1": 3, "mlp_more 1": 4}
    assert list(tables.results_of(found, "mlp").items()) == [("mlp 1", 3), ("mlp 3", 1)]
    assert tables.number_of("mlp 3") == 3


def origin(items):
    from pages.ui.paper import tables

    tables.made("x", items)


def test_the_newest_date_and_all_seconds_are_told():
    first, second = (time.mktime((2026, 3, day, 12, 0, 0, 0, 0, -1)) for day in (4, 9))
    items = {
        "mlp 1": Kept(Result([], {"seeds": 3}, {}, 40.0), "a", second),
        "mlp 3": Kept(Result([], {"seeds": 5}, {}, 50.0), "b", first),
    }
    text = all_text(drawn(origin, items=items))
    assert "Computed on 09 March 2026, 12:00 in 1 min 30 s of computing." in text
    assert "seeds 3" in text
    assert "seeds 5" in text


def test_what_came_with_the_program_names_its_machine_once():
    items = {key: Kept(Result([]), "", 0.0, "a server") for key in ("mlp 1", "mlp 3")}
    text = all_text(drawn(origin, items=items))
    assert "by the Lab's authors (a server); Recompute makes it anew here" in text


def cells(rows, decimals):
    from pages.ui.paper import tables

    tables.show_cells(rows, "shown", decimals, heading="Network")


def test_a_table_leaves_out_what_no_cell_has():
    rows = [cell("102_wins", "mlp", "anyloss:f1", "f1 wins", 60, 71, "equal")]
    table = drawn(cells, rows=rows, decimals=0).dataframe[0].value
    assert list(table.columns) == [
        *("Network", "Loss", "Metric", "Published", "Ours", "Difference", "Mark"),
    ]
    assert table.iloc[0].tolist() == ["MLP", "L_F1", "F-1 wins", 60, 71, 11, "✓ equal"]


def test_the_way_of_training_stands_in_brackets_after_a_table():
    rows = [cell("mlp (as_released)", 3, "bce", "f1", 0.9, 0.8, "different", "why", 0.1)]
    row = drawn(cells, rows=rows, decimals=3).dataframe[0].value.iloc[0]
    assert row["Trained"] == "carried on, as released"
    assert (row["± sd"], row["Why"]) == (0.1, "why")
