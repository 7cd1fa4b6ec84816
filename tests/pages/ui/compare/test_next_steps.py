"""What one would do next is one click away, and starts what it says."""

from pages.ui.runs import runs
from tests.pages.conftest import all_text, button, shown


def test_the_answer_comes_first_and_what_next_has_buttons(open_page, made):
    page = open_page("compare", run=made)
    assert not page.exception
    said = shown(page)
    assert said.index("BCE") < said.index("On breast_cancer_imbalanced, ")
    assert "What next?" in all_text(page)
    assert button(page, "Open the L sweep")


def test_references_from_scikit_learn_are_added_to_the_same_comparison(open_page, made):
    page = open_page("compare", run=made)
    button(page, "Against scikit-learn").click().run()
    assert not page.exception
    newest = runs.store().runs("compare")[0]
    before = runs.store().run(made).settings["comparison"]["losses"]
    assert newest.settings["comparison"]["losses"] == [
        *before,
        "logistic_regression",
        "boosted_trees",
    ]
    runs.store().set_control(newest.id, "stop", (newest.owner,))


def test_the_mlp_is_tried_on_the_same_folds(open_page, made, finished):
    page = open_page("compare", run=made)
    button(page, "Try the MLP").click().run()
    started = page.query_params["run"]
    started = started[0] if isinstance(started, list) else started
    assert started != made
    asked = runs.store().run(started).settings["comparison"]
    before = runs.store().run(made).settings["comparison"]
    assert asked["model"] == "mlp"
    assert {**asked, "model": "slp"} == before
    page = finished(page)
    assert not page.exception
    button(page, "Open the L sweep").click().run()
    assert not page.exception
    assert page.query_params["model"] in ("mlp", ["mlp"])  # the network of the comparison
