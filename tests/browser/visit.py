"""What a journey does in the browser, in words: open, see, press, read a chart."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import TimeoutError, expect

PATIENCE = 60_000  # milliseconds; the machine may be busy
SCROLLS, SCROLL_AGAIN = 5, 10_000  # times, and milliseconds after which a chart is looked for again
QUIET = 250  # milliseconds without a running script, after a step that may begin one
NEVER = 10**9  # more runs than there are
STARTS = 400  # milliseconds within which a click begins a run of the script, if it does at all
RESTING = 100  # milliseconds without a running script, after one that is known to have begun
# Counts the runs of the script, and notes when the last one began or ended.
WATCH = """(() => {
  const note = () => {
    const state = document.querySelector('.stApp')?.dataset.testScriptState;
    if (state === window.scriptState) return;
    window.scriptRuns = (window.scriptRuns ?? 0) + (state === 'running');
    window.scriptState = state;
    window.scriptChanged = performance.now();
  };
  const watched = {subtree: true, childList: true, attributeFilter: ['data-test-script-state']};
  new MutationObserver(note).observe(document, watched);
})()"""
RESTS = """([runs, since, starts, quiet]) => {
  const begun = window.scriptRuns > runs || performance.now() - since > starts;
  return begun && window.scriptState === 'notRunning'
    && performance.now() - window.scriptChanged >= quiet;
}"""
# Chromium tells these about itself, whatever the page does.
NOISE = ("GPU stall", "WebGL", "Automatic fallback to software")
# Opened by a deep link, Streamlit asks for its own service below the page's path first.
PROBES = ("/_stcore/health", "/_stcore/host-config")
# Chromium's word for what the visitor broke off by going on to another page: scripts of components
# and plotly.js may still be read then. What would leave the machine is seen before.
BROKEN_OFF = "net::ERR_ABORTED"
expect.set_options(timeout=PATIENCE)


class Visit:
    """One browser window on the app, which remembers everything the console complained about."""

    def __init__(
        self,
        browser: Any,
        address: str,
        width: int = 1440,
        height: int = 900,
        dark: bool = False,
        **options: Any,
    ) -> None:
        self.address = address
        self.complaints: list[str] = []
        scheme = "dark" if dark else "light"
        size = {"width": width, "height": height}
        self.context = browser.new_context(
            viewport=size, color_scheme=scheme, accept_downloads=True, **options
        )
        self.context.add_init_script(WATCH)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", self._hear)
        self.page.on("request", self._watch)
        self.page.on("requestfailed", self._miss)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, url: str = "", **query: object) -> Visit:
        """Open a page of the app by its address, with settings in the link."""
        self.page.goto(f"{self.address}/{url}" + (f"?{urlencode(query)}" if query else ""))
        self.page.wait_for_selector("[data-testid=stMain] h1")
        return self.rest()

    def settle(self) -> Visit:
        """Wait until the page stands still after a step that may have begun a run."""
        now = self.page.evaluate("performance.now()")
        self.page.wait_for_function(RESTS, arg=[NEVER, now, QUIET, QUIET])
        self.check()
        return self

    def rest(self, runs: int = 0, quiet: int = RESTING) -> Visit:
        """Wait until a run of the script that came after so many others is over."""
        now = self.page.evaluate("performance.now()")
        self.page.wait_for_function(RESTS, arg=[runs, now, STARTS, quiet])
        self.check()
        return self

    def check(self) -> None:
        """No exception box, no error of a component, no friendly fault message."""
        boxes = self.page.locator("[data-testid=stException]").all_inner_texts()
        faults = self.page.get_by_text("Something went wrong here").all_inner_texts()
        assert not boxes + faults, boxes + faults

    def press(self, name: str, exact: bool = True) -> Visit:
        """Click the button with this name, once the script that drew it has run to its end."""
        # A function: an expression would be evaluated as text, which the page's policy forbids.
        self.page.wait_for_function("() => window.scriptState === 'notRunning'")
        runs = self.page.evaluate("window.scriptRuns")
        self.page.get_by_role("button", name=name, exact=exact).first.click()
        return self.rest(runs)

    def see(self, text: str) -> Visit:
        """Wait until the text is on the page."""
        try:
            self.page.get_by_text(text).first.wait_for()
        except TimeoutError:
            raise AssertionError(f"{text!r} is not on the page:\n{self.text()}") from None
        return self

    def text(self) -> str:
        """All that can be read on the page."""
        return self.page.locator(".stApp").inner_text()

    def query(self) -> str:
        """The settings in the address bar."""
        return self.page.evaluate("decodeURIComponent(location.search)")

    def linked(self, setting: str) -> Visit:
        """Wait until the setting is in the address bar."""
        self.page.wait_for_function(
            "setting => decodeURIComponent(location.search).includes(setting)", arg=setting
        )
        return self

    def chart(self, key: str) -> Any:
        """The node of a chart, in sight and drawn.

        What grows above may push it out of sight again, where it waits: then scroll once more.
        """
        place = f".live-chart[data-chart='{key}']"
        node = self.page.locator(f"{place}[data-drawn]:not([data-late])")
        for _ in range(SCROLLS):
            self.page.locator(place).scroll_into_view_if_needed()
            with suppress(TimeoutError):
                node.wait_for(timeout=SCROLL_AGAIN)
                return node
        node.wait_for()
        return node

    def chart_value(self, key: str, expression: str) -> Any:
        """A JavaScript expression of the chart `c`, such as c.layout.xaxis.range."""
        return self.chart(key).evaluate(f"c => {expression}")

    def screenshot(self, path: Path, full: bool = True) -> None:
        """Save what the visitor sees; the whole length of the page by default."""
        if full:
            grow = "document.querySelector('[data-testid=stMain]').scrollHeight + 80"
            size = self.page.viewport_size
            tall = min(max(self.page.evaluate(grow), size["height"]), 8000)
            self.page.set_viewport_size({"width": size["width"], "height": tall})
            self.page.wait_for_timeout(800)
        self.page.screenshot(path=path)
        if full:
            self.page.set_viewport_size(size)

    def leave(self) -> None:
        """Close the window."""
        self.context.close()

    def _watch(self, request: Any) -> None:
        if not request.url.startswith((self.address, "blob:", "data:")):
            self.complaints.append(f"asked the network for {request.url}")

    def _miss(self, request: Any) -> None:
        if request.failure != BROKEN_OFF:
            self.complaints.append(f"{request.url}: {request.failure}")

    def _hear(self, message: Any) -> None:
        known = any(word in message.text for word in NOISE)
        probe = message.location.get("url", "").endswith(PROBES)
        if message.type == "error" and not known and not probe:
            self.complaints.append(message.text)
