"""Train live in a real browser: watch, zoom, pause, step, reload, share, stop, scrub."""

from __future__ import annotations

import re

import pytest

from anyloss_core.store.records import ACTIVE

DATA = "synthetic:rows=400,features=3,imbalance=4,seed=2"
# Five epochs a second: it is still at work when a busy machine has done with the journey.
SLOW = {"data": DATA, "epochs": 1000, "pace": "slow", "losses": "anyloss:f1;bce"}

BUSY = 180_000  # milliseconds that a step may take where every core is taken


@pytest.fixture
def visit(visit):
    visit.page.set_default_timeout(BUSY)
    return visit


def press(visit, name):
    """Click without waiting for a page that keeps redrawing itself."""
    # Streamlit has a Stop of its own in the header while a script takes long.
    visit.page.get_by_test_id("stMain").get_by_role("button", name=name, exact=True).click()


def epochs(visit, key="train.training_loss"):
    """How many epochs the first curve of a chart shows."""
    return visit.chart_value(key, "c._fullData[0].x.length")


def wait_for_epochs(visit, more_than, key="train.training_loss"):
    visit.page.wait_for_function(
        "([key, count]) => {const c = document.querySelector(`[data-chart='${key}']`);"
        " return c?._fullData?.[0]?.x.length > count}",
        arg=[key, more_than],
    )


def zoom(visit, key="train.training_loss"):
    """Drag a box over the left half of a chart."""
    node = visit.chart(key)
    node.scroll_into_view_if_needed()
    box = node.locator(".nsewdrag").first.bounding_box()
    x, y = box["x"], box["y"]
    visit.page.mouse.move(x + 0.1 * box["width"], y + 0.2 * box["height"])
    visit.page.mouse.down()
    visit.page.mouse.move(x + 0.5 * box["width"], y + 0.8 * box["height"], steps=5)
    visit.page.mouse.up()
    return node.evaluate("c => [...c.layout.xaxis.range, ...c.layout.yaxis.range]")


def hide_the_last(chart):
    """Click in the legend, once more where the chart was redrawn between press and release."""
    hidden = "c => c._fullData[1].visible === 'legendonly'"
    for _ in range(3):
        chart.locator(".legendtoggle").last.click()
        for _ in range(20):  # plotly waits for a double click
            chart.page.wait_for_timeout(100)
            if chart.evaluate(hidden):
                return
    raise AssertionError("a click in the legend hides nothing")


def test_train_zoom_pause_step_stop_and_scrub(visit, store):
    visit.open("train", **SLOW)
    press(visit, "Start")
    wait_for_epochs(visit, 3)
    before = zoom(visit)
    assert before[1] - before[0] < 600  # no longer all 1000 epochs
    hide_the_last(visit.chart("train.training_loss"))
    visit.chart("train.training_loss").evaluate("c => { c.mark = 'same node' }")
    seen = epochs(visit)
    wait_for_epochs(visit, seen + 5)
    assert visit.chart_value("train.training_loss", "c.mark") == "same node"
    after = visit.chart_value(
        "train.training_loss", "[...c.layout.xaxis.range, ...c.layout.yaxis.range]"
    )
    assert after == pytest.approx(before)
    assert visit.chart_value("train.training_loss", "c._fullData[1].visible") == "legendonly"

    press(visit, "Pause")
    visit.see("paused · epoch")
    visit.page.wait_for_timeout(600)
    halted = epochs(visit)
    press(visit, "Step")
    wait_for_epochs(visit, halted)
    visit.page.wait_for_timeout(600)
    assert epochs(visit) == halted + 1
    press(visit, "Go on")
    wait_for_epochs(visit, halted + 3)

    press(visit, "Stop")
    visit.see("Stopped after")
    visit.settle()
    last = epochs(visit)
    visit.see(f"Epoch {last} from close up")
    slider = visit.page.get_by_role("slider", name=re.compile("Epoch shown"))
    slider.focus()
    slider.press("Home")
    visit.see("Epoch 1 from close up")
    slider.press("ArrowRight")
    visit.see("Epoch 2 from close up")
    visit.settle()
    assert visit.chart_value("train.training_loss", "c.layout.shapes[0].x0") == 2
    assert visit.chart_value("train.boundary", "c._fullData.length") == 5
    curves = ("training_metric", "training_achievement", "training_health")
    for key in (*curves, "confusion", "histograms"):
        assert visit.chart(f"train.{key}").get_attribute("aria-label")


def test_a_reload_and_a_second_tab_find_the_same_run_at_work(visit, new_visit, store):
    visit.open("train", **SLOW)
    press(visit, "Start")
    wait_for_epochs(visit, 3)
    address = visit.page.url
    assert len(re.search(r"run=([0-9a-f]{32})", address)[1]) == 32
    table = visit.page.locator("[data-testid=stDataFrame] canvas").first
    table.wait_for(state="attached")  # all scripts are here: a reload breaks off what is on its way
    visit.page.reload()
    wait_for_epochs(visit, 5)
    assert visit.page.url == address
    assert len(store.runs("train", status=ACTIVE)) == 1

    other = new_visit(width=480, dark=True)
    other.page.set_default_timeout(BUSY)
    other.page.goto(address)
    wait_for_epochs(other, 5)
    stop = other.page.get_by_test_id("stMain").get_by_role("button", name="Stop", exact=True)
    assert stop.is_disabled()  # not its owner
    press(visit, "Stop")
    visit.see("Stopped after")
    other.see("Stopped after")
    for visitor in (visit, other):
        visitor.settle()
    assert epochs(visit) == epochs(other)
    wide = other.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 480  # nothing sticks out of a narrow window


def test_a_step_begins_a_run_and_reset_forgets_it(visit, store):
    visit.open("train", data=DATA, epochs=50, losses="bce", model="mlp", hidden="4")
    press(visit, "Step")
    wait_for_epochs(visit, 0)
    visit.see("paused · epoch 1 of 50")
    assert epochs(visit) == 1
    run = store.runs("train", status=ACTIVE)[0]
    assert run.settings["hidden"] == [4]
    press(visit, "Reset")
    visit.see("Press Start to train")
    visit.settle()
    assert "run=" not in visit.query()
    visit.page.wait_for_timeout(500)
    assert store.run(run.id).status == "cancelled"
