"""Reading what strangers bring, outside of the process that serves everybody.

A function of ours, named by a text as in `jobs.KINDS`, runs in a process (`reader`) that is kept
warm for the next call. It has a limit of time and of memory, can be given up at any moment, and
may die: the caller then gets a sentence, and the next call a new process.
"""

from __future__ import annotations

import atexit
import json
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import psutil

from anyloss_core.common.memory import free_bytes, size_text
from anyloss_core.jobs import handover
from anyloss_core.jobs.processes import end_tree, spawn
from anyloss_core.jobs.worker_process import environment

TICK_SECONDS = 0.1  # how often the caller is asked whether it still waits
LEAN_BYTES = 600_000_000  # a reader that kept more than this from a large file is not used again
SELF_LIMIT = True  # a test sets it to False: what then runs is what Windows runs
FREE_SHARE = 0.8  # of the free memory that one reading may take

UNDER_WAY = ("wait", "progress")  # kinds of news after which more will come
NO_FILES: Mapping[str, bytes] = MappingProxyType({})

Refusal = Callable[[str, str], ValueError]


class Unreadable(ValueError):
    """What cannot be read; `repair` says what to do about it."""

    def __init__(self, message: str, repair: str = "") -> None:
        super().__init__(f"{message} {repair}".strip())
        self.message, self.repair = message, repair


@dataclass(frozen=True)
class Reading:
    """Who reads what, within which limits, and how a refusal is raised."""

    owner: str = ""
    what: str = "file"
    seconds: float = 120.0
    memory: int = 4_000_000_000  # bytes, and never more than a share of what is free
    refusal: Refusal = Unreadable


class Reader:
    """A reading process as its caller sees it."""

    def __init__(self, preload: Sequence[str]) -> None:
        command = [sys.executable, "-m", "anyloss_core.jobs.reader", *preload]
        pipe = subprocess.PIPE
        self.process = spawn(command, env=environment(), stdin=pipe, stdout=pipe)
        self.busy = False  # asked, and not done with it
        self.lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()  # b"": it has ended
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None  # it was started with a pipe
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(b"")

    def ask(self, request: Mapping[str, Any]) -> None:
        """Send a request; that the process has died is noticed when its answer is awaited."""
        self.busy = True
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()

    def answers(self, seconds: float, memory: int) -> Iterator[tuple[str, Any]]:
        """(kind, content) of what happens to the request, and ('wait', None) in between.

        It ends with one of value, refused, fault, memory, slow and died.
        """
        deadline = time.monotonic() + seconds
        while True:
            kind, content = self._next()
            self.busy = kind in (*UNDER_WAY, "died")
            if kind in UNDER_WAY and self.taken > memory:
                kind = "memory"
            elif kind in UNDER_WAY and time.monotonic() > deadline:
                kind = "slow"
            yield kind, content
            if kind not in UNDER_WAY:
                return

    def _next(self) -> tuple[str, Any]:
        try:
            line = self.lines.get(timeout=TICK_SECONDS)
        except queue.Empty:
            return "wait", None
        return next(iter(json.loads(line).items())) if line else ("died", None)

    @property
    def taken(self) -> int:
        """Bytes of memory that it holds; 0 if it has died."""
        try:
            return psutil.Process(self.process.pid).memory_info().rss
        except psutil.Error:
            return 0

    @property
    def usable(self) -> bool:
        """Whether it lives, is done with what it was asked, and gave back what that took."""
        return not self.busy and self.process.poll() is None and self.taken < LEAN_BYTES

    def end(self) -> None:
        """End it, and wait until it is gone."""
        end_tree(self.process)
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                pipe and pipe.close()


class Readers:
    """A few reading processes, lent to one caller at a time; an owner has one at a time."""

    def __init__(self, most: int = 3, preload: Sequence[str] = ()) -> None:
        self.most = most
        self.preload = preload
        self._idle: list[Reader] = []
        self._owners: list[str] = []  # who reads now
        self._change = threading.Condition()
        atexit.register(self.end)

    def call(
        self,
        target: str,
        arguments: Mapping[str, Any],
        files: Mapping[str, bytes] = NO_FILES,
        *,
        reading: Reading | None = None,
        on_progress: Callable[[float], None] | None = None,
        on_wait: Callable[[], None] = lambda: None,
    ) -> Any:
        """What the function `target` ('module:name') returns for these arguments.

        `files` are written for it and handed over as paths. `on_wait` is called all the time and
        may raise to give up; the reading then ends. What the function refuses, and everything that
        goes wrong, is raised as `reading.refusal(message, repair)`.
        """
        reading = reading or Reading()
        with self._lent(reading.owner, on_wait) as reader, _folder(files) as (folder, paths):
            memory = min(reading.memory, int(FREE_SHARE * free_bytes()) + reader.taken)
            request = {"target": target, "arguments": {**arguments, **paths}, "folder": str(folder)}
            own_limit = memory if SELF_LIMIT else None
            reader.ask(request | {"memory": own_limit, "progress": on_progress is not None})
            for kind, content in reader.answers(reading.seconds, memory):
                on_wait()
                if kind == "progress" and on_progress:
                    on_progress(content)
                elif kind == "value":
                    return handover.take(content, folder)
                elif kind not in UNDER_WAY:
                    raise reading.refusal(*_sentences(kind, content, reading, memory))

    def warm(self) -> None:
        """Have one ready before anybody needs it."""
        with self._lent("", lambda: None):
            pass

    def end(self) -> None:
        """End those that nobody uses; the next call starts a new one."""
        with self._change:
            idle, self._idle = self._idle, []
        for reader in idle:
            reader.end()

    @contextmanager
    def _lent(self, owner: str, on_wait: Callable[[], None]) -> Iterator[Reader]:
        self._take_turn(owner, on_wait)
        reader = None
        try:
            reader = self._one()
            yield reader
        finally:
            usable = reader is not None and reader.usable
            if reader and not usable:
                reader.end()
            with self._change:
                self._owners.remove(owner)
                if reader and usable:
                    self._idle.append(reader)
                self._change.notify_all()

    def _take_turn(self, owner: str, on_wait: Callable[[], None]) -> None:
        with self._change:
            while len(self._owners) >= self.most or (owner and owner in self._owners):
                on_wait()
                self._change.wait(TICK_SECONDS)
            self._owners.append(owner)

    def _one(self) -> Reader:
        """One that lives: it may have been killed while it was idle."""
        while self._idle:
            with self._change:
                reader = self._idle.pop() if self._idle else None
            if reader and reader.usable:
                return reader
            if reader:
                reader.end()
        return Reader(self.preload)


@contextmanager
def _folder(files: Mapping[str, bytes]) -> Iterator[tuple[Path, dict[str, str]]]:
    """A folder for one call, and the paths of the files that are handed over."""
    with tempfile.TemporaryDirectory(prefix="anyloss-", ignore_cleanup_errors=True) as name:
        paths = {argument: Path(name) / argument for argument in files}
        for argument, path in paths.items():
            path.write_bytes(files[argument])
        yield Path(name), {argument: str(path) for argument, path in paths.items()}


def _sentences(kind: str, content: Any, reading: Reading, memory: int) -> tuple[str, str]:
    """What went wrong, and what to do about it."""
    if kind == "refused":
        return content[0], content[1]
    reasons = {
        "memory": f"that takes more than {size_text(memory)} of memory",
        "slow": f"that takes longer than {reading.seconds:g} seconds",
    }
    reason = reasons.get(kind, "it is damaged, or not what it seems to be")
    smaller = "Bring fewer rows or columns, or save it as CSV."
    repair = smaller if kind in reasons else "Save it once more, or as CSV."
    return f"This {reading.what} cannot be read: {reason}.", repair
