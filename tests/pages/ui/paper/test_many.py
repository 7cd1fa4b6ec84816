"""The paper's 102 data sets: scores of ours or of the visitor beside the published figures."""

import pytest

from anyloss_core.paper.our_suites import LOSSES
from pages.ui.paper import many
from pages.ui.runs import runs
from tests.pages.conftest import all_text, behind, drawn
from tests.pages.ui.paper.conftest import cell


def test_scores_from_elsewhere_stand_beside_the_published_ones(open_page):
    page = open_page("paper", show="many")
    lines = ["dataset,loss,metric,score,positive_share"]
    for place in range(12):
        scores = {"mse": 0.5, "bce": 0.6, "anyloss:f1": 0.7 if place < 10 else 0.55}
        lines += [f"d{place},{loss},f1,{score},0.2" for loss, score in scores.items()]
    page.file_uploader[0].set_value(("scores.csv", "\n".join(lines).encode(), "text/csv")).run()
    assert not page.exception
    assert "12 data sets here, 102 in the paper" in all_text(page)
    wins = page.dataframe[0].value
    ours = wins[wins["Loss"] == "L_F1"]["Ours"].tolist()
    assert ours == [10]
    assert set(wins["Network"]) == {"MLP"}
    assert set(wins["Metric"]) == {"F-1 wins"}
    assert "AnyLoss − baseline by imbalance" in all_text(page)


def test_without_scores_of_the_visitor_our_suite_stands_beside_the_published_figures(open_page):
    page = open_page("paper", show="many", model="slp")
    assert not page.exception
    text = all_text(page)
    assert "108 data sets here, 102 in the paper" in text
    for title in ("Winning numbers", "Bayesian sign test", "AnyLoss − baseline by imbalance"):
        assert title in text


def test_the_comparison_of_the_paper_starts_on_a_suite_of_ours(open_page):
    page = open_page("paper", show="many", suite="synthetic", model="mlp")
    page.button(key="paper.many").click().run()
    assert not page.exception
    (run,) = runs.store().runs("benchmark")
    assert len(run.settings["data"]) == 102
    assert run.settings["comparison"]["losses"][:2] == ["mse", "bce"]
    assert run.settings["comparison"]["model"] == "mlp"
    runs.store().set_control(run.id, "stop")


def test_a_file_without_scores_is_refused_in_words(open_page):
    page = open_page("paper", show="many")
    page.file_uploader[0].set_value(("bad.csv", b"a,b\n1,2\n", "text/csv")).run()
    assert not page.exception
    assert "lacks the columns" in all_text(page)


@pytest.mark.parametrize(
    ("changed", "fits"),
    [
        ({}, True),
        ({"losses": [f"{loss}@lr=0.1" for loss in LOSSES]}, True),
        ({"losses": [*LOSSES, "focal"]}, True),
        ({"losses": LOSSES[1:]}, False),  # MSE is missing
        ({"model": "slp"}, False),
    ],
)
def test_a_benchmark_fits_if_it_has_the_losses_of_the_paper_in_this_network(store, changed, fits):
    compared = {"losses": list(LOSSES), "model": "mlp"} | changed
    run_id = store.create_run("benchmark", {"comparison": compared}, queue=False)
    assert many._fits(store.run(run_id), {"model": "mlp"}) is fits


def figure(cells):
    from pages.ui.paper import many

    many._winning_figure(cells)


def test_winning_numbers_are_drawn_by_family_of_loss():
    won = {"mse": (10, 1), "bce": (22, 2), "anyloss:f1": (70, 5)}
    cells = [
        cell("102_wins", "mlp", loss, "f1 wins", *numbers, "different")
        for loss, numbers in won.items()
    ]
    table = behind(drawn(figure, cells=cells), "paper.winning_numbers")
    assert table["loss"].tolist() == ["MSE", "BCE", "AnyLoss"]
    assert table["ours"].tolist() == [1, 2, 5]
    assert set(table["metric"]) == {"F-1"}


def test_every_data_set_of_our_study_is_won_by_one_of_the_three():
    wins = [cell for cell in many._from_kept("mlp").cells if cell.table == "102_wins"]
    for metric in ("accuracy", "f1", "balanced_accuracy"):
        assert sum(cell.ours for cell in wins if cell.metric == f"{metric} wins") == 108
