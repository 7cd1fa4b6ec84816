"""Journeys through the teaching half: drag L, lessons, formulas, data, themes, links."""

import pytest

from anyloss_core.losses.approximation import approximate
from pages.ui.base.navigation import PAGES
from tests.support.saturation import saturated

TABLE = "age,city,bought\n" + "".join(
    f"{20 + i % 40},{['Ulm', 'Rom'][i % 2]},{'yes' if i % 5 == 0 else 'no'}\n" for i in range(80)
)


def test_the_charts_follow_the_slider_while_it_is_dragged(visit):
    visit.open("approximation", L=20)
    before = int(visit.chart_value("amplifier", "c.dataset.drawn"))
    slider = visit.page.get_by_role("slider", name="Amplifier L")
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    visit.page.mouse.move(box["x"] + box["width"] * 0.13, middle)
    visit.page.mouse.down()
    for share in (0.3, 0.5, 0.7, 0.8):
        visit.page.mouse.move(box["x"] + box["width"] * share, middle, steps=4)
        visit.page.wait_for_timeout(80)
    held = visit.chart_value("amplifier", "[...c._fullData[1].y]")
    L = float(slider.input_value())
    assert L > 100
    assert visit.chart_value("amplifier", "c.dataset.drawn") != str(before)
    assert "L=20" in visit.query()  # Python has not been told yet
    places = visit.chart_value("amplifier", "[...c._fullData[1].x]")
    assert held[30] == pytest.approx(approximate(places[30], L), rel=1e-5)
    visit.page.mouse.up()
    visit.settle()
    visit.linked(f"L={L:g}")


def test_what_is_shaded_while_dragging_is_what_the_core_says(visit):
    visit.open("approximation", dtype="float32", L=10)
    slider = visit.page.get_by_role("slider", name="Amplifier L")
    slider.focus()
    for _ in range(5):
        visit.page.keyboard.press("PageUp")
    visit.settle()
    L = float(slider.input_value())
    shown = visit.chart_value("amplifier", "c.layout.shapes.map(s => [s.x0, s.x1])")
    exact = saturated(L, "float32", "naive")
    assert shown[0] == pytest.approx(list(exact[0]), abs=1e-3)
    visit.see("exactly 1 in float32" if L * 0.4 > 17 else "still below 1")


def test_answers_that_come_late_do_not_pull_the_slider_back(visit):
    visit.open("approximation", L=10)
    slider = visit.page.get_by_role("slider", name="Amplifier L")
    slider.focus()
    met = []
    for _ in range(30):
        visit.page.keyboard.press("ArrowUp")
        visit.page.wait_for_timeout(30)  # answers of earlier steps arrive in between
        met.append(float(slider.input_value()))
    visit.linked("L=40").settle()
    assert met == sorted(met)
    assert float(slider.input_value()) == met[-1] == 40


def test_an_exact_limit_can_be_chosen(visit):
    visit.open("approximation")
    visit.press("max 91.84")
    visit.linked("L=91.8")
    visit.see("still below 1")


@pytest.mark.parametrize("width", [400, 1440])
def test_limits_next_to_each_other_can_both_be_read(new_visit, width):
    narrow = new_visit(width=width).open("approximation", dtype="float32", t="1e-07", L=33)
    smallest = narrow.page.get_by_role("button", name="min 32.24").bounding_box()
    largest = narrow.page.get_by_role("button", name="max 33.27").bounding_box()
    assert smallest["x"] + smallest["width"] <= largest["x"] + 1
    assert smallest["x"] >= 0
    assert largest["x"] + largest["width"] <= width


@pytest.mark.parametrize("width", [1024, 1280])
def test_every_precision_can_be_seen_and_chosen(new_visit, width):
    visit = new_visit(width=width).open("approximation")
    group = visit.page.get_by_role("radiogroup", name="Precision").bounding_box()
    last = visit.page.get_by_role("radio", name="bfloat16").bounding_box()
    assert last["x"] + last["width"] <= group["x"] + group["width"] + 1
    visit.page.get_by_role("radio", name="bfloat16").click()
    visit.settle()
    visit.linked("dtype=bfloat16")
    assert "in bfloat16" in visit.chart("range").get_attribute("aria-label")


def test_the_chart_keeps_its_node_and_zoom_when_a_setting_changes(visit):
    visit.open("approximation")
    visit.chart("amplifier").evaluate("c => { c.mark = 1; }")
    box = visit.page.locator("[data-chart=amplifier] .nsewdrag").bounding_box()
    visit.page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 0.3 * box["height"])
    visit.page.mouse.down()
    visit.page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.7 * box["height"], steps=8)
    visit.page.mouse.up()
    visit.page.wait_for_timeout(500)
    zoomed = visit.chart_value("amplifier", "c.layout.xaxis.range")
    assert zoomed[0] > 0.3
    visit.press("L = 5: 0.1 becomes 0.12")
    assert visit.chart_value("amplifier", "c.mark") == 1
    assert visit.chart_value("amplifier", "c.layout.xaxis.range") == zoomed


def test_a_shared_link_shows_the_same_in_a_fresh_session(visit, new_visit):
    visit.open("approximation", L=33, t="0.001", dtype="float16", form="safe")
    link = visit.page.url
    fresh = new_visit()
    fresh.page.goto(link)
    fresh.settle()
    wanted = "[...c._fullData[1].y]"
    assert fresh.chart_value("amplifier", wanted) == visit.chart_value("amplifier", wanted)
    assert fresh.query() == visit.query()


def test_learning_curves_grow_live_and_survive_a_reload(visit):
    visit.open("approximation", values="5;100")
    visit.press("Train")
    visit.chart("learning_curves_L")
    visit.page.reload()
    visit.page.wait_for_selector("[data-testid=stMain] h1")
    visit.chart("learning_curves_L")
    visit.see("Done after")
    visit.see("no more update from epoch")


def test_any_other_L_can_be_added(visit):
    visit.open("approximation")
    field = visit.page.get_by_role("combobox", name="Values of L")
    field.click()
    visit.page.keyboard.type("42")
    visit.page.wait_for_timeout(300)
    visit.page.keyboard.press("Enter")
    visit.settle()
    visit.linked("values=1;5;10;100;42")


def test_data_and_hidden_controls_follow_to_the_next_page(visit):
    visit.open("metric", data="builtin:moons", hide="L")
    visit.page.get_by_role("link", name="Approximation", exact=True).click()
    visit.see("The amplifier A(p)")
    visit.settle()
    visit.linked("data=builtin:moons")
    assert visit.page.get_by_role("slider", name="Amplifier L").count() == 0


def test_lessons_are_walked_through_and_back(visit):
    visit.open("lessons", hide="guess")
    for title in ("From threshold to amplifier", "L too small", "L too large"):
        visit.page.get_by_role("button", name="Next").scroll_into_view_if_needed()
        visit.press("Next")
        visit.page.get_by_role("heading", level=1, name=title).wait_for()
        visit.page.wait_for_function("document.querySelector('[data-testid=stMain]').scrollTop < 5")
    visit.linked("step=4")
    for title in ("L too small", "From threshold to amplifier", "Why 95 %"):
        visit.page.go_back()
        visit.page.get_by_role("heading", level=1, name=title).wait_for()
        visit.settle()
    visit.linked("step=1")


def test_a_click_into_the_valid_range_sets_L_and_t(visit):
    visit.open("approximation")
    chart = visit.chart("range")
    box = chart.locator(".nsewdrag").bounding_box()
    visit.page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.7 * box["height"])
    visit.linked("t=1e-").settle()
    t, L = visit.chart_value("range", "[c._fullData[4].x[0], c._fullData[4].y[0]]")
    assert 1e-11 < t < 1e-7
    assert 40 <= L <= 52
    visit.linked(f"L={L:g}")
    assert float(visit.page.get_by_role("slider", name="Amplifier L").input_value()) == L


def test_a_curve_is_sketched_before_it_is_shown(visit):
    visit.open("lessons", step=2)
    field = visit.page.get_by_role("slider", name="Your curve")
    assert visit.page.get_by_role("button", name="This is my guess").is_disabled()
    box = field.bounding_box()
    across = [(0.1, 0.8), (0.5, 0.8), (0.6, 0.1), (0.95, 0.1)]
    for number, (x, y) in enumerate(across):
        visit.page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"], steps=5)
        if number == 0:
            visit.page.mouse.down()
    visit.page.mouse.up()
    visit.settle()
    field.focus()
    visit.page.keyboard.press("Home")
    for _ in range(3):
        visit.page.keyboard.press("ArrowUp")
    spoken = field.get_attribute("aria-valuetext")
    visit.page.wait_for_timeout(600)  # several steps of the keys are one change
    visit.settle()
    visit.press("This is my guess")
    visit.see("Your curve is")
    first, last = visit.chart_value("amplifier.difference", "[0, 20].map(i => c._fullData[0].y[i])")
    assert spoken == f"p = 0: {first:.2f}"
    assert last > 0.8
    visit.see("Drag L to the right")


def test_a_class_guesses_and_the_teacher_reveals(visit, new_visit):
    visit.open("lessons", step=3)
    visit.press("Start a class")
    visit.linked("class=")
    students = [new_visit(width=400) for _ in range(2)]
    for option, student in enumerate(students):
        student.page.goto(visit.page.url)
        student.page.get_by_role("radio").nth(option).check(force=True)
        student.settle()
        student.press("This is my guess")
        student.see("Your guess is in")
        assert "Drag L until" not in student.text()
    visit.see("2 guesses so far")
    bars = "[...c._fullData[0].x].join()"
    visit.press("Reveal")
    for screen in (visit, *students):
        screen.see("Drag L until")
        assert screen.chart_value("too_small.class", bars) == "1,1,0"
    students[1].see("You said: 0.10")
    visit.press("Close the class")
    visit.see("Guess first")


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("TP / (TP + 2*FN)", "on every page"),
        ("__import__('os').system('id')", "not a formula"),
        ("<img src=x onerror=alert(1)>", "not a formula"),
    ],
)
def test_a_formula_is_typed(visit, typed, word):
    visit.open("metric", metric="formula")
    box = visit.page.get_by_role("textbox", name="Formula")
    box.fill(typed)
    box.press("Enter")
    visit.settle()
    visit.see(word)


def test_a_typed_formula_can_be_trained_on_another_page(visit):
    visit.open("metric", metric="formula", typed="TP / (TP + 2*FN)")
    visit.see("on every page")
    visit.page.get_by_role("link", name="Compare", exact=True).click()
    visit.see("Compare losses")
    visit.settle()
    visit.page.get_by_role("combobox", name="Losses and methods").click()
    visit.page.keyboard.type("2*FN")
    visit.see("AnyLoss-TP / (TP + 2*FN)")


def test_a_file_is_uploaded_and_a_wrong_one_changes_nothing(visit):
    visit.open("metric")
    visit.press("Change")
    visit.page.get_by_role("radio", name="Upload").click()
    upload(visit, "wrong.csv", b"%PDF-1.7 no table")
    visit.see("The data set chosen before stays")
    assert "data=" not in visit.query()
    upload(visit, "<b>shop.csv", TABLE.encode())
    visit.see("Column to predict")
    visit.press("Use this table")
    visit.page.get_by_text("Column to predict").wait_for(state="hidden")
    visit.settle()
    visit.linked("data=upload:")
    visit.see("<b>shop")
    visit.press("Profile")
    visit.see("Imbalance")


def upload(visit, name, data):
    # Home has a field of its own behind the dialog.
    field = visit.page.locator("[role=dialog] [data-testid=stFileUploader] input[type=file]")
    field.set_input_files({"name": name, "mimeType": "text/csv", "buffer": data})
    visit.settle()


def test_a_built_in_table_is_saved_and_uploaded_again(visit, tmp_path):
    visit.open("")
    with visit.page.expect_download() as saved:
        visit.page.get_by_role("button", name="moons.csv").click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    visit.press("Change")
    visit.page.get_by_role("radio", name="Upload").click()
    upload(visit, file.name, file.read_bytes())
    visit.see("Column to predict")
    visit.press("Use this table")
    visit.page.get_by_text("Column to predict").wait_for(state="hidden")
    visit.settle()
    visit.linked("data=upload:")
    visit.see("1,000 rows · 2 features · 15.0 % positive")  # Home itself opens no data
    visit.page.get_by_role("link", name="Any metric", exact=True).first.click()
    visit.see("Its loss over TPR and FPR")


def test_a_table_and_a_figure_are_taken_home(visit):
    visit.open("metric").chart("loss_surface")
    visit.page.locator(".st-key-files-loss_surface button").click()
    with visit.page.expect_download() as saved:
        visit.page.get_by_role("button", name="Interactive HTML").click()
    assert saved.value.suggested_filename == "loss_surface.html"


@pytest.mark.parametrize("url", [info.url for info in PAGES])
def test_pages_are_themed_and_fit_a_narrow_window(new_visit, url):
    narrow = new_visit(width=420, dark=True)
    narrow.open(url.removeprefix("home"))
    wide = "document.querySelector('[data-testid=stMain]').scrollWidth"
    assert narrow.page.evaluate(wide) <= 420
    background = "getComputedStyle(document.querySelector('.stApp')).backgroundColor"
    assert narrow.page.evaluate(background) == "rgb(17, 22, 29)"
    for key in {"approximation": ["amplifier"], "metric": ["loss_surface"]}.get(url, []):
        assert narrow.chart_value(key, "c._fullLayout.font.color").lower() == "#e6ebf1"


def test_a_fraction_is_shown_whole(visit):
    visit.open("metric")
    tops = visit.page.locator(".katex-display").first.evaluate(
        "k => [k.querySelector('.mfrac'), k].map(part => part.getBoundingClientRect().top)"
    )
    assert tops[0] > tops[1]


def test_hidden_controls_stay_hidden(visit):
    visit.open("approximation", hide="L;data;dtype")
    assert visit.page.get_by_role("slider", name="Amplifier L").count() == 0
    assert "float16" not in visit.text()
    assert visit.page.get_by_role("button", name="Change").count() == 0
