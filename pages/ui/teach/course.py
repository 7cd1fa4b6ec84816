"""The lessons to take home: each as one HTML file that needs no server, all of them as a zip.

Here stands what a lesson consists of without Python: sliders with their frames, charts that follow,
what is asked and what is said. The components are those of the app.
"""

import io
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from anyloss_core.common.wording import loss_words, metric_words
from anyloss_core.figures import approximation, guesses, lessons, verdicts
from anyloss_core.figures.boundaries import packed_lines
from anyloss_core.figures.frames import frames_of
from anyloss_core.figures.helps import helps_figure
from anyloss_core.statistics.verdict_sentence import fold_verdict
from anyloss_core.teaching import notes, take_home, when_it_helps
from anyloss_core.teaching.amplifier import AmplifierView
from anyloss_core.teaching.boundaries import learn
from anyloss_core.teaching.drawing import example, write_drawing
from anyloss_core.teaching.guesses import ChoiceGuess, CurveGuess, Guess
from anyloss_core.teaching.lessons import LESSONS, Lesson
from pages.ui.base.buttons import download
from pages.ui.base.state import Board
from pages.ui.charts import sketch  # noqa: F401  (makes its component known)
from pages.ui.charts.charts import chart_data
from pages.ui.charts.drag_slider import packed_frames, slider_data
from pages.ui.charts.draw_points import plane_data
from pages.ui.charts.offline import Part, choice, columns, offline_page, part, text
from pages.ui.choice.question import ROPE_LABEL
from pages.ui.teach import lessons as shown
from pages.ui.teach.amplifier_panel import LARGEST, marks_of, packed, view_of
from pages.ui.teach.lessons_training import verdict_words
from pages.ui.teach.when_it_helps import PRESETS

SHARES = range(1, 51)  # per cent of ill patients
AMPLIFIERS = tuple(float(L) for L in range(1, int(LARGEST) + 1))
MOVES = {  # where a file has less to move than the page, which trains
    "accuracy": "Move the share of ill patients.",
    "side_by_side": "Choose an imbalance, then look at other metrics.",
    "real": "Move the rope.",
    "helps": "Look at both examples: where does the line of AnyLoss turn away from that of BCE? "
    "In the Lab you can draw your own.",
}
ROPES = tuple(round(0.005 * step, 3) for step in range(21))
START = 0.01  # of them


def lesson_file(lesson: Lesson) -> bytes:
    """One lesson as an HTML file."""
    move = MOVES.get(lesson.name, lesson.move)
    parts = [text(move), *PARTS[lesson.name](), text(lesson.see)]
    return offline_page(lesson.title, [lesson.question], parts, _guess(lesson.guess))


def file_name(number: int, lesson: Lesson) -> str:
    """'lesson_1_accuracy.html'."""
    return f"lesson_{number}_{lesson.name}.html"


def course() -> bytes:
    """All lessons and the notes for the teacher."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("notes_for_the_teacher.md", notes.as_markdown())
        for number, lesson in enumerate(LESSONS, start=1):
            archive.writestr(file_name(number, lesson), lesson_file(lesson))
    return packed.getvalue()


def offer(lesson: Lesson) -> None:
    """The notes on a lesson, and what can be taken home."""
    number = LESSONS.index(lesson) + 1
    st.markdown(notes.note_text(lesson.name))
    for label, content, name in (
        ("This lesson as a file", partial(lesson_file, lesson), file_name(number, lesson)),
        ("All lessons and notes", course, "lessons.zip"),
        ("Notes on all lessons", notes.as_markdown, "notes_for_the_teacher.md"),
    ):
        download(label, content, name, f"home:{name}")
    st.caption("The files open without a network, from a disk or a course page.")


def _slider(channel: str, label: str, low: float, high: float, step: float, value: float) -> Part:
    return part("drag_slider", slider_data(channel, label, low, high, step, value))


def _followed(
    channel: str,
    values: Sequence[float],
    value: float,
    key: str,
    figures: list,
    alt: str,
    words: list | None = None,
) -> list[Part]:
    """A chart, and maybe sentences, that follow the slider of a channel, with their frames."""
    now = figures[list(values).index(value)]
    frames = {key: frames_of(figures)} | ({"words": words} if words else {})
    told = [part("live_text", {"channels": [channel], "key": "words"})] if words else []
    return [
        part("share_frames", packed_frames(channel, values, frames).decode()),
        *told,
        part("live_chart", chart_data(now, key, alt, [(channel, value)])),
    ]


def _accuracy() -> list[Part]:
    figures = [lessons.metric_bars(shown.judged(ill / 100)) for ill in SHARES]
    alt = "Metrics of a classifier that calls everybody healthy, and of one that tries."
    slider = _slider("ill", "Patients who are ill, in per cent", 1, 50, 1, 5)
    return [slider, *_followed("ill", list(SHARES), 5, "lazy_classifier", figures, alt)]


def _amplifier(view: AmplifierView, *beside: str, logarithmic: bool = False) -> list[Part]:
    """A(p) with its slider and sentences at the left, other charts of it at the right."""
    draw = {
        "amplifier": approximation.amplifier_figure,
        "slope": partial(approximation.slope_figure, logarithmic=logarithmic),
        "range": approximation.range_figure,
    }
    alts = {"amplifier": "A(p) over p.", "slope": "Slope of A.", "range": "Valid L over t."}

    def chart(key: str) -> Part:
        return part("live_chart", chart_data(draw[key](view), key, alts[key], [("L", view.L)]))

    marks = marks_of(view)
    slider = slider_data("L", "Amplifier L", 1, LARGEST, 1, view.L, marks)
    left = [
        part("drag_slider", slider),
        part("share_frames", packed("L", view).decode()),
        part("live_text", {"channels": ["L"], "key": "words"}),
        chart("amplifier"),
    ]
    return [columns(left, [chart(key) for key in beside])]


def _view(board: Board) -> AmplifierView:
    """What a lesson begins with, whatever its visitor has moved since."""
    return view_of({name: setting.default for name, setting in board.settings.items()})


def _too_large() -> list[Part]:
    view = _view(shown.TOO_LARGE)
    options = {
        dtype: _amplifier(replace(view, dtype=dtype), "slope", "range", logarithmic=True)
        for dtype in ("float64", "float32")
    }
    return [choice("Precision", options)]


def _soft_matrix() -> list[Part]:
    matrices = [shown.counts_at(L) for L in AMPLIFIERS]
    figures = [lessons.soft_and_hard_matrix(*pair) for pair in matrices]
    words = [[{"holds": None, "text": shown.soft_words(*pair)}] for pair in matrices]
    alt = "Soft and hard confusion matrix."
    return [
        _slider("L", "Amplifier L", 1, LARGEST, 1, 5),
        *_followed("L", AMPLIFIERS, 5.0, "matrices", figures, alt, words),
    ]


def _side_by_side() -> list[Part]:
    def chart(imbalance: str, metric: str) -> list[Part]:
        scores = take_home.kept()["curves"][imbalance]
        figure = lessons.curves_figure(scores["epoch"][""], scores[metric], metric)
        last = [f"{loss_words(loss)} {values[-1]:.2f}" for loss, values in scores[metric].items()]
        alt = f"{metric_words(metric)} on validation rows. At the end: {', '.join(last)}."
        data = chart_data(figure, f"four_{imbalance}_{metric}", alt)
        return [part("live_chart", data), text(alt)]

    def metrics(imbalance: str) -> list[Part]:
        options = {metric_words(name): chart(imbalance, name) for name in take_home.METRICS}
        return [choice("Metric", options)]

    imbalances = [str(n) for n in reversed(take_home.IMBALANCES)]
    return [choice("Negatives for each positive", {f"{n} : 1": metrics(n) for n in imbalances})]


def _real() -> list[Part]:
    scores, settings = take_home.kept_folds()
    frames: dict[str, list] = {}
    sides = []
    for baseline in ("bce", "bce+threshold"):
        found = [fold_verdict(scores, "anyloss:f1", baseline, "f1", settings, r) for r in ROPES]
        figures = [verdicts.fold_posterior(verdict) for verdict in found]
        key, words = f"posterior_{baseline}", f"words_{baseline}"
        frames[key] = frames_of(figures)
        frames[words] = [[{"holds": None, "text": verdict_words(v)}] for v in found]
        alt = f"Posterior of the difference in F1 between AnyLoss-F1 and {loss_words(baseline)}."
        now = figures[ROPES.index(START)]
        sides.append(
            [
                text(f"Against {loss_words(baseline)}", "h2"),
                part("live_text", {"channels": ["rope"], "key": words}),
                part("live_chart", chart_data(now, key, alt, [("rope", START)])),
            ]
        )
    return [
        _slider("rope", ROPE_LABEL, ROPES[0], ROPES[-1], 0.005, START),
        part("share_frames", packed_frames("rope", ROPES, frames).decode()),
        columns(*sides),
    ]


def _helps() -> list[Part]:
    planes = {}
    for kind, words in PRESETS.items():
        drawing = example(kind)
        data = plane_data(write_drawing(drawing), packed_lines(learn(drawing)), editable=False)
        planes[words] = [part("draw_points", data)]
    table = when_it_helps.summary(when_it_helps.kept())
    findings = when_it_helps.findings(table)
    chart = chart_data(helps_figure(table), "study", "F1 on fresh points, by method.")
    return [
        choice("Points", planes),
        text("The same many times, judged on fresh points", "h2"),
        part("live_chart", chart),
        *map(text, findings),
    ]


PARTS: dict[str, Callable[[], list[Part]]] = {
    "accuracy": _accuracy,
    "amplifier": lambda: _amplifier(_view(shown.TO_AMPLIFIER), "slope"),
    "too_small": lambda: _amplifier(_view(shown.TOO_SMALL), "range"),
    "too_large": _too_large,
    "soft_matrix": _soft_matrix,
    "side_by_side": _side_by_side,
    "real": _real,
    "helps": _helps,
}


def _guess(guess: Guess) -> Part:
    """What is asked, and what follows each guess: worked out for all of them."""
    asked = {"kind": guess.kind, "question": guess.question}
    skipped = [text(f"{guess.right} {guess.because}")]
    because = text(guess.because)
    if isinstance(guess, CurveGuess):
        flat = [guess.low] * len(guess.x)  # the sketch takes its place
        figure = guesses.own_figure(guess, flat)
        chart = part("live_chart", chart_data(figure, "difference", guess.right, [("guess", -1.0)]))
        field = {"component": "sketch", "x": list(guess.x), "xTitle": guess.x_title}
        field |= {"low": guess.low, "high": guess.high}
        return asked | field | {"answered": [chart, *skipped], "skipped": skipped}
    if isinstance(guess, ChoiceGuess):
        values = list(range(len(guess.options)))
        words = [_verdict(guess, value, value == guess.answer) for value in values]
        answered = [_answers(values, {"words": words}), _TOLD, because]
        return asked | {"options": guess.options, "answered": answered, "skipped": skipped}
    steps = round((guess.high - guess.low) / guess.step)
    values = [round(guess.low + step * guess.step, 6) for step in range(steps + 1)]
    words = [_verdict(guess, v, abs(v - guess.answer) <= guess.step / 2) for v in values]
    figures = [guesses.own_figure(guess, value) for value in values]
    frames = {"words": words, "difference": frames_of(figures)}
    chart = chart_data(figures[0], "difference", guess.right, [("guess", values[0])])
    answered = [_answers(values, frames), _TOLD, part("live_chart", chart), because]
    scale = {"low": guess.low, "high": guess.high, "step": guess.step, "unit": guess.unit}
    return asked | scale | {"answered": answered, "skipped": skipped}


_TOLD = part("live_text", {"channels": ["guess"], "key": "words"})


def _answers(values: list, frames: dict[str, list]) -> Part:
    return part("share_frames", packed_frames("guess", values, frames).decode())


def _verdict(guess: Guess, value: Any, right: bool) -> list[dict]:
    return [{"holds": right, "text": guess.verdict(value)}]
