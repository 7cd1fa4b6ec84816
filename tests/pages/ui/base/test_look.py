"""The style sheets of the frame: well-formed, and the large one only for a room."""

import pytest

from pages.ui.base import look


@pytest.mark.parametrize("sheet", sorted(look.FOLDER.glob("*.css")), ids=lambda path: path.name)
def test_every_brace_is_closed_and_nothing_leaves_the_style(sheet):
    text = sheet.read_text(encoding="utf-8")
    assert text.count("{") == text.count("}") > 0
    assert text.count("/*") == text.count("*/")
    assert "<" not in text  # it is sent inside of <style>
    assert "url(" not in text  # nothing asks the network


def test_only_a_presentation_is_large(open_page):
    def sheets(page):
        return "".join(str(part.proto.body) for part in page.get("html"))

    assert "font-size: clamp" not in sheets(open_page("metric"))
    assert "font-size: clamp" in sheets(open_page("metric", present=1))
