import gc
import os
import signal
import socket
import threading
import time

import pytest

from anyloss_core.benchmark.benchmark import load_benchmark, run_benchmark, start_settings
from anyloss_core.benchmark.executors import (
    DIED,
    SERVER,
    VARIABLE,
    Processes,
    check_cluster,
    cluster_threads,
    scatter,
)
from anyloss_core.benchmark.settings import BenchmarkSettings, comparison_settings, suite_items
from anyloss_core.benchmark.units import UnitTask
from anyloss_core.common import versions
from anyloss_core.common.settings import SettingsError
from anyloss_core.jobs.jobs import run_job
from anyloss_core.store.store import Store
from tests.sample_jobs import wait_for
from tests.small_suite import QUICK, write_suite


class Deadly(UnitTask):
    """A unit that ends every process which touches it, as one without memory would."""

    def open(self):
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    return write_suite(tmp_path_factory.mktemp("executors") / "suite")


@pytest.fixture(scope="module")
def serial(suite, tmp_path_factory):
    return run_benchmark(suite, store=Store(tmp_path_factory.mktemp("serial")), **QUICK).scores


@pytest.fixture(scope="module")
def cluster():
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as running:
        yield running


def tasks_of(suite, kind=UnitTask):
    comparison = comparison_settings(**QUICK).to_dict()
    return [kind(item, comparison, files=True) for item in suite_items(suite)]


def test_a_data_set_that_ends_its_process_fails_alone(suite):
    tasks, pool = tasks_of(suite)[:3], Processes(2)
    tasks[1] = Deadly(tasks[1].item, tasks[1].comparison, files=True)
    found = {task.item.name: outcome for task, outcome in scatter(tasks, pool, lambda names: None)}
    pool.close()
    assert {name for name, outcome in found.items() if outcome.reason == DIED} == {"t0.csv"}
    assert found["t1.csv"].value["rows"] == 180  # the process was its own too, it is tried again


def test_two_processes_give_the_numbers_of_one(suite, serial, tmp_path):
    found = run_benchmark(suite, store=Store(tmp_path), workers=2, **QUICK)
    assert found.scores.equals(serial)


def test_a_stop_ends_the_processes_too(suite, tmp_path):
    store = Store(tmp_path)
    comparison = comparison_settings(**QUICK | {"epochs": 100_000})
    settings = BenchmarkSettings("folder", suite_items(suite), comparison, files=True)
    run_id = store.create_run("benchmark", start_settings(settings, workers=2), queue=False)
    worker = threading.Thread(target=run_job, args=(store, run_id))
    worker.start()
    wait_for(lambda: ", t0.csv" in store.run(run_id).message, 60)
    store.set_control(run_id, "stop")
    asked = time.monotonic()
    worker.join(30)
    assert time.monotonic() - asked < 10
    assert store.run(run_id).status == "cancelled"


def test_a_dask_cluster_gives_the_same_numbers_and_survives_a_killed_worker(
    suite, serial, cluster, tmp_path
):
    store, killed, messages = Store(tmp_path), [], []

    def kill_once(run):
        messages.append(run.message)
        if not killed and store.units(run.id, "done"):
            killed.append(next(iter(cluster.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    found = run_benchmark(
        suite, store=store, dask=cluster.scheduler_address, on_progress=kill_once, **QUICK
    )
    assert killed
    wait_for(lambda: killed[0] not in {worker.pid for worker in cluster.workers.values()}, 60)
    assert found.scores.equals(serial)
    assert any("data sets done" in message for message in messages)  # what the page shows


def test_an_address_without_a_cluster_is_a_clear_refusal(suite, tmp_path, monkeypatch):
    monkeypatch.setattr("anyloss_core.benchmark.executors.SCHEDULER_SECONDS", 0.5)
    with pytest.raises(SettingsError, match="no scheduler answers at"):
        run_benchmark(suite, store=Store(tmp_path), dask="tcp://127.0.0.1:9", **QUICK)


@pytest.mark.parametrize("address", ["nonsense", "tcp://", "ftp://x:1", "tcp://x:y"])
def test_what_is_no_address_is_refused_at_once_and_quietly(address, capfd):
    with pytest.raises(SettingsError, match="no scheduler answers at"):
        check_cluster(address)
    gc.collect()  # a half-made client would complain
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (b"", r"nothing heard for 0\.5 seconds"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "what answers is something else"),
    ],
)
def test_who_answers_there_but_is_no_scheduler_is_refused_quietly(said, reason, monkeypatch, capfd):
    monkeypatch.setattr("anyloss_core.benchmark.executors.SCHEDULER_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        held = []  # open until the end

        def answer():
            held.append(listener.accept()[0])
            held[0].sendall(said)

        threading.Thread(target=answer, daemon=True).start()
        begin = time.monotonic()
        with pytest.raises(SettingsError, match=reason):
            check_cluster(f"tcp://127.0.0.1:{listener.getsockname()[1]}")
        assert time.monotonic() - begin < 5  # a client on its own took 20 s more to go
        held[0].close()
    gc.collect()
    assert capfd.readouterr() == ("", "")


def test_a_run_on_the_servers_own_cluster_does_not_tell_its_address(
    suite, serial, cluster, tmp_path, monkeypatch
):
    monkeypatch.setenv(VARIABLE, cluster.scheduler_address)
    assert cluster_threads(cluster.scheduler_address) == 2
    store, comparison = Store(tmp_path), comparison_settings(**QUICK)
    settings = BenchmarkSettings("folder", suite_items(suite), comparison, files=True)
    run_id = store.create_run("benchmark", start_settings(settings, dask=SERVER), queue=False)
    assert run_job(store, run_id).status == "done"
    assert cluster.scheduler_address not in str(store.run(run_id).settings)
    assert load_benchmark(store, run_id).scores.equals(serial)
    monkeypatch.delenv(VARIABLE)
    again = store.create_run("benchmark", start_settings(settings, dask=SERVER), queue=False)
    assert "no cluster any more" in run_job(store, again).error


def test_workers_with_another_version_are_refused(suite, cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(versions, "versions", lambda: {"torch": "0.1"})  # of this process alone
    versions.program.cache_clear()
    try:
        with pytest.raises(SettingsError, match="has another version of it or of what it needs"):
            run_benchmark(suite, store=Store(tmp_path), dask=cluster.scheduler_address, **QUICK)
    finally:
        versions.program.cache_clear()
