"""Which pages may open a websocket."""

import pytest
import streamlit as st

from pages.ui.base import origins

HOST = "lab.example.org:8501"


@pytest.fixture(autouse=True)
def settings(monkeypatch):
    chosen = {
        "server.enableCORS": True,
        "browser.serverAddress": "class.example.org",
        "server.corsAllowedOrigins": ["https://moodle.example.org"],
        "server.address": "localhost",
        "server.allowedHosts": [],
    }
    monkeypatch.setattr(st, "get_option", chosen.get)
    return chosen


def allowed(origin):
    return origins.is_allowed({"host": HOST, "origin": origin})


@pytest.mark.parametrize(
    "origin",
    [
        f"http://{HOST}",
        "http://localhost:3000",
        "http://127.0.0.1:8501",
        "https://class.example.org",
        "https://CLASS.example.org:444",
        "https://moodle.example.org",
    ],
)
def test_pages_of_this_server_this_machine_and_the_settings_may(origin):
    assert allowed(origin)


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "http://lab.example.org:9",
        "http://lab.example.org.evil.example:8501",
        "http://evil.example/lab.example.org:8501",
        "http://localhost.evil.example",
        "http://user@evil.example",
        "http://localhost@evil.example",
        "null",
        "",
        "file://",
        "http://[",
        "http://[::1",
        "moodle.example.org.",
    ],
)
def test_others_may_not(origin):
    assert not allowed(origin)


def test_an_empty_setting_allows_nothing(settings):
    settings["browser.serverAddress"] = ""
    assert not allowed("")
    settings["browser.serverAddress"] = None
    assert not allowed("file://")


def test_what_is_no_browser_names_no_origin():
    assert origins.is_allowed({"host": HOST})


def test_the_setting_that_opens_it_to_all_does(settings):
    settings["server.enableCORS"] = False
    assert allowed("http://evil.example")


def test_an_allowed_page_comes_as_if_from_here():
    headers = [(b"host", b"x"), (b"origin", b"https://moodle.example.org"), (b"cookie", b"a=1")]
    assert dict(origins.as_same(headers)) == {
        b"host": b"moodle.example.org",
        b"origin": b"https://moodle.example.org",
        b"cookie": b"a=1",
    }


LOCAL = ["localhost", "localhost:8501", "127.0.0.1:8501", "[::1]:8501", "LOCALHOST:1"]
REBOUND = ["evil.example:8501", "localhost.evil.example", "127.0.0.1.evil.example", "", "[", None]


@pytest.mark.parametrize("host", [*LOCAL, "class.example.org", "class.example.org:443"])
def test_a_server_of_this_machine_goes_by_its_names(host):
    assert origins.is_expected({"host": host})


@pytest.mark.parametrize("host", REBOUND)
def test_under_any_other_name_a_foreign_page_reached_it(host, settings):
    """DNS rebinding: its own name points to 127.0.0.1, so that origin and host are the same."""
    assert not origins.is_expected({"host": host} if host is not None else {})
    settings["browser.serverAddress"] = None
    assert not origins.is_expected({"host": host} if host is not None else {})


def test_allowed_hosts_are_names_too(settings):
    settings["server.allowedHosts"] = ["*.example.com"]
    assert origins.is_expected({"host": "a.example.com:8501"})
    assert not origins.is_expected({"host": "example.com.evil.example"})


@pytest.mark.parametrize("address", [None, "", "0.0.0.0", "192.168.1.20"])
def test_a_server_for_others_may_have_any_name(settings, address):
    settings["server.address"] = address
    assert origins.is_expected({"host": "evil.example"})
