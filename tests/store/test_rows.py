"""Rows of the tables: filtered by what is given, found for their owners alone."""

import pytest

from anyloss_core.store.rows import NotOwner, UnknownRun, filters, find_row


def test_none_filters_nothing_and_an_empty_list_everything():
    assert filters(kind=None) == ("1", [])
    assert filters(kind="train", owner=("a", "b"), imported=False) == (
        "1 AND kind IN (?) AND owner IN (?, ?) AND imported IN (?)",
        ["train", "a", "b", False],
    )
    assert filters(owner=[]) == ("1 AND owner IN ()", [])


def test_a_row_is_found_by_those_who_own_it(store):
    run_id = store.create_run("train", {}, owner="anna")
    with store.database.read() as connection:
        for owners in (None, ["anna"], ["ben", "anna"]):
            assert find_row(connection, run_id, owners)["owner"] == "anna"
    for owners, fault in ((["ben"], NotOwner), ([], NotOwner), ([""], NotOwner)):
        with pytest.raises(fault), store.database.read() as connection:
            find_row(connection, run_id, owners)
    with pytest.raises(UnknownRun), store.database.read() as connection:
        find_row(connection, "0" * 32, ["anna"])
