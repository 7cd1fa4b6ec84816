"""A job server whose only worker is a thread of this process, where torch is loaded already.

For tests of what pages do with runs. That the real one keeps processes alive and ends those that
hang is tested in tests/jobs and tests/faults, and in the browser.
"""

from __future__ import annotations

import secrets
import threading

from anyloss_core.jobs import queue
from anyloss_core.jobs.liveness import alive
from anyloss_core.jobs.server import JobServer
from anyloss_core.jobs.worker import work
from anyloss_core.store.records import ACTIVE


class ThreadServer(JobServer):
    """Takes the queued runs of a store one after another."""

    def start(self) -> ThreadServer:
        queue.mark_lost(self.store)
        self._ending.clear()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()
        return self

    def stop(self) -> None:
        self._ending.set()
        for run in self.store.runs(status=ACTIVE, limit=500):
            self.store.set_control(run.id, "stop")
        self._thread.join()

    def _work(self) -> None:
        name = secrets.token_hex(16)
        with alive(self.store.home, name):
            work(self.store, name, self.kinds, self._ending)
