"""A real server of the app on a free port with a store of its own, and a chromium to visit it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).parents[2]
START_SECONDS = 180.0  # the machine may be busy
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NO_BROWSER = (
    "These tests need a browser: install Debian's with 'apt install chromium', or playwright's "
    "own with 'python -m playwright install chromium'."
)
# Streamlit 1.67 answers a visitor who has just closed his window, and reports that it cannot.
LEFT = re.compile(
    r"Exception in ASGI application\n"
    r"(?:(?:Traceback|During handling|  |starlette\.websockets\.WebSocketDisconnected: ).*\n|\n)*"
    r'starlette\.websockets\.WebSocketDisconnected: Cannot call "send" once a close message.*'
)


@contextmanager
def running_app(home: Path) -> Iterator[str]:
    """The address of the app, running with its store under `home`."""
    with running_process(home) as (_, address):
        yield address


@contextmanager
def running_process(
    home: Path, environment: Mapping[str, str] = MappingProxyType({}), base: str = ""
) -> Iterator[tuple[subprocess.Popen, str]]:
    """The process of the app and its address, below the path `base` such as /lab."""
    port = _free_port()
    address = f"http://localhost:{port}{base}"
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    command += [f"--server.port={port}", "--server.headless=true", f"--server.baseUrlPath={base}"]
    own = {"ANYLOSS_HOME": str(home), **environment}
    with (home / "server.log").open("ab") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | own, stdout=output, stderr=output
        )
    try:
        _wait_for(address, process, home)
        yield process, address
    finally:
        _end(process)


def server_log(home: Path) -> str:
    """What the server wrote so far."""
    return (home / "server.log").read_text(errors="replace")


def tracebacks(log: str) -> int:
    """How many exceptions a server's log holds, visitors who left in the middle apart."""
    return LEFT.sub("", log).count("Traceback")


def find_browser() -> str | None:
    """The path of an installed chromium; None means playwright's own."""
    found = [shutil.which(name) for name in BROWSERS]
    return next((path for path in found if path), None)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_for(address: str, process: subprocess.Popen, home: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(OSError):  # refused, reset, or too busy to answer in time
            if urllib.request.urlopen(f"{address}/_stcore/health", timeout=2).status == 200:
                return
        time.sleep(0.1)
    raise RuntimeError(f"the app did not start:\n{server_log(home)}")


def _end(process: subprocess.Popen) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
