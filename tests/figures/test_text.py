"""No figure takes a name for markup: not in a legend, an axis, a hover or an annotation."""

import html
import re

import numpy as np
import pandas as pd
import pytest

from anyloss_core.common.text import visible
from anyloss_core.comparison import tables
from anyloss_core.comparison.probability_curves import Curve, Reliability
from anyloss_core.comparison.threshold_view import look_at
from anyloss_core.figures import (
    benchmark,
    comparison,
    epoch,
    importance,
    matrix,
    metric,
    sweep,
    threshold,
    training,
)
from anyloss_core.figures import verdicts as verdict_figures
from anyloss_core.figures.style import plain
from anyloss_core.live.history import History, chosen_plane
from anyloss_core.statistics.analysis import count_wins, dataset_differences, group_differences
from anyloss_core.statistics.bayes import sign_test
from anyloss_core.statistics.goal import parse_goal
from anyloss_core.statistics.ranks import rank_losses
from anyloss_core.statistics.score_table import score_matrix
from anyloss_core.statistics.verdict_sentence import fold_verdict
from anyloss_core.store.store import Store
from tests.live_runs import train_live

EVIL = '<b id=e>%{e}</b><a href="javascript:e">$x$</a>&lt;i&gt;\u202e\x07'
SEEN = visible(EVIL, 14)[:-1]  # what must be readable, however much a label is cut
OWN = re.compile(r"</?(b|br|extra|span|i)>|%\{(x|y|z|text|customdata)(\[\d\])?(:[^}]*)?\}")
NEVER_DRAWN = {"customdata", "uirevision", "legendgroup", "template", "colorscale", "type"}

SCORES = pd.DataFrame(
    [
        (f"{EVIL}{number}", loss, EVIL, fold, score + number / 50 + fold / 90)
        for number in range(4)
        for loss, score in {"bce": 0.5, EVIL: 0.6, f"{EVIL} too": 0.55}.items()
        for fold in range(3)
    ],
    columns=["dataset", "loss", "metric", "fold", "score"],
)
MEANS = SCORES.groupby(["dataset", "loss", "metric"], as_index=False)["score"].mean()
PAIR = MEANS[MEANS["loss"].isin(["bce", EVIL])]
GAPS = dataset_differences(PAIR, EVIL, "bce", EVIL)
SHARES = dict.fromkeys(GAPS["dataset"], 0.2)
FOLDS = SCORES[SCORES["dataset"] == f"{EVIL}0"]
SETTINGS = {"folds": 3, "repeats": 1}
VERDICT = fold_verdict(FOLDS, EVIL, "bce", EVIL, SETTINGS, 0.01)
MATRICES = pd.DataFrame({"loss": [EVIL, "bce"], "fold": 0, "tn": 5, "fn": 1, "fp": 2, "tp": 3})
BANDS = pd.DataFrame(
    {"loss": EVIL, "epoch": [1, 2], "threshold": [0.1, 0.9], "mean": [0.1, 0.2], "std": 0.01}
)
POINTS = np.array([0.0, 0.5, 1.0])
SUMMARY = pd.DataFrame(
    {"metric": EVIL, "setting": ["5", "73", "5..73"], "L": [5.0, 73.0, np.nan]}
    | {"mean": [0.6, 0.8, 0.7], "std": 0.05, "dead_share": [0.0, 0.1, 0.2]}
)
SURFACE = np.linspace(0, 1, 3)

FIGURES = {
    "win, tie, loss": lambda: benchmark.win_tie_loss_bars(count_wins(MEANS)),
    "difference": lambda: benchmark.difference_by_imbalance(
        GAPS, dict.fromkeys(GAPS["dataset"], 3.0), 0.01, EVIL
    ),
    "heatmap": lambda: benchmark.score_heatmap(score_matrix(MEANS, EVIL), EVIL),
    "ranks": lambda: benchmark.critical_difference_diagram(rank_losses(MEANS, EVIL)),
    "groups": lambda: benchmark.group_bars(group_differences(PAIR, SHARES, [(EVIL, "bce", EVIL)])),
    "verdicts": lambda: verdict_figures.outcome_bars([sign_test(PAIR)]),
    "simplex": lambda: verdict_figures.posterior_simplex(sign_test(PAIR)),
    "posterior": lambda: verdict_figures.fold_posterior(VERDICT),
    "folds": lambda: comparison.fold_difference(
        tables.fold_differences(FOLDS, EVIL, "bce"), EVIL, EVIL, 0.01
    ),
    "outcomes": lambda: verdict_figures.outcome_bars([VERDICT]),
    "confusion": lambda: comparison.confusion_matrices(MATRICES),
    "bands": lambda: comparison.band_curves(BANDS, "epoch", EVIL, EVIL),
    "thresholds": lambda: comparison.threshold_curves({EVIL: BANDS}, {EVIL: 0.5}, EVIL),
    "areas": lambda: comparison.area_curves(
        {EVIL: Curve(POINTS, POINTS, 0.5, 0.1)}, EVIL, EVIL, "AUC", [0, 1]
    ),
    "reliability": lambda: comparison.reliability_diagram(
        *[{EVIL: Reliability(POINTS, POINTS, np.array([1, 2, 3]), 0.1, 0.1, 0.3)}] * 2
    ),
    "time": lambda: comparison.time_bars(tables.relative_times({"bce": 2.0, EVIL: 3.0})),
    "live": lambda: comparison.live_scores(pd.DataFrame({"epoch": [1], EVIL: [0.5]}), EVIL, 9),
    "sweep": lambda: sweep.score_by_amplifier(SUMMARY, (9.4, 75.0)),
    "sweep, dead": lambda: sweep.dead_by_amplifier(SUMMARY, None),
    "surface": lambda: metric.surface_figure(SURFACE, np.outer(SURFACE, SURFACE), EVIL),
    "importance": lambda: importance.importance_bars(
        pd.DataFrame({"column": [EVIL], "mean": 0.2, "std": 0.1}), EVIL, EVIL
    ),
    "iso-lines": lambda: matrix.iso_figure(
        ("recall", "precision"), (SURFACE, np.outer(SURFACE, SURFACE)), (0.5, 0.5), (0, 1), EVIL
    ),
    "one threshold": lambda: threshold.metric_figure(
        look_at(
            pd.DataFrame({"fold": 0, "label": [0, 1], EVIL: [0.2, 0.7]}), EVIL, parse_goal("f1")
        ),
        EVIL,
        EVIL,
        50,
    ),
    "soft and hard": lambda: metric.soft_hard_figure(
        pd.DataFrame({"L": [1, 2], "soft": [0.1, 0.2], "hard": 0.3}), EVIL
    ),
}


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    """A training whose loss, classes and features carry the name."""
    _, history = train_live(Store(tmp_path_factory.mktemp("live")), losses=("anyloss:f1", "bce"))
    history.view.update(classes=[EVIL, EVIL], names=[EVIL, f"{EVIL} 2", f"{EVIL} 3"])
    history.__class__ = type("Renamed", (History,), {"losses": (EVIL, "bce")})
    return history


LIVE = {
    "loss": lambda history: training.loss_figure(history),
    "metric": lambda history: training.metric_figure(history, "f1"),
    "achievement": lambda history: training.achievement_figure(history),
    "health": lambda history: training.health_figure(history),
    "matrices": lambda history: epoch.confusion_figure(history.snapshot(3), 0, "valid"),
    "histograms": lambda history: epoch.histogram_figure(history.snapshot(3), 0, EVIL),
    "boundary": lambda history: _boundary(history.snapshot(3)),
}


def _boundary(now):
    view = now.history.view
    plane = chosen_plane(view, *view["names"][:2])
    landscape = now.landscape(plane, plane.grid(plane.project(view["points"])))
    return epoch.boundary_figure(now, landscape, 0)


def texts(part):
    """Every text that plotly may draw."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key not in NEVER_DRAWN:
                yield from texts(value)
    elif isinstance(part, list | tuple | np.ndarray):
        for value in part:
            yield from texts(value)
    elif isinstance(part, str):
        yield part


def check(figure):
    drawn = list(texts(figure.to_plotly_json()))
    for text in drawn:
        left = OWN.sub("", text)
        assert not set("<\u202e\x07") & set(left), text
        assert "%{" not in left, text
    shown = (text.replace("<br>", " ") for text in drawn)  # a name may take several lines
    assert any(SEEN in html.unescape(OWN.sub("", text)) for text in shown)


@pytest.mark.parametrize("name", FIGURES)
def test_a_hostile_name_is_shown_as_it_is(name):
    check(FIGURES[name]())


@pytest.mark.parametrize("name", LIVE)
def test_a_hostile_name_is_shown_as_it_is_while_training(name, live):
    check(LIVE[name](live).checked())


def test_every_module_of_figures_that_shows_names_is_looked_at():
    from pathlib import Path

    folder = Path(benchmark.__file__).parent
    texts = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.py")}
    users = {name for name, text in texts.items() if "plain(" in text or "_label(" in text}
    looked_at = {"benchmark", "comparison", "epoch", "importance", "matrix", "metric", "sweep"}
    looked_at |= {"threshold", "training", "verdicts"}
    # Names of ours: of the paper's losses (test_paper looks), of what the lessons ask.
    own_words = {"style", "traces", "paper", "guesses"}
    assert users == looked_at | own_words


@pytest.mark.parametrize("names", [["1", "2"], ["2020-01-01", "2021-01-01"], ["1e3", "0x10"]])
def test_names_that_look_like_numbers_stay_names(names):
    scores = MEANS[MEANS["loss"] != f"{EVIL} too"].copy()
    scores["dataset"] = [names[int(name[-1]) % 2] for name in scores["dataset"]]
    scores = scores.groupby(["dataset", "loss", "metric"], as_index=False)["score"].mean()
    figure = benchmark.score_heatmap(score_matrix(scores, EVIL), "f1")
    assert figure.layout.yaxis.type == "category"
    assert list(figure.data[0].y) == sorted(names)


def test_a_template_cannot_be_filled_in_by_a_name():
    assert plain("%{x}") == "%&#123;x}"
    assert html.unescape(plain("%{x} & <b>")) == "%{x} & <b>"
