"""The pages: each has a file, an address of its own, and one opens at the root."""

import pytest

from pages.ui.base import navigation


def test_every_file_of_a_page_is_in_the_navigation_and_has_its_own_address():
    files = {path.name for path in navigation.PAGES_FOLDER.glob("*.py")} - {"__init__.py"}
    assert {info.file for info in navigation.PAGES} == files
    assert len({info.url for info in navigation.PAGES}) == len(navigation.PAGES)


def test_sections_keep_the_order_of_the_pages():
    sections = {name: len(pages) for name, pages in navigation.streamlit_pages().items()}
    assert list(sections.items()) == [
        ("", 1),
        ("Understand", 3),
        ("Experiment", 3),
        ("Evidence", 3),
    ]


def test_an_unknown_address_is_a_mistake_of_ours():
    with pytest.raises(StopIteration):
        navigation.page_info("nothing")
