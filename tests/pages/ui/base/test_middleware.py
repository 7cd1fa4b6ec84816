"""A real server behind its middleware: who gets in, what every answer carries, whose runs they are.

Every attempt of the server to ask the network is written down and refused (tests/browser/guard).
"""

import json
import os
import socket
import time

import pytest
import requests
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from anyloss_core.store.store import Store
from pages.ui.base.visitor import COOKIE, known_token
from tests.browser.server import ROOT, running_process
from tests.load.session import Session

PAGE = {"Accept": "text/html,application/xhtml+xml"}
SECRET = "of a test: " + "0" * 32
DATA = "synthetic:rows=300,features=3,imbalance=4,seed=2"
BASE = "/lab"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def address(home):
    """A server below /lab with st.login set up and another site allowed to embed it."""
    secrets = home / "secrets.toml"
    secrets.write_text(f'[auth]\ncookie_secret = "{SECRET}"\nredirect_uri = "http://localhost"\n')
    log = home / "network.log"
    log.touch()
    guard = os.pathsep.join([str(ROOT / "tests/browser/guard"), os.environ.get("PYTHONPATH", "")])
    environment = {
        "PYTHONPATH": guard.strip(os.pathsep),
        "NETWORK_LOG": str(log),
        "STREAMLIT_SECRETS_FILES": str(secrets),
        "STREAMLIT_SERVER_CORS_ALLOWED_ORIGINS": "https://moodle.example.org",
    }
    with running_process(home, environment, BASE) as (_, server):
        yield server


def shake_hands(address, origin):
    """Open a websocket; InvalidStatus if it is refused."""
    stream = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    with connect(stream, origin=origin, subprotocols=["streamlit"], open_timeout=60):
        pass


def test_a_foreign_page_is_refused_at_once_and_nothing_is_looked_up(address, home):
    start = time.monotonic()
    with pytest.raises(InvalidStatus) as refusal:
        shake_hands(address, "http://evil.example")
    assert refusal.value.response.status_code == 403
    assert time.monotonic() - start < 1.0
    assert (home / "network.log").read_text() == ""


@pytest.mark.parametrize("origin", [None, "same", "https://moodle.example.org"])
def test_others_get_in_and_nothing_is_looked_up_either(address, home, origin):
    shake_hands(address, address.removesuffix(BASE) if origin == "same" else origin)
    assert (home / "network.log").read_text() == ""


@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/_stcore/host-config"])
def test_a_name_that_was_pointed_here_gets_no_answer(address, path):
    """DNS rebinding: the page of evil.example:8501 asks 'itself'."""
    port = address.split(":")[2].split("/")[0]
    reply = requests.get(address + path, headers={"Host": f"evil.example:{port}"}, timeout=10)
    assert reply.status_code == 421
    assert "--browser.serverAddress" in reply.text


def test_a_name_that_was_pointed_here_gets_no_websocket(address):
    port = int(address.split(":")[2].split("/")[0])
    evil = f"evil.example:{port}"
    stream = f"ws://{evil}{BASE}/_stcore/stream"
    own = socket.create_connection(("localhost", port))
    with own, pytest.raises(InvalidStatus) as refusal:
        connect(stream, sock=own, origin=f"http://{evil}", open_timeout=60)
    assert refusal.value.response.status_code == 403


def test_it_listens_on_this_machine_only(address):
    """Where the machine has another address, nobody answers there."""
    port = int(address.split(":")[2].split("/")[0])
    with (
        open("/proc/net/tcp", encoding="ascii") as v4,
        open("/proc/net/tcp6", encoding="ascii") as v6,
    ):
        lines = [line.split() for table in (v4, v6) for line in list(table)[1:]]
    listening = [line[1] for line in lines if line[3] == "0A" and line[1].endswith(f":{port:04X}")]
    assert listening == [f"0100007F:{port:04X}"]  # 127.0.0.1


@pytest.mark.parametrize("path", ["", "/_stcore/health", "/compare", "/media/none", "/favicon.png"])
def test_every_answer_carries_the_security_headers(address, path):
    headers = requests.get(address + path, timeout=10).headers
    assert "frame-ancestors 'self'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/metrics/", "/_stcore/%6detrics"])
def test_the_figures_of_the_server_are_closed(address, path):
    reply = requests.get(address + path, timeout=10)
    assert reply.status_code == 404
    assert "session" not in reply.text


def test_no_program_steers_it_without_a_browser(address):
    reply = requests.post(f"{address}/_stcore/agent/interact", json={}, timeout=10)
    assert reply.status_code in (403, 404)


def test_a_page_brings_a_cookie_and_nothing_else_does(address):
    cookie = requests.get(f"{address}/", headers=PAGE, timeout=10).headers["Set-Cookie"]
    assert f"Path={BASE};" in cookie
    assert "Secure" not in cookie
    script = requests.get(f"{address}/favicon.png", headers={"Accept": "*/*"}, timeout=10)
    assert COOKIE not in script.headers.get("Set-Cookie", "")


@pytest.mark.parametrize("forwarded", ["https", "https, http"])
def test_the_cookie_of_an_encrypted_page_is_never_sent_in_the_clear(address, forwarded):
    headers = PAGE | {"X-Forwarded-Proto": forwarded}
    assert (
        "; Secure" in requests.get(f"{address}/", headers=headers, timeout=10).headers["Set-Cookie"]
    )


@pytest.mark.parametrize("forged", ["x", "a" * 4000, '"; Path=/', "..%2F..", "é"])
def test_a_forged_cookie_is_replaced(address, forged):
    headers = PAGE | {"Cookie": f"{COOKIE}={forged}".encode()}
    cookie = requests.get(f"{address}/", headers=headers, timeout=10).headers["Set-Cookie"]
    token = cookie.partition(";")[0].removeprefix(f"{COOKIE}=")
    assert known_token(token)
    headers = PAGE | {"Cookie": f"{COOKIE}={token}"}
    again = requests.get(f"{address}/", headers=headers, timeout=10).headers["Set-Cookie"]
    assert again.startswith(f"{COOKIE}={token};")


def logged_in(address, **claims):
    """A visitor who came back from st.login."""
    origin = address.removesuffix(BASE)
    user = {"origin": origin, "is_logged_in": True, "iss": "https://id.example.org", **claims}
    value = create_signed_value(SECRET, "_streamlit_user", json.dumps(user)).decode()
    return Session(address, _streamlit_user=value)


def runs_seen(visitor, title):
    visitor.open("runs")
    text = visitor.text()
    assert ("Log out" in text) == ("_streamlit_user" in visitor.cookies) != ("Log in" in text)
    visitor.leave()
    return title in text


def test_runs_belong_to_who_logged_in_and_to_nobody_else(address, home):
    first = logged_in(address, sub="anna")
    first.open("train", data=DATA, epochs=20).press("Start")
    first.follow(lambda visitor: "Done after" in visitor.text())
    browser = {COOKIE: first.cookies[COOKIE]}
    first.leave()
    title = Store(home).runs("train", 1)[0].title
    assert runs_seen(logged_in(address, sub="anna"), title)
    assert not runs_seen(logged_in(address, sub="ben"), title)
    assert not runs_seen(logged_in(address, sub="anna", iss="https://other.example"), title)
    assert not runs_seen(Session(address, **browser), title)
