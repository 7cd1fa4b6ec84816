"""From a result to a decision in a real browser: move the threshold, ask why, bring predictions."""

from __future__ import annotations

import re

import numpy as np
import pytest

from anyloss_core.comparison.comparison import ComparisonSettings
from anyloss_core.comparison.job import job_settings
from anyloss_core.jobs.jobs import run_job

DATA = "synthetic:rows=300,features=3,imbalance=4,seed=2"
COMPARED = ComparisonSettings(losses=("anyloss:f1", "bce"), folds=3, epochs=20)


@pytest.fixture
def made(store):
    """A small finished comparison in the store of the app."""
    run_id = store.create_run("compare", job_settings(DATA, COMPARED), "made", queue=False)
    run_job(store, run_id)
    return run_id


@pytest.fixture(scope="module")
def predictions():
    """Labels and the scores of two tools, with an odd name."""
    random = np.random.default_rng(2)
    lines = ["truth,forest <b>,rule"]
    for number in range(300):
        ill = number % 5 == 0
        good, poor = random.normal(0.3 + 0.4 * ill, 0.12), random.normal(1.0 * ill)
        lines.append(f"{'ill' if ill else 'well'},{min(max(good, 0), 1):.4f},{poor:.4f}")
    return "\n".join(lines).encode()


def alarms(visit):
    """The rows of 1,000 that raise an alarm, as the sentence beside the sliders says."""
    words = visit.page.locator(".live-text").first.inner_text()
    return float(re.search(r"Of 1,000 rows ([\d.,]+) raise", words)[1].replace(",", ""))


def drag(visit, label, share):
    """Move a slider without letting it go: the browser alone has to answer."""
    slider = visit.page.get_by_role("slider", name=label, exact=False)
    slider.evaluate(
        "(input, share) => { input.value = Number(input.max) * share;"
        " input.dispatchEvent(new Event('input')); }",
        share,
    )


def test_the_threshold_moves_everything_at_once(visit, made):
    visit.open("compare", run=made, view="predictions", cut="bce")
    visit.see("The threshold and the world")
    visit.chart("threshold_matrix")
    before, runs = alarms(visit), visit.page.evaluate("window.scriptRuns")
    drag(visit, "Threshold", 0.1)
    assert alarms(visit) > before
    words = visit.page.locator(".live-text").first.inner_text()
    drag(visit, "Positives in production", 0.0)
    assert visit.page.locator(".live-text").first.inner_text() != words
    assert visit.page.evaluate("window.scriptRuns") == runs  # no word to the server so far
    slider = visit.page.get_by_role("slider", name="Threshold")
    slider.focus()
    slider.press("ArrowRight")
    visit.linked("threshold=0.11")
    visit.settle()


def test_brought_predictions_are_judged_like_our_own(visit, store, predictions):
    visit.open("compare")
    visit.page.get_by_text("Bring your own predictions").click()
    visit.page.locator("input[type=file]").last.set_input_files(
        {"name": "clinic.csv", "mimeType": "text/csv", "buffer": predictions}
    )
    visit.see("clinic.csv: 300 rows")
    visit.press("Judge them")
    visit.see("forest <b> beats rule on F1")
    visit.page.get_by_text("Predictions", exact=True).click()
    visit.linked("view=predictions")
    assert "forest" in visit.chart("confusion").get_attribute("aria-label")
    with visit.page.expect_download() as saved:
        visit.page.get_by_role("button", name="Report (HTML)").click()
    assert saved.value.suggested_filename == "comparison_report.html"
    run = re.search("run=([0-9a-f]{32})", visit.query())[1]
    assert "predictions" in store.run(run).settings
