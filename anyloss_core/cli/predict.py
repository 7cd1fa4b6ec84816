"""Predict the class of new rows with a model file, as saved by `compare --save-model` or a page.

The table needs the columns that the model was trained on, with the same names; the target is not
needed. Out comes the table with the predicted class and its score, and a probability if the model
is calibrated (`compare --save-model MODEL.zip --calibrate`).
"""

import argparse
import sys
from pathlib import Path

from anyloss_core.cli.console import output_file

SUMMARY = "predictions of a saved model on new rows"
EXAMPLES = """\
examples:
  predict model.zip new.csv > predictions.csv
  predict model.zip new.csv --out predictions.csv
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `predict`."""
    parser.add_argument("model", metavar="MODEL.zip", help="a model file of this package")
    parser.add_argument("file", metavar="FILE", help="CSV, TSV, Excel or Parquet with new rows")
    parser.add_argument("--out", type=output_file, metavar="FILE", help="default: standard output")


def run(chosen: argparse.Namespace) -> None:
    """Read, predict, write CSV."""
    from anyloss_core.export.model_file import load_model

    content = load_model(chosen.model).predict_csv(chosen.file)
    if chosen.out and chosen.out != "-":
        Path(chosen.out).write_bytes(content)
    else:
        sys.stdout.flush()  # the bytes of a file, whatever letters a terminal has
        sys.stdout.buffer.write(content.replace(b"\r\n", b"\n"))
