"""The server's own Dask cluster on the page: not there, not answering, without and with workers."""

import pytest
import streamlit as st

from anyloss_core.benchmark.executors import SERVER, VARIABLE
from pages.ui.many import cluster
from tests.pages.conftest import all_text

pytest.importorskip("distributed")


def test_a_server_without_a_cluster_offers_none(open_page, monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    page = open_page("many", cluster=1)
    assert not page.exception
    assert "cluster" not in [toggle.key for toggle in page.toggle]
    assert cluster.place({"cluster": True, "workers": 2}) == {"workers": 2}


def test_one_that_does_not_answer_is_told_without_its_address(open_page, monkeypatch):
    monkeypatch.setenv(VARIABLE, "tcp://127.0.0.1:9")
    monkeypatch.setattr("anyloss_core.benchmark.executors.SCHEDULER_SECONDS", 0.5)
    st.cache_data.clear()
    page = open_page("many", cluster=1)
    assert not page.exception
    (warning,) = page.warning
    assert "no scheduler answers" in warning.value
    assert "127.0.0.1" not in warning.value


def test_one_that_answers_says_how_much_it_does_at_once(open_page, monkeypatch):
    from distributed import LocalCluster

    st.cache_data.clear()
    with LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, protocol="tcp", dashboard_address=None
    ) as running:
        monkeypatch.setenv(VARIABLE, running.scheduler_address)
        page = open_page("many", cluster=1)
        assert not page.exception
        assert "The cluster answers: 2 data sets at once" in all_text(page)
        assert "with 2 processes" in all_text(page)
    assert cluster.place({"cluster": True, "workers": 2}) == {"dask": SERVER}
    assert cluster.place({"cluster": False, "workers": 2}) == {"workers": 2}
