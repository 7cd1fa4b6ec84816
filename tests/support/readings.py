"""Functions for the readers of `jobs.isolated`: what a file can do to the process that reads it."""

import ctypes
import time

import pandas as pd
import pyarrow as pa

from anyloss_core.data.errors import DataError
from anyloss_core.data.reading.table import read_table


def shape(path):
    return list(read_table(path).shape)


def echo(**values):
    return values


def steps(count, on_progress):
    for step in range(count):
        on_progress(step / count)
    return count


def frame(rows):
    dates = pd.date_range("2020-01-01", periods=rows, unit="us")
    town = pd.Categorical(["Ulm", None, "Rom"] * (rows // 3), categories=["Rom", "Ulm", "Oslo"])
    number = [None, 0.1, float("inf")] * (rows // 3)
    return {"table": pd.DataFrame({"x": range(rows), "n": number, "day": dates, "town": town})}


def die():
    ctypes.string_at(0)  # as a library does that trusts a file


def hang(seconds=600):
    time.sleep(seconds)


def eat():
    kept = []
    while True:
        kept.append(b"x" * 10_000_000)


def eat_slowly():
    kept = []
    while True:
        kept.append(bytearray(b"x" * 10_000_000))
        time.sleep(0.01)


def refuse():
    raise DataError("The table has no columns.", "Bring one with columns.")


def raise_arrow():
    raise pa.ArrowInvalid("/home/secret/path is not valid")


def print_much():
    print("this is no answer")
    return "answer"
