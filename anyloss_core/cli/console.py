"""What commands write: progress to stderr, results to stdout, JSON to a file or to stdout alone."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anyloss_core.common.settings import as_plain

if TYPE_CHECKING:
    import pandas as pd

SECONDS_BETWEEN_LINES = 10.0  # in a pipe
WIDEST = 110  # columns of a bar
BAR = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}{postfix}"


class ProgressBar:
    """A bar on a terminal; in a pipe a quiet line now and then. Always on stderr."""

    def __init__(self, title: str) -> None:
        self.title = title
        self._bar: Any = None
        self._last = time.monotonic()
        if sys.stderr.isatty():
            from tqdm import tqdm

            columns, rows = shutil.get_terminal_size()  # where unknown, 80 and 24; tqdm takes 0
            size = {"ncols": min(columns, WIDEST), "nrows": rows}
            self._bar = tqdm(
                total=1.0, desc=title, bar_format=BAR, leave=False, file=sys.stderr, **size
            )

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *fault: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def __call__(self, share: float, message: str = "", left: float | None = None) -> None:
        """How much is done (0 to 1), what is being done, and the seconds left if they are known."""
        if self._bar is not None:
            if left is not None:  # better than what the bar makes of the share
                self._bar.bar_format = BAR.replace("{remaining}", _clock(left))
            if message:
                self._bar.set_postfix_str(message, refresh=False)
            self._bar.update(max(share - self._bar.n, 0.0))
        elif time.monotonic() - self._last >= SECONDS_BETWEEN_LINES:
            self._last = time.monotonic()
            words = f" {message}" if message else ""
            time_left = "" if left is None else f", {_clock(left)} left"
            print(f"{self.title}: {share:.0%}{words}{time_left}", file=sys.stderr, flush=True)


def output_file(path: str) -> str:
    """The type of an argument that names a file to write: refused before hours of work, not after.

    '-' stands for standard output.
    """
    folder = Path(path).parent
    if path == "-":
        return path
    if Path(path).is_dir():
        raise argparse.ArgumentTypeError(f"{path} is a folder; name a file in it")
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise argparse.ArgumentTypeError(f"{folder} is no folder that can be written to")
    return path


def number_list(
    text: str, option: str, example: str, kind: Callable[[str], float] = float
) -> tuple[Any, ...]:
    """The numbers of an option such as 0.01,0.05."""
    try:
        return tuple(kind(number) for number in text.split(","))
    except ValueError:
        raise ValueError(f"{option} must be {example}, got {text!r}") from None


def write_json(value: dict[str, Any], path: str) -> None:
    """To a file, or with '-' to standard output."""
    text = json.dumps(value, indent=2, allow_nan=False, default=as_plain)
    if path == "-":
        print(text)
    else:
        Path(path).write_text(f"{text}\n", encoding="utf-8")


def print_table(table: pd.DataFrame, index: bool = False) -> None:
    """A table in full width, without the counters of pandas."""
    print(table.to_string(index=index, na_rep="", justify="left" if index else None))


def _clock(seconds: float) -> str:
    """01:30, or 1:01:30."""
    from tqdm import tqdm

    return tqdm.format_interval(round(seconds))
