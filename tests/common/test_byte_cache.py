"""What is kept is bounded by bytes, made once, and forgotten by age."""

import threading
import time
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from anyloss_core.common.byte_cache import ByteCache, size_of


def maker(made, key, size=10):
    def make():
        made.append(key)
        return key * 2, size

    return make


def test_a_value_is_made_once_while_it_fits():
    cache, made = ByteCache(100), []
    for _ in range(3):
        for key in "abcdefghi":  # nine of them: more than the eight that were kept by count
            assert cache.get(key, maker(made, key)) == key * 2
    assert made == list("abcdefghi")
    assert cache.held == 90


def test_the_least_recently_used_goes_first():
    cache, made = ByteCache(30), []
    for key in ("a", "b", "c", "a", "d", "a", "b"):
        cache.get(key, maker(made, key))
    assert made == ["a", "b", "c", "d", "b"]
    assert cache.held == 30


def test_a_value_larger_than_all_room_is_kept_alone_until_the_next_one():
    cache, made = ByteCache(30), []
    cache.get("small", maker(made, "small"))
    cache.get("large", maker(made, "large", 500))
    cache.get("large", maker(made, "large", 500))
    assert made == ["small", "large"]
    cache.get("small", maker(made, "small"))
    assert cache.held == 10


def test_it_takes_no_more_than_a_share_of_the_free_memory(monkeypatch):
    monkeypatch.setattr("anyloss_core.common.byte_cache.free_bytes", lambda: 800)
    cache, made = ByteCache(), []
    for key in range(20):
        cache.get(key, maker(made, key))
    assert cache.held == 110  # an eighth of what is free or held


def test_what_many_ask_for_at_once_is_made_once():
    cache, made = ByteCache(), []

    def slow():
        time.sleep(0.05)
        return maker(made, "x")()

    threads = [threading.Thread(target=cache.get, args=("x", slow)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == ["x"]


def test_a_failure_is_not_kept_and_the_next_one_tries_again():
    cache, made = ByteCache(), []

    def fail():
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        cache.get("a", fail)
    assert cache.get("a", maker(made, "a")) == "aa"
    cache.clear()
    assert cache.held == 0


def test_there_may_be_a_number_of_values_too():
    cache, made = ByteCache(100, most=2), []
    for key in ("a", "b", "a", "c", "a", "b"):
        cache.get(key, maker(made, key))
    assert made == ["a", "b", "c", "b"]
    assert cache.held == 20


@dataclass
class Found:
    table: pd.DataFrame
    more: dict


def test_the_size_of_a_value_is_that_of_the_tables_in_it():
    table = pd.DataFrame({"x": np.zeros(10_000), "name": ["a town with a long name"] * 10_000})
    alone = size_of(table)
    assert alone == table.memory_usage(deep=True).sum() > 80_000
    kept = Found(table, {"y": [np.zeros(1_000), {"z": ("t" * 500, None)}]})
    assert alone + 8_500 <= size_of(kept) <= alone + 9_500
    assert size_of(table["x"]) >= 80_000
    assert 0 < size_of(5) < 100
