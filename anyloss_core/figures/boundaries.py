"""Lines of models on a plane, ready to be drawn: an SVG path for each method and frame.

A line runs from end to end of the plane; a mark in its middle shows the side that is called
positive. Frames in which nothing moves are left out.
"""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from anyloss_core.common.wording import loss_words
from anyloss_core.figures.style import loss_colour
from anyloss_core.teaching.boundaries import METHODS, Frame, edge

DASHES = ("8 5", "2 5", "")  # in the order of METHODS; colour is not the only carrier
MARK = 0.16  # half of the width of a mark
STILL = 0.02  # a line has moved when an end of it has, by more than this share of a unit


def packed_lines(frames: list[Frame]) -> str:
    """Lines and frames as the plane in the browser reads them."""
    lines = [
        {"name": loss_words(method, "f1"), "colour": loss_colour(method), "dash": dash}
        for method, dash in zip(METHODS, DASHES, strict=True)
    ]
    return json.dumps({"lines": lines, "frames": [_frame(each) for each in moving(frames)]})


def result_table(frame: Frame) -> pd.DataFrame:
    """What each method makes of the points: its counts and its F1."""
    rows = [
        (loss_words(method, "f1"), line.f1, *(round(entry) for entry in line.counts))
        for method, line in zip(METHODS, frame.lines, strict=True)
    ]
    return pd.DataFrame(rows, columns=["trained with", "F1", "TN", "FN", "FP", "TP"])


def moving(frames: list[Frame]) -> list[Frame]:
    """The frames in which a line has moved since the last one kept, and the last of all."""
    kept: list[Frame] = []
    for frame in frames:
        if not kept or _moved(kept[-1], frame):
            kept.append(frame)
    return kept if not frames or kept[-1] is frames[-1] else [*kept, frames[-1]]


def path(ends: list[tuple[float, float]]) -> str:
    """An SVG path from end to end; empty without ends."""
    return "M" + "L".join(f"{x:.3f} {y:.3f}" for x, y in ends) if ends else ""


def mark(ends: list[tuple[float, float]]) -> str:
    """A triangle in the middle of the line that points to its left, the positive side."""
    if not ends:
        return ""
    first, last = np.array(ends)
    along = MARK * (last - first) / np.linalg.norm(last - first)
    middle, left = (first + last) / 2, np.array([-along[1], along[0]])
    corners = (middle - along, middle + 1.5 * left, middle + along)
    return path([(float(x), float(y)) for x, y in corners]) + "Z"


def _frame(frame: Frame) -> dict[str, object]:
    ends = [edge(line) for line in frame.lines]
    return {
        "epoch": frame.epoch,
        "paths": [path(each) for each in ends],
        "marks": [mark(each) for each in ends],
        "scores": [f"F1 {line.f1:.2f}" for line in frame.lines],
    }


def _moved(before: Frame, now: Frame) -> bool:
    for one, other in zip(before.lines, now.lines, strict=True):
        ends, others = edge(one), edge(other)
        if len(ends) != len(others) or np.abs(np.subtract(ends, others)).max(initial=0) > STILL:
            return True
    return False
