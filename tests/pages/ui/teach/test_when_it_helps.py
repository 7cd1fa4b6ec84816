"""Lesson 8: what the link draws is learnt and told, and odd drawings do no harm."""

import json

import pytest

from anyloss_core.teaching.drawing import example, write_drawing
from tests.pages.conftest import all_text, charts


def plane(page):
    """What the plane in the browser is sent."""
    sent = [json.loads(e.proto.json) for e in page.get("bidi_component") if e.proto.json]
    return next(data for data in sent if "editable" in data)


def test_the_lesson_opens_with_the_points_far_off_and_both_lines(open_page):
    page = open_page("lessons", hide="guess", step=8)
    assert not page.exception
    assert plane(page)["text"] == write_drawing(example("far"))
    frames = json.loads(plane(page)["frames"])["frames"]
    assert frames[-1]["epoch"] == 600
    table = page.dataframe[0].value.set_index("trained with")["F1"]
    assert table["AnyLoss-F1"] > table["BCE with threshold for F1"] + 0.15
    assert "AnyLoss-F1 turns the line" in charts(page)["lesson8.study"]["alt"]


def test_another_example_takes_the_place_of_what_was_drawn(open_page):
    page = open_page("lessons", hide="guess", step=8, points="AAAA.____")
    assert plane(page)["text"] == "AAAA.____"
    page.button(key="preset:beside").click().run()
    assert not page.exception
    assert plane(page)["text"] == write_drawing(example("beside"))
    assert page.query_params["kind"] == "beside"
    assert "points" not in page.query_params


@pytest.mark.parametrize("points", [".", "AAAA.", "AAAA.AAAA"])
def test_what_cannot_be_learnt_says_what_is_missing(points, open_page):
    page = open_page("lessons", hide="guess", step=8, points=points)
    assert not page.exception
    assert "Draw points of both classes" in all_text(page) + page.info[0].value
    assert json.loads(plane(page)["frames"])["frames"] == []


@pytest.mark.parametrize("points", ["<b>", "AAA.AAAA", "A" * 5_000])
def test_a_drawing_that_cannot_be_read_gives_the_example(points, open_page):
    page = open_page("lessons", hide="guess", step=8, points=points)
    assert not page.exception
    assert plane(page)["text"] == write_drawing(example("far"))
