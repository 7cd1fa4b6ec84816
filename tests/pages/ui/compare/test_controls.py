"""The form of the page Compare: from the link, from a stored run, and back to the core."""

import pytest

from anyloss_core.statistics.goal import parse_goal
from pages.ui.compare import controls
from pages.ui.runs import runs
from tests.pages.conftest import COMPARED, DATA, all_text


def test_a_link_with_the_run_alone_brings_its_settings(open_page, made):
    page = open_page("compare", run=made)
    assert page.number_input(key="compare.folds").value == 3
    assert tuple(page.multiselect(key="compare.losses").value) == COMPARED.losses
    assert DATA in page.query_params["data"]
    assert "have changed" not in all_text(page)


def test_a_changed_setting_is_said_to_differ_from_the_run(open_page, made):
    page = open_page("compare", run=made)
    page.number_input(key="compare.seed").set_value(5).run()
    assert "have changed since this run" in all_text(page)


def test_more_folds_than_rare_rows_are_refused_with_a_way_out(open_page):
    page = open_page("compare", data="synthetic:rows=100,features=3,imbalance=9", folds=20)
    page.button(key="compare.start").click().run()
    assert "folds" in page.warning[0].value
    assert not runs.store().runs("compare")


def test_a_run_without_settings_leaves_the_defaults(store):
    run = store.run(store.create_run("compare", {"data": DATA}, queue=False))
    assert controls.settings_of(run) == {
        setting.name: setting.default for setting in controls.EXPERIMENT
    }
    assert controls.settings_of(run)["losses"] == ("anyloss:f1", "bce", "bce+threshold")


COST = "cost: miss=10, alarm=1, hit=0, in=EUR"


def test_the_goal_decides_the_candidate_and_is_kept_with_the_run(open_page, finished):
    page = open_page("compare", data=DATA, epochs=10, folds=3, goal=COST)
    aim = parse_goal(COST)
    assert page.multiselect(key="compare.losses").value[0] == aim.loss
    page.button(key="compare.start").click().run()
    page = finished(page)
    assert not page.exception
    (run,) = runs.store().runs("compare")
    assert run.settings["comparison"]["goal"] == COST
    assert aim.loss in run.settings["comparison"]["losses"]
    assert "EUR per 1,000 rows" in page.dataframe[0].value.columns
    fresh = open_page("compare", run=run.id)
    assert "have changed" not in all_text(fresh)
    assert "cost: miss=10" in str(fresh.query_params["goal"])


def test_l_and_warm_up_stand_beside_anyloss(open_page):
    page = open_page("compare", data=DATA, L="5..73", warm_up="0.2", folds=3, epochs=10)
    page.button(key="compare.start").click().run()
    (run,) = runs.store().runs("compare")
    assert run.settings["comparison"]["losses"][0] == "anyloss:f1@L=5..73,warm_up=0.2"


@pytest.mark.parametrize("query", [{"L": "-3"}, {"L": "x"}, {"warm_up": "7"}, {"L": "1e999"}])
def test_a_recipe_that_cannot_be_trained_falls_back_to_automatic(open_page, query):
    page = open_page("compare", data=DATA, **query)
    assert not page.exception
    assert all(page.text_input(key=f"compare.{name}").value == "" for name in query)


def test_how_long_it_will_take_is_said_before_the_start(open_page):
    assert "About " in all_text(open_page("compare", data=DATA, folds=3))
