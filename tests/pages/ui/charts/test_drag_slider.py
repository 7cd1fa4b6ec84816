"""Controls that act while they are dragged: what the browser is sent."""

import json

from pages.ui.charts.drag_slider import packed_frames


def test_frames_name_their_channel_and_have_one_entry_per_value():
    packed = packed_frames("page.L", (1.0, 73.0), {"slope": [{"y": [0]}, {"y": [1]}]})
    frames = json.loads(packed)
    assert frames["channel"] == "page.L"
    assert frames["values"] == [1.0, 73.0]
    assert len(frames["charts"]["slope"]) == 2
