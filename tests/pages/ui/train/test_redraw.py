"""Live panels of many visitors share the server."""

import pytest

from pages.ui.train import redraw


@pytest.fixture(autouse=True)
def nobody(monkeypatch):
    monkeypatch.setattr(redraw, "_watchers", {})


def test_one_visitor_is_served_as_often_as_asked_for():
    redraw.note("a", 0.08, now=0.0)
    assert redraw.interval(0.3, now=1.0) == 0.3


def test_ten_visitors_take_no_more_than_their_share():
    for visitor in range(10):
        redraw.note(str(visitor), 0.05, now=0.0)
    every = redraw.interval(0.3, now=1.0)
    assert every == pytest.approx(2.4)
    assert 10 * 0.05 * redraw.SENDING / every <= redraw.SHARE


def test_whoever_left_is_forgotten():
    for visitor in range(10):
        redraw.note(str(visitor), 0.08, now=0.0)
    assert redraw.interval(0.3, now=redraw.FORGOTTEN + 1) == 0.3


def test_however_many_watch_the_panels_go_on():
    for visitor in range(1000):
        redraw.note(str(visitor), 0.08, now=0.0)
    assert redraw.interval(0.3, now=1.0) == redraw.LONGEST


def test_the_interval_follows_but_does_not_swing():
    assert not redraw.is_due_for_a_change(0.6, 0.3)
    assert redraw.is_due_for_a_change(2.4, 0.3)
    for visitor in range(10):
        redraw.note(str(visitor), 0.08)
    assert redraw.is_due_for_a_change(0.3, 0.3)
