"""Runs that an earlier version wrote are listed, and their pages show what they found."""

import pytest

from tests.pages.conftest import all_text
from tests.store.test_earlier import RUNS, unpack

UNFINISHED = ("queued", "lost")  # a worker would begin with them
PAGES = {
    "train": "train",
    "compare": "compare",
    "paper protocol": "compare",
    "opened unit": "compare",
    "failed": "compare",
    "interrupted": "compare",
    "sweep": "sweep",
    "benchmark": "many",
    "cut off": "many",
}


@pytest.fixture
def home(tmp_path):
    store = unpack(tmp_path)
    for name in UNFINISHED:
        store.set_control(RUNS[name]["id"], "stop")
    store.close()


def test_all_runs_are_listed(home, open_page):
    pages = [open_page("runs", page=number) for number in range(1, 1 + -(-len(RUNS) // 10))]
    assert not any(page.exception for page in pages)
    text = "\n".join(map(all_text, pages))
    assert [run["title"] for run in RUNS.values() if run["title"] not in text] == []
    headlines = [run["headline"] for run in RUNS.values() if run["headline"]]
    assert [headline for headline in headlines if headline not in text] == []


@pytest.mark.parametrize("name", PAGES)
def test_the_page_of_a_run_opens(home, open_page, name):
    page = open_page(PAGES[name], run=RUNS[name]["id"])
    assert not page.exception
    assert "no such run" not in all_text(page)
    if RUNS[name]["status"] == "done":
        check_numbers(page, RUNS[name])


def check_numbers(page, run):
    """What the newest table of the page says is what the earlier version read."""
    shown, found = page.dataframe[-1].value, run["found"]
    if run["kind"] == "train":
        assert shown["loss"].tolist() == found["losses"][-1]
        assert shown["F1 hard"].tolist() == found["f1"][-1]
    elif run["kind"] == "compare":
        assert [text[:5] for text in shown["F1"]] == [f"{f1:.3f}" for f1 in found["summary"]["f1"]]
        assert [text[8:13] for text in shown["F1"]] == [f"{sd:.3f}" for sd in found["std"]["f1"]]
    elif run["kind"] == "sweep":
        means = [f"{mean:.3f}" for mean in found["summary"]["mean"]]
        assert [text[:5] for text in shown["Mean ± sd"]] == means
    else:
        assert run["headline"].split(";")[0] == (
            f"On 3 data sets, AnyLoss-F1 has a higher F1 than BCE on {shown['wins'][0]}, "
            f"the same on {shown['ties'][0]} and a lower one on {shown['losses'][0]}"
        )
