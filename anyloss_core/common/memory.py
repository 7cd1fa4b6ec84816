"""How much memory can still be had, and the refusal of what would not fit.

The least of three counts: what the system has, what the control group of a container leaves, and
what the limits of the process allow. Refusing beforehand is kinder than being killed.
"""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

# Below each group: (limit, usage, the name in memory.stat of cache that is given back on demand).
VERSION_2 = ("memory.max", "memory.current", "inactive_file")
VERSION_1 = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
# What numpy does not raise as MemoryError: torch's allocators and the C++ library.
TORCH_WORDS = ("can't allocate memory", "not enough memory", "out of memory", "bad_alloc")


# Parameters of mallopt(3) of the GNU C library, and what they are set to for a server.
ONE_HEAP = {
    "M_ARENA_MAX": (-8, 1),
    "M_TRIM_THRESHOLD": (-1, 1 << 16),
    "M_MMAP_THRESHOLD": (-3, 1 << 16),
}


class TooLarge(ValueError):
    """Work that would not fit; the message has the figure and what to reduce."""


def check_room(needed: int, what: str, repair: str) -> None:
    """Refuse work that needs more bytes than are free."""
    free = free_bytes()
    if needed > free:
        raise TooLarge(
            f"{what} needs about {size_text(needed)} of memory and {size_text(free)} are free; "
            f"{repair}"
        )


def size_text(size: int) -> str:
    """'1.2 GB', or in megabytes when it is less than that."""
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{size / 1e6:,.0f} MB"


def ran_out(fault: BaseException) -> bool:
    """Whether a fault means that memory ran out, whoever noticed it."""
    if isinstance(fault, RuntimeError):
        return any(words in str(fault) for words in TORCH_WORDS)
    return isinstance(fault, MemoryError)


def share_one_heap() -> None:
    """Let all threads of this process allocate from one heap that gives back what is free.

    By default each thread gets a heap of its own, whose gaps no other uses: a server whose pages
    run in short-lived threads grew by 45 % in ten minutes of load. Does nothing without glibc.
    """
    with suppress(AttributeError, OSError, TypeError):
        library = ctypes.CDLL(None)
        for parameter, value in ONE_HEAP.values():
            library.mallopt(parameter, value)


def give_back() -> None:
    """Collect what nobody uses any more, and hand free pages back to the system.

    Figures and sessions are cycles, and in a process that holds torch and pandas Python collects
    them late: it waits until a quarter of all objects is new. 14 visitors left 5 MB of them.
    """
    gc.collect()
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def set_aside() -> None:
    """Collect everything once more, and let the collector leave alone what is still there.

    That is modules, for the most part: 370,000 objects, 0.2 s at every look. With these left alone,
    what is new is looked at sooner and in a few milliseconds, and less of it piles up.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def free_bytes(root: Path = Path("/")) -> int:
    """Memory that this process can have now; `root` is where /proc and /sys are found."""
    counts = (_of_system(root), *_of_groups(root), *_of_process(root))
    return max(0, min(counts))


def _of_system(root: Path) -> int:
    with suppress(OSError, KeyError, ValueError, IndexError):
        lines = (root / "proc/meminfo").read_text(encoding="ascii").splitlines()
        found = {line.split(":")[0]: int(line.split()[1]) for line in lines}
        return found["MemAvailable"] * 1024
    return psutil.virtual_memory().available  # macOS and Windows tell in other ways


def _of_groups(root: Path) -> Iterator[int]:
    """What the control group of the process and each group above it leave."""
    with suppress(OSError):
        for line in (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers == "":
                yield from _of_group(root / "sys/fs/cgroup", path, *VERSION_2)
            elif "memory" in controllers.split(","):
                yield from _of_group(root / "sys/fs/cgroup/memory", path, *VERSION_1)


def _of_group(top: Path, path: str, most: str, used: str, cache: str) -> Iterator[int]:
    group = top / path.lstrip("/")
    for folder in (group, *group.parents):  # a container may see its own group as the top one
        with suppress(OSError, ValueError):  # 'max': no limit
            limit = int((folder / most).read_text(encoding="ascii"))
            lines = (folder / "memory.stat").read_text(encoding="ascii").splitlines()
            stat = dict(line.split() for line in lines)
            taken = int((folder / used).read_text(encoding="ascii"))
            yield limit - taken + int(stat.get(cache, 0))
        if folder == top:
            return


def _of_process(root: Path) -> Iterator[int]:
    """What `ulimit -v` and `ulimit -d` leave, where there are such limits."""
    with suppress(ImportError, OSError, ValueError, IndexError):
        import resource

        text = (root / "proc/self/statm").read_text(encoding="ascii")
        pages = [int(page) for page in text.split()]
        for limit, taken in ((resource.RLIMIT_AS, pages[0]), (resource.RLIMIT_DATA, pages[5])):
            most = resource.getrlimit(limit)[0]
            if most != resource.RLIM_INFINITY:
                yield most - taken * resource.getpagesize()
