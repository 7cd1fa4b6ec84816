"""What the server does beside its pages: it gives back what visitors left behind."""

import asyncio
import gc
import weakref

import pytest

from pages.ui.base import server_start
from tests.support.own_loop import run


class Ring:
    """A cycle, as figures and sessions are: only the collector ends it."""

    def __init__(self):
        self.itself = self


@pytest.fixture
def no_collector():
    """Python's own collector waits, as it does in a large process."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


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
