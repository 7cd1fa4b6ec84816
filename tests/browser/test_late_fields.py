"""A slow connection: a button is pressed before the browser has the code of the fields."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

FIELDS = re.compile(r"/static/js/(NumberInput|Multiselect|Slider|TextInput|Selectbox|ButtonGroup)")
FORMS = {"compare": "What is compared", "sweep": "What is swept"}
LINKS = {
    "compare": ("Compare", {"folds": "3", "losses": "bce;anyloss:f1", "epochs": "20", "seed": "4"}),
    "sweep": ("Sweep", {"folds": "3", "metrics": "mcc", "L": "5 20", "epochs": "10", "seed": "4"}),
}


@pytest.mark.parametrize("page", LINKS)
def test_fields_that_come_late_show_what_the_link_says_and_do_not_change_it(visit, page):
    start, settings = LINKS[page]
    held, late = [], True

    def hold(route):
        held.append(route) if late else route.continue_()

    visit.page.route(FIELDS, hold)
    visit.open(page, **settings)
    visit.press(start)
    assert len(held) > 2
    late = False  # a field that the browser asks for only now comes at once
    for route in held:
        route.continue_()
    visit.page.get_by_text(FORMS[page], exact=True).click()  # folded away by a result
    expect(visit.page.get_by_role("spinbutton", name="Folds")).to_have_value("3")
    visit.settle()
    visit.press(start)  # sends what the fields hold
    visit.settle()
    sent = dict(part.split("=", 1) for part in visit.query()[1:].split("&"))
    assert settings.items() <= {name: text.replace("+", " ") for name, text in sent.items()}.items()
    visit.see("Done after")
