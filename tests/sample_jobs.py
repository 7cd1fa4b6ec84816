"""Real jobs of a few lines, for the tests of the job system."""

import os
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import numpy as np

from anyloss_core.jobs.jobs import Kind, run_job
from anyloss_core.store import payload
from anyloss_core.store.store import insert_rows


def count(settings, report):
    """Count epochs, one event each."""
    for epoch in range(settings["epochs"]):
        time.sleep(settings.get("nap", 0.0))
        report.event({"loss": 1 / (epoch + 1), "curve": np.arange(3) * epoch}, epoch=epoch)
        report.progress(epoch + 1, settings["epochs"], f"epoch {epoch + 1}")
        report.checkpoint()
    report.result("last", {"epoch": settings["epochs"] - 1})


def batches(settings, report):
    """Epochs of four batches."""
    for epoch in range(settings["epochs"]):
        for _ in range(4):
            time.sleep(0.01)
            report.checkpoint(step_end=False)
        report.event({}, epoch=epoch)
        report.checkpoint()


def units(settings, report):
    """A benchmark in miniature: unit n gives n squared, unit 13 fails."""
    total = settings["units"]
    for number in range(total):
        if str(number) in report.finished_units():
            continue
        report.checkpoint()
        time.sleep(settings.get("nap", 0.0))
        if number == settings.get("bad"):
            report.unit(str(number), status="failed", reason="one class only")
        else:
            report.unit(str(number), {"square": number**2, "pid": os.getpid()}, seconds=0.1)
        report.progress(number + 1, total, f"data set {number}")
    values = [unit.payload["square"] for unit in report.store.units(report.run_id, "done")]
    report.result("sum", sum(values))


def keep(settings, report):
    """Round off what is done when stopped."""
    done = 0
    while not report.stopping and done < 1000:
        time.sleep(0.01)
        done += 1
        report.progress(done, 1000)
    report.result("done", done)


def fail(settings, report):
    report.event({"before": 1})
    if settings["error"] == "user":
        raise ValueError("lr must be positive, got -1")
    raise KeyError("secret detail")


def hang(settings, report):
    report.progress(0, 1, "hanging")
    report.flush()
    while True:
        time.sleep(1)


def children(settings, report):
    """Start a process of its own, tell its id, then wait."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    report.result("pids", [os.getpid(), child.pid])
    while True:
        time.sleep(0.05)
        report.checkpoint()


def threads(settings, report):
    """What a worker's torch would use."""
    import torch

    report.result("threads", torch.get_num_threads())


def fill(settings, report):
    """Write random blocks until the disk is full."""
    noise = np.random.default_rng(0)
    for number in range(settings["blocks"]):
        report.unit(str(number), noise.random(settings["size"]))


def tally(settings, report):
    """Count, in steps of two batches, and go on from the last number when it was put away."""
    number = report.kept_state() or 0
    report.can_be_put_away(lambda: number)
    report.flush()  # hear at once if only a step is wanted
    report.checkpoint()
    while number < settings["steps"]:
        time.sleep(settings.get("nap", 0.0))
        report.checkpoint(step_end=False)
        number += 1
        report.event({"pid": os.getpid()}, epoch=number)
        report.progress(number, settings["steps"])
        report.checkpoint()


JOBS = (count, batches, units, keep, fail, hang, children, threads, fill, tally)
SAMPLE_KINDS = {job.__name__: Kind(f"{__name__}:{job.__name__}") for job in JOBS}
SHARED_KINDS = {name: Kind(kind.target, shared=True) for name, kind in SAMPLE_KINDS.items()}


def add_events(store, run_id, *events):
    """Events (epoch, payload), as a job's report would write them."""
    rows = [(epoch, payload.to_bytes(value)) for epoch, value in events]
    with store.database.write() as connection:
        insert_rows(connection, "events", run_id, ("epoch",), rows)


def wait_for(condition, seconds=10.0):
    """Wait until something is true; fail when it does not become so."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not true within {seconds} s"
        time.sleep(0.01)


def run_here(store, kind, settings, **options):
    run_id = store.create_run(kind, settings, queue=False)
    return run_job(store, run_id, SAMPLE_KINDS, **options)


@contextmanager
def running(store, kind, settings):
    """The id of a run that works in a thread."""
    run_id = store.create_run(kind, settings, queue=False)
    thread = threading.Thread(target=run_job, args=(store, run_id, SAMPLE_KINDS))
    thread.start()
    wait_for(lambda: store.run(run_id).status == "running")
    yield run_id
    store.set_control(run_id, "stop")
    thread.join(5)
    assert not thread.is_alive()
