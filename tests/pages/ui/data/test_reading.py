"""The server reads nothing that a stranger brings, keeps it by bytes, and lets go of it."""

import asyncio

import pytest

from anyloss_core.data.errors import DataError
from pages.ui.base import server_start
from pages.ui.data import chosen, reading
from pages.ui.runs import runs
from tests.pages.ui.data.test_sources import GOOD
from tests.support.killing_parquet import KILLING
from tests.support.own_loop import run


@pytest.fixture(autouse=True)
def nothing_kept(open_page):
    reading.KEPT.clear()


def test_a_file_that_kills_its_reader_is_refused_in_a_sentence():
    with pytest.raises(DataError, match=r"^This file cannot be read") as refusal:
        reading.read("tests.support.readings:die")
    assert refusal.value.repair


def test_the_parquet_file_that_ended_the_server_is_refused():
    with pytest.raises(DataError, match="cannot be read"):
        reading.read("anyloss_core.data.apart:look", {"path": KILLING}, name="killing.parquet")


def test_a_data_set_is_read_once_for_all_visitors_however_many_there_are(monkeypatch):
    made = []
    parts = reading.read

    def counted(*arguments, **named):
        made.append(named["reference"])
        return parts(*arguments, **named)

    monkeypatch.setattr(reading, "read", counted)
    wanted = [f"synthetic:rows=60,seed={seed}" for seed in range(9)]
    for reference in (*wanted, *wanted):
        chosen.open_dataset(reference)
    assert made == wanted
    assert 0 < reading.KEPT.held < 9 * 10_000


def test_large_tables_of_links_do_not_pile_up(monkeypatch):
    monkeypatch.setattr(reading.KEPT, "most_bytes", 100_000)
    for seed in range(5):
        chosen.open_dataset(f"synthetic:rows=1000,features=5,seed={seed}")  # 40 kB each
        assert reading.KEPT.held <= 100_000
    assert reading.KEPT.held > 0


def test_what_pages_work_out_from_strangers_tables_and_runs_is_kept_by_bytes_too(open_page):
    reading.RESULTS.clear()
    scores = "dataset,loss,metric,score\n" + "".join(
        f"d{n},{loss},f1,0.{n}\n" for n in range(1, 9) for loss in ("bce", "mse", "anyloss:f1")
    )
    about = {"name": "s.csv", "kind": "scores"}
    upload = runs.store().save_upload(scores.encode(), about)
    for url, query in (
        ("metric", {"data": "synthetic:rows=80"}),
        ("many", {"source": "scores", "scores": upload}),
        ("paper", {"show": "many", "scores": upload}),
    ):
        before = reading.RESULTS.held
        assert not open_page(url, **query).exception
        assert reading.RESULTS.held > before, url


def test_what_was_kept_goes_when_nobody_is_there(monkeypatch):
    chosen.open_dataset("synthetic:rows=60")
    monkeypatch.setattr(server_start, "TIDY_EVERY", 0.01)
    assert reading.KEPT.held

    async def a_while():
        task = asyncio.create_task(server_start._tidy())
        for _ in range(500):
            await asyncio.sleep(0.01)
            if not reading.KEPT.held:
                break
        task.cancel()

    run(a_while())
    assert not reading.KEPT.held


def test_the_dialog_keeps_no_table(open_page):
    seen = reading.read("anyloss_core.data.apart:look", {"path": GOOD}, name="shop.csv")
    assert len(seen["head"]) == 5
    assert not reading.KEPT.held
