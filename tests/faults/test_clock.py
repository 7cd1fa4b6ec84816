"""The clock of the machine is set back a day while jobs work: nobody notices."""

import os
import time
from pathlib import Path

import pytest

from anyloss_core.jobs.server import JobServer, Limits
from anyloss_core.store.store import Store
from tests.sample_jobs import SAMPLE_KINDS, wait_for

CLOCK = Path(__file__).parent / "clock"
DAY = 86_400.0


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A store whose processes, this one too, read the clock that the test sets."""
    offset = tmp_path / "offset"
    offset.write_text("0")
    paths = [str(CLOCK), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.setenv("CLOCK", str(offset))
    right = time.time
    monkeypatch.setattr(time, "time", lambda: right() + float(offset.read_text() or 0))
    store = Store(tmp_path / "home")
    yield store
    store.close()


def test_runs_end_in_order_with_their_time_when_the_clock_goes_back(store, tmp_path):
    server = JobServer(store, 1, SAMPLE_KINDS, Limits(hang_seconds=5, pause_seconds=60)).start()
    try:
        first = server.submit("count", {"epochs": 150, "nap": 0.01})
        wait_for(lambda: store.run(first).done > 3)
        upload = store.save_upload(b"a,b\n1,2\n", {"name": "t"})
        (tmp_path / "offset").write_text(str(-DAY))
        second = server.submit("count", {"epochs": 5})
        wait_for(lambda: store.run(second).status == "done", seconds=20)
    finally:
        server.stop()
    before, after = store.run(first), store.run(second)
    assert (before.status, after.status) == ("done", "done")
    assert 1.5 < before.seconds < 20
    assert before.finished < before.started - DAY / 2  # the workers did see the wrong time
    assert [run.id for run in store.runs()] == [second, first]  # newest first all the same
    store.clear_uploads()
    assert store.open_upload(upload).read() == b"a,b\n1,2\n"
