"""Running the paper: plans, the job that keeps what is done, and what goes into JSON."""

import json

import pytest

from anyloss_core.jobs.jobs import run_job
from anyloss_core.paper.cells import EQUAL, Cell, Result
from anyloss_core.paper.parts import PARTS, Part
from anyloss_core.paper.reproduction import reproduce, unpacked
from anyloss_core.store.store import Store


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path)
    yield store
    store.close()


def test_cells_go_into_json_with_what_the_command_line_promises():
    told = []
    found = reproduce(["valid_range"], on_progress=lambda *told_now: told.append(told_now))
    written = json.loads(json.dumps(found.to_dict()))
    first = written["cells"][0]
    assert {"table", "dataset", "loss", "metric", "published", "ours", "equal"} <= set(first)
    assert [cell["equal"] for cell in written["cells"]] == [True] * 12
    assert written["settings"] == {"valid_range": {}}
    assert found.table()["verdict"].tolist()[0] == EQUAL
    assert told


def test_a_data_set_without_its_file_says_where_to_get_it():
    with pytest.raises(ValueError, match="download https"):
        reproduce(["slp"], [4])


def test_the_job_keeps_every_task_as_a_unit(store):
    run_id = store.create_run("paper", {"parts": ["valid_range"]}, queue=False)
    assert run_job(store, run_id).status == "done"
    (unit,) = store.units(run_id)
    assert unit.key == "valid_range"
    result = unpacked(unit.payload)
    assert sum(cell.equal is True for cell in result.cells) == 12
    assert result.seconds > 0


def _counted(number, dataset, progress, **options):
    _counted.calls.append((number, options))
    progress(0.5, "half")
    cell = Cell("t", number, "bce", "f1", 1.0, 1.0, EQUAL)
    return Result([cell], {"rows": dataset.rows}, {"options": options})


def test_an_interrupted_job_goes_on_with_the_tasks_that_are_left(store, monkeypatch):
    _counted.calls = []
    part = Part("counted", "slp:counted", options=("seeds",))
    monkeypatch.setitem(PARTS, "counted", part)
    monkeypatch.setattr("anyloss_core.paper.tasks.slp.counted", _counted, raising=False)
    settings = {"parts": ["counted"], "datasets": [1, 3], "options": {"seeds": 2, "other": 1}}
    run_id = store.create_run("paper", settings, queue=False)
    store.put_unit(run_id, "counted 1", {"cells": []})
    assert run_job(store, run_id).status == "done"
    assert _counted.calls == [(3, {"seeds": 2})]
    assert [unit.key for unit in store.units(run_id)] == ["counted 1", "counted 3"]


def test_an_uploaded_file_reaches_its_data_set(store, monkeypatch):
    _counted.calls = []
    monkeypatch.setitem(PARTS, "counted", Part("counted", "slp:counted"))
    monkeypatch.setattr("anyloss_core.paper.tasks.slp.counted", _counted, raising=False)
    rows = "".join(f"{i % 7},{i * i % 11},{int(i % 5 == 0)}\n" for i in range(60))
    upload = store.save_upload(f"age,bmi,diabetes\n{rows}".encode(), {"name": "d.csv"})
    settings = {"parts": ["counted"], "datasets": [4], "csv": {"4": upload}}
    run_id = store.create_run("paper", settings, queue=False)
    assert run_job(store, run_id).status == "done"
    assert unpacked(store.units(run_id)[0].payload).settings == {"rows": 60}
