"""Links full of hostile values, opened one after the other in a real browser."""

from __future__ import annotations

import random
from urllib.parse import urlencode

from pages.ui.base.frame import FRAME
from pages.ui.base.settings import Number, Text
from pages.ui.compare.controls import BOARD as COMPARE
from pages.ui.many.controls import BOARD as MANY
from pages.ui.paper.sections import BOARD as PAPER
from pages.ui.runs.runs import RUN
from pages.ui.sweep.controls import BOARD as SWEEP
from pages.ui.train.form import BOARD as TRAIN
from tests.hostile_text import value_for

CASES = 50  # a page load costs most; tests/pages opens 2,000 links without a browser
SMALL = "synthetic:rows=80,features=2"
BUSY = 180_000  # milliseconds that a step may take where every core is taken
L = Number("L", 73.0, 1.0, 150.0)
SETTINGS = {
    "": [RUN],
    "lessons": [Number("step", 1, 1, 8), L, Text("metric", ""), Number("rope", 0.01, 0, 0.2), RUN],
    "approximation": [L, Text("t", ""), Text("dtype", ""), Text("form", ""), Text("values", "")],
    "metric": [Text("metric", ""), Text("typed", ""), L],
    "runs": [
        Text("kind", ""),
        Number("page", 1, 1, 500),
        Text("first", ""),
        Text("metric", ""),
    ],
    "train": [*TRAIN.settings.values()],
    "compare": [*COMPARE.settings.values()],
    "sweep": [*SWEEP.settings.values()],
    "many": [*MANY.settings.values()],
    "paper": [*PAPER.settings.values()],
}
READY = """() => document.querySelector('[data-testid=stMain] h1')
  && document.querySelector('.stApp')?.dataset.testScriptState === 'notRunning'"""


def test_no_link_breaks_a_page_in_the_browser(visit):
    visit.page.set_default_timeout(BUSY)
    chance = random.Random(8)
    for case in range(CASES):
        url = list(SETTINGS)[case % len(SETTINGS)]
        known = [*SETTINGS[url], FRAME.settings["formula"]]
        chosen = chance.sample(known, k=min(len(known), chance.randint(4, 14)))
        query = {setting.name: value_for(setting, chance) for setting in chosen}
        query["data"] = value_for(FRAME.settings["data"], chance) if case % 9 == 0 else SMALL
        visit.page.goto(f"{visit.address}/{url}?{urlencode(query)}")
        visit.page.wait_for_function(READY)
        visit.check()
        assert visit.page.evaluate("window.pwned") is None, query
