"""2,000 links with random and hostile values for every parameter of every page.

A page shows defaults or clamped values; it never breaks. Runs and uploads of every kind lie in the
store, so that ids also lead to what a page does not expect.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from anyloss_core.benchmark.benchmark import run_benchmark
from anyloss_core.comparison.comparison import ComparisonSettings
from anyloss_core.comparison.job import job_settings
from anyloss_core.jobs.jobs import run_job
from anyloss_core.live.settings import LiveSettings
from anyloss_core.sweep.job import SweepSettings
from anyloss_core.sweep.job import job_settings as sweep_settings
from pages.ui.base import navigation
from pages.ui.base.frame import FRAME
from pages.ui.base.state import MEMORY, Board
from pages.ui.choice import goal
from pages.ui.runs import runs
from tests.hostile_text import VALUES, allows, value_for
from tests.pages.conftest import APP, PATIENCE
from tests.small_suite import write_suite

pytestmark = pytest.mark.no_cover  # the same lines two thousand times

CASES = {
    "home": 150, "lessons": 230, "approximation": 100, "metric": 100, "train": 260, "compare": 280,
    "sweep": 250, "many": 180, "paper": 220, "runs": 230,
}  # fmt: skip
A_SESSION = 20  # links that one visitor opens; then another one comes
DATA = "synthetic:rows=80,features=2,imbalance=3"
LESSONS = 8
LOSSES = ("bce", "anyloss:f1", "anyloss:TP/(TP+FP+FN)")


def test_there_are_two_thousand_links_and_every_page_has_some():
    assert sum(CASES.values()) == 2_000
    assert set(CASES) == {info.url for info in navigation.PAGES}


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """One store for all links."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANYLOSS_HOME", str(tmp_path_factory.mktemp("links")))
        runs.store.clear()
        yield runs.store()
        runs.server.clear()
        runs.store.clear()


@pytest.fixture(scope="module")
def ids(here, tmp_path_factory):
    """Ids of real results, of runs without any, and of files that are no tables."""
    compare = job_settings(DATA, ComparisonSettings(losses=LOSSES, folds=2, epochs=3))
    sweep = sweep_settings(DATA, SweepSettings(amplifiers=(5.0, 73.0), folds=2, epochs=3))
    live = LiveSettings(data=DATA, losses=LOSSES[:2], epochs=3).to_dict()
    made = []
    for kind, settings in {"compare": compare, "sweep": sweep, "train": live}.items():
        made.append(here.create_run(kind, settings, f"a **{kind}**", queue=False))
        assert run_job(here, made[-1]).status == "done"
    suite = write_suite(tmp_path_factory.mktemp("suite") / "files", tables=3)
    made.append(run_benchmark(suite, LOSSES[:2], folds=2, epochs=3, store=here).run_id)
    for kind in ("compare", "train", "sweep", "model", "benchmark", "paper", "unheard_of"):
        made.append(here.create_run(kind, {"odd": VALUES[0]}, VALUES[1], queue=False))
        here.put_result(made[-1], "scores", {"odd": np.arange(3)})
    files = [
        b"",
        b"\0\1",
        b"dataset,loss,metric,score\na,bce,f1,1\na,x,f1,2\nb,bce,f1,1\nb,x,f1,0\n",
    ]
    files += [VALUES[0].encode(), (suite / "t0.csv").read_bytes()]
    return [*made, *(here.save_upload(data, {"name": VALUES[1]}) for data in files)]


@pytest.fixture
def boards(monkeypatch):
    """The boards that pages really open; nothing can be forgotten that way."""
    seen: dict[str, Board] = {goal.FIELDS.page: goal.FIELDS}  # drawn only, the URL has the whole
    opened = Board.open

    def noticed(self):
        seen[self.page] = self
        return opened(self)

    monkeypatch.setattr(Board, "open", noticed)
    return seen


def visitor(url):
    """A new session on a page."""
    page = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    page._page_hash = "" if url == "home" else calc_hash(url)
    return page


def link(settings, chance, ids, url):
    """Two to eight parameters with hostile values; the data is mostly there."""
    names = chance.sample(sorted(settings), k=min(chance.randint(2, 8), len(settings)))
    query = {name: value_for(settings[name], chance, ids) for name in names if name != "data"}
    query["data"] = value_for(FRAME.settings["data"], chance) if chance.random() < 0.1 else DATA
    if chance.random() < 0.8:
        query.pop("hide", None)
    if url == "lessons":
        query["step"] = str(chance.randint(0, LESSONS + 1))
    return query


@pytest.mark.parametrize("url", CASES)
def test_no_link_breaks_a_page(url, ids, boards):
    chance = random.Random(url)
    settings: dict = {}
    for case in range(CASES[url]):
        if case % A_SESSION == 0:
            page = visitor(url)
        page.query_params.clear()
        query = link(settings, chance, ids, url) if case else {"data": DATA}
        for name, value in query.items():
            page.query_params[name] = value
        page.run()
        check(page, boards, query)
        for board in boards.values():
            settings |= board.settings
    assert len(settings) > len(FRAME.settings)


def check(page, boards, query):
    """No exception, no fault, and every setting within its limits."""
    assert not page.exception, query
    assert not [box.value for box in page.error if "Something went wrong" in box.value], query
    for name, values in page.session_state[MEMORY].items():
        for setting in boards[name].settings.values():
            if setting.name in values:
                assert allows(setting, values[setting.name]), (query, setting, values)
    for name, setting in [entry for board in boards.values() for entry in board.settings.items()]:
        if name in page.query_params:
            text = page.query_params[name]
            text = text[0] if isinstance(text, list) else text
            assert len(text) <= 20_000, (query, setting)
