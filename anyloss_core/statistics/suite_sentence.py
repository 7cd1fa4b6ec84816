"""The result of a benchmark as one sentence: wins, ties and losses, and how surely."""

import pandas as pd

from anyloss_core.common.wording import loss_words, metric_words
from anyloss_core.statistics.analysis import count_wins
from anyloss_core.statistics.bayes import ROPE, sign_test
from anyloss_core.statistics.verdict_sentence import main_contest
from anyloss_core.statistics.verdicts import each


def suite_headline(
    scores: pd.DataFrame,
    *,
    candidate: str | None = None,
    baseline: str | None = None,
    metric: str | None = None,
    rope: float = ROPE,
) -> str:
    """The sentence for tidy scores (dataset, loss, metric, score); choices as in `main_contest`."""
    candidate, baseline, metric = main_contest(scores, candidate, baseline, metric)
    if candidate == baseline:
        return f"{loss_words(candidate)} was trained on {scores['dataset'].nunique()} data sets."
    pair = scores[(scores["metric"] == metric) & scores["loss"].isin((candidate, baseline))]
    counts = count_wins(pair, baseline).iloc[0]
    (verdict,) = each(sign_test(pair, rope, baseline))
    total = int(counts["wins"] + counts["ties"] + counts["losses"])
    return (
        f"On {total} data sets, {loss_words(candidate)} has a higher {metric_words(metric)} than "
        f"{loss_words(baseline)} on {counts['wins']}, the same on {counts['ties']} and a lower one "
        f"on {counts['losses']}; probability of winning {verdict.candidate_wins:.2f}, of a draw "
        f"(within {rope:g}) {verdict.draw:.2f}, of losing {verdict.baseline_wins:.2f}."
    )
