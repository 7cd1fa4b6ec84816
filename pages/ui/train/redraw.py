"""How often live panels are redrawn: the more visitors watch, the less often for each of them.

All pages are drawn by one process. Ten trainings redrawn three times a second would take it
whole, and a click of anybody would wait for seconds; so the panels share a part of it.
"""

import math
import threading
import time

SHARE = 0.5  # of one core that all live panels may take together
SENDING = 1.6  # what a redraw takes of a core in all, for each second that its script takes
FORGOTTEN = 15.0  # seconds after which somebody who draws no more is left out
LONGEST = 5.0  # seconds between two redraws, however many watch

_lock = threading.Lock()
_watchers: dict[str, tuple[float, float]] = {}  # visitor -> when last drawn, seconds that it took


def note(visitor: str, cost: float, now: float | None = None) -> None:
    """A visitor's panels were redrawn; their script took `cost` seconds of a core."""
    with _lock:
        _watchers[visitor] = (time.monotonic() if now is None else now, cost)


def interval(shortest: float, now: float | None = None) -> float:
    """Seconds between two redraws: `shortest` or, when many watch, twice, four times ... that."""
    now = time.monotonic() if now is None else now
    with _lock:
        for visitor, (seen, _) in list(_watchers.items()):
            if now - seen > FORGOTTEN:
                del _watchers[visitor]
        needed = sum(cost for _, cost in _watchers.values()) * SENDING / SHARE
    steps = max(0, math.ceil(math.log2(needed / shortest))) if needed > 0 else 0
    return min(shortest * 2**steps, LONGEST)


def is_due_for_a_change(every: float, shortest: float) -> bool:
    """Whether another interval fits better; one step down is not worth a change."""
    wanted = interval(shortest)
    return wanted > every or wanted < every / 3
