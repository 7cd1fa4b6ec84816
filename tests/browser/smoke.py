"""Open a running app in a real browser and look for its first page.

    python -m tests.browser.smoke http://localhost:8501

Used by .ci/run after the README's start command; exits with 1 when the page does not come up.
"""

from __future__ import annotations

import sys
import time
import urllib.error
import urllib.request

from playwright.sync_api import sync_playwright

from tests.browser.server import find_browser

START_SECONDS = 600.0  # the start command installs everything first


def main(address: str) -> None:
    _wait_for(f"{address}/_stcore/health")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(address)
        page.get_by_role("heading", name="AnyLoss Lab").first.wait_for(timeout=60_000)
        assert page.get_by_test_id("stException").count() == 0
        browser.close()
    print(f"smoke: {address} shows its first page")


def _wait_for(address: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    raise SystemExit(f"nothing answered at {address} within {START_SECONDS:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1])
