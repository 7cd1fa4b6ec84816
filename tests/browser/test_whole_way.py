"""Whole ways in a real browser: from a goal to a model of one's own, and from a formula to an L."""

from __future__ import annotations

import csv
import io
import re
import zipfile

import numpy as np
import pytest

ANSWER = "css=p >> text=/^(Use|Not decided|No loss)/"
DATA = "synthetic:rows=300,features=3,imbalance=4,seed=2"
QUICK = {"folds": 3, "epochs": 20, "repeats": 1}
PATIENCE = 180_000  # milliseconds for what has to be trained first


@pytest.fixture(scope="module")
def table():
    """240 customers: two numbers with gaps, a plan, an answer; rows in an order of their own."""
    random = np.random.default_rng(7)
    lines = ["tenure,charge,plan,churn"]
    for gone in random.random(240) < 0.3:
        tenure, charge = random.normal(30 - 15 * gone, 8), random.normal(60 + 10 * gone, 9)
        plan = random.choice(["yearly", "monthly"], p=[0.6 - 0.3 * gone, 0.4 + 0.3 * gone])
        known = f"{charge:.2f}" if random.random() > 0.05 else ""
        lines.append(f"{tenure:.1f},{known},{plan},{'yes' if gone else 'no'}")
    return "\n".join(lines).encode()


def press(visit, name):
    """Click without waiting for a page that keeps redrawing itself."""
    visit.page.get_by_role("button", name=name, exact=True).last.click()


def answered(visit, after=""):
    """The advice of a run that is over, other than that of the run `after`."""
    visit.page.wait_for_function(
        "after => location.search.includes('run=') && !location.search.includes(after)",
        arg=after or "no run",
    )
    visit.page.locator(ANSWER).first.wait_for(timeout=PATIENCE)
    visit.settle()
    return visit.page.locator(ANSWER).first


def run_of(visit):
    return re.search("run=([0-9a-f]{32})", visit.query())[1]


def look_at(visit, view):
    visit.page.get_by_role("radio", name=view, exact=True).click()
    return visit.settle()


def saved(visit, name):
    """The bytes behind a download button."""
    with visit.page.expect_download() as download:
        press(visit, name)
    return download.value.path().read_bytes()


def test_from_a_floor_on_ones_own_table_to_a_model_without_us(visit, store, table):
    visit.page.set_viewport_size({"width": 1280, "height": 720})
    visit.open()
    visit.page.locator("[data-testid=stMain] input[type=file]").set_input_files(
        {"name": "customers.csv", "mimeType": "text/csv", "buffer": table}
    )
    visit.see("240 rows. The question: is")
    data = re.search("data=([^&]*)", visit.query())[1]
    visit.open("compare", data=data, goal="recall at precision >= 0.5", **QUICK)
    press(visit, "Compare")
    advice = answered(visit)
    assert re.search(r"on new rows with probability (above |below )?0\.\d\d", advice.inner_text())
    box = advice.bounding_box()
    assert 0 <= box["y"] <= 720 - box["height"]

    first = run_of(visit)
    press(visit, "Against scikit-learn")
    answered(visit, after=first)
    visit.page.locator("p:visible", has_text="boosted trees").first.wait_for()
    look_at(visit, "Learning curves").chart("learning_curves_metric")
    look_at(visit, "Why")
    press(visit, "Shuffle every column")
    assert "tenure" in visit.chart("importance").get_attribute("aria-label")
    visit.see("The costliest for")

    visit.press("Copy code")
    lines = visit.page.locator("[data-testid=stPopoverBody] code").first.inner_text()
    assert lines.startswith("# pip install")
    assert "al.AnyLossClassifier(" in lines
    assert "customers.csv" in lines
    visit.page.keyboard.press("Escape")

    visit.page.get_by_text("Model file and predictions").click()
    visit.press("Train on all rows")
    visit.page.get_by_role("button", name="Leave without us").wait_for(timeout=PATIENCE)
    visit.settle()
    with zipfile.ZipFile(io.BytesIO(saved(visit, "Model file"))) as archive:
        assert "churn: yes or no?" in archive.read("README.md").decode()
    visit.page.locator("input[type=file]").first.set_input_files(
        {"name": "again.csv", "mimeType": "text/csv", "buffer": table}
    )
    visit.page.get_by_role("button", name="Predictions (CSV)").wait_for()
    told = list(csv.DictReader(saved(visit, "Predictions (CSV)").decode().splitlines()))
    rows = list(csv.DictReader(table.decode().splitlines()))
    assert [row["tenure"] for row in told] == [str(float(r["tenure"])) for r in rows]
    visit.press("Leave without us")
    visit.see("predict.sql")
    own: dict = {}
    exec(saved(visit, "predict.py").decode(), own)
    assert [own["predict"](row)[0] for row in rows] == [row["predicted churn"] for row in told]


def test_from_a_cost_as_a_formula_by_another_table_to_an_L(visit, store):
    visit.open("compare", data=DATA, goal="TP / (TP + FP + FN)", **QUICK)
    field = visit.page.get_by_role("textbox", name="Formula")
    field.fill("5*FN + FP")
    field.press("Enter")
    visit.see("it is a cost")
    visit.press("Turn it into a score")
    visit.linked("goal=1+-+(5+*+FN+++FP)")
    press(visit, "Compare")
    advice = answered(visit).inner_text()
    made = run_of(visit)

    visit.open("compare", run=made, data="builtin:moons", folds=3)
    visit.see("This result is for")
    faint = visit.page.locator(".st-key-compare_result")
    assert float(faint.evaluate("node => getComputedStyle(node).opacity")) < 0.6
    visit.press("Back to", exact=False)
    assert "This result is for" not in visit.text()
    assert visit.page.locator(ANSWER).first.inner_text() == advice

    visit.press("Open the L sweep")
    visit.page.wait_for_url(re.compile("/sweep"))
    values = visit.page.get_by_role("textbox", name="Values of L")
    values.fill("5 20")
    values.press("Enter")
    visit.linked("L=5+20")
    visit.page.get_by_role("spinbutton", name="Folds").fill("3")
    press(visit, "Sweep")
    use = visit.page.get_by_role("link", name=re.compile("^.*Use L = .* in Compare$"))
    use.first.wait_for(timeout=PATIENCE)
    use.first.click()
    visit.page.wait_for_url(re.compile("/compare"))
    visit.linked("@L=")

    visit.open("paper").see("All 118 published figures are equal in every printed digit.")
    assert "Nothing is computed yet" not in visit.open("paper", show="resnet").text()
