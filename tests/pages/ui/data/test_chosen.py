"""The data set that all pages share: taken from the link, or said to be missing."""

import pytest

from anyloss_core.data.errors import DataError
from pages.ui.data import chosen
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
        chosen.open_dataset(reference)
