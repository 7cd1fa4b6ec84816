"""Ramp and warm-up."""

import pytest

from anyloss_core.losses.schedule import Phase, Ramp, Schedule, read_ramp


def test_a_ramp_is_geometric():
    assert Ramp(2.0, 32.0).at(0.5) == pytest.approx(8)
    assert [Ramp(2.0, 32.0).at(share) for share in (-1, 2)] == [2, 32]


def test_an_epoch_and_a_share_tell_the_same_story():
    schedule = Schedule(Ramp(5.0, 73.0), 0.3)
    assert [schedule.at(epoch, 10).warming_up for epoch in (0, 2, 3, 9)] == [1, 1, 0, 0]
    assert schedule.at(3, 10).L == schedule.after(0.3).L == 5
    assert schedule.at(9, 10) == schedule.after(1.0) == schedule.end == Phase(False, 73.0)


def test_what_stands_still_does_not_move():
    assert not Schedule(5.0).moves
    assert Schedule(5.0, 0.1).moves
    assert Schedule(Ramp(1.0, 2.0)).moves
    assert Schedule(None).after(0.5) == Phase(False, None)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: read_ramp("73..5"), "a ramp of L must rise, as in L=5..73, got 73..5"),
        (lambda: read_ramp("5..x"), "L must be a number or a ramp such as 5..73"),
        (lambda: read_ramp("0..5"), "L must be a positive number"),
        (lambda: Schedule(5.0, 1.5), "warm_up must be a share of the epochs"),
        (lambda: Schedule(5.0).after(2), "progress must be the share that is done"),
    ],
)
def test_impossible_schedules_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
