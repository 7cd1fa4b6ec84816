"""A lock that dies with its process."""

import subprocess
import sys

from anyloss_core.jobs.liveness import alive, is_alive, lock_path


def test_a_lock_dies_with_its_process(tmp_path):
    code = (
        "import sys, time; from pathlib import Path; from anyloss_core.jobs.liveness import alive\n"
        "with alive(Path(sys.argv[1]), 'x'): print('held', flush=True); time.sleep(60)"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout.readline() == "held\n"
    assert is_alive(tmp_path, "x")
    assert is_alive(tmp_path, "x")  # looking does not break it
    child.kill()
    child.communicate()
    assert not is_alive(tmp_path, "x")
    with alive(tmp_path, "x"):
        assert is_alive(tmp_path, "x")  # also seen from the same process
    assert not is_alive(tmp_path, "x")


def test_a_name_lives_while_it_is_held_and_leaves_no_file(store):
    assert not is_alive(store.home, "w" * 32)
    with alive(store.home, "w" * 32):
        assert is_alive(store.home, "w" * 32)
        assert not is_alive(store.home, "v" * 32)
        assert lock_path(store.home, "w" * 32).stat().st_mode & 0o077 == 0
    assert not is_alive(store.home, "w" * 32)
    assert not lock_path(store.home, "w" * 32).exists()
