"""How every figure of the Lab looks: one colour per loss, one layout, words shown as typed.

Colours are taken from, or tuned to, the Okabe-Ito and Tol sets, readable on white and on
near-black. Colour is never the only carrier: families of losses also differ in line dash.
Figures stay free of background colours, so that the page's light or dark theme shows through.
"""

import colorsys
import zlib

import plotly.graph_objects as go

from anyloss_core.common.text import visible

GREY = "#8A8F98"  # diagonals, reference lines, anything that carries no category
GOOD = "#009E73"
BAD = "#D55E00"
# Of the two classes: no loss has these, for the lines of losses cross the points of classes.
NEGATIVE_CLASS = "#5D6D7E"
POSITIVE_CLASS = "#FFD60A"
OUTLINE = "#20262E"  # of points of a class, so that yellow is seen on white
PALETTE = ("#1A7FC8", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#8C7AE6", "#A6761D")
SEQUENTIAL = "Viridis"  # colour-blind-safe and monotone in lightness

LOSS_COLOURS = {
    "anyloss:f1": "#1A7FC8",
    "anyloss:accuracy": "#56B4E9",
    "anyloss:f0.5": "#8C7AE6",
    "anyloss:f2": "#33BBAA",
    "anyloss:gmean": "#009E73",
    "anyloss:balanced_accuracy": "#7CB518",
    "anyloss:mcc": "#4C6FE5",
    "bce": "#D55E00",
    "mse": "#8A8F98",
    "weighted_bce": "#E69F00",
    "focal": "#A6761D",
    "sol:f1": "#CC79A7",
    "soft:f1": "#C0399F",
    "sigmoid_f1": "#9A5BB5",
    "lee:f1": "#B8860B",
    "bce+threshold": "#EE3377",
    "bce+online_f1": "#FF6FA5",
    "bce+search": "#B5004B",
    "logistic_regression": "#1F7478",
    "boosted_trees": "#4B5D23",
    "bce+smote": "#F08A7A",
    "bce+undersample": "#A0654F",
}
FAMILY_HUES = {"anyloss": (0.36, 0.68), "sol": (0.83, 0.90), "soft": (0.78, 0.86)}
OTHER_HUES = (0.03, 0.14)
FAMILY_DASHES = {"anyloss": "solid", "sol": "dot", "soft": "dashdot", "sigmoid_f1": "longdash"}

AXIS = {"automargin": True, "showgrid": True, "zeroline": False, "title": {"standoff": 8}}
TEMPLATE = go.layout.Template(
    layout={
        "colorway": list(PALETTE),
        "font": {"size": 14},
        "margin": {"l": 64, "r": 18, "t": 44, "b": 52},
        "hoverlabel": {"align": "left"},
        "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.0, "xanchor": "left", "x": 0},
        "xaxis": AXIS,
        "yaxis": AXIS,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
    }
)


def new_figure(
    x_title: str = "", y_title: str = "", height: int = 380, **layout: object
) -> go.Figure:
    """An empty figure in the Lab's style; `layout` holds further plotly layout settings."""
    whole = {  # given at once: every later update costs plotly milliseconds
        "template": TEMPLATE,
        "height": height,
        "uirevision": "keep",
        "xaxis": {"title": {"text": plain(x_title, 160)}},
        "yaxis": {"title": {"text": plain(y_title, 160)}},
    }
    return go.Figure(layout={**whole, **layout})


def loss_colour(spelling: str) -> str:
    """The fixed colour of a loss; options after @ give a shade of the loss's own colour."""
    name, _, options = spelling.partition("@")
    colour = LOSS_COLOURS.get(name) or _colour_within_family(name)
    return _shade(colour, _fraction(options)) if options else colour


def loss_line(spelling: str, width: float = 2.2) -> dict[str, object]:
    """Colour and dash of a loss's curve, for `line=`."""
    dash = FAMILY_DASHES.get(family_of(spelling), "dash")
    return {"color": loss_colour(spelling), "dash": dash, "width": width}


def family_of(spelling: str) -> str:
    """'anyloss' of 'anyloss:f1@L=50'; a loss without metric is its own family."""
    return spelling.partition("@")[0].partition(":")[0]


def see_through(colour: str, alpha: float) -> str:
    """A hex colour as rgba with the given opacity: bands and shaded regions."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha:g})"


def plain(text: object, longest: int = 80) -> str:
    """Text for a plotly label or hover: no markup is understood, control characters are visible.

    Plotly reads <b> and <a href> in any text, and turns entities back into characters; in a
    template it also fills in %{...}.
    """
    shown = visible(str(text), longest).replace("&", "&amp;").replace("%{", "%&#123;")
    return shown.replace("<", "&lt;").replace(">", "&gt;")


def _fraction(text: str) -> float:
    """A number in [0, 1) that depends on nothing but the text."""
    return zlib.crc32(text.encode()) / 2**32


def _colour_within_family(name: str) -> str:
    low, high = FAMILY_HUES.get(family_of(name), OTHER_HUES)
    spread = _fraction(name)
    hue = low + (high - low) * spread
    return _to_hex(colorsys.hls_to_rgb(hue, 0.45 + 0.15 * _fraction(name[::-1]), 0.6))


def _shade(colour: str, position: float) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    hue, _, saturation = colorsys.rgb_to_hls(red, green, blue)
    return _to_hex(colorsys.hls_to_rgb(hue, 0.38 + 0.34 * position, saturation))


def _to_hex(rgb: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(255 * channel):02X}" for channel in rgb)
