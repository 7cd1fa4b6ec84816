"""Five thousand files: a Dataset or a DataError, nothing else (warnings are failures too)."""

import gzip
import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anyloss_core.data.dataset import Dataset
from anyloss_core.data.errors import DataError
from anyloss_core.data.reading.table import load_csv
from tests.nasty_files import NASTY, csv_bytes, zipped

pytestmark = pytest.mark.no_cover  # the same lines thousands of times

BYTES, TABLES, MUTANTS = 1500, 1500, 2000
WORDS = """0 1 2 -1 3.5 1e300 1e-300 inf nan NA ? null yes no a b 1,5 12% $5 2020-01-01 31.12.1999
true 007 1e400 - . €3 (5) 1.234,5 1,234 ü 🎉 <b> =1+1 0x1F 1_000 99999999999999999999 '"""
QUOTED = ["", " ", '""', '"a,b"', '"x\ny"', '"', "two words", "\u202e", "\x0b"]
CELLS = WORDS.split() + QUOTED
SEEDS = ("utf-16", "latin-1", "gzip", "zip", "excel", "parquet", "tabs", "line breaks in cells")


def quickly(cases):
    return settings(
        max_examples=cases,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )


def check(content):
    """Whether a file is read; a refusal says what to do, and a data set is whole."""
    try:
        dataset = load_csv(content)
    except DataError as error:
        dataset = error
    if isinstance(dataset, DataError):
        assert dataset.repair, content
        return False
    assert isinstance(dataset, Dataset)
    assert set(np.unique(dataset.labels)) == {0, 1}, content
    assert len(dataset.frame) == dataset.rows
    assert dataset.frame.shape[1] >= 1
    return True


@quickly(BYTES)
@given(st.binary(max_size=400) | st.text(max_size=200).map(lambda text: text.encode("utf-8")))
def test_random_bytes_are_read_or_refused(content):
    check(content)


def random_table(seed):
    """A table whose columns mix a few kinds of cells; drawn without hypothesis, which is slow."""
    chance = random.Random(seed)
    columns = range(chance.randint(1, 5))
    pools = [chance.choices(CELLS, k=chance.randint(1, 3)) for _ in columns]
    header = [chance.choice([*"abcdexyz", *chance.choices(CELLS, k=8)]) for _ in columns]
    body = [[chance.choice(pool) for pool in pools] for _ in range(chance.randint(0, 30))]
    delimiter, end = chance.choice(",;\t| "), chance.choice(["\n", "\r\n", "\r"])
    text = end.join(delimiter.join(row) for row in [header, *body])
    return text.encode(chance.choice(["utf-8", "utf-16", "cp1252", "utf-8-sig"]), "replace")


def test_random_tables_are_read_or_refused():
    read = [check(random_table(seed)) for seed in range(TABLES)]
    assert 0.05 < np.mean(read) < 0.95  # some are read, some refused


def mutated(content, seed):
    """Flip, cut, repeat or insert bytes at a few places."""
    order = random.Random(seed)
    content = bytearray(content)
    for _ in range(order.randint(1, 6)):
        at, length = order.randrange(len(content) + 1), order.choice([1, 1, 2, 8, 40])
        kind = order.randrange(4)
        if kind == 0:
            content[at : at + length] = order.randbytes(length)
        elif kind == 1:
            del content[at : at + length]
        elif kind == 2:
            content[at:at] = content[at : at + length]
        else:
            content[at:at] = order.choice([b",", b'"', b"\n", b"\r", b";", b"inf", b"\0", b"\xff"])
        content = content or bytearray(b"x")
    return bytes(content)


@pytest.fixture(scope="module")
def seeds():
    return [csv_bytes(), csv_bytes("utf-8-sig"), *(NASTY[name].content for name in SEEDS)]


@pytest.mark.parametrize("part", range(4))
def test_mutated_files_are_read_or_refused(seeds, part):
    for seed in range(part * MUTANTS // 4, (part + 1) * MUTANTS // 4):
        check(mutated(seeds[seed % len(seeds)], seed))


@pytest.mark.parametrize("pack", [gzip.compress, lambda content: zipped({"a.csv": content})])
def test_mutated_tables_inside_an_archive_are_read_or_refused(pack):
    for seed in range(50):
        check(pack(mutated(csv_bytes(), seed)))
