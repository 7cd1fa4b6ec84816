"""A list and its groups write the same setting."""

import pytest
from streamlit.testing.v1 import AppTest


def fruit():
    from pages.ui.base.settings import Several
    from pages.ui.base.state import Board
    from pages.ui.choice import grouped

    board = Board("fruit", Several("bowl", ("apple",), at_most=3)).open()
    groups = {"Stone": ("plum", "cherry"), "Pome": ("apple", "pear", "quince")}
    grouped.multiselect(board, "bowl", "Bowl", groups, str)


@pytest.fixture
def bowl():
    """The page with its groups open."""
    page = AppTest.from_function(fruit, default_timeout=60)
    page.session_state["groups:fruit.bowl"] = True
    return page.run()


def chosen(page):
    return list(page.multiselect(key="fruit.bowl").value)


def test_the_groups_show_what_is_chosen(bowl):
    assert [group.label for group in bowl.pills] == ["Stone", "Pome"]
    assert [group.value for group in bowl.pills] == [[], ["apple"]]
    bowl.multiselect(key="fruit.bowl").set_value(["plum", "apple"]).run()
    assert [group.value for group in bowl.pills] == [["plum"], ["apple"]]


def test_a_group_adds_and_takes_away(bowl):
    bowl.pills[0].set_value(["cherry"]).run()
    assert chosen(bowl) == ["apple", "cherry"]
    assert bowl.query_params["bowl"] == "apple;cherry"
    bowl.pills[1].set_value([]).run()
    assert chosen(bowl) == ["cherry"]


def test_what_is_in_no_group_stays(bowl):
    bowl.multiselect(key="fruit.bowl").set_value(["apple", "fig"]).run()
    bowl.pills[0].set_value(["plum"]).run()
    assert chosen(bowl) == ["apple", "fig", "plum"]


def test_no_more_than_allowed_are_taken(bowl):
    bowl.pills[1].set_value(["apple", "pear", "quince"]).run()
    bowl.pills[0].set_value(["plum"]).run()
    assert chosen(bowl) == ["apple", "pear", "quince"]
    assert bowl.pills[0].value == []


def test_a_closed_list_makes_no_groups():
    assert not AppTest.from_function(fruit, default_timeout=60).run().pills
