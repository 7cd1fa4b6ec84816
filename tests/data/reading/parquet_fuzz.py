"""Mutated Parquet files with nested columns: each is read or refused with a DataError.

`python -m tests.data.reading.parquet_fuzz 5000` runs them through a reader process as the server
does, and counts the readers that died; `test_parquet_fuzz.py` runs some of them in CI.
"""

from __future__ import annotations

import io
import random
import sys
from collections import Counter
from datetime import UTC, datetime
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq

from anyloss_core.data.errors import DataError
from anyloss_core.jobs.isolated import Readers, Reading

ROWS = 60


def seeds() -> list[bytes]:
    """Good files: lists, records, lists of records, texts, dates and decimals, written two ways."""
    numbers = range(ROWS)
    table = pa.table(
        {
            "n": list(numbers),
            "list": [[n, n + 1] for n in numbers],
            "record": [{"x": n, "y": str(n)} for n in numbers],
            "deep": [[{"a": n, "b": [str(n)] * (n % 3)}] for n in numbers],
            "text": pa.array([f"word {n % 5}" for n in numbers]).dictionary_encode(),
            "day": [datetime(2024, 1, 1 + n % 28, tzinfo=UTC) for n in numbers],
            "money": [Decimal(n) for n in numbers],
            "y": ["ab"[n % 2] for n in numbers],
        }
    )
    return [_written(table), _written(table, compression="none", store_schema=False)]


def _written(table: pa.Table, **options: object) -> bytes:
    file = io.BytesIO()
    pq.write_table(table, file, **options)
    return file.getvalue()


def mutated(content: bytes, chance: random.Random) -> bytes:
    """The same file with some bytes changed, four times out of five in its metadata."""
    changed = bytearray(content)
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    for _ in range(chance.randint(1, 8)):
        first = footer if chance.random() < 0.8 else 4
        changed[chance.randrange(first, len(content) - 8)] = chance.randrange(256)
    return bytes(changed)


def fuzz(count: int, first: int = 0) -> Counter[str]:
    """How many files were read, refused, and ended or stalled their reader."""
    outcomes: Counter[str] = Counter()
    readers, files = Readers(most=1, preload=["anyloss_core.data.apart"]), seeds()
    reading = Reading(seconds=60, refusal=DataError)
    for seed in range(first, first + count):
        content = mutated(files[seed % len(files)], random.Random(seed))
        try:
            readers.call(
                "anyloss_core.data.apart:look", {"name": "x"}, {"path": content}, reading=reading
            )
            outcomes["read"] += 1
        except DataError as refusal:
            died = refusal.message.startswith("This file cannot be read")
            outcomes["ended its reader" if died else "refused"] += 1
    readers.end()
    return outcomes


if __name__ == "__main__":
    print(dict(fuzz(int(sys.argv[1]), *map(int, sys.argv[2:]))))
