"""The server's own Dask cluster, if its setting ANYLOSS_DASK names one: its state, and its use."""

from typing import Any

import streamlit as st

from anyloss_core.benchmark.executors import SERVER, cluster_threads, server_cluster
from pages.ui.base.state import Board
from pages.ui.base.text import literal

STATE_SECONDS = 15  # after which the cluster is asked again


def choose(board: Board) -> int:
    """Offer it; how many data sets it works on at once, 0 if the benchmark does not run there."""
    if not server_cluster():
        return 0
    board.toggle("cluster", "On the server's Dask cluster")
    if not board["cluster"]:
        return 0
    threads, refusal = _state(server_cluster())
    if refusal:
        st.warning(literal(refusal, 400), icon=":material/cloud_off:")
    elif not threads:
        st.warning("The cluster answers, but no worker is there yet.", icon=":material/cloud:")
    else:
        sets = f"{threads} data set{'s' * (threads > 1)}"
        st.caption(f":material/cloud_done: The cluster answers: {sets} at once.")
    return threads


def place(board: Board) -> dict[str, Any]:
    """Where a new benchmark is worked on."""
    if server_cluster() and board["cluster"]:
        return {"dask": SERVER}
    return {"workers": board["workers"]}


@st.cache_data(ttl=STATE_SECONDS, show_spinner="Asking the cluster")
def _state(address: str) -> tuple[int, str]:
    """Threads of its workers, and why it does not answer, without its address."""
    try:
        return cluster_threads(address), ""
    except ValueError as refusal:
        return 0, str(refusal).replace(address, "its address")
