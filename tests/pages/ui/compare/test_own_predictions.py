"""Predictions made elsewhere: brought as a CSV, judged, and shown in every view like our own."""

import numpy as np
import pandas as pd
import pytest

from pages.ui.compare.controls import VIEWS
from pages.ui.runs import runs
from tests.pages.conftest import all_text, charts, clean, shown


@pytest.fixture(scope="module")
def content():
    random = np.random.default_rng(2)
    ill = np.arange(300) % 5 == 0
    good = np.clip(random.normal(0.3 + 0.4 * ill, 0.12), 0, 1)
    poor = random.normal(1.0 * ill, 1.0)
    truth = np.where(ill, "ill", "well")
    return pd.DataFrame({"truth": truth, "good": good, "poor": poor}).to_csv(index=False).encode()


def bring(page, content):
    uploader = next(each for each in page.file_uploader if each.label == "Labels and scores")
    uploader.upload("from R.csv", content, "text/csv")
    return page.run()


@pytest.fixture
def judged(open_page, content):
    page = bring(open_page("compare"), content)
    page.button(key="brought.start").click().run()
    return clean(page)


def test_brought_scores_get_a_sentence_thresholds_and_a_report(judged):
    run = runs.store().run(judged.query_params["run"])
    assert (run.kind, run.status) == ("compare", "done")
    assert "On from R, good beats poor on F1" in shown(judged)
    assert "nothing was trained here" in all_text(judged)
    assert "Report (HTML)" in [button.label for button in judged.get("download_button")]
    assert "model.start" not in [button.key for button in judged.button]


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_can_show_them(judged, open_page, view):
    run = judged.query_params["run"]
    page = clean(open_page("compare", run=run, view=view))
    if view == "predictions":
        assert "good" in charts(page)["confusion"]["alt"]


def test_a_file_without_scores_is_refused_in_words(open_page):
    page = bring(open_page("compare"), b"a,b\nx,y\nx,z\nq,y\n")
    assert not page.exception
    assert page.button(key="brought.start").disabled


def test_a_damaged_file_is_refused_in_words(open_page):
    page = bring(open_page("compare"), b"%PDF-1.4 nothing")
    assert not page.exception
    assert "PDF" in page.error[0].value
