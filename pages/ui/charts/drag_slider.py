"""Controls that act while they are dragged: the browser holds a frame for every value.

`share_frames` sends what each chart and text shows at each value; `drag_slider` moves them, and
tells Python when it is let go; `show_figure(..., channels=...)` and `live_text` follow.
"""

import json
from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.ui.base.state import Board, hidden, note
from pages.ui.charts.javascript import component, script

_frames = component("anyloss_share_frames", js=script("share_frames"))
_text = component(
    "anyloss_live_text",
    html='<div class="live-text" role="status" aria-live="polite"></div>',
    css="""
    .live-text { min-height: 3.4rem; }
    .live-text div { display: grid; }
    .live-text p { grid-area: 1 / 1; margin: 0 0 .35rem; padding: .1rem 0 .1rem .7rem;
        font-size: 1.05rem; color: var(--st-text-color);
        border-left: 4px solid var(--st-green-color); }
    .live-text p.bad { border-left-color: var(--st-orange-color); }
    .live-text p.plain { border-left-color: var(--st-primary-color); }
    """,
    js=script("live_text"),
)
_slider = component(
    "anyloss_drag_slider",
    html="""<div class="drag"><div class="head"><span class="label"></span><output></output></div>
    <input type="range"><div class="marks"></div></div>""",
    css="""
    .drag { font-family: var(--st-font); color: var(--st-text-color); font-size: .95rem; }
    .head { display: flex; justify-content: space-between; }
    output { font-weight: 600; }
    input { appearance: none; width: 100%; height: 1.4rem; margin: .3rem 0 0; cursor: pointer;
        --track: linear-gradient(to right, var(--st-primary-color) var(--at),
            color-mix(in srgb, var(--st-text-color) 25%, transparent) 0); background: none; }
    input::-webkit-slider-runnable-track { height: 6px; border-radius: 3px;
        background: var(--track); }
    input::-moz-range-track { height: 6px; border-radius: 3px; background: var(--track); }
    input::-webkit-slider-thumb { appearance: none; width: 16px; height: 16px; margin-top: -5px;
        border-radius: 50%; background: var(--st-primary-color); }
    input::-moz-range-thumb { width: 16px; height: 16px; border: 0; border-radius: 50%;
        background: var(--st-primary-color); }
    .marks { position: relative; height: 1.9rem; }
    .marks i { position: absolute; top: 0; width: 2px; height: .45rem; margin-left: -1px;
        background: var(--st-primary-color); }
    .marks button { position: absolute; top: .4rem; white-space: nowrap; font: inherit;
        font-size: .8rem; cursor: pointer; color: var(--st-text-color); background: none;
        border: 0; padding: .1rem .3rem; opacity: .85; }
    .marks button:hover, .marks button:focus-visible { opacity: 1; color: var(--st-link-color); }
    :focus-visible { outline: 2px solid var(--st-text-color); outline-offset: 2px; }
    """,
    js=script("drag_slider"),
)


def packed_frames(channel: str, values: Sequence[float], charts: dict[str, list]) -> bytes:
    """The frames of every chart and text of a channel, one entry per value, to be kept.

    As text they are written once; as objects Streamlit would write them twice in every run.
    """
    return json.dumps({"channel": channel, "values": list(values), "charts": charts}).encode()


def share_frames(channel: str, frames: bytes) -> None:
    """Send packed frames to the browser."""
    _frames(key=f"frames:{channel}", data=frames, height=1)


def live_text(channels: Sequence[str], key: str) -> None:
    """Sentences that follow the channels; frames are lists of {"holds", "text"}."""
    _text(key=f"text:{channels[0]}:{key}", data={"channels": list(channels), "key": key})


def drag_slider(
    board: Board,
    name: str,
    label: str,
    step: float,
    marks: Sequence[tuple[float, str]] = (),
    stops: Sequence[float] | None = None,
    value: float | None = None,
) -> float:
    """A slider of a setting of the board; `marks` are (value, label) and jump there exactly.

    It goes from stop to stop where there are `stops`, which need not be evenly spaced. `value` is
    where it stands, if that is not what the board holds.
    """
    setting = board.settings[name]
    key = f"drag:{board.page}.{name}"

    if name not in hidden():
        note(name, label)

    def moved() -> None:
        board.set(name, setting.read(str(st.session_state[key].value)))

    limits = (setting.low, setting.high, step, board[name] if value is None else value)
    data = slider_data(f"{board.page}.{name}", label, *limits, marks)
    data |= {"stops": None if stops is None else list(stops), "hidden": name in hidden()}
    _slider(key=key, data=data, on_value_change=moved)
    return board[name]


def slider_data(
    channel: str,
    label: str,
    low: float,
    high: float,
    step: float,
    value: float,
    marks: Sequence[tuple[float, str]] = (),
) -> dict[str, Any]:
    """What the browser is told of a slider."""
    named = [{"value": value, "label": text} for value, text in marks]
    data = {"channel": channel, "label": label, "low": low, "high": high, "step": step}
    return data | {"value": value, "marks": named, "stops": None, "hidden": False}
