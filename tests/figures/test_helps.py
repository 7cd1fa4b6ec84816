"""The figure of lesson 8: a mark and a spread for every method on each kind of data."""

from anyloss_core.figures.helps import TITLES, helps_figure, shown_name
from anyloss_core.teaching.drawing import KINDS
from anyloss_core.teaching.when_it_helps import METHODS, kept, summary


def test_each_kind_of_data_has_a_mark_for_every_method_in_their_order():
    table = summary(kept()).set_index(["data", "method"])
    figure = helps_figure(table.reset_index())
    assert set(TITLES) == set(KINDS)
    for trace, kind in zip(figure.data, TITLES, strict=True):
        assert list(trace.y) == [shown_name(method.name) for method in METHODS]
        names = [method.name for method in METHODS]
        assert list(trace.x) == table.loc[kind].loc[names, "mean"].tolist()
        assert list(trace.error_x.array) == table.loc[kind].loc[names, "std"].tolist()


def test_no_line_of_a_name_is_too_long_for_a_phone():
    assert max(len(line) for m in METHODS for line in shown_name(m.name).split("<br>")) <= 24
