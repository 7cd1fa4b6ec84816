"""The amplifier with its slider: the board as a view, charts in words, frames for every L."""

import json

import pytest

from anyloss_core.losses.approximation import DTYPES, FORMS, valid_range
from anyloss_core.teaching import amplifier
from anyloss_core.teaching.amplifier import AmplifierView
from pages.ui.teach import amplifier_panel
from tests.pages.conftest import charts, drawn

VIEW = AmplifierView(5.0, 0.4, 0.01, "float32", "naive")


def test_a_board_describes_a_view():
    board = {"L": 5.0, "threshold": 0.4, "t": "0.01", "dtype": "float32", "form": "naive"}
    assert amplifier_panel.view_of(board) == VIEW


def test_a_page_has_defaults_of_its_own_within_the_same_limits():
    found = {each.name: each for each in amplifier_panel.settings(L=6.0, t="0.001")}
    assert (found["L"].default, found["L"].read("999"), found["L"].read("0")) == (6.0, 150.0, 1.0)
    assert (found["t"].default, found["t"].read("1e-15")) == ("0.001", "1e-15")
    assert found["dtype"].choices == tuple(DTYPES)
    assert found["form"].choices == FORMS


def panel(view):
    from pages.ui.base.state import Board
    from pages.ui.teach import amplifier_panel

    board = Board("approximation", *amplifier_panel.settings()).open()
    amplifier_panel.slider(board, view)
    for chart in ("amplifier_chart", "slope_chart", "range_chart"):
        getattr(amplifier_panel, chart)(board, view)


@pytest.fixture(scope="module")
def page():
    return drawn(panel, view=VIEW)


def test_charts_tell_what_they_show(page):
    alts = {key: chart["alt"] for key, chart in charts(page).items()}
    first, second = amplifier.describe(VIEW)
    assert alts["amplifier"].endswith(f"for L = 5 with the diagonal. {first.text} {second.text}")
    assert "at most 1.25, at p = 1 0.226." in alts["slope"]  # L/4, and 5 A(1 - A) at A(1)
    limits = valid_range(0.01, "float32")
    words = f"at t = 0.01 from {limits.minimum:.2f} to {limits.maximum:.2f}; L = 5 lies outside."
    assert alts["range"].endswith(words)


def test_charts_follow_the_slider_and_are_saved_by_their_L(page):
    found = charts(page)
    assert all(each["channels"] == [["approximation.L", 5]] for each in found.values())
    assert found["amplifier"]["filename"] == "amplifier_L5"
    assert found["range"]["filename"] == "valid_L_float32"


def test_the_slider_marks_the_ends_of_the_valid_range(page):
    sent = [json.loads(e.proto.json) for e in page.get("bidi_component") if e.proto.json]
    (slider,) = [data for data in sent if "marks" in data]
    limits = valid_range(0.01, "float32")
    assert [mark["value"] for mark in slider["marks"]] == [limits.minimum, limits.maximum]
    assert slider["marks"][0]["label"] == f"min {limits.minimum:.2f}"


def test_frames_hold_the_words_of_every_L():
    packed = amplifier_panel._frames("page.L", VIEW.at(0.0), (5.0, 73.0))
    frames = json.loads(packed)
    assert frames["values"] == [5.0, 73.0]
    words = [[part["text"] for part in each] for each in frames["charts"]["words"]]
    assert words == [
        [part.text for part in amplifier.describe(VIEW.at(L))] for L in frames["values"]
    ]
    assert words[0] != words[1]
    assert {"amplifier", "slope", "range"} <= set(frames["charts"])


def clicked(point):
    import streamlit as st

    from pages.ui.base.state import Board
    from pages.ui.teach import amplifier_panel

    st.session_state["chart:range"] = type("Chart", (), {"click": point})
    board = Board("approximation", *amplifier_panel.settings()).open()
    amplifier_panel.take_click(board)
    st.write(f"{board['L']:g} {board['t']}")


def test_a_click_into_the_valid_range_sets_L_and_t():
    assert drawn(clicked, point={"x": 1e-3, "y": 40}).markdown[0].value == "40 0.001"


@pytest.mark.parametrize("point", [None, {}, {"x": "a", "y": []}, {"x": None, "y": 3}, [1, 2], "x"])
def test_what_is_no_point_changes_nothing(point):
    assert drawn(clicked, point=point).markdown[0].value == "73 0.1"


def test_a_point_beside_the_range_is_taken_to_its_end():
    assert drawn(clicked, point={"x": 7.0, "y": 1e9}).markdown[0].value == "150 0.1"
