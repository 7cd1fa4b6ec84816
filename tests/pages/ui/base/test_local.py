"""A server is the visitor's own when only this machine reaches it, by itself or through a proxy."""

import pytest
from streamlit import config

from pages.ui.base import local
from tests.pages.conftest import drawn, serve_at


@pytest.fixture(autouse=True)
def as_before():
    names = ("server.address", "browser.serverAddress")
    before = {name: config.get_option(name) for name in names}
    yield
    for name, value in before.items():
        config.set_option(name, value)


@pytest.mark.parametrize("address", ["localhost", "127.0.0.1", "::1"])
def test_on_localhost_it_is_local(address):
    serve_at(address)
    assert local.is_local()


@pytest.mark.parametrize("address", [None, "", "0.0.0.0", "192.168.1.7", "::", "lab.example.org"])
def test_anywhere_else_it_is_not(address):
    serve_at(address)
    assert not local.is_local()


def test_behind_a_proxy_it_goes_by_the_name_that_browsers_use():
    serve_at("localhost")
    config.set_option("browser.serverAddress", "lab.example.org")
    assert not local.is_local()


@pytest.mark.parametrize("header", local.FORWARDED)
def test_a_proxy_that_says_for_whom_it_asks_is_heard(header, monkeypatch):
    serve_at("localhost")
    monkeypatch.setattr(type(local.st.context), "headers", {header: "203.0.113.7"})
    assert not local.is_local()


@pytest.mark.parametrize(
    ("host", "own"),
    [("localhost:8501", True), ("[::1]:8501", True), ("abc.tunnel.example:80", False), ("", False)],
)
def test_who_came_by_another_name_came_through_a_tunnel(host, own, monkeypatch):
    serve_at("localhost")  # and server.allowedHosts lets the name in
    monkeypatch.setattr(type(local.st.context), "headers", {"Host": host})
    assert local.is_local() == own


def ask():
    import streamlit as st

    from pages.ui.base.local import is_local

    st.text(f"local: {is_local()}")


def test_a_page_can_ask():
    serve_at("localhost")
    assert drawn(ask).text[0].value == "local: True"
