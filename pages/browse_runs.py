"""Runs: everything that was run from this browser or on the command line, and what can be done."""

import streamlit as st

from anyloss_core.store.bundle import import_bundle
from pages.ui.base.errors import guarded, show_mistake
from pages.ui.base.settings import Choice, Number, Text
from pages.ui.base.state import Board
from pages.ui.base.text import literal
from pages.ui.browse import cards, two_runs
from pages.ui.charts.charts import show_table
from pages.ui.choice import losses
from pages.ui.runs import runs
from pages.ui.runs.kinds import KIND_NAMES

KINDS = {"all": "All", **KIND_NAMES}
PAGE_SIZE = 10
POLL_SECONDS = 2.0

BOARD = Board(
    "runs",
    Choice("kind", "all", tuple(KINDS)),
    Number("shown", PAGE_SIZE, PAGE_SIZE, 500),
    Text("first", "", valid=runs.RUN.valid),
    Text("second", "", valid=runs.RUN.valid),
    Text("metric", "f1", valid=losses.is_metric),
    runs.RUN,
)


def main() -> None:
    BOARD.open()
    st.title("Runs")
    st.markdown(
        "Every run of this browser, and those made on the command line of this machine. A run is "
        "known by its link: whoever has the link can open it."
    )
    if refusal := st.session_state.pop("runs.refusal", None):
        st.warning(literal(refusal, 300))
    with st.expander("Import a run", icon=":material/upload:"):
        bring_in()
    first, second = runs.find(BOARD["first"]), runs.find(BOARD["second"])
    if first and second:
        with st.container(border=True):
            two_runs.show(first, second, BOARD)
            st.button("Close", key="runs.close", on_click=close_two)
    elif first or second:
        st.info(
            "One run is chosen. Choose another with 'Compare with…'.", icon=":material/compare:"
        )
    BOARD.segments("kind", "Kind", format_func=KINDS.get, label_visibility="collapsed")
    listed = runs.recent(500, None if BOARD["kind"] == "all" else BOARD["kind"])
    show_list(any(run.active for run in listed))


def show_list(polling: bool) -> None:
    """The cards, redrawn while a run is active."""
    chosen = (BOARD["first"], BOARD["second"])

    @st.fragment(run_every=POLL_SECONDS if polling else None, key="runs.list")
    @guarded
    def panel() -> None:
        listed = runs.recent(500, None if BOARD["kind"] == "all" else BOARD["kind"])
        working = any(run.active for run in listed)
        if working != polling or chosen != (BOARD["first"], BOARD["second"]):
            st.rerun()  # the rest of the page has to follow
        if not listed:
            st.caption("None yet. Start one on Compare, L sweep, Train or Many data sets.")
        for run in listed[: BOARD["shown"]]:
            cards.card(run, BOARD)
        if len(listed) > BOARD["shown"]:
            more = BOARD["shown"] + PAGE_SIZE
            st.button("Show more", key="runs.more", on_click=BOARD.set, args=("shown", more))
        if listed:
            with st.expander("As a table", icon=":material/table_rows:"):
                show_table(cards.table(listed), "runs")

    panel()


def bring_in() -> None:
    """Take in a run bundle from elsewhere."""
    file = st.file_uploader("Run bundle (JSON)", ["json"], key="runs.bundle")
    if file is not None and st.button("Import", key="runs.import", type="primary"):
        try:
            import_bundle(runs.store(), file.getvalue(), owner=runs.owner())
        except ValueError as refusal:
            show_mistake(refusal)
        else:
            st.success("Imported. It stands at its own date in the list below.")


def close_two() -> None:
    BOARD.set("first", "")
    BOARD.set("second", "")


main()
