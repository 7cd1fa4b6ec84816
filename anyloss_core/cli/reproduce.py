"""Recompute the published tables and set them beside the published figures, cell by cell.

Without arguments: everything that comes out equal to the last digit and needs no download (valid
range of L, the SLP tables, achievement rates and resampling of data sets 1 and 3). Data sets 2
and 4 come from Kaggle: give their CSV. Results are kept: given again, the command shows them at
once (--again recomputes), and so does the page Paper.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from anyloss_core.cli.console import (
    ProgressBar,
    add_yes,
    check_patience,
    filled,
    output_file,
    print_table,
    whole_from_1,
    write_json,
)

if TYPE_CHECKING:
    from anyloss_core.paper.reproduction import Reproduction

SUMMARY = "the paper's tables, cell by cell"
EXAMPLES = """\
examples:
  reproduce
  reproduce --dataset 1 --json -
  reproduce --dataset 4 --csv diabetes_prediction_dataset.csv
  reproduce --parts mlp,sweep --dataset 1 --seeds 5
  reproduce --parts titanic --csv huge_titanic.csv
  reproduce --parts resnet --source mnist_784 --rows 10000

parts: valid_range, slp, resampling (the default), sol, time, curves, sweep, mlp, titanic, resnet
"""
OPTIONS = ("seeds", "rows", "epochs", "source")
SHOWN = ["table", "dataset", "loss", "metric", "published", "ours", "difference", "verdict"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `reproduce`."""
    parser.add_argument("--dataset", type=int, choices=(1, 2, 3, 4), help="only this data set")
    parser.add_argument(
        "--csv",
        metavar="FILE",
        help="of data set 2 or 4 (default: 4), or of the parts titanic, resnet",
    )
    parser.add_argument(
        "--parts", type=filled, help="comma-separated; default: all that come out equal"
    )
    parser.add_argument("--seeds", type=whole_from_1, help="starts per fold, of mlp and sweep (3)")
    parser.add_argument(
        "--rows", type=whole_from_1, help="of the twin of titanic, images of resnet"
    )
    parser.add_argument("--epochs", type=whole_from_1, help="of resnet (16)")
    parser.add_argument("--source", help="of resnet: digits, or mnist_784 from OpenML")
    parser.add_argument("--again", action="store_true", help="recompute what is kept")
    add_yes(parser)
    parser.add_argument(
        "--json", type=output_file, metavar="OUT", help="all cells as JSON; - for standard output"
    )


def run(chosen: argparse.Namespace) -> None:
    """Recompute or take what is kept, print every cell, count the equal ones."""
    found, since = _found(chosen)
    if chosen.json:
        write_json(found.to_dict(), chosen.json)
    if chosen.json != "-":
        _print(found, since)


def _found(chosen: argparse.Namespace) -> tuple[Reproduction, float | None]:
    from anyloss_core.paper.keeping import keep_reproduction
    from anyloss_core.paper.reproduction import reproduce
    from anyloss_core.store.database import StoreUnavailable
    from anyloss_core.store.store import Store

    parts, datasets, csv = _plan(chosen)
    options = {name: getattr(chosen, name) for name in OPTIONS}
    options = {name: value for name, value in options.items() if value is not None}
    with ProgressBar("reproducing") as progress:
        try:
            store = Store()
        except StoreUnavailable:  # nowhere to keep anything
            return reproduce(parts, datasets, csv, progress, **options), None
        return keep_reproduction(
            store,
            parts,
            datasets,
            csv,
            options,
            lambda run: progress(run.share, run.message),
            chosen.again,
            lambda seconds: check_patience(seconds, chosen.yes),
        )


def _print(found: Reproduction, since: float | None) -> None:
    from anyloss_core.paper.settings_words import settings_words

    table = found.table()
    table = table[table["published"].notna()]
    print_table(table[SHOWN])
    for reason, rows in table[table["explanation"] != ""].groupby("explanation", sort=False):
        print(f"\n{len(rows)} different: {reason}")
    print("\nsettings")
    for key, result in found.results.items():
        print(f"  {key} ({result.seconds:.1f} s): {settings_words(result.settings)}")
    equal = int(table["equal"].sum())
    print(f"\n{equal} of {len(table)} figures equal, {found.seconds:.0f} s")
    if since is not None:
        when = time.strftime("%d %B %Y, %H:%M", time.localtime(since))
        print(f"kept since {when}; --again recomputes")


def _plan(chosen: argparse.Namespace) -> tuple[list[str], list[int], dict[int | str, str]]:
    """Parts, data sets and files; a lone data set leaves out what belongs to none."""
    from anyloss_core.paper.names import OFFLINE
    from anyloss_core.paper.parts import EXACT, PARTS

    parts = list(EXACT)
    if chosen.parts:
        parts = [part.strip() for part in chosen.parts.split(",")]
    elif chosen.dataset:
        parts = [part for part in parts if PARTS[part].per_dataset]
    own = next((PARTS[part].file for part in parts if part in PARTS and PARTS[part].file), None)
    number = chosen.dataset or (4 if chosen.csv and not own else None)
    if chosen.csv and number in OFFLINE:
        raise ValueError(f"data set {number} is built in; --csv is for data sets 2 and 4")
    datasets = [chosen.dataset] if chosen.dataset else [*OFFLINE, *([number] if number else [])]
    return parts, datasets, {own or number or 4: chosen.csv} if chosen.csv else {}
