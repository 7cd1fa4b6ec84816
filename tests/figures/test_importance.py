"""Bars of importance: the largest at the top, hostile names as text."""

import pandas as pd

from anyloss_core.figures.importance import MOST, importance_bars


def test_the_most_important_column_is_at_the_top():
    table = pd.DataFrame(
        {
            "column": ["<b>first</b>", *(f"c{n}" for n in range(30))],
            "mean": [0.5, *([0.1] * 30)],
            "std": [0.05, *([0.01] * 30)],
        }
    )
    figure = importance_bars(table, "anyloss:f1", "F1")
    (bars,) = figure.data
    assert len(bars.x) == MOST
    assert bars.x[-1] == 0.5
    assert bars.error_x.array[-1] == 0.05
    assert "<b>" not in figure.layout.yaxis.ticktext[-1]
    assert "F1" in figure.layout.xaxis.title.text
