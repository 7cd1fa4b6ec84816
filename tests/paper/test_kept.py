"""Kept results: the newest of each task, and files of one visitor stay with the visitor."""

import pytest

from anyloss_core.paper.cells import OURS
from anyloss_core.paper.keeping import known_results
from anyloss_core.paper.kept import LOOKED_AT, kept_results, paper_runs
from anyloss_core.paper.parts import plan
from anyloss_core.store.bundle import export_bundle, import_bundle
from anyloss_core.store.store import Store

CELL = {
    "table": "t",
    "dataset": 1,
    "loss": "bce",
    "metric": "f1",
    "published": None,
    "ours": 0.5,
    "verdict": OURS,
}


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path)
    yield store
    store.close()


def put(store, key, seconds, owner="", **settings):
    run_id = store.create_run("paper", settings, owner=owner, queue=False)
    unit = {"cells": [CELL], "settings": {}, "extras": {}, "seconds": seconds}
    store.put_unit(run_id, key, unit)
    return run_id


def test_the_newest_result_of_each_task_is_found(store):
    put(store, "slp 1", 1.0)
    put(store, "slp 3", 2.0)
    newest = put(store, "slp 1", 3.0)
    found = kept_results(store, paper_runs(store, ["me"]))
    assert set(found) == {"slp 1", "slp 3"}
    assert (found["slp 1"].result.seconds, found["slp 1"].run_id) == (3.0, newest)
    assert found["slp 3"].result.cells[0].ours == 0.5


def test_results_from_a_file_are_shown_to_its_owner_only(store):
    put(store, "slp 4", 1.0, owner="me", csv={"4": "0" * 32})
    put(store, "slp 1", 1.0, owner="somebody")
    assert set(kept_results(store, paper_runs(store, ["me"]))) == {"slp 4", "slp 1"}
    assert set(kept_results(store, paper_runs(store, ["you"]))) == {"slp 1"}


def test_an_imported_result_counts_for_nobody_and_crowds_out_no_other(store):
    put(store, "slp 1", 1.0, owner="me")
    bundle = export_bundle(store, put(store, "slp 3", 2.0, owner="me"))
    store.delete_run(store.runs()[0].id)
    for _ in range(LOOKED_AT + 1):
        import_bundle(store, bundle, owner="me")
    assert set(kept_results(store, paper_runs(store, ["me", ""]))) == {"slp 1"}
    assert set(known_results(store, plan(["slp"], [3]), {})) == set()


def test_a_run_that_cannot_be_read_counts_for_nobody(store):
    run_id = put(store, "slp 4", 1.0, owner="me", csv={"4": "0" * 32})
    with store.database.write() as connection:
        connection.execute("UPDATE runs SET settings = '{' WHERE id = ?", (run_id,))
    assert paper_runs(store, ["you"]) == []
