"""Start, Pause, Step, Stop, Reset of the page Train, and what a run of it looks like from here.

The run belongs to its id in the URL. Buttons only write a wish into the store; the worker reads it.
"""

from __future__ import annotations

import streamlit as st

from anyloss_core.live_history import History
from anyloss_core.live_settings import LiveSettings
from anyloss_core.store import Run
from anyloss_core.wording import loss_words
from pages.ui import dataset_picker, run_link, runs, training_form
from pages.ui.text import STATUS_NAMES, duration
from pages.ui.training_form import BOARD

HISTORY = "train.history"  # session_state: (run id, attempt) and the history read so far


def buttons(run: Run | None, ready: bool) -> None:
    """All five in one row that never changes its shape."""
    active = run is not None and run.active
    held = active and run.wanted == "pause"
    ending = active and run.wanted == "stop"
    with st.container(
        horizontal=True, gap="small", vertical_alignment="center", key="train.buttons"
    ):
        if held:
            _button("Go on", "play_arrow", "start", _wish, ("run",), ending, primary=True)
        else:
            _button("Start", "play_arrow", "start", _start, (), active or not ready, primary=True)
        _button("Pause", "pause", "pause", _wish, ("pause",), not active or held or ending)
        _button("Step", "skip_next", "step", _step, (), ending or not (ready or active))
        _button("Stop", "stop", "stop", _wish, ("stop",), not active or ending)
        _button("Reset", "restart_alt", "reset", _reset, (), run is None)
        if run is not None and not active and _is_outdated(run):
            st.caption("The settings have changed since this run.")


def status(run: Run, history: History | None) -> str:
    """'running · epoch 120 of 300 · 28 epochs/s · 6 s left'."""
    if run.status == "queued":
        return runs.progress_text(run)
    parts = ["stopping" if run.wanted == "stop" else STATUS_NAMES[run.status], run.message]
    if run.status == "running" and history is not None:
        if (rate := history.rate()) is not None:
            parts.append(f"{rate:.0f} epochs/s" if rate >= 9.5 else f"{rate:.1f} epochs/s")
        if run.eta is not None:
            parts.append(f"{duration(run.eta)} left")
    return " · ".join(part for part in parts if part)


def history_of(run: Run) -> History | None:
    """All epochs of a run so far, read bit by bit; None before the data is prepared."""
    name, history = st.session_state.get(HISTORY, (None, None))
    if name != (run.id, run.attempt):
        view = runs.store().get_result(run.id, "view")
        if view is None:
            return None
        history = History(LiveSettings.from_dict(run.settings), view)
        st.session_state[HISTORY] = ((run.id, run.attempt), history)
    history.extend(runs.store().events(run.id, since=history.seen))
    return history if history.epochs else None


def _is_outdated(run: Run) -> bool:
    """Whether Start would train something else than what is shown."""
    try:
        now = training_form.current_settings().to_dict()
    except ValueError:
        return True
    return any(run.settings.get(name) != value for name, value in now.items() if name != "pace")


def _start() -> None:
    settings = training_form.current_settings()
    names = ", ".join(loss_words(loss) for loss in settings.losses)
    data = dataset_picker.open_dataset(settings.data).name
    run_id = runs.start("train", settings.to_dict(), title=f"{names} on {data}")
    if run_id:
        BOARD.set("epoch", 0)
        run_link.show_run(BOARD, run_id)


def _step() -> None:
    """One epoch of the run at work, or the first one of a new run."""
    run = runs.find(BOARD["run"])
    if run is None or not run.active:
        _start()
    _wish("step")


def _wish(wanted: str) -> None:
    if BOARD["run"]:
        runs.store().set_control(BOARD["run"], wanted)


def _reset() -> None:
    """Forget the run shown; one at work is stopped."""
    _wish("stop")
    BOARD.set("run", "")
    BOARD.set("epoch", 0)


def _button(
    label: str,
    icon: str,
    key: str,
    act: object,
    arguments: tuple,
    disabled: bool,
    primary: bool = False,
) -> None:
    st.button(
        label,
        icon=f":material/{icon}:",
        key=f"train.{key}",
        type="primary" if primary else "secondary",
        disabled=disabled,
        on_click=act,
        args=arguments,
    )
