"""The goal is asked for once: its fields make the text that the frame holds, and follow it."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import PATIENCE, all_text

COST = "cost: miss=50, alarm=2, hit=0, in=EUR"
FLOOR = "recall at precision >= 0.8"


def fields():
    import streamlit as st

    from pages.ui.base.frame import FRAME
    from pages.ui.choice import goal

    FRAME.open()
    found = goal.field()
    st.text(found.text)
    st.text(goal.current().text)


def drawn(goal: str | None = None) -> AppTest:
    page = AppTest.from_function(fields, default_timeout=PATIENCE)
    if goal is not None:
        page.query_params["goal"] = goal
    return clean(page.run())


def clean(page: AppTest) -> AppTest:
    assert not page.exception
    return page


def said(page: AppTest) -> str:
    """The goal, on which the fields and the frame agree."""
    assert page.text[0].value == page.text[1].value
    return page.text[0].value


@pytest.mark.parametrize("goal", ["gmean", COST, FLOOR, "TP / (TP + FP + FN)"])
def test_a_link_sets_the_fields(goal):
    page = drawn(goal)
    assert said(page) == goal
    assert said(clean(page.run())) == goal


@pytest.mark.parametrize("goal", ["nothing", "cost: miss=1", "a;b", "x" * 500])
def test_a_link_that_means_nothing_leaves_f1(goal):
    assert said(drawn(goal)) == "f1"


def test_a_cost_is_made_of_its_prices_and_its_formula_shown():
    page = drawn()
    page.button_group(key="goal.goal").set_value("cost").run()
    page.number_input(key="goal.miss").set_value(50.0).run()
    page.number_input(key="goal.alarm").set_value(2.0).run()
    assert said(clean(page)) == COST
    assert "(0 * TP - 50 * FN - 2 * FP) / (50 * P)" in all_text(page)
    assert page.query_params["goal"] in (COST, [COST])


def test_a_floor_is_made_of_two_rates_and_its_formula_shown():
    page = drawn(FLOOR)
    page.number_input(key="goal.floor").set_value(0.7).run()
    assert said(clean(page)) == "recall at precision >= 0.7"
    assert "max(0.7 - TP / (TP + FP), 0)" in all_text(page)


def test_what_cannot_be_a_goal_is_explained_and_the_old_one_stays():
    page = drawn(COST)
    page.number_input(key="goal.alarm").set_value(0.0).run()
    assert "should raise an alarm" in all_text(clean(page))
    assert page.text[0].value == COST


def test_a_formula_of_ones_own_says_what_is_odd_about_it():
    page = drawn("TP / (TP + FP + FN)")
    page.text_input(key="goal.goal_formula").set_value("TP - FN").run()
    assert said(clean(page)) == "TP - FN"
    assert "never rises when a false alarm is avoided" in all_text(page)
    page.text_input(key="goal.goal_formula").set_value("TP +").run()
    assert "not a complete formula" in all_text(clean(page))


def test_a_cost_typed_as_a_formula_is_turned_with_one_click():
    page = drawn("TP / (TP + FP + FN)")
    page.text_input(key="goal.goal_formula").set_value("5*FN + FP").run()
    assert "it is a cost" in all_text(clean(page))
    page.button(key="goal.turn").click().run()
    assert said(clean(page)) == "1 - (5 * FN + FP) / (5 * P + NEG)"


def following():
    import streamlit as st

    from pages.ui.base.frame import FRAME
    from pages.ui.base.settings import Several, Text
    from pages.ui.base.state import Board
    from pages.ui.choice import goal

    FRAME.open()
    settings = (Several("losses", ("anyloss:f1@L=9", "bce")), Several("metrics", ("f1", "recall")))
    board = Board("followed", *settings, Text("metric", "f1")).open()
    if st.button("recall", key="go"):
        goal.choose("recall at precision >= 0.8")
    goal.follow(board)
    st.text("|".join((*board["losses"], *board["metrics"], board["metric"])))


def test_losses_and_metrics_of_a_page_follow_the_goal_and_keep_their_options():
    page = AppTest.from_function(following, default_timeout=PATIENCE)
    page.query_params["goal"] = "gmean"
    assert clean(page.run()).text[0].value == "anyloss:gmean@L=9|bce|gmean|recall|gmean"
    page.button(key="go").click().run()
    now = "TP / P - 5 * max(0.8 - TP / (TP + FP), 0)"
    assert page.text[0].value == f"anyloss:{now}@L=9|bce|{now}|recall|{now}"
