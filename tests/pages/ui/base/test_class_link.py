"""For a class: controls that a link leaves out, and the menu that makes such links."""

import pytest

from pages.ui.base.navigation import PAGES


def test_hidden_controls_are_left_out_and_keep_their_value(open_page):
    page = open_page("metric", hide="L;data", L="9")
    assert not page.slider
    assert "data.change" not in [button.key for button in page.button]
    assert page.query_params["L"] == "9"


@pytest.mark.parametrize("url", [info.url for info in PAGES if info.url not in ("home", "runs")])
def test_every_setting_of_a_page_can_be_hidden(url, open_page):
    page, names = open_page(url), {"hide"}
    while more := _settings_shown(page) - names:  # a lesson shows its own after the guess
        names |= more
        page = open_page(url, hide=";".join(sorted(names - {"hide"})))
        assert not page.exception
    assert names > {"hide"}
    assert _settings_shown(page) == {"hide"}


def _settings_shown(page):
    kinds = ("slider", "number_input", "selectbox", "multiselect", "toggle", "text_input")
    widgets = [widget for kind in (*kinds, "segmented_control") for widget in page.get(kind)]
    return {widget.key.rpartition(".")[2] for widget in widgets if widget.key != "paper.bring"}


def test_the_menu_for_a_class_names_the_controls_of_the_page(open_page):
    page = open_page("metric")
    assert set(page.multiselect(key="frame.hide").options) >= {"Data set", "This menu", "Metric"}
    page.multiselect(key="frame.hide").set_value(["L", "data"]).run()
    assert not page.slider
    assert page.query_params["hide"] == "L;data"
