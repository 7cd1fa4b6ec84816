"""The page L sweep: a real sweep, presets, links, and values that are no L."""

import pytest

from pages.ui.runs import runs
from tests.pages.conftest import all_text
from tests.pages.test_compare_losses import DATA, shown


def test_a_sweep_is_started_and_names_the_best(open_page, finished):
    page = open_page("sweep", data=DATA, L="5 73 5..73", epochs=10, folds=3)
    page.button(key="sweep.start").click().run()
    page = finished(page)
    assert not page.exception
    assert "F1 is highest with" in shown(page)
    assert set(page.dataframe[0].value["L"]) == {"5", "73", "5..73"}
    again = open_page("sweep", run=runs.store().runs("sweep")[0].id)
    assert again.text_input(key="sweep.L").value == "5 73 5..73"
    said, before = ([part.proto.body for part in each.get("html")] for each in (again, page))
    assert said == before


def test_the_papers_five_values_are_one_click_away(open_page):
    page = open_page("sweep")
    page.button(key="sweep.preset:The paper's five values").click().run()
    assert page.text_input(key="sweep.L").value == "30 50 73 90 110"
    assert "30 50 73 90 110" in page.query_params["L"]


@pytest.mark.parametrize("values", ["x", "0", "-3", "5..", "1e9", ""])
def test_what_is_no_L_is_refused_in_words(open_page, values):
    page = open_page("sweep", data=DATA)
    page.text_input(key="sweep.L").set_value(values).run()
    page.button(key="sweep.start").click().run()
    assert not page.exception
    assert "L must be" in all_text(page)


def test_the_question_for_a_good_L_is_in_the_link(open_page):
    page = open_page("sweep", good_model="mlp", good_start="fresh")
    said = shown(page)
    assert page.query_params["good_start"] == "fresh"
    assert said != shown(open_page("sweep"))
