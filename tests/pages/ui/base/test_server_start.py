"""What the server does beside its pages: it gives back what visitors left behind."""

import asyncio
import gc
import os
import subprocess
import sys
import weakref
from pathlib import Path

import pytest

from anyloss_core.jobs.worker_process import ONE_THREAD
from pages.ui.base import server_start
from tests.support.own_loop import run

ROOT = Path(__file__).parents[4]


class Ring:
    """A cycle, as figures and sessions are: only the collector ends it."""

    def __init__(self):
        self.itself = self


@pytest.fixture(autouse=True)
def own_environment(monkeypatch):
    """The server may set a variable; afterwards it is as before."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


@pytest.fixture
def no_collector():
    """Python's own collector waits, as it does in a large process."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def thawed():
    """The collector looks after everything again when the test is over."""
    yield
    gc.unfreeze()


async def serve(until, seconds=20.0):
    async with server_start.lifespan(None):
        deadline = asyncio.get_running_loop().time() + seconds
        while not until() and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.01)
    return until()


def test_what_nobody_uses_is_collected_while_the_server_stands(no_collector, monkeypatch):
    monkeypatch.setattr(server_start, "TIDY_EVERY", 0.02)
    monkeypatch.setattr(server_start.webbrowser, "open", lambda address: None)
    left = weakref.ref(Ring())
    assert left() is not None
    assert run(serve(lambda: left() is None))


def test_what_was_set_aside_is_collected_once_nobody_is_there(no_collector, thawed, monkeypatch):
    monkeypatch.setattr(server_start, "TIDY_EVERY", 0.02)
    monkeypatch.setattr(server_start.webbrowser, "open", lambda address: None)
    ring = Ring()
    left = weakref.ref(ring)
    gc.freeze()
    del ring
    gc.collect()
    assert left() is not None
    assert run(serve(lambda: left() is None))
    assert gc.get_freeze_count() > 1000  # modules


def test_modules_are_set_aside_while_visitors_are_there(no_collector, thawed, monkeypatch):
    class Occupied:
        state = server_start.RuntimeState.ONE_OR_MORE_SESSIONS_CONNECTED

    monkeypatch.setattr(server_start, "exists", lambda: True)
    monkeypatch.setattr(server_start, "get_instance", Occupied)
    monkeypatch.setattr(server_start, "TIDY_EVERY", 0.02)
    monkeypatch.setattr(server_start.webbrowser, "open", lambda address: None)
    assert run(serve(lambda: gc.get_freeze_count() > 1000))


THREADS = """
import asyncio, app
from pages.ui.base.server_start import lifespan
async def serve():
    async with lifespan(None):
        import torch
        print(torch.get_num_threads())
asyncio.run(serve())
"""


def test_the_server_computes_in_one_thread_unless_told_otherwise():
    """Of two threads each waits for the other: a small product took 250 times as long."""
    told = {"STREAMLIT_SERVER_HEADLESS": "true"}
    rest = {name: value for name, value in os.environ.items() if name not in ONE_THREAD}
    for given, threads in (({}, "1"), ({"OMP_NUM_THREADS": "2"}, "2")):
        command = [sys.executable, "-c", THREADS]
        done = subprocess.run(
            command, cwd=ROOT, env=rest | told | given, capture_output=True, text=True, check=True
        )
        assert done.stdout.split() == [threads]


def test_the_tidying_ends_with_the_server(monkeypatch):
    calls = []
    monkeypatch.setattr(server_start, "TIDY_EVERY", 0.01)
    monkeypatch.setattr(server_start, "give_back", lambda: calls.append(1))
    monkeypatch.setattr(server_start.webbrowser, "open", lambda address: None)

    async def stand_and_stop():
        await serve(lambda: calls)
        told = len(calls)
        await asyncio.sleep(0.1)
        return len(calls) - told

    assert run(stand_and_stop()) <= 1
    assert calls
