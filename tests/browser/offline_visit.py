"""Start the app and use it with the network cut off; print what was seen as JSON.

    unshare -rn python -m tests.browser.offline_visit HOME

In a network namespace of its own only the loopback device exists, and this script turns it on.
Every Python process notes and refuses what it would have asked the network for (guard/), and the
browser notes what it asked for.
"""

from __future__ import annotations

import array
import fcntl
import json
import os
import socket
import struct
import sys
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.server import find_browser, running_process, server_log, tracebacks
from tests.browser.visit import Visit

GUARD = Path(__file__).parent / "guard"
OUTSIDE = ("192.0.2.1", 80)  # an address reserved for documentation
PAGES = ("approximation", "lessons", "metric", "many", "paper")
DATA = "synthetic:rows=300,features=3,imbalance=4,seed=2"
UP, GET_FLAGS, SET_FLAGS = 0x1, 0x8913, 0x8914  # of net/if.h and linux/sockios.h


def main(home: Path) -> None:
    found = {"cut": is_cut()}
    if found["cut"]:
        turn_on_loopback()
    log = home / "network.log"
    log.touch()
    paths = os.pathsep.join([str(GUARD), *filter(None, [os.environ.get("PYTHONPATH")])])
    with running_process(home, {"PYTHONPATH": paths, "NETWORK_LOG": str(log)}) as (_, address):
        found["start"] = log.read_text()
        found["complaints"] = use(address)
        found["use"] = log.read_text()
        found["openml"] = ask_openml(address)
        found["asked"] = log.read_text()
    found["tracebacks"] = tracebacks(server_log(home))
    print(json.dumps(found))


def use(address: str) -> list[str]:
    """Home, a training, a comparison, and a look at every other page."""
    with a_visit(address) as visit:
        visit.open().see("AnyLoss Lab")
        visit.open("train", data=DATA, epochs=30)
        visit.press("Start").see("Done after")
        visit.open("compare", data=DATA, epochs=20, folds=3, losses="anyloss:f1;bce")
        visit.press("Compare").see("Done after")
        visit.settle()
        for page in PAGES:
            visit.open(page)
        return visit.complaints


def ask_openml(address: str) -> str:
    """What the dialog says when a data set of OpenML is asked for."""
    with a_visit(address) as visit:
        visit.open("compare").press("Change")
        dialog = visit.page.get_by_role("dialog")
        dialog.get_by_text("OpenML", exact=True).click()
        dialog.get_by_label("Number or name").fill("31")
        dialog.get_by_label("Number or name").press("Enter")
        dialog.get_by_role("button", name="Use this data set").click()
        dialog.get_by_text("The data set chosen before stays").wait_for()
        return dialog.inner_text()


class a_visit:
    """A browser with one window on the app."""

    def __init__(self, address: str) -> None:
        self.address = address

    def __enter__(self) -> Visit:
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(
            executable_path=find_browser(), args=["--no-sandbox"]
        )
        return Visit(self.browser, self.address)

    def __exit__(self, *fault: object) -> None:
        self.browser.close()
        self.playwright.stop()


def is_cut() -> bool:
    """Whether there is no way out of here."""
    with socket.socket() as probe:
        probe.settimeout(0.2)
        with suppress(TimeoutError):
            try:
                probe.connect(OUTSIDE)
            except OSError as fault:
                return fault.strerror == "Network is unreachable"
    return False


def turn_on_loopback() -> None:
    with socket.socket() as device:
        request = array.array("b", struct.pack("16sh14x", b"lo", 0))
        fcntl.ioctl(device, GET_FLAGS, request)
        flags = struct.unpack("16sh14x", request)[1]
        fcntl.ioctl(device, SET_FLAGS, struct.pack("16sh14x", b"lo", flags | UP))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
