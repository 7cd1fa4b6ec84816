"""What a projector shows at once, what a phone shows whole, and that nothing jumps."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages.ui import charts
from pages.ui.base.navigation import PAGES

FITTED = Path(charts.__file__).with_name("fitted.js")
PROJECTOR = {"width": 1280, "height": 720}
PHONE = {"width": 390, "height": 844}


def whole_in_view(visit, *places):
    """Which of these parts cannot be seen whole without scrolling."""
    size = visit.page.viewport_size
    cut = {}
    for place in places:
        box = visit.page.locator(place).first.bounding_box()
        inside = box and box["y"] >= 0 and box["y"] + box["height"] <= size["height"]
        if not inside or box["x"] < 0 or box["x"] + box["width"] > size["width"]:
            cut[place] = box
    return cut


@pytest.mark.parametrize("present", [0, 1])
def test_slider_sentence_curve_and_slope_are_on_one_screen(new_visit, present):
    visit = new_visit(**PROJECTOR).open("approximation", present=present)
    visit.chart("amplifier")
    assert (
        whole_in_view(
            visit,
            "input[type=range]",
            ".live-text",
            "[data-chart=amplifier]",
            "[data-chart=slope]",
        )
        == {}
    )


@pytest.mark.parametrize("present", [0, 1])
def test_a_training_shows_its_first_curves_while_it_runs(new_visit, present):
    visit = new_visit(**PROJECTOR).open("train", pace="slow", present=present)
    groups = visit.page.get_by_role("radiogroup")
    groups.first.wait_for()  # its script may come late
    rows = [row.bounding_box()["height"] for row in groups.all()]
    assert max(rows) < 1.5 * min(rows)  # none of them wraps
    visit.press("Start")
    for name in ("training_loss", "training_metric"):
        visit.page.locator(f"[data-chart='train.{name}'][data-drawn]").wait_for()
    cut = whole_in_view(
        visit, "[data-chart='train.training_loss']", "[data-chart='train.training_metric']"
    )
    visit.press("Stop")
    visit.see("Stopped after")
    visit.see("L of AnyLoss")  # who presents has the settings again
    assert cut == {}


def test_the_curve_stays_where_it_is_while_L_is_dragged(new_visit):
    visit = new_visit(**PROJECTOR).open("approximation", dtype="bfloat16", t="0.1")
    visit.chart("amplifier")
    slider = visit.page.get_by_role("slider", name="Amplifier L")
    places = set()
    for L in (1, 3, 4, 5, 6, 20, 73, 90, 150):
        slider.evaluate(
            "(input, L) => { input.value = L; input.dispatchEvent(new Event('input')); }", L
        )
        visit.page.wait_for_timeout(60)
        places.add(visit.page.locator("[data-chart=amplifier]").bounding_box()["y"])
    assert len(places) == 1


LETTERS = "parseFloat(getComputedStyle(document.documentElement).fontSize)"


def test_every_page_can_be_presented(new_visit):
    visit = new_visit(**PROJECTOR)  # one window, which keeps its scripts
    lessons = [("lessons", {"step": step}) for step in (4, 8)]
    for url, settings in [*((info.url, {}) for info in PAGES), *lessons]:
        visit.open(url.removeprefix("home"), present=1, **settings)
        assert visit.page.locator("[data-testid=stSidebar]:visible").count() == 0
        for _ in range(50):  # the larger theme comes a moment after the page
            if visit.page.evaluate(LETTERS) >= 18:
                break
            visit.page.wait_for_timeout(100)
        assert visit.page.evaluate(LETTERS) >= 18
        wide = "document.querySelector('[data-testid=stMain]').scrollWidth"
        assert visit.page.evaluate(wide) <= PROJECTOR["width"], url
    visit.press("End")
    visit.page.locator("[data-testid=stSidebar]:visible").wait_for()
    assert "present" not in visit.query()
    assert visit.page.evaluate(LETTERS) == 16


def test_tools_hide_no_legend_on_a_phone(new_visit):
    visit = new_visit(**PHONE).open("approximation")
    chart = visit.chart("amplifier")
    legend = chart.locator(".legend").bounding_box()
    tools = chart.locator(".modebar").bounding_box()
    assert tools["y"] >= legend["y"] + legend["height"]


def test_the_picture_stacks_on_a_phone(new_visit):
    visit = new_visit(**PHONE).open("")
    picture = visit.page.get_by_role("img", name="A probability p passes the amplifier")
    box = picture.bounding_box()
    assert box["width"] <= PHONE["width"]
    assert box["height"] > box["width"]
    letters = picture.locator("text").first
    assert letters.bounding_box()["height"] >= 11


def test_rows_of_choices_wrap_with_whole_borders_on_a_phone(new_visit):
    visit = new_visit(**PHONE).open("approximation")
    for choice in visit.page.get_by_role("radiogroup", name="Precision").get_by_role("radio").all():
        box = choice.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        sides = choice.evaluate(
            "c => ['Left', 'Right', 'Top', 'Bottom'].map("
            "side => parseFloat(getComputedStyle(c)[`border${side}Width`]))"
        )
        assert min(sides) > 0, sides
        colours = "c => [getComputedStyle(c).borderLeftColor, getComputedStyle(c).borderRightColor]"
        assert "rgba(0, 0, 0, 0)" not in choice.evaluate(colours)  # beside the chosen one, too


ABOVE = """c => {
  const boxes = (what) => [...c.querySelectorAll(what)].map((part) => part.getBoundingClientRect());
  const bars = boxes(".barlayer .point path").filter(({ width }) => width > 0);
  const labels = boxes(".annotation-text");
  const above = labels.filter((label) => bars.some((bar) =>
    Math.abs(bar.top - label.bottom) < 8 && bar.left < label.right));
  return [labels.length, above.length, bars.length];
}"""


def test_labels_stand_above_their_bars_on_a_phone(new_visit):
    visit = new_visit(**PHONE).open("many", source="kept")
    labels, above, bars = visit.chart("many.wins_ties_losses").evaluate(ABOVE)
    assert bars >= labels > 2
    assert above == labels


def test_what_stands_at_the_end_of_a_bar_keeps_its_room_on_a_phone(new_visit):
    chart = new_visit(**PHONE).open("many", source="kept").chart("many_verdicts")
    inside = """c => [...c.querySelectorAll(".annotation-text")].filter((part) =>
      part.getBoundingClientRect().right <= c.getBoundingClientRect().right).length"""
    assert chart.evaluate(inside) == chart.evaluate("c => c.layout.annotations.length") > 2


def test_the_names_of_a_matrix_stay_beside_it_where_it_is_narrow(browser):
    page = browser.new_page()
    page.add_script_tag(path=FITTED)
    layout = "{yaxis: {tickvals: [0, 1], ticktext: ['no', 'yes']}}"
    node = "{clientWidth: 400, clientHeight: 300}"
    shown = "data => fitted({data, layout: %s}, %s).layout.annotations?.length ?? 0"
    assert page.evaluate(shown % (layout, node), [{"type": "heatmap"}]) == 0
    assert page.evaluate(shown % (layout, node), [{"type": "scatter"}]) == 2
    page.close()
