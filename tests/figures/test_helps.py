"""The figure of lesson 8: one panel a kind of data, a mark and a spread for every method."""

from anyloss_core.figures.helps import TITLES, helps_figure
from anyloss_core.teaching.drawing import KINDS
from anyloss_core.teaching.when_it_helps import METHODS, kept, summary


def test_each_kind_of_data_has_a_panel_with_every_method():
    table = summary(kept())
    figure = helps_figure(table)
    assert set(TITLES) == set(KINDS)
    for trace, kind in zip(figure.data, TITLES, strict=True):
        own = table[table["data"] == kind]
        assert set(trace.y) == {method.name for method in METHODS}
        assert list(trace.x) == own["mean"].tolist()
        assert list(trace.error_x.array) == own["std"].tolist()
