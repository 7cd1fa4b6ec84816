"""All epochs of a live training so far, as pages draw them."""

import streamlit as st

from anyloss_core.live.history import History
from anyloss_core.live.settings import LiveSettings
from anyloss_core.store.store import Run
from pages.ui.runs import runs

HISTORY = "train.history"  # session_state: (run id, attempt) and the history read so far


@runs.of_run
def history_of(run: Run) -> History | None:
    """All epochs of a run so far, read bit by bit; None before the data is prepared."""
    name, history = st.session_state.get(HISTORY, (None, None))
    if name != (run.id, run.attempt):
        view = runs.store().get_result(run.id, "view")
        if view is None:
            return None
        trained = {"trained": list(view.get("trained", ()))}  # what automatic has chosen
        history = History(LiveSettings.from_dict(run.settings | trained), view)
        st.session_state[HISTORY] = ((run.id, run.attempt), history)
    history.extend(runs.store().events(run.id, since=history.seen))
    return history if history.epochs else None
