"""Processes of our own: started so that all they start in turn can be ended, bounded in memory.

The one place that knows process groups, signals and limits. Where a system lacks them (Windows has
no groups that can be ended, macOS no preference for the OOM killer), its counterpart is here too.
"""

import faulthandler
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

import psutil

GROUPS = hasattr(os, "killpg")  # a test sets it to False: what then runs is what Windows runs
KILLED = -9  # exit code of a process that was killed, as Linux does when memory runs out
OOM_SCORE = "500"  # when memory runs out, Linux should choose a worker, not the server
BEHIND = 10  # steps of nice: beside a server that is busy, a worker gets a tenth of a core

Stream = int | IO | None


def spawn(
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    stdin: Stream = None,
    stdout: Stream = None,
    stderr: Stream = None,
    cwd: str | Path | None = None,
) -> subprocess.Popen:
    """Start a process in a group of its own: `end_tree` ends it with all that it started.

    A Ctrl-C in the terminal does not reach it either. It stays in our session: Linux may share the
    cores between sessions first (autogroup), and `nice` would then say nothing against us.
    """
    return subprocess.Popen(
        command,
        env=env,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        cwd=cwd,
        process_group=0 if GROUPS else None,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # Windows only
    )


def end_tree(process: subprocess.Popen) -> None:
    """End a process of `spawn` and all that it started, at once; also what it left behind."""
    if GROUPS:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        return
    below = _descendants(process.pid)
    process.kill()
    _kill_all(below)


def end_own_tree() -> None:
    """End this process and all that it started; it does not return."""
    if not GROUPS:
        _kill_all(_descendants(os.getpid()))
    elif os.getpgrp() == os.getpid():  # `spawn` made us the head of a group of our own
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def is_child_of(parent: psutil.Process) -> bool:
    """Whether the process that started this one still lives.

    An orphan gets another parent, but not on Windows, which goes on naming the dead one.
    """
    return (not GROUPS or os.getppid() == parent.pid) and parent.is_running()


def limit_memory(most: int) -> None:
    """Let this process and its children take at most so many bytes each, where that is possible.

    What asks for more gets a MemoryError. Linux counts what is written to (`ulimit -d`), others
    the address space; Windows knows no such limit, and the one who waits has to watch.
    """
    with suppress(ImportError, OSError, ValueError):
        import resource

        kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, hard))


def end_when_stuck(seconds: float) -> None:
    """End this process with a traceback unless this is called again within so many seconds.

    Needs no interpreter to act. They are seconds of work where the system counts them: a machine
    that sleeps, or a container that is paused, does not work. Windows goes by the clock.
    """
    if hasattr(signal, "setitimer"):
        faulthandler.register(signal.SIGPROF, chain=True)  # then the default: the end
        signal.setitimer(signal.ITIMER_PROF, seconds)
    else:
        faulthandler.dump_traceback_later(seconds, exit=True)


def stand_behind() -> None:
    """Let the process that started this one have the cores first; so it is for all started here.

    Threads that run already keep their place: call it before there are any.
    """
    with suppress(OSError, psutil.Error):
        if hasattr(os, "nice"):
            os.nice(BEHIND)
        else:
            psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)


def volunteer_for_oom() -> None:
    """Ask Linux to end this process rather than the server when memory runs out."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(OOM_SCORE, encoding="ascii")


def _descendants(root: int) -> list[psutil.Process]:
    """All processes below one, found in the order of their birth: no parent is its child's junior.

    Windows does not rename the parent of an orphan, so those of a dead process are found there too.
    """
    family, found = {root}, []
    born = {one: one.info["create_time"] or 0.0 for one in psutil.process_iter(["create_time"])}
    for process in sorted(born, key=born.__getitem__):
        with suppress(psutil.Error):
            if process.ppid() in family:
                family.add(process.pid)
                found.append(process)
    return found


def _kill_all(processes: Sequence[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.Error):
            process.kill()
