"""Components of the app in one HTML file that needs no server, for a disk or a course page.

A page is a list of parts, plain data: a component with what it is told, a text, columns, a choice
between lists of parts. `offline.js` mounts them. Frames stand in the file: nothing is computed.
"""

import html
import json
from collections.abc import Iterable
from typing import Any

import streamlit as st

from pages.ui.charts.javascript import COMPONENTS, script

Part = dict[str, Any]
COLOURS = {
    "primaryColor": "primary-color",
    "backgroundColor": "background-color",
    "textColor": "text-color",
}
CSS = """
:root { color-scheme: light dark; --st-font: system-ui, sans-serif; --st-green-color: #009E73;
    --st-orange-color: #D55E00; LIGHT }
@media (prefers-color-scheme: dark) { :root { DARK } }
body { margin: 0; background: var(--st-background-color); color: var(--st-text-color);
    font: 17px/1.5 var(--st-font); }
main { max-width: 72rem; margin: auto; padding: 1rem; }
h1 { font-size: 1.7rem; margin: .4rem 0; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr));
    gap: 1.5rem; }
.columns > div { min-width: 0; }
.choice { border: 0; padding: 0; margin: .6rem 0; display: flex; flex-wrap: wrap; gap: .3rem 1rem; }
.choice legend { float: left; padding: 0; }
.guess, .box { border: 1px solid color-mix(in srgb, currentColor 30%, transparent);
    border-radius: .5rem; padding: .2rem 1rem 1rem; margin: .6rem 0; }
.option { display: block; }
input { accent-color: var(--st-primary-color); vertical-align: middle; }
button { font: inherit; border-radius: .4rem; padding: .4rem 1rem; margin: .8rem .8rem 0 0;
    cursor: pointer; color: #fff; background: var(--st-primary-color); border: 0; }
button.quiet { color: inherit; background: none; }
button:disabled { opacity: .5; cursor: default; }
:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 2px; }
"""


def part(component: str, data: object) -> Part:
    """A component of the app with what it is told."""
    return {"component": component, "data": data}


def text(words: str, tag: str = "p") -> Part:
    """Words, shown as they are."""
    return {"text": words, "tag": tag}


def columns(*parts: list[Part]) -> Part:
    """Lists of parts beside each other, below each other on a phone."""
    return {"columns": list(parts)}


def choice(label: str, options: dict[str, list[Part]]) -> Part:
    """Lists of parts of which one is shown, the first to begin with."""
    named = [{"label": name, "parts": parts} for name, parts in options.items()]
    return {"choice": label, "options": named}


def offline_page(title: str, words: list[str], parts: list[Part], guess: Part | None) -> bytes:
    """The file: the words at once, the parts after the guess."""
    from plotly.offline import get_plotlyjs

    used = sorted(_components(parts) | (_components([guess]) if guess else set()))
    lesson = {"parts": parts, "guess": guess, "components": {name: _looks(name) for name in used}}
    heads = "".join(f"<p>{html.escape(line)}</p>" for line in words)
    scripts = "\n".join(_as_part_of_file(name) for name in used)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title><style>{_css()}</style></head>
<body><main><h1>{html.escape(title)}</h1>{heads}</main>
<script type="application/json" id="lesson">{_harmless(lesson)}</script>
<script>{get_plotlyjs()}</script>
<script type="module">const COMPONENTS = {{}};
{scripts}
{script("offline")}</script></body></html>
""".encode()


def _components(parts: Iterable[object]) -> set[str]:
    """Names of all components that are mounted somewhere in the parts."""
    found: set[str] = set()
    for each in parts:
        if isinstance(each, dict):
            found |= {each["component"]} if "component" in each else set()
            found |= _components(each.values())
        elif isinstance(each, list):
            found |= _components(each)
    return found


def _looks(name: str) -> Part:
    parts = COMPONENTS[name]
    isolated = parts.get("isolate_styles", True)
    return {"html": parts.get("html", ""), "css": parts.get("css", ""), "isolated": isolated}


def _as_part_of_file(name: str) -> str:
    """A module of its own becomes a block, so that names of two of them do not meet."""
    code = COMPONENTS[name]["js"].replace("export default ", f"COMPONENTS.{name} = ", 1)
    return f"{{\n{code}\n}}"


def _css() -> str:
    """With the colours of the app's themes."""
    css = CSS
    for theme in ("light", "dark"):
        values = {name: st.get_option(f"theme.{theme}.{name}") for name in COLOURS}
        lines = [f"--st-{COLOURS[name]}: {value};" for name, value in values.items()]
        css = css.replace(theme.upper(), " ".join(lines))
    return css


def _harmless(data: object) -> str:
    """JSON that cannot end the script it stands in."""
    return json.dumps(data).replace("<", "\\u003c")
