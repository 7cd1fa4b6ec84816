"""Traces that several figures share: names, curves, bands, stacked bars."""

import pandas as pd

from anyloss_core.figures import traces
from anyloss_core.figures.style import loss_line, new_figure


def test_a_formula_with_markup_is_shown_as_typed():
    assert traces.loss_label("anyloss:TP/(TP+FP)<b>") == "AnyLoss-TP/(TP+FP)&lt;b&gt;"


def test_a_curve_has_the_line_and_the_name_of_its_loss():
    figure = new_figure()
    traces.add_loss_curve(figure, "anyloss:f1", [0, 1], [0.5, 0.7], "<br>%{y:.2f}", mode="markers")
    (curve,) = figure.data
    assert curve.name == "AnyLoss-F1"
    assert curve.line.to_plotly_json() == loss_line("anyloss:f1")
    assert curve.hovertemplate == "AnyLoss-F1<br>%{y:.2f}<extra></extra>"
    assert curve.mode == "markers"


def test_a_band_runs_along_the_upper_curve_and_back_along_the_lower():
    figure = new_figure()
    x, low, high = pd.Series([1.0, 2.0]), pd.Series([0.1, 0.2]), pd.Series([0.8, 0.9])
    traces.add_band(figure, x, low, high, "rgba(0,0,0,0.2)", legendgroup="bce")
    (band,) = figure.data
    assert list(band.x) == [1.0, 2.0, 2.0, 1.0]
    assert list(band.y) == [0.8, 0.9, 0.2, 0.1]
    assert not band.showlegend


def test_the_first_name_is_the_uppermost_bar():
    parts = [("wins", "#009E73", (3, 1), ("3", "1"))]
    figure = traces.bars_in_parts("data sets", ["a", "b"], parts, ": %{{x}} {word}")
    assert list(figure.data[0].y) == ["b", "a"]
    assert list(figure.data[0].x) == [1, 3]
    assert figure.data[0].hovertemplate == "%{y}: %{x} wins<extra></extra>"
    assert figure.layout.uniformtext.mode == "hide"  # no number too small to be read
