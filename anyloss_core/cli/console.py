"""What commands write: progress to stderr, results to stdout, JSON to a file or to stdout alone."""

from __future__ import annotations

import argparse
import codecs
import json
import math
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
LONG = 3600.0  # seconds; what is expected to take longer is begun with --yes only
IN_ASCII = {
    "★": "*",
    "≈": "~",
    "≥": ">=",
    "±": "+-",
    "–": "-",
    "—": "-",
    "·": "-",
    "…": "...",
    "×": "x",
}
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


def print_always() -> None:
    """Let no output fail for want of a letter: with cp1252 or ASCII, ★ is written as *."""
    codecs.register_error("anyloss", _in_ascii)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a test's stand-in takes everything anyway
            stream.reconfigure(errors="anyloss")


def _in_ascii(fault: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(fault, UnicodeEncodeError):
        raise fault
    letters = fault.object[fault.start : fault.end]
    plain = (
        IN_ASCII.get(one) or one.encode("ascii", "backslashreplace").decode() for one in letters
    )
    return "".join(plain), fault.end


def check_patience(seconds: float, yes: bool) -> None:
    """Announce what is expected to take long; without --yes it is not begun."""
    if seconds <= LONG:
        return
    expected = f"this is expected to take about {seconds / 3600:,.1f} hours on this machine"
    if not yes:
        raise ValueError(
            f"{expected}; begin it with --yes, or use fewer epochs, rows, folds, seeds or losses"
        )
    print(expected, file=sys.stderr, flush=True)


def add_yes(parser: argparse.ArgumentParser) -> None:
    """The option that begins what takes long."""
    parser.add_argument("--yes", action="store_true", help="begin even if it takes over an hour")


def whole_from_1(text: str) -> int:
    """The type of an argument that counts."""
    if not (text.isascii() and text.isdigit()) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, got {text!r}")
    return int(text)


def rope_width(text: str) -> float:
    """The type of a rope: refused before the work, not after."""
    try:
        rope = float(text)
    except ValueError:
        rope = math.nan
    if not 0 <= rope < math.inf:
        raise argparse.ArgumentTypeError(
            f"must be a number of at least 0, got {text!r}; 0.01 is usual"
        )
    return rope


def filled(text: str) -> str:
    """The type of an argument that names something."""
    if not text.strip(" ,"):
        raise argparse.ArgumentTypeError("is empty; name something or leave the option out")
    return text


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
