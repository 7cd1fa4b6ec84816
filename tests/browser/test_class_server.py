"""The page 'Run it for a class': its nginx and its systemd texts work as they are printed."""

import re
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from pages.ui.base.visitor import COOKIE
from tests.browser.server import ROOT, running_process
from tests.browser.visit import Visit

DATA = "synthetic:rows=300,features=3,imbalance=4,seed=2"
NAMES = {  # the server behind a proxy is called as in the text, and reached as localhost here
    "STREAMLIT_BROWSER_SERVER_ADDRESS": "lab.example.org",
    "STREAMLIT_SERVER_ALLOWED_HOSTS": "localhost",
}
# Chromium's word for a file whose connection a busy nginx let go of thrice (seen once, in CI): what
# it needs to show the page it asks for again.
GAVE_UP = "net::ERR_TOO_MANY_RETRIES"


def printed(language):
    """The block of the page in that language."""
    text = (ROOT / ".streamlit/README.md").read_text(encoding="utf-8")
    return re.search(rf"```{language}\n(.*?)```", text, re.DOTALL)[1]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def proxy(folder: Path, port: str):
    """nginx with the printed text; its address with and without encryption."""
    key, certificate, plain, secure = (
        folder / "key.pem",
        folder / "cert.pem",
        free_port(),
        free_port(),
    )
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject, *files]
    subprocess.run(make, check=True, capture_output=True)
    text = printed("nginx").replace("listen 80", f"listen {plain}").replace("8501", port)
    text = text.replace("listen 443", f"listen {secure}").replace("/etc/ssl/lab.example.org/", "")
    text = text.replace("fullchain.pem", str(certificate)).replace("privkey.pem", str(key))
    text = text.replace("server_name lab.example.org", "server_name localhost")
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    settings = folder / "nginx.conf"
    settings.write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ access_log off; {temporary}\n{text}}}\n"
    )
    process = subprocess.Popen(["nginx", "-p", str(folder), "-c", str(settings)])
    try:
        wait_for_port(secure, process)
        yield f"http://localhost:{plain}", f"https://localhost:{secure}"
    finally:
        process.terminate()
        process.wait(10)


def wait_for_port(port, process):
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert process.poll() is None
        time.sleep(0.05)


@pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")
def test_the_lab_works_behind_nginx_with_tls_below_a_path(browser, tmp_path):
    with (
        running_process(tmp_path, NAMES, "/lab") as (_, inside),
        proxy(tmp_path, re.search(r":(\d+)", inside)[1]) as (plain, secure),
    ):
        moved = requests.get(f"{plain}/lab", allow_redirects=False, timeout=10)
        assert (moved.status_code, moved.headers["Location"]) == (301, "https://localhost/lab")
        visitor = Visit(browser, f"{secure}/lab", ignore_https_errors=True)
        visitor.open("train", data=DATA, epochs=20)
        visitor.press("Start").see("Done after")
        cookie = next(one for one in visitor.context.cookies() if one["name"] == COOKIE)
        assert cookie["secure"]
        assert cookie["path"] == "/lab"
        assert cookie["httpOnly"]
        visitor.leave()
    assert not [said for said in visitor.complaints if GAVE_UP not in said]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_understands_the_unit(tmp_path):
    start = tmp_path / ".venv/bin/streamlit"
    start.parent.mkdir(parents=True)
    start.write_text("#!/bin/sh\n")
    start.chmod(0o755)
    unit = tmp_path / "anyloss-lab.service"
    unit.write_text(printed("ini").replace("/opt/anyloss-lab", str(tmp_path)))
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True
    )
    assert checked.returncode == 0
    assert "anyloss" not in checked.stderr
