"""The scripts of the charts: each is read by a module, and they agree on what they send."""

import re
from pathlib import Path

import pytest

from pages.ui.charts import javascript
from pages.ui.charts.javascript import script

FOLDER = Path(javascript.__file__).parent


def test_every_file_of_the_folder_serves_a_module_beside_it():
    named = {
        name
        for module in FOLDER.glob("*.py")
        for names in re.findall(r"script\(([^)]+)\)", module.read_text(encoding="utf-8"))
        for name in re.findall(r'"(\w+)"', names)
    }
    assert named == {path.stem for path in FOLDER.glob("*.js")}


def test_a_script_comes_as_it_is_written():
    written = (FOLDER / "live_chart.js").read_bytes().decode("utf-8")
    assert script("live_chart") == written
    assert "Plotly.react" in written


def test_a_script_that_is_not_there_is_a_mistake_of_ours():
    with pytest.raises(FileNotFoundError, match=r"nothing\.js"):
        script("nothing")


def test_sender_and_receivers_speak_of_the_same_frames():
    for name in ("share_frames", "live_chart", "live_text"):
        assert "anylossFrames" in script(name)
    assert '"anyloss:" + channel' in script("drag_slider")
