"""Every page obeys the content security policy that its server sends, in light and in dark."""

import pytest

from pages.ui.base.navigation import PAGES

DATA = "synthetic:rows=300,features=3,imbalance=4,seed=2"
LISTEN = """document.addEventListener('securitypolicyviolation', violation =>
  console.error(`policy: ${violation.violatedDirective} ${violation.blockedURI}`))"""


@pytest.mark.parametrize("dark", [False, True])
def test_no_page_breaks_the_policy(new_visit, dark):
    visitor = new_visit(dark=dark)
    visitor.context.add_init_script(LISTEN)
    for info in PAGES:
        visitor.open(info.url.removeprefix("home"))
        visitor.page.mouse.wheel(0, 5000)
        visitor.settle()
    assert visitor.complaints == []


def test_nor_does_a_result_with_its_downloads(new_visit):
    visitor = new_visit()
    visitor.context.add_init_script(LISTEN)
    visitor.open("train", data=DATA, epochs=20)
    visitor.press("Start").see("Done after")
    visitor.open("compare", data=DATA, epochs=20, folds=3, losses="anyloss:f1;bce")
    visitor.press("Compare").see("Done after")
    visitor.settle()
    visitor.page.mouse.wheel(0, 5000)
    visitor.settle()
    assert visitor.complaints == []


def test_a_foreign_script_does_not_run(visit):
    visit.open()
    inline = "window.foreign = 1"
    visit.page.evaluate(
        "code => document.body.append(Object.assign(document.createElement('script'),"
        " {textContent: code}))",
        inline,
    )
    assert visit.page.evaluate("window.foreign") is None
    assert any("Content Security Policy" in text for text in visit.complaints)
    visit.complaints.clear()
