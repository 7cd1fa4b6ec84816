"""The result of a comparison as one sentence: who beats whom, on what, by how much, how surely.

The page, the command line and the report all say this sentence. It rests on the Bayesian
correlated t-test over the folds (`bayes`), with the spread that a small table must have
(`small_data`): a winner is named only when its probability reaches `DECIDED`, a difference inside
the rope is a draw, and everything else is called undecided.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from anyloss_core.common.wording import listed, loss_words, metric_words
from anyloss_core.losses.spelling import LossError, parse_loss
from anyloss_core.statistics.bayes import ROPE, correlated_t_test
from anyloss_core.statistics.goal import parse_goal
from anyloss_core.statistics.score_table import Contest, average_seeds, mark_seeds
from anyloss_core.statistics.small_data import least_spread
from anyloss_core.statistics.verdicts import FoldVerdict, each

# Probability from which an outcome is stated; below it the sentence says undecided. At 0.8 a winner
# was named on a quarter of the tables of a population in which both losses are equal.
DECIDED = 0.95


def headline(
    scores: pd.DataFrame,
    name: str,
    settings: Mapping[str, Any] | None = None,
    *,
    candidate: str | None = None,
    baseline: str | None = None,
    metric: str | None = None,
    rope: float = ROPE,
) -> str:
    """The sentence for tidy scores (loss, fold, metric, score) of the data set `name`.

    `settings` of the comparison tell its goal, repeats and seeds; choices as in `own_contest`.
    """
    candidate, baseline, metric = own_contest(scores, settings, candidate, baseline, metric)
    rivals = [loss for loss in scores["loss"].unique() if loss != candidate]
    if not rivals or _units(scores, settings)["fold"].nunique() < 2:
        return _alone(scores, name, candidate, metric)
    verdicts = {
        rival: fold_verdict(scores, candidate, rival, metric, settings, rope) for rival in rivals
    }
    main = verdicts.pop(baseline)
    first = f"On {name}, {_main_clause(main)}"
    also = outcome(main) == "candidate"
    sentence = "; ".join([first, *_other_clauses(verdicts.values(), also)]) + "."
    trained = (settings or {}).get("trained", {})
    tried = {loss: trained.get(loss, {}).get("candidates") or 1 for loss in [candidate, *rivals]}
    return f"{sentence} {choice_words(tried, metric)}".strip()


def main_contest(
    scores: pd.DataFrame,
    candidate: str | None = None,
    baseline: str | None = None,
    metric: str | None = None,
) -> Contest:
    """What a result is mainly about, as far as nobody chose.

    The candidate is the first loss that aims at a metric, judged by that metric; the baseline is
    BCE where it took part. A lone loss is its own baseline.
    """
    losses = list(scores["loss"].unique())
    candidate = candidate or leading_loss(losses)
    metric = metric or aim_of(candidate, scores["metric"].unique())
    if baseline in (None, candidate):
        rivals = [loss for loss in losses if loss != candidate]
        baseline = "bce" if "bce" in rivals else next(iter(rivals), candidate)
    return Contest(candidate, str(baseline), metric)


def own_contest(
    scores: pd.DataFrame,
    settings: Mapping[str, Any] | None = None,
    candidate: str | None = None,
    baseline: str | None = None,
    metric: str | None = None,
) -> Contest:
    """The same on one data set, where the settings may tell a goal.

    The metric is then that of the goal, and the candidate the first loss that aims at it.
    """
    losses, goal = list(scores["loss"].unique()), (settings or {}).get("goal")
    if metric is None and goal is not None:
        metric = parse_goal(goal).metric
        metric = metric if metric in set(scores["metric"]) else None
    if candidate is None and metric is not None:
        candidate = next((loss for loss in losses if metric_of(loss) == metric), None)
    return main_contest(scores, candidate, baseline, metric)


def fold_verdict(
    scores: pd.DataFrame,
    candidate: str,
    baseline: str,
    metric: str,
    settings: Mapping[str, Any] | None = None,
    rope: float = ROPE,
) -> FoldVerdict:
    """Correlated t-test of two losses on one metric; `settings` as in `fold_verdicts`."""
    both = scores[scores["loss"].isin((candidate, baseline))]
    (verdict,) = fold_verdicts(both, baseline, metric, settings, rope)
    return verdict


def fold_verdicts(
    scores: pd.DataFrame,
    baseline: str,
    metric: str,
    settings: Mapping[str, Any] | None = None,
    rope: float = ROPE,
) -> list[FoldVerdict]:
    """The same of every other loss against one.

    `settings` of the comparison tell its folds, repeats and seeds, also of one that was stopped,
    and how many rows a fold has, from which the least spread of the folds follows.
    """
    table = _units(scores[scores["metric"] == metric], settings)
    folds, least = (settings or {}).get("folds"), least_spread(metric, settings)
    return each(correlated_t_test(table, rope, baseline, folds=folds, least_spread=least))


def outcome(verdict: FoldVerdict) -> str:
    """'candidate', 'draw', 'baseline' or, when none is probable enough, 'undecided'."""
    highest = max(verdict.candidate_wins, verdict.draw, verdict.baseline_wins)
    return verdict.winner if highest >= DECIDED else "undecided"


def leading_loss(losses: Iterable[str]) -> str:
    """The first loss that aims at a metric, or else the first that is not BCE."""
    losses = list(losses)
    aiming = [loss for loss in losses if metric_of(loss)]
    return next(iter(aiming + [loss for loss in losses if loss != "bce"] + losses))


def aim_of(loss: str, metrics: Iterable[str]) -> str:
    """The metric that a loss is for, F1 when it is for none."""
    metrics = list(metrics)
    aim = metric_of(loss)
    return aim if aim in metrics else "f1" if "f1" in metrics else metrics[0]


def metric_of(loss: str) -> str | None:
    """The metric or formula that a loss is made of; None for a mean over samples."""
    try:
        spec = parse_loss(loss)
    except LossError:
        return None
    return "f1" if spec.family == "sigmoid_f1" else spec.score.name if spec.score else None


def choice_words(tried: Mapping[str, int], metric: str) -> str:
    """'On inner folds AnyLoss-F1 chose among 5 recipes; BCE had one.'; '' where nothing chose.

    `tried` maps every loss to the number of its recipes.
    """
    several = {loss_words(loss, metric): count for loss, count in tried.items() if count > 1}
    if not several:
        return ""
    chose = [
        f"{name} {'among' if place else 'chose among'} {count}"
        for place, (name, count) in enumerate(several.items())
    ]
    fixed = [loss_words(loss, metric) for loss, count in tried.items() if count == 1]
    last = f"; {listed(fixed)} had one" if fixed else ""
    return f"On inner folds {listed(chose)} recipes{last}."


def _units(scores: pd.DataFrame, settings: Mapping[str, Any] | None) -> pd.DataFrame:
    """Several seeds on the same split are one measurement: their mean."""
    settings = settings or {}
    folds, seeds = settings.get("folds"), int(settings.get("seeds") or 1)
    if not folds or seeds == 1:
        return scores
    return average_seeds(mark_seeds(scores, folds, seeds))


def _main_clause(verdict: FoldVerdict) -> str:
    ours, theirs = (loss_words(x, verdict.metric) for x in (verdict.candidate, verdict.baseline))
    metric = metric_words(verdict.metric)
    # ± the scale of its posterior, which allows for overlapping training folds
    size = f"difference {verdict.difference:.3f} ± {verdict.scale:.3f}"
    chances = (verdict.candidate_wins, verdict.draw, verdict.baseline_wins)
    better, draw, worse = map(chance_words, chances)
    match outcome(verdict):
        case "candidate":
            return f"{ours} beats {theirs} on {metric} with probability {better}, {size}"
        case "baseline":
            return f"{ours} loses to {theirs} on {metric} with probability {worse}, {size}"
        case "draw":
            return f"{ours} and {theirs} draw on {metric} with probability {draw}, {size}"
    undecided = f"it is undecided whether {ours} beats {theirs} on {metric}"
    return f"{undecided} (better {better}, draw {draw}, worse {worse}), {size}"


def _other_clauses(verdicts: Iterable[FoldVerdict], also: bool) -> list[str]:
    """What became of the other losses, those with the same outcome together."""
    rivals: dict[str, list[str]] = {}
    for verdict in verdicts:
        rival = loss_words(verdict.baseline, verdict.metric)
        rivals.setdefault(outcome(verdict), []).append(rival)
    forms = {
        "candidate": "it also beats {}" if also else "it beats {}",
        "draw": "against {} it is a draw",
        "baseline": "it loses to {}",
        "undecided": "against {} it is undecided",
    }
    return [form.format(listed(rivals[key])) for key, form in forms.items() if key in rivals]


def _alone(scores: pd.DataFrame, name: str, loss: str, metric: str) -> str:
    values = scores.loc[(scores["loss"] == loss) & (scores["metric"] == metric), "score"]
    spread = f" ± {values.std():.3f}" if len(values) > 1 else ""
    words = f"{loss_words(loss, metric)} reaches {metric_words(metric)} {values.mean():.3f}{spread}"
    return f"On {name}, {words}; there is nothing to compare it with."


def chance_words(probability: float) -> str:
    """Two decimals, but never a certainty that no test can give."""
    if probability > 0.995:
        return "above 0.99"
    return "below 0.01" if probability < 0.005 else f"{probability:.2f}"
