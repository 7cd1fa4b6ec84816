"""Loaded by every Python process that has this folder on its path: its wall clock can be set.

The file $CLOCK holds the seconds by which time.time() is wrong; it may change at any moment.
"""

import os
import time
from contextlib import suppress
from pathlib import Path

right = time.time


def wrong() -> float:
    with suppress(OSError, ValueError):
        return right() + float(Path(os.environ["CLOCK"]).read_text())
    return right()


if "CLOCK" in os.environ:
    time.time = wrong
