"""Values that were costly to make, kept as long as they are used and together fit.

Bounded by bytes: a hundred small tables may stay where three large ones may not; and by number,
where they are made of many small pieces, which a server does not get rid of again. Who comes for a
value that is being made waits for it instead of making it again.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import is_dataclass
from typing import Any

from anyloss_core.common.memory import free_bytes

SHARE = 1 / 8  # of the memory that is free or held here
MOST_BYTES = 2_000_000_000
SMALL = 64  # bytes of what is no table


class ByteCache:
    """The most recently used values whose bytes stay within a share of the memory."""

    def __init__(self, most_bytes: int = MOST_BYTES, most: int | None = None) -> None:
        self.most_bytes = most_bytes
        self.most = most
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._making: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    @property
    def held(self) -> int:
        """Bytes of all values."""
        return sum(size for _, size in self._kept.values())

    def get(self, key: Hashable, make: Callable[[], tuple[Any, int]]) -> Any:
        """The value of a key; `make` gives it with its bytes if it is not kept."""
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._lock:
                if key in self._kept:
                    self._kept.move_to_end(key)
                    return self._kept[key][0]
            try:
                value, size = make()
                self._keep(key, value, size)
            finally:
                with self._lock:
                    self._making.pop(key, None)
        return value

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()

    def _keep(self, key: Hashable, value: Any, size: int) -> None:
        with self._lock:
            self._kept[key] = (value, size)
            most = min(self.most_bytes, int(SHARE * (free_bytes() + self.held)))
            while self._too_many(most) and len(self._kept) > 1:  # the newest stays: it is in use
                self._kept.popitem(last=False)

    def _too_many(self, most_bytes: int) -> bool:
        return self.held > most_bytes or len(self._kept) > (self.most or len(self._kept))


def size_of(value: Any) -> int:
    """Bytes of the tables, arrays and texts inside of a value; of the rest a rough figure."""
    if hasattr(value, "memory_usage"):
        used = value.memory_usage(deep=True)
        return int(used.sum() if hasattr(used, "sum") else used)
    if hasattr(value, "nbytes"):
        return int(value.nbytes)
    if isinstance(value, str | bytes):
        return len(value) + SMALL
    if isinstance(value, dict):
        return SMALL + sum(map(size_of, value.values()))
    if isinstance(value, list | tuple):
        return SMALL + sum(map(size_of, value))
    return SMALL + (size_of(vars(value)) if is_dataclass(value) else 0)
