"""Results that come with the program: those that take many minutes, computed by this engine before.

Each is a file shipped/TASK.json that tells when and on which machine it was computed. A result of
the user's own is shown instead. To make them again:

    python -m anyloss_core.paper.shipped mlp sweep titanic resnet
"""

import json
import os
import platform
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from anyloss_core.common.settings import as_plain
from anyloss_core.common.versions import versions
from anyloss_core.paper.cells import Result
from anyloss_core.paper.kept import Kept
from anyloss_core.paper.names import OFFLINE
from anyloss_core.paper.parts import Task, plan
from anyloss_core.paper.reproduction import packed, unpacked

FOLDER = Path(__file__).parent / "shipped"
DIGITS = 6  # of the numbers behind a figure; cells are kept as they were computed


@cache
def shipped_results() -> dict[str, Kept]:
    """Every shipped result by the key of its task."""
    found = {}
    for path in sorted(FOLDER.glob("*.json")):
        stored = json.loads(path.read_text(encoding="utf-8"))
        found[stored["task"]] = Kept(unpacked(stored), "", stored["computed"], stored["where"])
    return found


def ship(task: Task, result: Result) -> Path:
    """Write the file of a result that was computed on this machine, just now."""
    about = {"task": task.key, "computed": time.time(), "where": machine()}
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{task.key.replace(' ', '_')}.json"
    stored = packed(replace(result, extras=_shortened(result.extras)))
    text = json.dumps(about | stored, indent=1, allow_nan=False, default=as_plain)
    path.write_text(f"{text}\n", encoding="utf-8")
    return path


def _shortened(value: Any) -> Any:
    """Numbers of figures in DIGITS digits: curves of a thousand epochs would fill megabytes."""
    if isinstance(value, Mapping):
        return {name: _shortened(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_shortened(part) for part in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def machine() -> str:
    """The kind of machine, in words: no name of it."""
    return f"{os.cpu_count()} cores, {platform.machine()}, torch {versions()['torch']}"


def main(parts: Sequence[str]) -> None:
    """Compute these parts and write their files."""
    from anyloss_core.paper.together import perform_all

    def progress(share: float, message: str) -> None:
        print(f"\r{share:.1%} {message[:90]:90}", end="", file=sys.stderr, flush=True)

    for task, result in perform_all(plan(parts, OFFLINE), {}, progress, {}):
        print(f"\n{ship(task, result)}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
