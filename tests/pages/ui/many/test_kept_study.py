"""The study that comes with the program: both halves of the suite, every rival of AnyLoss."""

import pytest

from anyloss_core.benchmark import recipe_study
from anyloss_core.data.suites.real_suite import real_suite
from pages.ui.many import controls, kept_study
from pages.ui.runs import runs
from tests.pages.conftest import all_text, drawn


@pytest.mark.parametrize("view", controls.VIEWS)
def test_our_own_study_is_there_to_be_looked_at(open_page, view):
    test = open_page("many", source="kept", model="slp", half="B", view=view)
    assert not test.exception
    assert not test.error, all_text(test)
    assert "On 54 data sets, AnyLoss" in all_text(test)


@pytest.mark.parametrize("model", recipe_study.MODELS)
def test_the_network_and_the_large_tables_have_their_view(open_page, model):
    test = open_page("many", source="kept", model=model, half="large")
    assert not test.exception
    assert not test.error, all_text(test)
    count = kept_study._kept(model, "large").scores["dataset"].nunique()
    assert f"On {count} data sets, AnyLoss" in all_text(test)


def test_the_two_halves_make_the_whole():
    tables = {
        half: set(kept_study._kept("slp", half).scores["dataset"]) for half in controls.TABLES
    }
    assert not tables["A"] & tables["B"]
    assert tables["A"] | tables["B"] == tables["both"]
    assert len(tables["A"]) == len(tables["B"]) == 54
    assert tables["both"] == {task.name for task in real_suite()}
    assert not tables["both"] & tables["large"]


def test_every_rival_of_a_metric_has_a_line_in_words():
    table = kept_study._rivals("slp", "B", 0.01)
    rows = table[table["metric"] == "G-mean"]
    assert len(rows) == len(recipe_study.rivals_of("gmean"))
    assert {"BCE", "boosted trees (scikit-learn)", "BCE with SMOTE"} <= set(rows["rival"])
    chances = table[["P(wins lead)", "P(ties lead)", "P(losses lead)"]]
    assert chances.sum(axis=1).between(0.999, 1.001).all()
    assert (table[["won", "tied", "lost"]].sum(axis=1) == 54).all()
    scores = kept_study._kept("slp", "B").of("gmean").groupby("loss")["score"].mean()
    bce = rows.set_index("rival").loc["BCE"]
    assert bce["AnyLoss"] == round(scores["anyloss:gmean"], 4)
    assert bce["its score"] == round(scores["bce"], 4)


def test_a_wider_rope_makes_more_of_the_rivals_equal():
    narrow, wide = (kept_study._rivals("slp", "B", rope) for rope in (0.01, 0.05))
    assert (wide["tied"] >= narrow["tied"]).all()
    assert wide["P(ties lead)"].sum() > narrow["P(ties lead)"].sum()


def asked_again():
    from types import SimpleNamespace

    from pages.ui.many import kept_study

    view = SimpleNamespace(candidate="anyloss:f1", baseline="bce", asked={})
    kept_study._compare_again("Ecdat/HC", view)


def test_a_small_table_is_compared_again_on_all_its_folds(open_page, monkeypatch):
    monkeypatch.setattr(kept_study.navigation, "go_to", lambda *page, **link: None)
    drawn(asked_again)
    (run,) = runs.store().runs("compare")
    compared = run.settings["comparison"]
    assert (compared["folds"], compared["repeats"]) == (3, recipe_study.REPEATS)
    runs.store().set_control(run.id, "stop")
