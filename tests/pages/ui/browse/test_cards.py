"""Runs in a list: choosing two of them, and all of them as a table."""

import pytest

from anyloss_core.store.store import Store
from pages.ui.browse import cards


class Chosen(dict):
    """Stands for the board of the page."""

    def set(self, name, value):
        self[name] = value


@pytest.fixture
def board():
    return Chosen(first="", second="")


def test_the_first_click_chooses_one_run_and_the_second_another(board):
    cards._choose(board, "a")
    cards._choose(board, "a")  # a double click chooses it once
    assert board == {"first": "a", "second": ""}
    cards._choose(board, "b")
    assert board == {"first": "a", "second": "b"}


@pytest.mark.parametrize(("dropped", "left"), [("a", "b"), ("b", "a")])
def test_the_run_that_is_left_is_the_first(board, dropped, left):
    board.update(first="a", second="b")
    cards._drop(board, dropped)
    assert board == {"first": left, "second": ""}


def test_a_table_names_kind_status_and_settings(tmp_path):
    store = Store(tmp_path)
    run = store.run(store.create_run("sweep", {"data": "builtin:moons"}, "L for F1", queue=False))
    row = cards.table([run]).iloc[0]
    assert (row["Kind"], row["Run"], row["Id"]) == ("L sweep", "L for F1", run.id)
    assert row["Settings"] == "data: builtin:moons"
