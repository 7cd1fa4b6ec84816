"""Pictures of every page, light and dark, on a projector, a laptop and a phone.

Use: python -m tests.browser.screenshots FOLDER [address of a page ...]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from pages.ui.base.navigation import PAGES
from tests.browser.server import find_browser, running_app
from tests.browser.visit import Visit

WINDOWS = {"projector": 1920, "wide": 1400, "narrow": 420}


def take(folder: Path, urls: list[str]) -> None:
    """Save PAGE-THEME-WIDTH.png for each page."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        running_app(Path(home)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        for theme in ("light", "dark"):
            for window, width in WINDOWS.items():
                visitor = Visit(browser, address, width=width, dark=theme == "dark")
                for url in urls:
                    visitor.open(url.removeprefix("home"))
                    visitor.page.wait_for_timeout(1500)
                    name = url.replace("?", "_").replace("=", "-")
                    visitor.screenshot(folder / f"{name}-{theme}-{window}.png")
                print(theme, window, visitor.complaints or "no complaint")
                visitor.leave()
        browser.close()


if __name__ == "__main__":
    asked = sys.argv[2:] or [info.url for info in PAGES]
    take(Path(sys.argv[1]), asked)
