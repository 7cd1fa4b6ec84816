"""Start, Pause, Step, Stop, Reset: which fits the run, and what each leaves behind."""

from dataclasses import replace

import pytest

from anyloss_core.jobs import queue
from anyloss_core.jobs.liveness import alive
from pages.ui.runs import runs
from pages.ui.train import controls
from tests.live_runs import live_settings, train_live
from tests.pages.conftest import button, clean, drawn


def test_a_changed_setting_is_told_apart_from_the_run_shown(train_page, store):
    run, _ = train_live(store, epochs=3)
    app = train_page(run=run.id)
    told = "The settings have changed since this run."
    assert told not in [box.value for box in app.caption]
    clean(next(box for box in app.slider if box.label == "L of AnyLoss").set_value(20.0).run())
    assert told in [box.value for box in app.caption]


def test_reset_leaves_the_run_and_its_address(train_page, store):
    run, _ = train_live(store, epochs=3)
    app = train_page(run=run.id)
    clean(button(app, "Reset").click().run())
    assert "run" not in app.query_params
    assert "Press Start" in app.info[0].value
    assert store.run(run.id).status == "done"


def test_a_new_run_is_watched_at_its_newest_epoch(train_page, store):
    run, _ = train_live(store, epochs=12)
    app = train_page(run=run.id, epoch=5)
    assert "Epoch 5 from close up" in [box.value for box in app.header]
    clean(button(app, "Reset").click().run())
    assert "epoch" not in app.query_params


@pytest.fixture
def run(store):
    """A run that nobody works on."""
    return store.run(store.create_run("train", live_settings().to_dict(), queue=False))


def row(run, ready):
    from pages.ui.train import controls

    controls.buttons(run, ready)


def usable(run, ready=True, **state):
    """Buttons that can be pressed."""
    page = drawn(row, run=run and replace(run, **state), ready=ready)
    assert len(page.button) == 5
    return {button.label for button in page.button if not button.disabled}


def test_buttons_fit_the_state_of_the_run(run):
    assert usable(None) == {"Start", "Step"}
    assert usable(None, ready=False) == set()
    assert usable(run, status="running", wanted="run") == {"Pause", "Step", "Stop", "Reset"}
    assert usable(run, status="paused", wanted="pause") == {"Go on", "Step", "Stop", "Reset"}
    assert usable(run, status="running", wanted="stop") == {"Reset"}
    assert usable(run, status="done") == {"Start", "Step", "Reset"}
    assert usable(run, ready=False, status="done") == {"Reset"}


class Rate:
    """Stands for a history that knows how fast it grows."""

    def __init__(self, rate):
        self.rate = lambda: rate


@pytest.mark.parametrize(
    ("rate", "words"),
    [
        (28.4, "running · epoch 120 of 300 · 28 epochs/s · 6.0 s left"),
        (9.44, "running · epoch 120 of 300 · 9.4 epochs/s · 6.0 s left"),
        (None, "running · epoch 120 of 300 · 6.0 s left"),
    ],
)
def test_the_state_tells_how_fast_it_goes(run, rate, words):
    working = replace(run, status="running", wanted="run", message="epoch 120 of 300", eta=6.0)
    assert controls.status(working, Rate(rate)) == words


def test_a_run_that_waits_or_ends_has_no_speed(run):
    held = replace(run, status="paused", wanted="pause", message="epoch 3", eta=6.0)
    assert controls.status(held, Rate(28.0)) == "paused · epoch 3"
    ending = replace(run, status="running", wanted="stop", message="epoch 3", eta=None)
    assert controls.status(ending, None) == "stopping · epoch 3"


def test_a_stranger_starts_a_run_of_his_own_and_steers_no_other(run, monkeypatch):
    monkeypatch.setattr(runs, "owner", lambda: "ben")
    of_anna = replace(run, owner="anna")
    for state in ({"status": "running"}, {"status": "paused", "wanted": "pause"}):
        page = drawn(row, run=replace(of_anna, **state), ready=True)
        assert runs.NOT_YOURS in [box.value for box in page.caption]
        assert usable(of_anna, **state) == {"Start", "Step", "Reset"}


def test_reset_and_step_of_a_stranger_do_not_reach_the_run(train_page, store, monkeypatch):
    monkeypatch.setattr(runs, "owner", lambda: "ben")
    run_id = store.create_run("train", live_settings().to_dict(), "t", "anna", queue=False)
    with alive(store.home, "w"):
        queue.claim(store, "w", run_id)
        app = train_page(run=run_id)
        clean(button(app, "Step").click().run())
        own = app.query_params["run"]
        assert own != run_id
        assert store.run(own).owner == "ben"
        clean(button(train_page(run=run_id), "Reset").click().run())
        assert queue.control(store, run_id, "w") == queue.Control("run", 0)
        queue.finish(store, run_id, "w", "cancelled")
