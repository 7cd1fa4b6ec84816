"""A plane to draw points of two classes on; the lines of models are played over them.

Mouse, touch and keys draw in the browser; Python hears of the points when a stroke ends, and sends
frames that are ready to be drawn (`anyloss_core.figures.boundaries`).
"""

import streamlit as st

from anyloss_core.figures.style import NEGATIVE_CLASS, POSITIVE_CLASS
from anyloss_core.teaching.drawing import MOST
from pages.ui.base.state import Board
from pages.ui.charts.javascript import component, script

LABEL = (
    "Plane to draw points on. Arrow keys move the cross, Space puts a point there, "
    "1, 2 and 3 choose negative, positive and erase."
)
HTML = """<div class="draw">
<fieldset class="tools"><legend>Draw</legend>
<label><input type="radio" name="tool"><i class="kind0">●</i> negative</label>
<label><input type="radio" name="tool" checked><i class="kind1">◆</i> positive</label>
<label><input type="radio" name="tool"> erase</label>
<button type="button" class="clear">Clear</button></fieldset>
<svg class="plane" viewBox="-5.1 -5.1 10.2 10.2" tabindex="0" role="application">
<g transform="scale(1 -1)"><path class="frame" d="M-5-5H5V5H-5Z"/>
<g class="points"></g><g class="lines"></g><g class="marks"></g>
<path class="cross" d="M-.3 0H.3M0-.3V.3"/></g></svg>
<div class="player"><button type="button" class="play">Play</button>
<input type="range" min="0" step="1" value="0" aria-label="Epoch">
<output class="epoch"></output></div>
<ul class="legend"></ul>
<p><span class="count"></span> <span class="told" role="status"></span></p></div>"""
CSS = f"""
.draw {{ font-family: var(--st-font); color: var(--st-text-color); max-width: 27rem; }}
.tools {{ border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem .7rem;
    align-items: center; }}
.tools legend {{ float: left; padding: 0; }}
.tools label {{ cursor: pointer; }}
.tools i {{ font-style: normal; }}
i.kind0 {{ color: {NEGATIVE_CLASS}; }}
i.kind1 {{ color: {POSITIVE_CLASS}; }}
button {{ font: inherit; color: inherit; background: none; border-radius: .4rem; cursor: pointer;
    border: 1px solid color-mix(in srgb, currentColor 35%, transparent); padding: .15rem .7rem; }}
.plane {{ display: block; width: 100%; touch-action: none; cursor: crosshair; }}
.plane:focus-visible {{ outline: 3px solid var(--st-primary-color); }}
.plane path {{ vector-effect: non-scaling-stroke; }}
.frame {{ fill: transparent; stroke: color-mix(in srgb, currentColor 35%, transparent); }}
.points .kind0 {{ fill: {NEGATIVE_CLASS}; fill-opacity: .75; }}
.points .kind1 {{ fill: {POSITIVE_CLASS}; }}
.lines path, .legend path {{ fill: none; stroke-width: 3px; }}
.cross {{ stroke: currentColor; stroke-width: 2px; visibility: hidden; }}
.plane:focus-visible .cross {{ visibility: visible; }}
.player {{ display: flex; gap: .7rem; align-items: center; }}
.player input {{ flex: 1; min-width: 4rem; accent-color: var(--st-primary-color); }}
.epoch {{ min-width: 5.5rem; text-align: right; }}
.legend {{ list-style: none; margin: .3rem 0; padding: 0; }}
.legend svg {{ width: 1.9rem; height: .4rem; margin-right: .5rem; vertical-align: middle; }}
p {{ margin: 0; min-height: 1.5em; }}
"""
_plane = component("anyloss_draw_points", html=HTML, css=CSS, js=script("draw_points"))


def draw_points(board: Board, name: str, text: str, frames: str) -> None:
    """The plane with the points of a text; what is drawn becomes a setting of the board."""
    key = f"plane:{board.page}.{name}"

    def drawn() -> None:
        board.set(name, board.settings[name].read(str(st.session_state[key].points)))

    _plane(key=key, data=plane_data(text, frames), on_points_change=drawn)


def plane_data(text: str, frames: str, editable: bool = True) -> dict:
    """What the plane is given in the browser, also in a file that has no server to train."""
    label = LABEL if editable else "Points of two classes, with the lines of trained models."
    return {"text": text, "frames": frames, "most": MOST, "editable": editable, "label": label}
