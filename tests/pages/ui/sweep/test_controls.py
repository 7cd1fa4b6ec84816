"""The form of the page L sweep: values of L are read, refused in words, brought by a run."""

import pytest

from anyloss_core.sweep.job import SweepSettings, job_settings
from pages.ui.sweep import controls
from tests.pages.conftest import DATA, all_text


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


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1 5 73 5..73", (1.0, 5.0, 73.0, "5..73")),
        ("30, 50;30  50", (30.0, 50.0)),  # any sign between them, each once
        ("1000", (1000.0,)),
        (controls.PAPER + " auto", (*controls.read_values(controls.PAPER), "auto")),
        (
            controls.WIDE,
            (1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 50.0, 73.0, 110.0, "5..73", "10..73", "auto"),
        ),
    ],
)
def test_numbers_and_ramps_are_read(text, values):
    assert controls.read_values(text) == values


@pytest.mark.parametrize("text", ["1000.5", "5..1001", " ".join(map(str, range(1, 26)))])
def test_too_large_and_too_many_values_are_refused(text):
    with pytest.raises(ValueError, match="L must be"):
        controls.read_values(text)


@pytest.mark.parametrize(("warm_up", "warm"), [(0.0, "none"), (None, "protocol")])
def test_a_stored_run_fills_the_form(store, warm_up, warm):
    made = SweepSettings(
        metrics=("gmean",), amplifiers=(5.0, "5..73"), warm_up=warm_up, folds=4, dtype="float32"
    )
    run = store.run(store.create_run("sweep", job_settings(DATA, made), queue=False))
    values = controls.settings_of(run)
    assert tuple(values["metrics"]) == ("gmean",)
    assert (values["L"], values["warm"]) == ("5 5..73", warm)
    assert (values["folds"], values["dtype"]) == (4, "float32")
