"""Controls that act while they are dragged: what the browser is sent."""

import json

from pages.ui.charts.drag_slider import packed_frames
from pages.ui.charts.javascript import script


def test_frames_name_their_channel_and_have_one_entry_per_value():
    packed = packed_frames("page.L", (1.0, 73.0), {"slope": [{"y": [0]}, {"y": [1]}]})
    frames = json.loads(packed)
    assert frames["channel"] == "page.L"
    assert frames["values"] == [1.0, 73.0]
    assert len(frames["charts"]["slope"]) == 2


def test_sender_and_receivers_speak_of_the_same_frames():
    for name in ("share_frames", "live_chart", "live_text"):
        assert "anylossFrames" in script(name)
    assert '"anyloss:" + channel' in script("drag_slider")
