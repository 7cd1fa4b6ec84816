"""A visitor who closes the browser finds his runs again; nobody else does."""

import time

from anyloss_core.store.store import Store
from pages.ui.base.visitor import COOKIE, YEAR

DATA = "synthetic:rows=300,features=3,imbalance=4,seed=2"


def kept_on_disk(context):
    """What a browser still has after it was closed: cookies with a day on which they end."""
    return [cookie for cookie in context.cookies() if cookie["expires"] > 0]


def test_runs_are_there_after_the_browser_was_closed(new_visit, store: Store):
    first = new_visit()
    first.open("train", data=DATA, epochs=20, seed=4711)
    first.press("Start").see("Done after")
    title = store.runs("train", 1)[0].title
    kept = kept_on_disk(first.context)
    first.leave()

    again, other = new_visit(), new_visit()
    again.context.add_cookies(kept)
    assert title in again.open("runs").see(title).text()
    assert title not in other.open("runs").text()


def test_the_first_page_already_brings_the_cookie_for_a_year(new_visit):
    visitor = new_visit()
    visitor.open()
    cookie = next(item for item in visitor.context.cookies() if item["name"] == COOKIE)
    assert cookie["httpOnly"]
    assert cookie["sameSite"] == "Lax"
    assert cookie["path"] == "/"
    assert abs(cookie["expires"] - time.time() - YEAR) < 60
    assert COOKIE not in visitor.page.evaluate("document.cookie")
    visitor.open("runs")
    after = next(item for item in visitor.context.cookies() if item["name"] == COOKIE)
    assert after["value"] == cookie["value"]
