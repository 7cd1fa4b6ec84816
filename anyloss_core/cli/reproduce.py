"""Recompute the published tables and set them beside the published figures, cell by cell.

Without arguments: everything that comes out equal to the last digit and needs no download (valid
range of L, the SLP tables, achievement rates and resampling of data sets 1 and 3). Data sets 2
and 4 come from Kaggle: give their CSV.
"""

from __future__ import annotations

import argparse

from anyloss_core.cli.console import Progress, print_table, write_json

SUMMARY = "the paper's tables, cell by cell"
EXAMPLES = """\
examples:
  reproduce
  reproduce --dataset 1 --json -
  reproduce --dataset 4 --csv diabetes_prediction_dataset.csv
  reproduce --parts mlp,time --dataset 1
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `reproduce`."""
    parser.add_argument("--dataset", type=int, choices=(1, 2, 3, 4), help="only this data set")
    parser.add_argument(
        "--csv",
        metavar="FILE",
        help="of data set 2 or 4 (default: 4), or of the parts titanic, resnet",
    )
    parser.add_argument("--parts", help="comma-separated; default: all that come out equal")
    parser.add_argument("--json", metavar="OUT", help="all cells as JSON; - for standard output")


def run(chosen: argparse.Namespace) -> None:
    """Recompute, print every cell, count the equal ones."""
    from anyloss_core.published.reproduction import reproduce

    parts, datasets, csv = _plan(chosen)
    with Progress("reproducing") as progress:
        found = reproduce(parts, datasets, csv, progress)
    cells = [cell.to_dict() for cell in found.cells if cell.published is not None]
    if chosen.json:
        write_json({"cells": cells, "seconds": found.seconds}, chosen.json)
    if chosen.json != "-":
        table = found.table()
        table = table[table["published"].notna()]
        print_table(table[["table", "dataset", "loss", "metric", "published", "ours", "verdict"]])
        equal = sum(cell["equal"] for cell in cells)
        print(f"\n{equal} of {len(cells)} figures equal, {found.seconds:.0f} s")


def _plan(chosen: argparse.Namespace) -> tuple[list[str], list[int], dict[int | str, str]]:
    """Parts, data sets and files; a lone data set leaves out what belongs to none."""
    from anyloss_core.published.paper_datasets import OFFLINE
    from anyloss_core.published.reproduction import EXACT, PARTS

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
    return parts, datasets, {own or number: chosen.csv} if chosen.csv else {}
