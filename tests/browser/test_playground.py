"""Playgrounds of the lessons: points drawn by mouse, finger and keys, a matrix to drag and type."""

import re

from anyloss_core.teaching.drawing import read_drawing

ENDS = re.compile(r"M(\S+) (\S+)L(\S+) (\S+)")


def plane(visit):
    return visit.page.get_by_role("application")


def drawn(visit):
    """The points of the link."""
    return read_drawing(re.search(r"points=([\w.-]*)", visit.query())[1])


def paths(visit):
    """The lines as they are drawn now: BCE, BCE with its threshold, AnyLoss."""
    lines = plane(visit).locator(".lines path")
    return lines.evaluate_all("all => all.map(path => path.getAttribute('d'))")


def stroke(visit, *shares):
    """Press, move and let go over places of the plane, as shares of its width and height."""
    box = plane(visit).bounding_box()
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in shares]
    visit.page.mouse.move(*places[0])
    visit.page.mouse.down()
    for place in places[1:]:
        visit.page.mouse.move(*place, steps=12)
    visit.page.mouse.up()


def test_points_are_drawn_with_the_mouse_and_both_lines_follow(visit):
    visit.open("lessons", step=8, points=".")
    visit.see("Draw points of both classes")
    stroke(visit, (0.7, 0.4), (0.8, 0.6))
    visit.page.wait_for_function("() => /points=[.][^&]{16}/.test(location.search)")
    assert (drawn(visit).labels == 1).sum() > 3
    visit.page.get_by_text("negative", exact=False).first.click()
    stroke(visit, (0.2, 0.4), (0.3, 0.6))
    visit.see("After the last epoch")
    visit.settle()
    drawing = drawn(visit)
    assert drawing.points[drawing.labels == 0][:, 0].max() < 0
    visit.page.wait_for_function(
        "() => [...document.querySelectorAll('*')].some(e => "
        "e.shadowRoot?.querySelector('.epoch')?.textContent === 'epoch 600')"
    )
    assert len(set(paths(visit))) > 1
    for ends in map(ENDS.match, paths(visit)):
        assert -5 <= float(ends[1]) <= 5  # between the clouds, from edge to edge


def test_points_are_set_and_erased_by_keys_alone(visit):
    visit.open("lessons", step=8, points=".")
    plane(visit).focus()
    for key in ("2", "ArrowRight", "ArrowRight", "Space", "1", *["ArrowLeft"] * 6, "Space"):
        visit.page.keyboard.press(key)
    visit.see("After the last epoch")
    drawing = drawn(visit)
    assert drawing.labels.tolist() == [0, 1]
    assert drawing.points[:, 0].round(2).tolist() == [-1.0, 0.5]
    for key in ("3", "Space"):
        visit.page.keyboard.press(key)
    visit.see("Draw points of both classes")


def test_a_preset_brings_its_points_and_the_bar_goes_back_to_any_epoch(visit):
    visit.open("lessons", step=8, hide="guess")
    visit.press("Two round clouds")
    visit.linked("kind=beside")
    visit.see("360 negative, 40 positive")
    bar = visit.page.get_by_role("slider", name="Epoch")
    bar.focus()
    visit.page.keyboard.press("Home")
    bce, _, ours = paths(visit)
    assert bce == ours  # both begin with BCE
    visit.page.keyboard.press("End")
    bce, _, ours = paths(visit)
    assert bce != ours


def test_a_finger_draws_and_does_not_scroll(new_visit):
    phone = new_visit(width=390, height=844, has_touch=True)
    phone.open("lessons", step=8, points=".")
    plane(phone).scroll_into_view_if_needed()
    box = plane(phone).bounding_box()
    phone.page.touchscreen.tap(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    phone.linked("points=.")
    phone.see("0 negative, 1 positive")


def test_a_matrix_is_dragged_stepped_and_typed(visit):
    visit.open("metric", metric="f1", tn=90, fp=10, fn=5, tp=5)
    visit.see("F1 = 0.400")
    slider = visit.page.get_by_role("slider", name="TP, found")
    slider.focus()
    for _ in range(5):
        visit.page.keyboard.press("ArrowRight")
    visit.see("F1 = 0.571")
    visit.linked("tp=10")
    visit.page.get_by_role("spinbutton", name="FP, false alarms").fill("0")
    visit.see("F1 = 0.800")
    box = visit.page.get_by_role("slider", name="FN, missed").bounding_box()
    visit.page.mouse.move(box["x"] + 10, box["y"] + box["height"] / 2)
    visit.page.mouse.down()
    visit.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=10)
    visit.page.wait_for_timeout(600)
    assert "fn=5" not in visit.query().split("&")  # Python hears of it while it is dragged
    visit.page.mouse.up()
    visit.settle()
    fn = int(re.search(r"fn=(\d+)", visit.query())[1])
    assert 350 < fn < 650
    assert (
        visit.chart("matrix.roc")
        .get_attribute("aria-label")
        .endswith(f"at 0.000 and {10 / (10 + fn):.3f}.")
    )
