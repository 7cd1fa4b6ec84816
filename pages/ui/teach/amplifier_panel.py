"""The amplifier A(p) with a slider for L: shared by the page Approximation and the lessons.

All charts follow the slider while it is dragged; their frames are computed by the core for every
L and sent once per setting of the other controls.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import streamlit as st

from anyloss_core.figures import approximation as figures
from anyloss_core.losses.approximation import DTYPES, FORMS
from anyloss_core.teaching import amplifier
from anyloss_core.teaching.amplifier import AmplifierView
from pages.ui.base.settings import Choice, Number, Setting
from pages.ui.base.state import Board
from pages.ui.base.text import FORM_NAMES
from pages.ui.charts.charts import show_figure
from pages.ui.charts.drag_slider import drag_slider, live_text, packed_frames, share_frames

LEVELS = tuple(f"{t:g}" for t in amplifier.LEVELS)
LARGEST = 150.0
RANGE = "range"  # the chart's key
AMPLIFIER_FORMULA = r"""$$A(p) = \frac{1}{1 + e^{-L\,(p - c)}}$$ with the threshold $c$.

**Amplifier condition:** $|A(p) - 0.5| \ge |p - 0.5|$; where it fails, $p$ is pulled towards 0.5.

**No 0/1 condition:** $A(p)$ must not be exactly 0 or 1, or the sample gets no gradient."""
SLOPE_FORMULA = r"""$$\frac{dA}{dp} = L\,A(p)\,(1 - A(p))$$

As in the paper, $1 - A$ is a subtraction: exactly 0 once $A$ rounds to 1. Complement-safe,
$1 - A(p)$ is computed as $\sigma(-L(p - c))$ and stays above 0."""
RANGE_FORMULA = r"""**Smallest L** solves $A(t) = t$: $\;L = \ln\frac{1-t}{t} / (0.5 - t)$.

**Largest L** is the largest for which $A(1-t)$, really computed in the chosen precision and
written as in the paper, is still below 1. Both for the threshold 0.5."""


def settings(L: float = 73.0, t: str = "0.1", dtype: str = "float64", form: str = "naive"):
    """The settings of a board with an amplifier, with the defaults of its page."""
    found: list[Setting] = [
        Number("L", L, 1.0, LARGEST),
        Number("threshold", 0.5, 0.1, 0.9),
        Choice("t", t, LEVELS),
        Choice("dtype", dtype, tuple(DTYPES)),
        Choice("form", form, FORMS),
    ]
    return found


def view_of(board: Board | Mapping[str, Any]) -> AmplifierView:
    """The view that the board's settings describe."""
    return AmplifierView(
        board["L"], board["threshold"], float(board["t"]), board["dtype"], board["form"]
    )


def take_click(board: Board) -> None:
    """What was clicked in the valid range sets L and t; call it before anything is drawn."""
    clicked = getattr(st.session_state.get(f"chart:{RANGE}"), "click", None)
    if isinstance(clicked, dict):
        with suppress(KeyError, TypeError, ValueError):  # a browser may send anything
            t, L = f"{float(clicked['x']):g}", float(clicked["y"])
            board.set("t", board.settings["t"].read(t))
            board.set("L", board.settings["L"].read(str(L)))


def controls(board: Board) -> None:
    """Precision, form, accuracy level and threshold in one row."""
    with st.container(horizontal=True, gap="small", key="amplifier.controls"):
        board.segments("dtype", "Precision")
        board.segments("form", "Form of A", format_func=FORM_NAMES.get)
        closeness = "How close to 0 and 1 a probability is still told apart."
        board.select("t", "Accuracy level t", help=closeness, width=120)
        board.slider("threshold", "Threshold c", step=0.05, width=120)


def slider(board: Board, view: AmplifierView) -> None:
    """The slider of L, the verdict in words, and the frames of all charts that follow it."""
    channel = f"{board.page}.L"
    with st.container(gap=None):
        drag_slider(board, "L", "Amplifier L", step=1, marks=marks_of(view))
        share_frames(channel, packed(channel, view))
        live_text([channel], "words")


def marks_of(view: AmplifierView) -> list[tuple[float, str]]:
    """The smallest and the largest valid L, where the slider reaches them."""
    low, high = amplifier.limits(view.t, view.dtype)
    marks = [(low, f"min {low:.2f}"), (high, f"max {high:.2f}")]
    return [(value, label) for value, label in marks if 1 <= value <= LARGEST]


def packed(channel: str, view: AmplifierView) -> bytes:
    """The frames of all charts and sentences for every L of the slider."""
    marks = {value for value, _ in marks_of(view)}
    values = sorted({float(L) for L in range(1, int(LARGEST) + 1)} | marks | {view.L})
    return _frames(channel, view.at(0.0), tuple(values))


def amplifier_chart(board: Board, view: AmplifierView) -> None:
    """A(p), the diagonal and the regions."""
    words = " ".join(sentence.text for sentence in amplifier.describe(view))
    show_figure(
        figures.amplifier_figure(view),
        "amplifier",
        alt=f"A(p) over p for L = {view.L:g} with the diagonal. {words}",
        table=lambda: amplifier.curve_table(view),
        filename=f"amplifier_L{view.L:g}",
        formula=AMPLIFIER_FORMULA,
        channels=[(f"{board.page}.L", view.L)],
        grows=True,
    )


def slope_chart(board: Board, view: AmplifierView, logarithmic: bool = False) -> None:
    """The slope of A."""
    _, slope = amplifier.curve(view)
    show_figure(
        figures.slope_figure(view, logarithmic),
        "slope",
        alt=f"Slope of A over p for L = {view.L:g}: at most {slope.max():.3g}, "
        f"at p = 1 {slope[-1]:.3g}.",
        table=lambda: amplifier.curve_table(view),
        filename=f"slope_L{view.L:g}",
        formula=SLOPE_FORMULA,
        channels=[(f"{board.page}.L", view.L)],
        grows=True,
    )


def range_chart(board: Board, view: AmplifierView) -> None:
    """The valid range of L against t."""
    limits = amplifier.limits(view.t, view.dtype)
    inside = "inside" if limits.minimum <= view.L <= limits.maximum else "outside"
    show_figure(
        figures.range_figure(view),
        RANGE,
        clickable=True,
        alt=f"Valid L over t in {view.dtype}: at t = {view.t:g} from {limits.minimum:.2f} to "
        f"{limits.maximum:.2f}; L = {view.L:g} lies {inside}.",
        table=lambda: figures.range_table(view.dtype),
        filename=f"valid_L_{view.dtype}",
        formula=RANGE_FORMULA,
        channels=[(f"{board.page}.L", view.L)],
    )


@st.cache_resource(show_spinner=False, max_entries=16)
def _frames(channel: str, view: AmplifierView, values: tuple[float, ...]) -> bytes:
    words = [
        [{"holds": s.holds, "text": s.text} for s in amplifier.describe(view.at(L))] for L in values
    ]
    return packed_frames(channel, values, figures.frames(view, values) | {"words": words})
