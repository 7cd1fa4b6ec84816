"""Predict the class of new rows with a model file, as saved by `compare --save-model` or a page.

The table needs the columns that the model was trained on, with the same names; the target is not
needed. Out comes the table with two more columns: the predicted class and its probability.
"""

import argparse
import sys
from pathlib import Path

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
    parser.add_argument("--out", metavar="FILE", help="default: standard output")


def run(chosen: argparse.Namespace) -> None:
    """Read, predict, write CSV."""
    from anyloss_core.export.model_file import load_model

    content = load_model(chosen.model).predict_csv(chosen.file)
    if chosen.out:
        Path(chosen.out).write_bytes(content)
    else:
        sys.stdout.write(content.decode().replace("\r\n", "\n"))
