"""Lessons as files, opened from the disk with the network off: they ask, move and answer."""

import pytest

from anyloss_core.teaching.lessons import LESSONS
from pages.ui.teach import course


@pytest.fixture
def open_file(browser, tmp_path):
    """Opens the file of a lesson; it may ask for nothing and complain of nothing."""
    heard, contexts = [], []

    def opened(name):
        lesson = next(each for each in LESSONS if each.name == name)
        file = tmp_path / f"{name}.html"
        file.write_bytes(course.lesson_file(lesson))
        context = browser.new_context(offline=True, viewport={"width": 1000, "height": 800})
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda asked: asked.url.startswith("http") and heard.append(asked.url))
        page.on("pageerror", lambda error: heard.append(str(error)))
        page.on("console", lambda told: told.type == "error" and heard.append(told.text))
        page.goto(file.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not heard


def chart(page, key, expression):
    place = f".live-chart[data-chart='{key}']"
    page.locator(place).scroll_into_view_if_needed()
    node = page.locator(f"{place}[data-drawn]:not([data-late])")
    node.wait_for()
    return node.evaluate(f"c => {expression}")


def test_a_number_is_guessed_and_the_bars_follow_the_slider(open_file):
    page = open_file("accuracy")
    assert page.get_by_role("slider", name="Patients who are ill").count() == 0
    page.get_by_role("slider", name="Your guess").fill("97")
    page.get_by_role("button", name="This is my guess").click()
    page.get_by_text("You said 97 %").wait_for()
    assert chart(page, "difference", "c.data[1].x[0]") == 97
    slider = page.get_by_role("slider", name="Patients who are ill")
    assert chart(page, "lazy_classifier", "c.data[0].text[0]") == "0.95"
    slider.focus()
    page.keyboard.press("End")
    assert chart(page, "lazy_classifier", "c.data[0].text[0]") == "0.50"


def test_a_curve_is_sketched_and_drawn_beside_the_answer(open_file):
    page = open_file("amplifier")
    field = page.get_by_role("slider", name="Your curve")
    box = field.bounding_box()
    page.mouse.move(box["x"] + 0.1 * box["width"], box["y"] + 0.8 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + 0.2 * box["height"], steps=10)
    page.mouse.up()
    page.get_by_role("button", name="This is my guess").click()
    sketched = chart(page, "difference", "[...c._fullData[0].y]")
    assert sketched[18] > 0.6 > 0.4 > sketched[2]
    before = chart(page, "amplifier", "[...c._fullData[1].y]")
    page.get_by_role("slider", name="Amplifier L").focus()
    page.keyboard.press("End")
    page.locator("p:visible", has_text="no more update").first.wait_for()
    assert chart(page, "amplifier", "[...c._fullData[1].y]") != before


def test_a_choice_is_made_and_the_lines_are_played(open_file):
    page = open_file("helps")
    page.get_by_label("another loss").check()
    page.get_by_role("button", name="This is my guess").click()
    page.locator("p:visible", has_text="That is it").wait_for()
    page.get_by_label("Two round clouds").check()
    bar = page.get_by_role("slider", name="Epoch")
    bar.focus()
    page.keyboard.press("End")
    page.get_by_text("epoch 600").wait_for()
    page.get_by_text("360 negative, 40 positive").wait_for()
    assert page.get_by_role("button", name="Clear").count() == 0


def test_every_other_lesson_shows_all_of_its_charts_without_a_network(open_file):
    drawn = {}
    for lesson in LESSONS:
        if lesson.name in ("accuracy", "amplifier", "helps"):  # opened above
            continue
        page = open_file(lesson.name)
        page.get_by_role("button", name="Show me").click()
        page.get_by_text(lesson.see).wait_for()
        for chart_node in page.locator(".live-chart").all():
            chart_node.scroll_into_view_if_needed()
            chart_node.locator("xpath=self::*[@data-drawn]").wait_for()
        drawn[lesson.name] = page.locator(".live-chart[data-drawn]").count()
        page.context.close()
    assert min(drawn.values()) >= 1, drawn
