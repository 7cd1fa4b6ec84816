"""Where a lesson begins: the browser is told which one is shown."""

from tests.pages.conftest import drawn


def lesson():
    from pages.ui.teach.top import begin_at_top

    begin_at_top("accuracy")


def test_the_browser_hears_of_the_lesson():
    assert '"accuracy"' in drawn(lesson).get("bidi_component")[0].proto.json
