"""How long a page takes to answer when a setting changes and nothing has to be trained.

    python -m tests.browser.answer_time

Measured in a real browser, from the key or click to the end of the script and of the drawing;
charts out of sight are drawn later, when they come into sight.
Pages that show results are given a small run first.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from tests.browser.server import find_browser, running_app
from tests.browser.visit import Visit

DATA = "builtin:breast_cancer_imbalanced"
TIMES = 7
# Notes when the visitor acts, and when the last script has ended and the last chart is drawn.
WATCH = """
(() => {
  const app = document.querySelector('.stApp');
  const watched = ['data-test-script-state', 'data-drawn'];
  new MutationObserver(() => { window.lastWork = performance.now(); })
    .observe(app, { attributes: true, subtree: true, attributeFilter: watched });
  for (const kind of ['keydown', 'click']) {
    document.addEventListener(kind, () => { window.acted = performance.now(); }, true);
  }
})()
"""


def pressed(role: str, name: str, key: str) -> Callable[[Visit, int], None]:
    """A key on a control; every other time the way back."""
    back = {"ArrowRight": "ArrowLeft", "ArrowLeft": "ArrowRight"}[key]

    def act(visit: Visit, turn: int) -> None:
        visit.page.get_by_role(role, name=name).first.press(back if turn % 2 else key)

    return act


def chosen(*names: str) -> Callable[[Visit, int], None]:
    """One button of a row after the other."""

    def act(visit: Visit, turn: int) -> None:
        name = names[turn % len(names)]
        visit.page.get_by_role("radio", name=name, exact=True).first.click()

    return act


def toggled(name: str) -> Callable[[Visit, int], None]:
    def act(visit: Visit, turn: int) -> None:
        visit.page.get_by_text(name, exact=True).first.click()

    return act


def run(visit: Visit, button: str, done: str) -> None:
    visit.page.get_by_role("button", name=button, exact=True).last.click()
    visit.page.get_by_text(done).first.wait_for(timeout=300_000)


SMALL = {"data": DATA, "epochs": 30, "folds": 5}
CASES = {
    "Approximation, precision": ("approximation", {}, None, chosen("float32", "float16")),
    "Approximation, form of A": (
        "approximation",
        {},
        None,
        chosen("complement-safe", "as in the paper"),
    ),
    "Approximation, log axis": ("approximation", {}, None, toggled("Logarithmic axis")),
    "Lesson 1, share": (
        "lessons",
        {"hide": "guess"},
        None,
        pressed("slider", "Patients", "ArrowRight"),
    ),
    "Lesson 5, L": (
        "lessons",
        {"step": 5, "hide": "guess"},
        None,
        pressed("slider", "Amplifier L", "ArrowRight"),
    ),
    "Any metric, L": ("metric", {}, None, pressed("slider", "Amplifier L", "ArrowRight")),
    "Train, speed": (
        "train",
        {"data": DATA, "epochs": 100, "pace": "full"},
        ("Start", "Done after"),
        chosen("Slow", "To watch"),
    ),
    "Train, epoch shown": (
        "train",
        {"data": DATA, "epochs": 100, "pace": "full"},
        ("Start", "Done after"),
        pressed("slider", "Epoch shown", "ArrowLeft"),
    ),
    "Compare, rope": (
        "compare",
        SMALL,
        ("Compare", "Mean ±"),
        pressed("slider", "Rope", "ArrowRight"),
    ),
    "Compare, look at": (
        "compare",
        SMALL,
        ("Compare", "Mean ±"),
        chosen(
            "Predictions", "ROC and PR", "Learning curves", "Reliability", "Time", "Is it real?"
        ),
    ),
    "Compare, model": ("compare", SMALL, ("Compare", "Mean ±"), chosen("MLP", "SLP")),
    "L sweep, model": (
        "sweep",
        {**SMALL, "folds": 3},
        ("Sweep", "highest mean"),
        chosen("MLP", "SLP"),
    ),
    "Paper, part": ("paper", {}, None, chosen("MLP", "L", "Learning time", "SOL", "SLP tables")),
    "Many data sets, suite": ("many", {}, None, chosen("Twins of the paper's 102", "Real tables")),
    "Runs, kind": ("runs", {}, None, chosen("Comparison", "All")),
}


def measure(visit: Visit, act: Callable[[Visit, int], None]) -> list[float]:
    """Milliseconds of each turn."""
    visit.page.evaluate(WATCH)
    found = []
    for turn in range(TIMES):
        act(visit, turn)
        visit.settle()
        found.append(visit.page.evaluate("window.lastWork - window.acted"))
    return found


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as home,
        running_app(Path(home)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        for name, (url, query, made, act) in CASES.items():
            visit = Visit(browser, address).open(url, **query)
            if made:
                run(visit, *made)
                visit.settle()
            times = measure(visit, act)
            print(
                f"{name:28} median {median(times):5.0f} ms, slowest {max(times):5.0f} ms",
                flush=True,
            )
            visit.leave()
        browser.close()


if __name__ == "__main__":
    main()
