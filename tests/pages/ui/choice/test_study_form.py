"""The fields of a study: one set of names, as the core takes them and as a run keeps them."""

import pytest
from streamlit.testing.v1 import AppTest

from anyloss_core.comparison.settings import ComparisonSettings
from pages.ui.choice import study_form
from pages.ui.compare import controls as compare
from pages.ui.many import controls as many
from pages.ui.sweep import controls as sweep
from tests.pages.conftest import all_text


def test_every_field_of_a_page_can_be_drawn_and_has_a_setting():
    for page in (compare, many, sweep):
        assert set(page.FIELDS) <= set(study_form.FIELDS) & set(study_form.SETTINGS)


def test_a_page_may_have_a_default_of_its_own():
    (folds,) = study_form.settings("folds", folds=5)
    assert (folds.default, study_form.SETTINGS["folds"].default) == (5, 10)
    assert (folds.low, folds.high) == (2, 20)


@pytest.mark.parametrize(
    ("board", "core"),
    [
        ({"model": "slp", "hidden": "16 8", "epochs": 0, "lr": 0.0}, (None, None, None)),
        ({"model": "mlp", "hidden": "16 8", "epochs": 40, "lr": 0.1}, ((16, 8), 40, 0.1)),
        ({"model": "mlp", "hidden": "", "epochs": 0, "lr": 0.0}, (None, None, None)),
    ],
)
def test_what_is_zero_or_empty_is_left_to_the_protocol(board, core):
    values = study_form.values(board, board)
    assert (values["hidden"], values["epochs"], values["lr"]) == core


def test_stored_settings_come_back_as_the_board_holds_them():
    made = ComparisonSettings(losses=("bce",), model="mlp", hidden=(16, 8), folds=3)
    values = study_form.stored_values(made.to_dict(), compare.EXPERIMENT)
    assert values["hidden"] == "16 8"
    assert values["folds"] == 3
    assert values["epochs"] == 0  # left to the protocol
    fields = {name: values[name] for name in compare.FIELDS}
    again = ComparisonSettings(losses=("bce",), **study_form.values(fields, compare.FIELDS))
    assert again == made


def form():
    from pages.ui.base.state import Board
    from pages.ui.choice import study_form

    names = ("model", "protocol", "folds", "epochs", "hidden")
    board = Board("compare", *study_form.settings(*names)).open()
    study_form.row(board, model=1, protocol=1, epochs=1, hidden=1)
    study_form.presets(board, "epochs", {"Few": 10})


def test_hidden_units_are_asked_for_an_mlp_only():
    page = AppTest.from_function(form, default_timeout=60).run()
    assert not page.text_input
    page.button_group(key="compare.model").set_value("mlp").run()
    assert page.text_input(key="compare.hidden").placeholder == "4"


@pytest.mark.parametrize(
    ("page", "epochs"),
    [("compare", "51 (default)"), ("sweep", "51 (default)"), ("many", "automatic (default)")],
)
def test_what_the_protocol_has_depends_on_the_chosen_data(open_page, page, epochs):
    data = "synthetic:rows=50000,features=2"  # 40,000 to train on
    test = open_page(page, data=data, model="mlp", folds=5)
    assert not test.exception
    assert test.number_input(key=f"{page}.epochs").placeholder == epochs
    if page != "many":
        assert test.number_input(key=f"{page}.lr").placeholder == "0.01 (default)"
        assert "Plan: 40,000 rows: batches of 1,024, 51 epochs." in all_text(test)
    if page == "compare":
        assert test.text_input(key="compare.hidden").placeholder == "32"


def test_how_the_learning_rate_falls_can_be_set(open_page):
    test = open_page("compare", schedule="cosine")
    assert test.selectbox(key="compare.schedule").value == "cosine"
    assert study_form.values({"schedule": ""}, ["schedule"]) == {"schedule": None}
    assert study_form.values({"schedule": "cosine"}, ["schedule"]) == {"schedule": "cosine"}


def test_a_preset_is_one_click_away():
    page = AppTest.from_function(form, default_timeout=60).run()
    assert page.number_input(key="compare.epochs").value is None
    assert page.number_input(key="compare.epochs").placeholder == "600 (default)"
    page.button(key="compare.preset:Few").click().run()
    assert page.number_input(key="compare.epochs").value == 10
    page.number_input(key="compare.epochs").set_value(0).run()
    assert page.run().number_input(key="compare.epochs").value is None
    assert "epochs" not in page.query_params
