"""Whatever a file does to its reader, the caller gets a sentence and the next one a reader."""

import threading
import time

import pandas as pd
import psutil
import pytest

from anyloss_core.data.errors import DataError
from anyloss_core.jobs.isolated import Readers, Reading, Unreadable
from tests.sample_jobs import wait_for
from tests.support import readings


@pytest.fixture(scope="module")
def readers():
    several = Readers(most=2, preload=["tests.support.readings"])
    yield several
    several.end()


def call(readers, name, files=None, reading=None, on_progress=None, on_wait=None, **arguments):
    more = {"reading": reading, "on_progress": on_progress}
    more |= {"on_wait": on_wait} if on_wait else {}
    return readers.call(f"tests.support.readings:{name}", arguments, files or {}, **more)


def pids(readers):
    return [reader.process.pid for reader in readers._idle]


def test_a_file_is_read_by_another_process_which_stays_warm(readers):
    assert call(readers, "shape", {"path": b"a,b\n1,2\n3,4\n"}) == [2, 2]
    warm = pids(readers)
    assert call(readers, "shape", {"path": b"a,b,c\n1,2,3\n"}) == [1, 3]
    assert pids(readers) == warm
    assert psutil.Process().pid not in warm


def test_a_table_comes_back_with_its_types(readers):
    back = call(readers, "frame", rows=300)
    pd.testing.assert_frame_equal(back["table"], readings.frame(300)["table"])


def test_progress_is_heard(readers):
    seen = []
    assert call(readers, "steps", on_progress=seen.append, count=4) == 4
    assert seen == [0.0, 0.25, 0.5, 0.75]


DEATHS = {
    "die": "damaged",
    "raise_arrow": "damaged",
    "hang": "longer than 1.5 seconds",
    "eat": "more than 500 MB of memory",
    "eat_slowly": "more than 500 MB of memory",
}


@pytest.mark.parametrize("name", DEATHS)
def test_what_kills_stalls_or_bloats_a_reader_is_a_sentence(name, readers):
    call(readers, "echo")  # warm: the limit of time is for the file
    bounded = Reading(seconds=1.5, memory=500_000_000, refusal=DataError)
    if name.startswith("eat"):
        bounded = Reading(memory=500_000_000, refusal=DataError)
    with pytest.raises(DataError, match=r"^This file cannot be read") as refusal:
        call(readers, name, reading=bounded)
    assert DEATHS[name] in refusal.value.message
    assert refusal.value.repair
    assert call(readers, "echo", x=1) == {"x": 1}  # and the next one is served


def test_the_memory_is_watched_from_outside_too(readers, monkeypatch):
    """Windows has no limit that a process could set itself."""
    monkeypatch.setattr("anyloss_core.jobs.isolated.SELF_LIMIT", False)
    with pytest.raises(Unreadable, match="more than 500 MB"):
        call(readers, "eat_slowly", reading=Reading(memory=500_000_000))


def test_a_refusal_of_ours_keeps_its_words_and_its_reader(readers):
    call(readers, "echo")
    warm = pids(readers)
    with pytest.raises(Unreadable, match="no columns") as refusal:
        call(readers, "refuse")
    assert refusal.value.repair == "Bring one with columns."
    assert pids(readers) == warm


class Left(BaseException):
    """As Streamlit ends a script: no Exception."""


def test_the_reading_ends_with_its_visitor(readers):
    began = time.monotonic()

    def on_wait():
        if time.monotonic() > began + 0.3:
            raise Left

    call(readers, "echo")
    (reader,) = (psutil.Process(pid) for pid in pids(readers)[-1:])
    with pytest.raises(Left):
        call(readers, "hang", on_wait=on_wait)
    assert time.monotonic() - began < 10
    assert not reader.is_running()


def test_a_reader_that_was_killed_while_idle_is_replaced(readers):
    call(readers, "echo")
    for reader in readers._idle:
        reader.process.kill()
        reader.process.wait()
    assert call(readers, "echo", x=2) == {"x": 2}


def test_an_owner_reads_one_file_at_a_time_and_keeps_nobody_from_reading(readers):
    stop = threading.Event()

    def hog():
        def on_wait():
            if stop.is_set():
                raise Left

        with pytest.raises(Left):
            call(readers, "hang", reading=Reading(owner="hog"), on_wait=on_wait)

    hogs = [threading.Thread(target=hog) for _ in range(5)]
    for thread in hogs:
        thread.start()
    try:
        wait_for(lambda: readers._owners == ["hog"])
        assert call(readers, "echo", reading=Reading(owner="other"), x=3) == {"x": 3}
        assert readers._owners == ["hog"]
    finally:
        stop.set()
        for thread in hogs:
            thread.join()
    assert not readers._owners


def test_those_that_nobody_uses_can_be_ended(readers):
    call(readers, "echo")
    idle = [psutil.Process(pid) for pid in pids(readers)]
    readers.end()
    assert not any(process.is_running() for process in idle)
    assert call(readers, "echo", x=4) == {"x": 4}
