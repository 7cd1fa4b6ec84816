"""Points of a plane: what a link writes is what it reads, and bad text is refused with a reason."""

import numpy as np
import pytest

from anyloss_core.teaching.drawing import (
    KINDS,
    MOST,
    REACH,
    Drawing,
    example,
    read_drawing,
    write_drawing,
)

CORNERS = Drawing(np.array([[-REACH, -REACH], [REACH, REACH], [0.0, 2.5]]), np.array([0.0, 1, 1]))


def test_corners_and_classes_are_written_as_the_browser_writes_them():
    assert write_drawing(CORNERS) == "AAAA.____gAv_"


def test_what_is_written_is_read_again_to_the_width_of_a_level():
    found = read_drawing(write_drawing(CORNERS))
    np.testing.assert_allclose(found.points, CORNERS.points, atol=REACH / 4095)
    assert found.labels.tolist() == [0, 1, 1]


def test_points_beyond_the_plane_move_to_its_edge():
    far = Drawing(np.array([[99.0, -99.0]]), np.array([1.0]))
    assert read_drawing(write_drawing(far)).points.tolist() == [[REACH, -REACH]]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "two lists"),
        ("AAAA", "two lists"),
        ("AAA.", "four letters"),
        ("AAAA.AAAA.AAAA", "two lists"),
        ("AA é.", "letters, digits"),
        ("A" * 4 * (MOST + 1) + ".", "at most 400"),
    ],
)
def test_a_text_that_is_no_drawing_says_why(text, word):
    with pytest.raises(ValueError, match=word):
        read_drawing(text)


def test_the_longest_drawing_fits_into_a_setting_of_a_link():
    assert len(write_drawing(example("far"))) == 4 * MOST + 1 <= 2_000


def test_nothing_can_be_learnt_without_both_classes_or_from_one_place():
    assert not read_drawing(".").trainable
    assert not read_drawing("AAAA.").trainable
    assert not read_drawing("AAAA.AAAA").trainable
    assert read_drawing("AAAA.AAAB").trainable


def test_a_quarter_of_the_positives_lies_far_off():
    drawing = KINDS["far"](4_000, np.random.default_rng(0))
    positive = drawing.points[drawing.labels == 1]
    assert len(positive) == 400
    assert (positive[:, 0] < -2).mean() == 0.25


def test_the_two_clouds_are_beside_each_other_and_equally_wide():
    drawing = KINDS["beside"](20_000, np.random.default_rng(0))
    clouds = [drawing.points[drawing.labels == kind] for kind in (0, 1)]
    np.testing.assert_allclose(clouds[1].mean(0) - clouds[0].mean(0), [1.5, 1.0], atol=0.1)
    np.testing.assert_allclose(clouds[1].std(0), clouds[0].std(0), atol=0.05)
