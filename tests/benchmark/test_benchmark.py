import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from anyloss_core.benchmark.benchmark import (
    load_benchmark,
    run_benchmark,
    start_settings,
    take_up,
)
from anyloss_core.benchmark.settings import (
    BenchmarkSettings,
    Item,
    comparison_settings,
    suite_items,
)
from anyloss_core.comparison.settings import SettingsError
from anyloss_core.jobs import queue
from anyloss_core.jobs.jobs import perform, run_job
from anyloss_core.store.store import Store, StoreError
from tests.sample_jobs import wait_for
from tests.small_suite import BAD, QUICK, TABLES, write_suite

ROOT = Path(__file__).parents[2]
# The command of a user, with a store and settings of its own.
COMMAND = """
import sys
from anyloss_core.benchmark.benchmark import run_benchmark
from anyloss_core.store.store import Store
from tests.small_suite import QUICK
run_benchmark(sys.argv[1], store=Store(sys.argv[2]), out=sys.argv[3], workers=2, **QUICK)
"""


def chosen(suite, **more):
    comparison = comparison_settings(model="slp", **QUICK | more)
    return BenchmarkSettings(str(suite), suite_items(suite), comparison, files=True)


def test_progress_tells_data_sets_done_the_current_one_and_the_time_left(serial):
    last = serial[2][-1]
    assert (last.status, last.done, last.total) == ("done", TABLES + 1, TABLES + 1)
    assert f"{TABLES + 1} of {TABLES + 1} data sets done, 1 failed" in last.message


def test_the_same_call_again_does_nothing_but_the_failed_data_set(serial, suite):
    found, _, _, store = serial
    before = {unit.key: unit.seconds for unit in store.units(found.run_id, "done")}
    again = run_benchmark(suite, store=store, **QUICK)
    assert {unit.key: unit.seconds for unit in store.units(again.run_id, "done")} == before
    assert again.scores.equals(found.scores)
    assert len(store.runs("benchmark")) == 1


def test_a_repaired_file_beside_a_failed_one_is_not_taken_for_done(store, tmp_path):
    folder = write_suite(tmp_path / "suite", tables=1)
    assert len(run_benchmark(folder, store=store, **QUICK).failed) == 1
    (folder / BAD).write_bytes((folder / "t0.csv").read_bytes())
    repaired = run_benchmark(folder, store=store, **QUICK)
    assert repaired.failed.empty
    assert len(repaired.done) == 2


def test_killed_in_the_middle_it_goes_on_and_ends_with_the_same_file(suite, serial, tmp_path):
    out = tmp_path / "out.csv"
    command = [sys.executable, "-c", COMMAND, str(suite), str(tmp_path), str(out)]
    process, store = subprocess.Popen(command, cwd=ROOT), Store(tmp_path)
    wait_for(lambda: any(store.units(run.id, "done") for run in store.runs("benchmark")), 120)
    children = _children(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (run,) = store.runs("benchmark")
    before = store.finished_unit_keys(run.id)
    assert 0 < len(before) < TABLES, "it was not killed in the middle"
    assert not out.exists()
    wait_for(lambda: not any(_lives(pid) for pid in children), 30)  # its processes go with it
    found = run_benchmark(suite, store=store, out=out, **QUICK)
    assert (found.run_id, store.run(run.id).attempt) == (run.id, 2)
    assert store.finished_unit_keys(run.id) > before
    assert out.read_bytes() == serial[1]


def test_while_another_process_works_on_it_the_same_command_is_refused(store, suite):
    run_id = store.create_run("benchmark", start_settings(chosen(suite)))
    with pytest.raises(StoreError, match=f"queued in another process, as run {run_id}"):
        run_benchmark(suite, store=store, **QUICK)


def test_what_a_page_has_queued_opens_no_file_whatever_its_settings_say(store, suite):
    run_id = store.create_run("benchmark", start_settings(chosen(suite)))  # files: True
    perform(store, queue.claim(store, "a worker", run_id), "a worker")
    found = load_benchmark(store, run_id)
    assert len(found.failed) == TABLES + 1
    assert found.failed["reason"].str.contains("cannot be opened here").all()


def failed_benchmark(store, owner, **more):
    """A finished benchmark of an owner: one data set done, one failed."""
    items = (Item("good", "builtin:moons"), Item("bad", "builtin:none such"))
    settings = BenchmarkSettings("mine", items, comparison_settings(**QUICK))
    run_id = store.keep_finished("benchmark", settings.to_dict(), {}, "t", owner, **more)
    store.put_unit(run_id, "good", {"of": owner})
    store.put_unit(run_id, "bad", status="failed", reason="no such data set")
    return run_id, settings


def test_failed_data_sets_are_tried_again_in_the_owners_run_alone(store):
    anna, settings = failed_benchmark(store, "anna")
    ben, _ = failed_benchmark(store, "ben")  # newer
    again = take_up(store, settings, "anna")
    run = store.run(again)
    assert (run.owner, run.status) == ("anna", "interrupted")
    assert [unit.payload for unit in store.units(again)] == [{"of": "anna"}]
    assert store.run(ben).status == "done"  # nobody touched it
    assert anna not in [run.id for run in store.runs()]


def test_an_imported_benchmark_lends_no_results_and_is_not_taken_up(store):
    imported, settings = failed_benchmark(store, "anna", imported=True)
    fresh = take_up(store, settings, "anna")
    assert fresh != imported
    assert store.units(fresh) == []
    assert len(store.units(imported)) == 2


def test_a_run_begun_with_other_defaults_is_not_mixed_with_ours(store, suite):
    old = start_settings(chosen(suite)) | {"plan": "0" * 16}
    run_id = store.create_run("benchmark", old, queue=False)
    assert run_job(store, run_id).error.startswith("this benchmark was begun with the defaults")


def test_a_page_cannot_open_files_of_the_machine(store, suite):
    settings = start_settings(chosen(suite)) | {"files": False}
    run_id = store.create_run("benchmark", settings, queue=False)
    run_job(store, run_id)
    found = load_benchmark(store, run_id)
    assert len(found.failed) == TABLES + 1
    assert found.failed["reason"].str.contains("cannot be opened here").all()


def test_a_stop_ends_a_data_set_in_the_middle_and_keeps_the_finished_ones(store, suite):
    settings = start_settings(chosen(suite, epochs=100_000))
    run_id = store.create_run("benchmark", settings, queue=False)
    worker = threading.Thread(target=run_job, args=(store, run_id))
    worker.start()
    wait_for(lambda: "now t0.csv" in store.run(run_id).message, 60)
    store.set_control(run_id, "stop")
    asked = time.monotonic()
    worker.join(30)
    assert time.monotonic() - asked < 10
    assert store.run(run_id).status == "cancelled"
    assert [unit.key for unit in store.units(run_id)] == [BAD]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"workers": 0}, "workers must be a whole number from 1"),
        ({"workers": 2, "dask": "tcp://x:1"}, "exclude each other"),
    ],
)
def test_impossible_ways_of_working_are_refused_at_the_door(how, said, store, suite):
    with pytest.raises(SettingsError, match=said):
        run_benchmark(suite, store=store, **how, **QUICK)
    assert not store.runs("benchmark")


def _children(pid):
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(text) for text in found.split()]


def _lives(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
