"""Start, Pause, Step, Stop, Reset of the page Train, and what a run of it looks like from here.

The run belongs to its id in the URL. Buttons only write into the store; the worker reads it.
"""

import streamlit as st

from anyloss_core.common.wording import loss_words
from anyloss_core.live.history import History
from anyloss_core.live.settings import LiveSettings
from anyloss_core.store.store import Run
from pages.ui.base.buttons import button, start_button
from pages.ui.base.copy_link import copy_link
from pages.ui.choice import run_link
from pages.ui.data import chosen
from pages.ui.runs import runs
from pages.ui.train import form
from pages.ui.train.form import BOARD


def buttons(run: Run | None, ready: bool) -> None:
    """All five in one row that never changes its shape; they steer runs of this visitor alone."""
    mine = run is not None and runs.is_mine(run)
    active = mine and run.active
    held = active and run.wanted == "pause"
    ending = active and run.wanted == "stop"
    with st.container(
        horizontal=True, gap="small", vertical_alignment="center", key="train.buttons"
    ):
        if held:
            start_button("Go on", "train.start", _ask, "run", disabled=ending)
        else:
            start_button("Start", "train.start", _start, disabled=active or not ready)
        idle = not active or ending
        button("Pause", "pause", "train.pause", _ask, "pause", disabled=idle or held)
        unready = ending or not (ready or active)
        button("Step", "skip_next", "train.step", _step, disabled=unready)
        button("Stop", "stop", "train.stop", _ask, "stop", disabled=idle)
        button("Reset", "restart_alt", "train.reset", _reset, disabled=run is None)
        if run is not None:
            copy_link("train")
        if run is not None and not mine:
            st.caption(runs.NOT_YOURS)
        elif run is not None and not active and _is_outdated(run):
            st.caption("The settings have changed since this run.")


def status(run: Run, history: History | None) -> str:
    """'running · epoch 120 of 300 · 28 epochs/s · 6 s left'."""
    if run.status == "queued":
        return runs.progress_text(run)
    rate = history.rate() if history is not None and run.status == "running" else None
    speed = (
        "" if rate is None else f"{rate:.0f} epochs/s" if rate >= 9.5 else f"{rate:.1f} epochs/s"
    )
    return runs.status_text(run, run.message, speed)


def _is_outdated(run: Run) -> bool:
    """Whether Start would train something else than what is shown."""
    try:
        now = form.current_settings().to_dict()
        stored = LiveSettings.from_dict(run.settings).to_dict()  # of an earlier version, too
    except (TypeError, ValueError):
        return True
    return any(stored[name] != value for name, value in now.items() if name != "pace")


def _start() -> None:
    settings = form.current_settings()
    names = ", ".join(loss_words(loss) for loss in settings.losses)
    data = chosen.open_dataset(settings.data).name
    if run_link.start(BOARD, "train", settings.to_dict(), f"{names} on {data}"):
        BOARD.set("epoch", 0)


def _step() -> None:
    """One epoch of the run at work, or the first one of a new run."""
    run = runs.find(BOARD["run"])
    if run is None or not run.active or not runs.is_mine(run):
        _start()
    _ask("step")


def _ask(wanted: str) -> None:
    if BOARD["run"]:
        runs.ask(BOARD["run"], wanted)


def _reset() -> None:
    """Forget the run shown; one of this visitor at work is stopped."""
    run = runs.find(BOARD["run"])
    if run is not None and runs.is_mine(run):
        _ask("stop")
    BOARD.set("run", "")
    BOARD.set("epoch", 0)
