"""The page Paper: opens on every section, recomputes, keeps what was computed, takes scores."""

from dataclasses import replace

import pytest

from anyloss_core.paper import shipped
from anyloss_core.paper.cells import Cell, Result
from anyloss_core.paper.names import ANYLOSSES
from anyloss_core.paper.reproduction import packed
from anyloss_core.paper.tasks.mlp import TABLE, aims_at
from pages.ui.paper import sections
from pages.ui.runs import runs
from tests.pages.conftest import all_text


@pytest.fixture
def nothing_shipped(tmp_path, monkeypatch):
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "shipped")
    shipped.shipped_results.cache_clear()
    yield
    shipped.shipped_results.cache_clear()


def keep(key, result, **settings):
    """A result in the store, as an earlier run would have left it."""
    run_id = runs.store().create_run("paper", settings, queue=False)
    runs.store().put_unit(run_id, key, packed(result))


def cell(table, dataset, loss, metric, published, ours, verdict, why="", spread=None):
    return Cell(table, dataset, loss, metric, published, ours, verdict, why, spread)


@pytest.mark.parametrize("show", list(sections.SECTIONS))
def test_every_section_opens_clean_before_anything_is_computed(open_page, show):
    page = open_page("paper", show=show)
    assert not page.exception
    assert page.title[0].value == "Paper"
    assert sections.SECTIONS[show].text in all_text(page)


def test_table_1_is_recomputed_and_kept_for_the_next_visit(open_page, finished, monkeypatch):
    short = replace(sections.SECTIONS["tables"], parts=("valid_range",))
    monkeypatch.setitem(sections.SECTIONS, "tables", short)
    page = open_page("paper")
    page.button(key="paper.start").click().run()
    page = finished(page)
    assert not page.exception
    assert "All 12 published figures are equal" in all_text(page)
    table = page.dataframe[0].value
    assert {"Published L_min", "Ours L_min", "Difference", "Mark"} <= set(table.columns)
    assert {"float32", "float16", "bfloat16"} <= set(table.columns)
    assert set(table["Mark"]) == {"✓ equal"}
    again = open_page("paper")
    assert "All 12 published figures are equal" in all_text(again)


@pytest.mark.parametrize("show", ["mlp", "amplifier", "sol", "titanic"])
def test_what_takes_long_opens_at_once_with_date_and_machine(open_page, show):
    text = all_text(open_page("paper", show=show))
    assert "Nothing is computed yet" not in text
    assert "by the Lab's authors" in text


def test_a_link_to_a_run_opens_its_section(open_page):
    open_page("paper")
    run_id = runs.store().create_run("paper", {"parts": ["titanic"]}, queue=False)
    page = open_page("paper", run=run_id)
    assert not page.exception
    assert "titanic" in page.query_params["show"]


def test_nothing_is_asked_for_that_is_being_computed(open_page):
    assert "Nothing is computed yet" in all_text(open_page("paper"))
    run_id = runs.store().create_run("paper", {"parts": ["slp"]}, queue=False)
    page = open_page("paper", run=run_id)
    assert not page.exception
    assert "Nothing is computed yet" not in all_text(page)


def test_a_brought_file_becomes_a_run_on_its_data_set(open_page):
    page = open_page("paper", show="sol")
    rows = "".join(f"{i % 7},{i * i % 11},{int(i % 5 == 0)}\n" for i in range(60))
    content = f"age,bmi,diabetes\n{rows}".encode()
    page.file_uploader(key="paper.file_4").set_value(("d.csv", content, "text/csv")).run()
    page.button(key="paper.start_file").click().run()
    assert not page.exception
    (run,) = runs.store().runs("paper")
    assert run.settings["datasets"] == [4]
    upload = runs.store().open_upload(run.settings["csv"]["4"])
    assert (upload.read(), upload.meta["name"]) == (content, "d.csv")
    runs.store().set_control(run.id, "stop")


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
