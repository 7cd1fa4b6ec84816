"""What a section of the page Paper shows of its results."""

from anyloss_core.paper.cells import Result
from anyloss_core.paper.kept import Kept
from anyloss_core.paper.names import ANYLOSSES
from anyloss_core.paper.tasks.mlp import TABLE, aims_at
from pages.ui.paper import panels
from tests.pages.conftest import all_text, behind, charts, drawn
from tests.pages.ui.paper.conftest import cell, keep


def test_the_mlp_section_says_what_holds_up(open_page, nothing_shipped):
    open_page("paper")
    cells = [
        cell(f"{TABLE} ({name})", 3, loss, aims_at(loss), 1.0, score, "different", "why", 0.01)
        for name, score in (("paper", 0.8), ("as_released", 0.95))
        for loss in ANYLOSSES
    ]
    gains = {name: {loss: [0.02, 0.03] for loss in ANYLOSSES} for name in ("paper", "as_released")}
    gains["published"] = {loss: [0.05] for loss in ANYLOSSES}
    keep("mlp 3", Result(cells, {}, {"advantage": gains}, 12.0))
    page = open_page("paper", show="mlp")
    assert not page.exception
    assert "Carrying the network on is worth +0.150" in all_text(page)
    assert "Data set 3, Breast Cancer" in all_text(page)
    assert not page.dataframe  # made when somebody opens it
    page.session_state["open:paper_mlp_3"] = True
    trained = set(page.run().dataframe[0].value["Trained"])
    assert trained == {"fresh, published settings", "carried on, as released"}


def test_each_loss_is_shown_in_its_own_metric_once_per_way_of_training():
    cells = [
        cell(f"{TABLE} (paper)", 3, "anyloss:gmean", "f1", 0.7, 0.6, "different"),  # not its own
        cell(f"{TABLE} (paper)", 3, "anyloss:gmean", "gmean", 0.9, 0.8, "different"),
        cell(f"{TABLE} (fresh)", 3, "anyloss:gmean", "gmean", 0.9, 0.85, "different", "", 0.01),
        cell(f"{TABLE} (paper)", 3, "sol:f1", "f1", 0.7, 0.6, "different"),  # not an AnyLoss
    ]
    table = panels._own_scores(Kept(Result(cells), "", 0.0)).set_index("series")
    assert table["score"].to_dict() == {"paper": 0.8, "published": 0.9, "fresh": 0.85}
    assert table.loc["fresh", "spread"] == 0.01
    assert set(table["metric"]) == {"gmean"}


def section(name, found):
    from pages.ui.paper import panels

    getattr(panels, name)(found)


def test_the_tables_are_counted_together_and_one_by_one():
    rows = [cell("resampling_slp", 1, "bce+smote", "f1", 0.6, 0.6, "equal")]
    rows += [cell("slp_4_datasets", 1, "bce", "f1", 0.6, 0.7, "different", "why") for _ in range(2)]
    page = drawn(section, name="tables", found={"slp 1": Kept(Result(rows), "", 0.0)})
    (lead,) = [part.proto.body for part in page.get("html")]
    assert "Of 3 published figures: 1 equal, 0 within noise, 2 different." in lead
    assert [title.value for title in page.header] == ["SLP scores", "Resampling"]
    assert "All 1 published figures are equal" in all_text(page)


def test_the_sweep_is_drawn_over_the_L_of_its_losses():
    rows = [
        cell("L_sweep", 3, f"anyloss:f1@L={L}", "f1", 0.6, score, "different", "why", 0.02)
        for L, score in ((30, 0.61), (110, 0.64))
    ]
    page = drawn(section, name="amplifier", found={"sweep 3": Kept(Result(rows), "", 0.0)})
    assert page.header[0].value == "Five values of L, data set 3, Breast Cancer"
    table = behind(page, "paper.L_sweep_3")
    assert table["L"].tolist() == [30.0, 110.0]
    assert table["ours"].tolist() == [0.61, 0.64]


def test_times_are_shown_by_network():
    rows = [
        cell("learning_time", 1, "mse", f"{model} time", 1.1, ours, "within noise", "", 0.1)
        for model, ours in (("slp", 1.2), ("mlp", 1.3))
    ]
    page = drawn(section, name="learning_time", found={"time 1": Kept(Result(rows), "", 0.0)})
    assert page.header[0].value == "Data set 1, Random"
    table = behind(page, "paper.learning_time_1").set_index("model")
    assert table["ours"].to_dict() == {"slp": 1.2, "mlp": 1.3}


def test_the_learning_curves_of_the_tables_leave_mse_out():
    rows = [cell("achievement_rate", 1, "bce", "100", 0.9, 0.9, "equal")]
    curves = {"mse": [0.3, 0.2], "bce": [0.7, 0.5]}
    found = {"slp 1": Kept(Result(rows, {}, {"curves": curves}), "", 0.0)}
    page = drawn(section, name="tables", found=found)
    figure = charts(page)["paper.learning_curves_1"]["figure"]
    assert [line["name"] for line in figure["data"]] == ["BCE"]
    assert behind(page, "paper.learning_curves_1")["mse"].tolist() == [0.3, 0.2]
