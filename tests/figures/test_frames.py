"""Frames of any figure: what changes, and nothing else."""

import plotly.graph_objects as go

from anyloss_core.figures.frames import frames_of


def test_a_frame_holds_what_a_slider_changes():
    figures = [
        go.Figure(go.Bar(x=["a"], y=[n], text=[f"{n}"], name="same"), {"shapes": [{"x0": n}]})
        for n in (1, 2)
    ]
    first, second = frames_of(figures)
    assert first["traces"] == [0]
    assert first["data"][0]["text"] == ["1"]
    assert second["data"][0] == {"x": ["a"], "y": [2], "text": ["2"]}
    assert second["layout"]["shapes"] == [{"x0": 2}]
