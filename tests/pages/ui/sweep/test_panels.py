"""The result of a sweep: the sentence, the valid range, the best and the dead samples."""

from dataclasses import replace

import pytest

from anyloss_core.losses.approximation import valid_range
from tests.pages.conftest import all_text, charts, drawn
from tests.support.sweeps import sweep_of

MADE = {"dataset": "moons", "epochs": 30, "epochs_done": 30, "dtype": "float32"}


def result(sweep, t):
    from pages.ui.base.state import Board
    from pages.ui.sweep import controls, panels

    board = Board("sweep", *controls.VIEW).open()
    board.set("t", t)
    panels.show(sweep, {"warm_up": 0.0}, board)


def found(**changes):
    sweep = sweep_of({"5": 0.80, "73": 0.90, "110": 0.895, "5..73": 0.95})
    dead = sweep.dead.assign(dead_share=[0, 0, 0.1, 0.2, 0.4, 0.6, 0, 0])
    return replace(sweep, settings=MADE | changes, dead=dead)


@pytest.fixture(scope="module")
def page():
    return drawn(result, sweep=found(), t="0.01")


def test_the_sentence_names_the_data_and_the_best_setting(page):
    (lead,) = [part.proto.body for part in page.get("html")]
    assert "For F1: no constant L comes within 0.01 of the ramp 5 to 73." in lead
    assert "On moons, F1 is highest with the ramp 5 to 73 (0.950" in page.text[0].value
    assert not page.info  # it was trained to its end


def test_the_advice_can_be_taken_to_other_pages(page):
    links = {link.proto.label: link.proto for link in page.get("page_link")}
    compare = links["Use the ramp 5 to 73 in Compare"]
    assert "anyloss%3Af1%40L%3D5..73%2Cwarm_up%3D0%3Banyloss%3Af1%3Bbce" in compare.query_string
    assert "Use the ramp 5 to 73 in Train" in links


def test_the_best_is_marked_and_what_is_close_to_it(page):
    table = page.dataframe[0].value.set_index("L")
    assert table.loc["5..73", "Mean ± sd"] == "0.950 ± 0.000 ★"
    assert table.loc["73", "Mean ± sd"] == "0.900 ± 0.000"
    assert table.loc["110", "Dead samples"] == pytest.approx(0.5)
    assert set(table["Metric"]) == {"F1"}


def test_charts_tell_the_best_constant_L_and_the_most_dead(page):
    alts = {key: chart["alt"] for key, chart in charts(page).items()}
    assert alts["sweep_score"].endswith("Best constant L: F1 at L = 73.")
    assert alts["sweep_dead"].endswith("the largest is 50.0% with L = 110.")


def test_the_valid_range_is_that_of_the_precision_of_the_run(page):
    valid = valid_range(0.01, "float32")
    assert valid.maximum < valid_range(0.01, "float64").maximum
    words = f"Valid in float32 at t = 0.01: L from {valid.minimum:.1f} to {valid.maximum:.1f}."
    assert words in all_text(page)


def test_where_no_L_is_valid_that_is_said():
    page = drawn(result, sweep=found(), t="1e-16")
    assert valid_range(1e-16, "float32").empty
    assert "In float32 no L is valid at t = 1e-16." in all_text(page)


def test_a_stopped_sweep_says_how_far_it_came():
    page = drawn(result, sweep=found(epochs_done=12), t="0.01")
    assert page.info[0].value == "Stopped after 12 of 30 epochs."
