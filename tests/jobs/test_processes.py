"""Trees of processes, ended as a whole with groups and without, and limits of memory."""

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from anyloss_core.jobs import processes
from anyloss_core.jobs.processes import KILLED, end_tree, spawn
from tests.sample_jobs import wait_for

ROOT = Path(__file__).parents[2]
CHILD = "import subprocess, sys, time;{} print(0, flush=True); time.sleep(600)"
START = " subprocess.Popen([sys.executable, '-c', {!r}], stdout=sys.stdout);"
GRANDCHILD = CHILD.format(START.format(CHILD.format("")))
TREE = CHILD.format(START.format(GRANDCHILD))


@pytest.fixture(params=[True, False], ids=["groups", "neutral"])
def groups(request, monkeypatch):
    """With process groups, and as it runs where there are none."""
    if request.param and not processes.GROUPS:
        pytest.skip("this system has no groups")
    monkeypatch.setattr(processes, "GROUPS", request.param)
    return request.param


def started(code, **options):
    return spawn([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=ROOT, **options)


def lives(pid):
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def test_a_tree_of_three_generations_ends_as_a_whole(groups):
    with started(TREE) as process:
        wait_for(lambda: len(psutil.Process(process.pid).children(recursive=True)) == 2)
        tree = [process.pid, *(c.pid for c in psutil.Process(process.pid).children(recursive=True))]
        end_tree(process)
        assert process.wait(5) == KILLED
        wait_for(lambda: not any(map(lives, tree)), seconds=2)


def test_a_process_that_is_gone_can_be_ended_again(groups):
    with started("") as process:
        process.wait(10)
        end_tree(process)
    assert process.returncode == 0


def test_a_child_knows_when_it_is_alone(groups):
    assert processes.is_child_of(psutil.Process(os.getppid()))
    with started(CHILD.format("")) as other:
        starter = psutil.Process(other.pid)
        assert processes.is_child_of(starter) is not groups  # Windows names any parent
        end_tree(other)
    assert not processes.is_child_of(starter)


def test_nobody_else_is_ended(groups):
    with started(CHILD.format("")) as other, started(CHILD.format("")) as process:
        end_tree(process)
        process.wait(5)
        assert other.poll() is None
        end_tree(other)


def test_a_process_ends_itself_with_all_it_started(groups):
    code = f"import os, subprocess, sys\nsys.path.insert(0, {str(ROOT)!r})\n"
    code += f"from anyloss_core.jobs import processes\nprocesses.GROUPS = {groups}\n"
    code += f"child = subprocess.Popen([sys.executable, '-c', {CHILD.format('')!r}])\n"
    code += "print(child.pid, flush=True)\ninput()\nprocesses.end_own_tree()"
    with started(code, stdin=subprocess.PIPE) as process:
        child = int(process.stdout.readline())
        assert lives(child)
        process.stdin.write(b"\n")
        process.stdin.close()
        assert process.wait(5) == (KILLED if groups else 1)
        wait_for(lambda: not lives(child), seconds=2)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_what_asks_for_more_memory_than_its_limit_gets_a_memory_error():
    code = "from anyloss_core.jobs.processes import limit_memory\nlimit_memory(200_000_000)\n"
    code += "small = bytearray(50_000_000)\n"
    code += "try:\n    bytearray(400_000_000)\nexcept MemoryError:\n    print('refused')"
    with started(code) as process:
        assert process.communicate(timeout=20)[0].split() == [b"refused"]


def test_a_limit_never_rises_above_the_one_that_holds_already():
    code = "from anyloss_core.jobs.processes import limit_memory\n"
    code += "import resource\nresource.setrlimit(resource.RLIMIT_DATA, (300_000_000,) * 2)\n"
    code += "limit_memory(10**12)\nprint(resource.getrlimit(resource.RLIMIT_DATA)[0])"
    if not sys.platform.startswith("linux"):
        pytest.skip("only Linux counts data")
    with started(code) as process:
        assert process.communicate(timeout=20)[0].split() == [b"300000000"]


def test_the_environment_and_the_folder_are_passed_on(tmp_path):
    code = "import os; print(os.environ['HELLO'], os.getcwd())"
    command = [sys.executable, "-c", code]
    environment = os.environ | {"HELLO": "world"}
    with spawn(command, env=environment, cwd=tmp_path, stdout=subprocess.PIPE) as process:
        assert process.communicate(timeout=20)[0].decode().split() == ["world", str(tmp_path)]


BUSY = "import re, threading, time\nfrom anyloss_core.jobs.processes import end_when_stuck\n"
KEEPER = """
def keep():
    while True:
        end_when_stuck(1.5)
        time.sleep(0.2)

threading.Thread(target=keep, daemon=True).start()
print("ready", flush=True)
"""


def test_code_that_holds_the_interpreter_is_ended():
    code = BUSY + KEEPER + "re.match('(a+)+$', 'a' * 60 + 'b')"  # never returns to any thread
    with started(code, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"ready\n"
        _, told = process.communicate(timeout=60)
        assert process.returncode != 0
        assert b"re.match" in told or b"<string>" in told  # where it was


def test_a_frozen_process_is_not_stuck():
    code = BUSY + KEEPER + "while True: sum(range(1000))"
    with started(code) as process:
        assert process.stdout.readline() == b"ready\n"
        psutil.Process(process.pid).suspend()
        time.sleep(3.0)  # twice the limit, as when a laptop sleeps
        psutil.Process(process.pid).resume()
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1.0)
        end_tree(process)


# The terminal of a server: a Ctrl-C there is a signal to all that runs in its foreground.
TERMINAL = f"""
import fcntl, subprocess, sys, termios, time
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from anyloss_core.jobs.processes import end_tree, spawn

command = [sys.executable, "-c", {CHILD.format("")!r}]
worker, same = (start(command, stdout=subprocess.PIPE) for start in (spawn, subprocess.Popen))
try:
    print(worker.stdout.readline(), same.stdout.readline(), flush=True)
    time.sleep(600)
except KeyboardInterrupt:
    print(same.wait(), worker.poll())
end_tree(worker)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other terminals")
def test_a_ctrl_c_in_the_terminal_reaches_the_server_and_no_worker():
    ours, terminal = os.openpty()
    command = [sys.executable, "-c", TERMINAL]
    streams = {"stdin": terminal, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, cwd=ROOT, start_new_session=True, **streams) as server:
        assert server.stdout.readline()  # all three are there
        os.write(ours, b"\x03")
        told, _ = server.communicate(timeout=60)
    os.close(ours)
    os.close(terminal)
    assert told.split() == [b"-2", b"None"]  # ended by the signal, and still at work


BURN = "while True: sum(range(10_000))"
BEHIND = "from anyloss_core.jobs.processes import stand_behind\nstand_behind()\n"
# Both on one core, so that they are in each other's way on any machine.
RIVALS = f"""
import os, subprocess, sys, threading, time
import psutil
from anyloss_core.jobs.processes import end_tree, spawn

os.sched_setaffinity(0, {{min(os.sched_getaffinity(0))}})
worker = spawn([sys.executable, "-c", {BEHIND + BURN!r}])
used = lambda pid: sum(psutil.Process(pid).cpu_times()[:2])
while used(worker.pid) < 0.3:  # it has come so far as to burn
    time.sleep(0.01)
ours, others = time.process_time(), used(worker.pid)
while time.process_time() - ours < 1.0:
    sum(range(10_000))
print(used(worker.pid) - others)
end_tree(worker)
"""


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="processes cannot share a core")
def test_who_stands_behind_leaves_the_core_to_who_started_it():
    """Linux shares the cores between sessions first: in one of its own it would get a half."""
    with started(RIVALS) as process:
        taken = float(process.communicate(timeout=120)[0])
    assert 0.02 < taken < 0.3  # seconds, while its starter took one; both are equal without


def test_what_is_started_from_behind_stands_there_too():
    code = BEHIND + "import subprocess, sys\n"
    code += "print(subprocess.check_output([sys.executable, '-c', 'import psutil; '"
    code += " 'print(psutil.Process().nice())'], text=True))"
    with started(code) as process:
        assert int(process.communicate(timeout=60)[0]) != psutil.Process().nice()
