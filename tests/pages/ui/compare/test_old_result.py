"""A result of another data set is dimmed and says what it is of; both ways on are one click."""

from pages.ui.runs import runs
from tests.pages.conftest import DATA, all_text, button

OTHER = "builtin:moons"


def test_the_result_of_the_chosen_data_is_not_dimmed(open_page, made):
    assert "This result is for" not in all_text(open_page("compare", run=made))


def other_data(open_page, made):
    page = open_page("compare", run=made, data=OTHER, folds=3)
    assert not page.exception
    assert "This result is for" in all_text(page)
    return page


def test_one_click_goes_back_to_its_data(open_page, made):
    page = other_data(open_page, made)
    button(page, "Back to `breast_cancer_imbalanced`").click().run()
    assert DATA in page.query_params["data"]
    assert "This result is for" not in all_text(page)


def test_one_click_compares_on_the_new_data(open_page, made, finished):
    page = other_data(open_page, made)
    button(page, "Compare on moons").click().run()
    started = page.query_params["run"]
    started = started[0] if isinstance(started, list) else started
    run = runs.store().run(started)
    assert run.settings["data"] == OTHER
    assert run.settings["comparison"] == runs.store().run(made).settings["comparison"]
    assert run.title.startswith("moons:")
    assert not finished(page).exception
