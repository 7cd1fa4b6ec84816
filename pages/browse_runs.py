"""Runs: everything that was run from this browser or on the command line, and what can be done."""

import streamlit as st

from anyloss_core.store.store import Run
from pages.ui.base import local
from pages.ui.base.errors import guarded, show_mistake
from pages.ui.base.settings import Choice, Number, Text
from pages.ui.base.state import Board
from pages.ui.browse import cards, clean_up, two_runs
from pages.ui.charts.charts import show_table
from pages.ui.choice import losses
from pages.ui.data import reading
from pages.ui.runs import runs
from pages.ui.runs.kinds import KIND_NAMES

KINDS = {"all": "All", **KIND_NAMES}
PAGE_SIZE = 10
MOST_PAGES = 100_000
POLL_SECONDS = 2.0
TABLE_ROWS = 500

BOARD = Board(
    "runs",
    Choice("kind", "all", tuple(KINDS)),
    Number("page", 1, 1, MOST_PAGES),
    Text("first", "", longest=80),
    Text("second", "", longest=80),
    Text("metric", "f1", valid=losses.is_metric),
    runs.RUN,
)


def main() -> None:
    BOARD.open()
    st.title("Runs")
    also = ", and those made on the command line of this machine" if local.is_local() else ""
    st.markdown(
        f"Every run of this browser{also}. A run is known by its link: whoever has the link can "
        "open it and see what came out; only you can steer, delete or export it with its data."
    )
    with st.expander("Import a run", icon=":material/upload:"):
        bring_in()
    first, second = runs.find(BOARD["first"]), runs.find(BOARD["second"])
    for name, found in (("first", first), ("second", second), ("run", None)):
        if BOARD[name] and found is None and runs.find(BOARD[name]) is None:
            runs.say_unknown(BOARD[name])
    if first and second:
        with st.container(border=True):
            show_two(first, second)
            st.button("Close", key="runs.close", on_click=close_two)
    elif first or second:
        st.info(
            "One run is chosen. Choose another with 'Compare with…'.", icon=":material/compare:"
        )
    BOARD.segments("kind", "Kind", format_func=KINDS.get, label_visibility="collapsed")
    show_list(None if BOARD["kind"] == "all" else BOARD["kind"])
    clean_up.show()


@guarded
def show_two(first: Run, second: Run) -> None:
    """Two runs side by side; one that holds nonsense does not take the list away."""
    with runs.readable(first), runs.readable(second):
        two_runs.show(first, second, BOARD)


def show_list(kind: str | None) -> None:
    """One page of cards; only those of runs at work are redrawn by themselves."""
    count = runs.store().count_runs(kind, runs.owners())
    if not count:
        st.caption("None yet. Start one on Compare, L sweep, Train or Many data sets.")
        return
    pages = -(-count // PAGE_SIZE)
    page = min(BOARD["page"], pages)
    for run in runs.recent(PAGE_SIZE, kind, (page - 1) * PAGE_SIZE):
        if run.active:
            followed_card(run.id)
        else:
            cards.card(run, BOARD)
    if pages > 1:
        turn_pages(page, pages, count)
    table = st.expander(
        "As a table", icon=":material/table_rows:", key="runs.table", on_change="rerun"
    )
    if table.open:
        with table:
            newest = runs.recent(TABLE_ROWS, kind, (page - 1) * PAGE_SIZE)
            show_table(cards.table(newest), "runs")
            st.caption(f"From this page on, up to {TABLE_ROWS} runs.")


def followed_card(run_id: str) -> None:
    """The card of a run at work: one row of the store is read again, and nothing else."""

    @st.fragment(run_every=POLL_SECONDS, key=f"card:{run_id}")
    @guarded
    def panel() -> None:
        run = runs.find(run_id)
        if run is None or not run.active:
            st.rerun()  # it is over: the page learns of it, and the polling ends
        cards.card(run, BOARD)

    panel()


def turn_pages(page: int, pages: int, count: int) -> None:
    """Newer, older, and where this is."""
    with st.container(horizontal=True, vertical_alignment="center", key="runs.pages"):
        for label, to in (("Newer", page - 1), ("Older", page + 1)):
            disabled = not 1 <= to <= pages
            turn = {"on_click": BOARD.set, "args": ("page", to), "disabled": disabled}
            st.button(label, key=f"runs.{label.lower()}", **turn)
        st.caption(f"Page {page:,} of {pages:,}, {count:,} runs", width="content")


def bring_in() -> None:
    """Take in a run bundle from elsewhere."""
    file = reading.uploader("Run bundle (JSON)", ["json"], key="runs.bundle")
    if file is not None and st.button("Import", key="runs.import", type="primary"):
        try:
            reading.read(
                "anyloss_core.store.bundle:import_file",
                {"path": file.getvalue()},
                what="bundle",
                home=str(runs.store().home),
                owner=runs.owner(),
            )
        except ValueError as refusal:
            show_mistake(refusal)
        else:
            st.success("Imported. It is the first in the list below.")


def close_two() -> None:
    BOARD.set("first", "")
    BOARD.set("second", "")


main()
