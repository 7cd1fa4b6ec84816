"""The frame: the shared data set, hidden controls, the error boundary."""

import pytest

from anyloss_core.datasets import DataError
from pages.ui import dataset_picker
from pages.ui.navigation import PAGES
from tests.pages.conftest import all_text


def test_the_data_set_of_a_link_is_used(open_page):
    page = open_page("metric", data="builtin:moons")
    assert not page.exception
    assert "moons" in all_text(page.run())


def test_data_that_is_not_there_is_said_and_no_other_is_shown(open_page):
    page = open_page("metric", data="builtin:**nothing**")
    assert not page.exception
    assert "`builtin:**nothing**`" in page.warning[0].value
    assert "Gradient per sample" not in all_text(page)
    page.button(key="data.default").click().run()
    assert "Gradient per sample" in all_text(page)


@pytest.mark.parametrize(
    ("url", "start"),
    [("train", "train.start"), ("compare", "compare.start"), ("sweep", "sweep.start")],
)
def test_nothing_is_started_on_data_that_is_not_there(url, start, open_page):
    page = open_page(url, data="upload:" + "0" * 32)
    assert not page.exception
    assert "cannot be opened" in page.warning[0].value
    assert page.button(key=start).disabled


@pytest.mark.parametrize("reference", ["file:/etc/passwd", "upload:" + "0" * 32])
def test_a_link_opens_no_file_and_no_upload_by_guessing(reference, open_page):
    page = open_page("metric", data=reference)
    assert "cannot be opened" in page.warning[0].value
    with pytest.raises(DataError):
        dataset_picker.open_dataset(reference)


def test_hidden_controls_are_left_out_and_keep_their_value(open_page):
    page = open_page("metric", hide="L;data", L="9")
    assert not page.slider
    assert "data.change" not in [button.key for button in page.button]
    assert page.query_params["L"] == "9"


@pytest.mark.parametrize("url", [info.url for info in PAGES if info.url not in ("home", "runs")])
def test_every_setting_of_a_page_can_be_hidden(url, open_page):
    names = _settings_shown(open_page(url)) - {"hide"}
    assert names
    page = open_page(url, hide=";".join(sorted(names)))
    assert not page.exception
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


def test_a_link_sets_the_widgets_and_the_widgets_set_the_link(open_page):
    page = open_page("metric", metric="gmean", L="20")
    assert page.selectbox[0].value == "gmean"
    page.slider[0].set_value(30.0).run()
    assert page.query_params["L"] == "30"
    page.slider[0].set_value(73.0).run()  # the default leaves the link short
    assert "L" not in page.query_params


def test_two_changes_in_a_moment_are_both_kept(open_page):
    page = open_page("metric", metric="gmean")
    page.slider[0].set_value(30.0).run()
    del page.query_params["L"]  # the browser sends the next change before it hears of this one
    page.selectbox[0].set_value("mcc").run()
    assert page.slider[0].value == 30.0
    assert page.selectbox[0].value == "mcc"
    assert (page.query_params["L"], page.query_params["metric"]) == ("30", "mcc")


def test_a_choice_that_the_browser_lost_is_drawn_again(open_page):
    page = open_page("sweep", model="mlp")
    model = page.button_group(key="sweep.model").set_value(None)
    model.run()
    assert not page.exception
    assert page.query_params["model"] == "mlp"
    page.run()
    assert page.button_group(key="sweep.model").value == "mlp"


def test_an_earlier_address_opens_the_earlier_settings(open_page, monkeypatch):
    page = open_page("metric", metric="gmean")
    page.slider[0].set_value(30.0).run()
    monkeypatch.setattr("pages.ui.state.LAG_SECONDS", 0.0)  # some time later
    del page.query_params["L"]
    page.run()
    assert page.slider[0].value == 73.0
