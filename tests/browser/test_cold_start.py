"""The very first visitor of a server comes by a link: no page is 'not found'."""

from playwright.sync_api import expect

from tests.browser.server import running_app
from tests.browser.visit import Visit


def test_a_link_opens_its_page_on_a_server_just_started(browser, tmp_path):
    with running_app(tmp_path) as address:
        visitor = Visit(browser, address).open("compare", folds=3)
        assert visitor.page.get_by_role("dialog").count() == 0
        expect(visitor.page.get_by_role("spinbutton", name="Folds")).to_have_value("3")
        assert visitor.page.get_by_role("link", name="Compare", exact=True).count() == 1
        visitor.leave()
    assert not visitor.complaints
