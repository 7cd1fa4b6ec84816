"""Rows of the tables: filtered by what is given, found for their owners alone."""

import pytest

from anyloss_core.store import rows
from anyloss_core.store.rows import NotOwner, UnknownRun, filters, find_row, kept_bytes
from anyloss_core.store.store import StoreError


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


def test_the_runs_of_an_owner_stay_below_a_quota(store, monkeypatch):
    for owner, imported in (("anna", False), ("anna", True), ("ben", False)):
        store.keep_finished("compare", {"a": 1}, {"x": "y" * 500}, "t", owner, imported)
    with store.database.read() as connection:
        size = kept_bytes(connection, "ben")
        assert kept_bytes(connection, "anna") == 2 * size
        assert kept_bytes(connection, "anna", imported=True) == size
        assert kept_bytes(connection, "nobody") == 0
    monkeypatch.setattr(rows, "QUOTA_BYTES", 3 * size - 1)
    store.check_room("anna")
    with pytest.raises(StoreError, match=r"your runs would take .* delete some"):
        store.keep_finished("compare", {"a": 1}, {"x": "y" * 500}, "t", "anna")
    store.keep_finished("compare", {"a": 1}, {"x": "y" * 500}, "t", "ben")
    monkeypatch.setattr(rows, "QUOTA_BYTES", size)
    with pytest.raises(StoreError, match="delete some"):
        store.check_room("anna")
    store.check_room("")  # the command line has none
