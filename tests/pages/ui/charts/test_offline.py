"""Components in one file without a server: all that is used is in it, and nothing ends it early."""

import json
import re

from pages.ui.charts import sketch  # noqa: F401  (makes its component known)
from pages.ui.charts.drag_slider import slider_data
from pages.ui.charts.offline import choice, columns, offline_page, part, text

SLIDER = part("drag_slider", slider_data("a", "A", 0, 1, 0.1, 0.5))


def page(*parts, guess=None):
    return offline_page("T <b>", ["Why </script>?"], list(parts), guess).decode()


def lesson_of(file):
    return json.loads(re.search(r'id="lesson">(.*?)</script>', file)[1])


def test_components_are_found_wherever_they_stand_and_no_others():
    file = page(columns([text("x")], [choice("c", {"one": [SLIDER]})]))
    assert list(lesson_of(file)["components"]) == ["drag_slider"]
    assert "COMPONENTS.drag_slider = function" in file
    assert "export default" not in file


def test_a_guess_that_is_sketched_brings_its_field():
    guess = {"kind": "curve", "component": "sketch", "answered": [], "skipped": []}
    assert list(lesson_of(page(SLIDER, guess=guess))["components"]) == ["drag_slider", "sketch"]


def test_words_are_shown_and_end_no_script():
    file = page(text("</script><script>alert(1)</script>"))
    assert "<h1>T &lt;b&gt;</h1>" in file
    assert "Why &lt;/script&gt;?" in file
    assert lesson_of(file)["parts"][0]["text"] == "</script><script>alert(1)</script>"


def test_the_file_has_plotly_and_the_colours_of_both_themes_in_it():
    file = page(SLIDER)
    assert "plotly.js v" in file
    assert "LIGHT" not in file.split("</style>")[0]
    assert file.split("</style>")[0].count("--st-primary-color: #") == 2
