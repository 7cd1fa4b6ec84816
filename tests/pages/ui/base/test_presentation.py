"""Presentation: by link or switch; no sidebar, fewer words, and a way back."""

import pytest

from pages.ui.base.navigation import PAGES
from tests.pages.conftest import all_text, button


def sidebar(page):
    return [*page.sidebar.button, *page.sidebar.caption, *page.sidebar.multiselect]


@pytest.mark.parametrize("url", [info.url for info in PAGES])
def test_every_page_can_be_shown_to_a_room(open_page, url):
    page = open_page(url, present=1)
    assert not page.exception
    assert not sidebar(page)
    assert button(page, "End")


def test_the_switch_goes_on_and_off_and_stands_in_the_link(open_page):
    page = open_page("metric")
    button(page, "Presentation").click().run()
    assert page.query_params["present"] == "1"
    assert not sidebar(page)
    button(page, "End").click().run()
    assert "present" not in page.query_params
    assert sidebar(page)


def test_what_a_speaker_says_himself_is_left_out(open_page):
    words = "A metric needs 0 or 1 for every row"
    assert words in all_text(open_page("approximation"))
    assert words not in all_text(open_page("approximation", present=1))


def test_the_data_of_the_run_before_are_not_written_into_a_sidebar_that_is_gone(open_page):
    page = open_page("metric")
    page.query_params["present"] = "1"
    page.query_params["data"] = "builtin:moons"
    page.run()
    assert not page.exception
    assert not sidebar(page)


def test_a_class_can_be_kept_from_switching(open_page):
    locked = open_page("metric", hide="present")
    assert "Presentation" not in [button.label for button in locked.button]
    shown = open_page("metric", hide="present", present=1)
    assert "End" not in [button.label for button in shown.button]
