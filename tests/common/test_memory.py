"""Free memory is the least that the system, the container and the process leave."""

import resource
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from anyloss_core.common.memory import TooLarge, check_room, free_bytes, ran_out

ROOT = Path(__file__).parents[2]
GIGABYTE = 1_000_000_000


@pytest.fixture
def machine(tmp_path):
    """A tree of files as Linux shows them: 8 GB available."""

    def write(**files):
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    write(**{"proc__meminfo": "MemTotal: 16000000 kB\nMemAvailable: 8000000 kB\n"})
    return write


def group(folder, most, used, cache, version=2):
    names = ("memory.max", "memory.current") if version == 2 else (
        "memory.limit_in_bytes", "memory.usage_in_bytes")  # fmt: skip
    key = "inactive_file" if version == 2 else "total_inactive_file"
    return {
        f"{folder}__{names[0]}": f"{most}\n",
        f"{folder}__{names[1]}": f"{used}\n",
        f"{folder}__memory.stat": f"anon 5\n{key} {cache}\n",
    }


def test_the_system_tells_what_is_available(machine):
    assert free_bytes(machine()) == 8_192_000_000


def test_it_agrees_with_psutil_on_this_machine():
    available = psutil.virtual_memory().available
    assert free_bytes() <= available + GIGABYTE // 2  # others come and go meanwhile


def test_a_system_without_proc_is_asked_through_psutil(tmp_path):
    free, expected = free_bytes(tmp_path), psutil.virtual_memory().available
    assert free == pytest.approx(expected, rel=0.2)


def test_a_container_of_version_2_counts_with_the_groups_above_it(machine):
    files = {"proc__self__cgroup": "0::/pod/lab\n"}
    files |= group("sys__fs__cgroup__pod__lab", 3 * GIGABYTE, 1 * GIGABYTE, 200_000_000)
    assert free_bytes(machine(**files)) == 2_200_000_000  # cache is given back
    files = group("sys__fs__cgroup__pod", 2 * GIGABYTE, 1 * GIGABYTE, 0)
    assert free_bytes(machine(**files)) == GIGABYTE


def test_a_group_without_a_limit_does_not_count(machine):
    files = {"proc__self__cgroup": "0::/\n"} | group("sys__fs__cgroup", "max", GIGABYTE, 0)
    assert free_bytes(machine(**files)) == 8_192_000_000


def test_a_container_of_version_1_that_sees_itself_as_the_top(machine):
    files = {"proc__self__cgroup": "4:cpu:/x\n3:memory:/docker/0abc\n"}
    files |= group("sys__fs__cgroup__memory", GIGABYTE, 400_000_000, 100_000_000, version=1)
    assert free_bytes(machine(**files)) == 700_000_000


def test_a_group_that_is_over_its_limit_leaves_nothing(machine):
    files = {"proc__self__cgroup": "0::/\n"} | group("sys__fs__cgroup", 100, 300, 0)
    assert free_bytes(machine(**files)) == 0


LIMITED = """
import resource, mmap
from anyloss_core.common.memory import free_bytes
size = 600_000_000
resource.setrlimit(resource.RLIMIT_AS, (size, size))
free = free_bytes()
kept = mmap.mmap(-1, free - 20_000_000)
try:
    mmap.mmap(-1, 40_000_000)
    print("more than it said")
except OSError:
    print("as it said")
"""


def test_the_limit_of_a_process_is_what_the_system_enforces():
    run = subprocess.run([sys.executable, "-c", LIMITED], cwd=ROOT, capture_output=True, text=True)
    assert run.stdout.strip() == "as it said", run.stderr
    assert resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY


def test_a_refusal_has_both_figures_and_the_repair():
    with pytest.raises(
        TooLarge, match=r"^this needs about 1,000,000\.0 GB .* free; use fewer rows"
    ):
        check_room(10**15, "this", "use fewer rows")
    check_room(1, "this", "")


def test_torch_and_numpy_run_out_of_memory_in_their_own_words():
    import numpy as np
    import torch

    for make in (lambda: torch.empty(10**15), lambda: np.empty(10**15)):
        with pytest.raises((RuntimeError, MemoryError)) as caught:
            make()
        assert ran_out(caught.value)
    assert not ran_out(RuntimeError("shapes differ"))
