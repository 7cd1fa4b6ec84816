"""The result of a benchmark as one sentence: wins, ties and losses, and which of them prevails."""

from collections.abc import Collection

import pandas as pd

from anyloss_core.common.wording import loss_words, metric_words
from anyloss_core.statistics.analysis import count_wins
from anyloss_core.statistics.bayes import ROPE, sign_test
from anyloss_core.statistics.verdict_sentence import main_contest
from anyloss_core.statistics.verdicts import each

TUNED = "bce+threshold"


def suite_headline(
    scores: pd.DataFrame,
    *,
    candidate: str | None = None,
    baseline: str | None = None,
    metric: str | None = None,
    rope: float = ROPE,
    choosing: Collection[str] = (),
) -> str:
    """The sentence for tidy scores (dataset, loss, metric, score); choices as in `main_contest`.

    `choosing` are the losses whose recipe was chosen on inner folds, where that is known.
    """
    candidate, baseline, metric = main_contest(scores, candidate, baseline, metric)
    if candidate == baseline:
        return f"{loss_words(candidate)} was trained on {scores['dataset'].nunique()} data sets."
    pair = scores[(scores["metric"] == metric) & scores["loss"].isin((candidate, baseline))]
    (verdict,) = each(sign_test(pair, rope, baseline))
    ours, theirs = (loss_words(loss, metric) for loss in (candidate, baseline))
    return (
        f"On {verdict.n_datasets} data sets, {ours} has a higher {metric_words(metric)} than "
        f"{theirs} on {verdict.wins}, the same (within {rope:g}) on {verdict.ties} and a lower one "
        f"on {verdict.losses}; among all such data sets wins are the most frequent with "
        f"probability {verdict.candidate_wins:.2f}, ties with "
        f"{verdict.draw:.2f}, losses with {verdict.baseline_wins:.2f}."
        f"{_unequal(candidate, baseline, metric, choosing)}"
        f"{_tuned(scores, candidate, baseline, metric, rope)}"
    )


def _tuned(scores: pd.DataFrame, candidate: str, baseline: str, metric: str, rope: float) -> str:
    """' Against BCE with threshold for F1: 31 won, 57 tied, 20 lost.', where BCE had none.

    A metric such as F1 is easily won against a threshold of 1/2.
    """
    pair = scores[(scores["metric"] == metric) & scores["loss"].isin((candidate, TUNED))]
    if baseline != "bce" or not pair.groupby("dataset")["loss"].nunique().eq(2).any():
        return ""
    (votes,) = count_wins(pair, TUNED, rope).itertuples()
    return (
        f" Against {loss_words(TUNED, metric)}: {votes.wins} won, {votes.ties} tied, "
        f"{votes.losses} lost."
    )


def _unequal(candidate: str, baseline: str, metric: str, choosing: Collection[str]) -> str:
    """' On inner folds AnyLoss-F1 chose among recipes; BCE had one.', where one of both did."""
    if (candidate in choosing) == (baseline in choosing):
        return ""
    pair = (candidate, baseline) if candidate in choosing else (baseline, candidate)
    chose, fixed = (loss_words(loss, metric) for loss in pair)
    return f" On inner folds {chose} chose among recipes; {fixed} had one."
