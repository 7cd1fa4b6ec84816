"""A matrix as a point between lines of equal score."""

import numpy as np

from anyloss_core.figures.matrix import iso_figure, iso_table

AXES = ("recall", "precision")
RATES = np.array([0.0, 0.5, 1.0])
SCORES = np.array([[0.0, 0.1, 0.2], [0.3, 0.4, 0.5], [0.6, 0.7, np.nan]])


def test_lines_cover_the_range_of_the_metric_and_the_cross_its_place():
    figure = iso_figure(AXES, (RATES, SCORES), (0.5, 0.25), (-1.0, 1.0), "Lines of equal MCC")
    surface, point = figure.data
    assert (surface.contours.start, surface.contours.end, surface.contours.size) == (-1, 1, 0.2)
    assert (point.x[0], point.y[0]) == (0.5, 0.25)
    assert figure.layout.xaxis.title.text == "recall"


def test_rows_of_the_table_are_places_with_their_score():
    table = iso_table(AXES, (RATES, SCORES))
    assert table.query("recall == 1 and precision == 0")["score"].item() == 0.2
    assert table.query("recall == 0 and precision == 1")["score"].item() == 0.6
