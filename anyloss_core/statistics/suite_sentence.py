"""The result of a benchmark as one sentence: wins, ties and losses, and how surely."""

from __future__ import annotations

import pandas as pd

from anyloss_core.analysis import count_wins
from anyloss_core.bayes import ROPE, sign_test
from anyloss_core.verdict_sentence import aim_of, leading_loss
from anyloss_core.wording import loss_words, metric_words


def suite_headline(
    scores: pd.DataFrame,
    *,
    candidate: str | None = None,
    baseline: str | None = None,
    metric: str | None = None,
    rope: float = ROPE,
) -> str:
    """The sentence for tidy scores (dataset, loss, metric, score); choices as in `headline`."""
    losses = list(scores["loss"].unique())
    candidate = candidate or leading_loss(losses)
    metric = metric or aim_of(candidate, scores["metric"].unique())
    rivals = [loss for loss in losses if loss != candidate]
    if not rivals:
        return f"{loss_words(candidate)} was trained on {scores['dataset'].nunique()} data sets."
    if baseline in (None, candidate):
        baseline = "bce" if "bce" in rivals else rivals[0]
    pair = scores[(scores["metric"] == metric) & scores["loss"].isin((candidate, baseline))]
    counts = count_wins(pair, baseline).iloc[0]
    verdict = sign_test(pair, rope, baseline)
    total = int(counts["wins"] + counts["ties"] + counts["losses"])
    return (
        f"On {total} data sets, {loss_words(candidate)} has a higher {metric_words(metric)} than "
        f"{loss_words(baseline)} on {counts['wins']}, the same on {counts['ties']} and a lower one "
        f"on {counts['losses']}; probability of winning {verdict.candidate_wins:.2f}, of a draw "
        f"(within {rope:g}) {verdict.draw:.2f}, of losing {verdict.baseline_wins:.2f}."
    )
