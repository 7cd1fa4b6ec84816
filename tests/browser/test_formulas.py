"""Maths is typeset wherever it stands: on every page, in every popover, expander and dialog."""

from __future__ import annotations

import pytest

from tests.browser.every_view import every_view, open_expanders

BUSY = 180_000  # milliseconds that a step may take where every core is taken
WITHOUT_FORMULA = ("Table", "Download", "Copy code")  # popovers that hold no text
# What KaTeX refused, and LaTeX that was never given to it.
RAW_MATHS = r"""() => {
  const refused = [...document.querySelectorAll('.katex-error')].map(node => node.textContent);
  const copy = document.body.cloneNode(true);
  copy.querySelectorAll('.katex, script, style, pre, code').forEach(node => node.remove());
  const raw = copy.textContent.match(/.{0,30}(\$|\\[a-z]{2,}).{0,30}/g) ?? [];
  return [...refused, ...raw];
}"""


def new_popovers(visit, seen, of):
    """The buttons of the page that open a formula or other words, those seen before left out."""
    for popover in visit.page.locator("[data-testid=stPopover]:visible").all():
        words = popover.inner_text()
        key = (of, words, popover.evaluate("node => node.closest('[class*=st-key]')?.className"))
        if key not in seen and not any(word in words for word in WITHOUT_FORMULA):
            seen.add(key)
            yield popover.locator("button").first


def close(popover):
    """A key may come before the popover listens, or close a hint only; a click beside it then."""
    for _ in range(20):
        popover.page.keyboard.press("Escape")
        popover.page.wait_for_timeout(100)
        if not popover.count():
            return
        popover.page.mouse.click(2, 2)
    popover.wait_for(state="detached")


def opened_one_by_one(visit, seen, of):
    """Open the expanders, then each popover alone; yields its name when it stands open."""
    open_expanders(visit)
    yield "page"
    for button in new_popovers(visit, seen, of):
        button.click()
        visit.page.locator("[data-testid=stPopoverBody]").first.wait_for()
        yield button.inner_text()
        close(visit.page.locator("[data-testid=stPopoverBody]").first)


def test_no_formula_is_shown_as_its_source(visit, store):
    visit.page.set_default_timeout(BUSY)
    wrong, formulas, seen = {}, 0, set()
    for url, settings in every_view(store):
        visit.open(url, **settings).settle()
        of = (url, settings.get("metric"), settings.get("test"))
        for name in opened_one_by_one(visit, seen, of):
            formulas += visit.page.locator("[data-testid=stPopoverBody] .katex").count() > 0
            if found := visit.page.evaluate(RAW_MATHS):
                wrong[f"{url} {settings} {name}"] = found
    assert not wrong
    assert formulas > 40, formulas  # they really were opened


@pytest.mark.parametrize("opener", ["Change", "Profile"])
def test_no_formula_of_a_dialog_is_shown_as_its_source(visit, opener):
    visit.open("runs").press(opener)
    dialog = visit.page.get_by_role("dialog")
    dialog.wait_for()
    for button in dialog.locator("[data-testid=stPopover] button").all():
        button.click()
        visit.page.locator("[data-testid=stPopoverBody]").first.wait_for()
    assert not visit.page.evaluate(RAW_MATHS)
