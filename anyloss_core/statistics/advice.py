"""What to do now, in one sentence: which loss to use, why, how surely, or how many rows would tell.

The rules, in this order; the first that fits is taken. The more elaborate of two losses is held
against the simpler one (`simplicity`: BCE, BCE with a tuned threshold, other means over samples,
methods that train more than once, losses over counts, models from elsewhere).

1. *The floor.* Where the goal is a floor and it holds on new rows with a probability of at least
   1/2 for one of the two only, that one is advised; where it holds for neither, this is said.
2. *Better.* The elaborate one is better by more than the rope with probability `DECIDED`: use it.
3. *Not better.* It is better by more than the rope with a probability of at most 1 - `DECIDED`: it
   gains nothing that matters, so use the simpler, better calibrated, cheaper one. A draw and a
   defeat are both of this kind.
4. *Not decided.* Until more is known, the simpler one; and how many rows of the rarer class would
   tell, if the difference stays what it is: the posterior narrows with their square root.

Whatever is advised, boosted trees that beat it with probability `DECIDED` are named: then the
network is the limit, not the loss. Gains are told in cases per hundred, or in money where the goal
is a cost. Everything rests on one table of counts (loss, fold, tn, fn, fp, tp, threshold), so that
it can be said again for other counts, such as those of another share of positives.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from anyloss_core.common.wording import loss_words, metric_words
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import get_score
from anyloss_core.statistics.bayes import ROPE
from anyloss_core.statistics.goal import PER, Goal
from anyloss_core.statistics.rivals import simplicity
from anyloss_core.statistics.verdict_sentence import DECIDED, chance_words, fold_verdict
from anyloss_core.statistics.verdicts import FoldVerdict

HOLDS = 0.5  # probability from which a floor is said to hold
MOST_TIMES = 100.0  # the rows at hand; who needs more has a difference at the edge of the rope
SAME_CASES = 1  # of a hundred: a precision this near is called the same
TREES = "boosted_trees"


@dataclass(frozen=True)
class Advice:
    """The sentence and what it rests on."""

    text: str
    kind: str  # 'floor', 'better', 'not better', 'undecided', 'alone'
    use: str  # spelling of the loss that is advised
    threshold: float  # at which it decides, the mean over the folds
    verdict: FoldVerdict | None = None  # the elaborate loss against the simpler one
    needed: int | None = None  # rows of the rarer class that would tell

    @property
    def decided(self) -> bool:
        return self.kind != "undecided"


def advise(
    confusion: pd.DataFrame,
    goal: Goal,
    settings: Mapping[str, Any],
    *,
    candidate: str,
    baseline: str | None,
    rope: float = ROPE,
) -> Advice:
    """What to do about two losses; `confusion` has the thresholds that are tuned for the goal."""
    view = _View(confusion, goal, settings, rope)
    if baseline is None or baseline == candidate or confusion["fold"].nunique() < 2:
        holds = _floor_words(view, candidate)
        words = f"There is nothing to compare {view.name(candidate)} with{holds}."
        return Advice(words, "alone", candidate, view.threshold(candidate))
    simple, elaborate = sorted((baseline, candidate), key=simplicity)
    verdict = view.verdict(elaborate, simple)
    kind, use, words, needed = _ruled(view, verdict)
    trees = _trees(view, use)
    return Advice(f"{words}{trees}", kind, use, view.threshold(use), verdict, needed)


def rows_needed(verdict: FoldVerdict, rarer: int) -> int | None:
    """Rows of the rarer class from which this difference would be decided; None: out of reach."""
    for times in np.geomspace(1.05, MOST_TIMES, 200):
        scale = verdict.scale / math.sqrt(times)
        win = stats.t.sf(verdict.rope, verdict.degrees, verdict.difference, scale)
        if win >= DECIDED or win <= 1 - DECIDED:
            return _rounded(rarer * times)
    return None


class _View:
    """The table of counts, and what is asked about it."""

    def __init__(
        self, confusion: pd.DataFrame, goal: Goal, settings: Mapping[str, Any], rope: float
    ) -> None:
        self.table, self.goal, self.settings, self.rope = confusion, goal, settings, rope
        counts = Counts(*(confusion[n].to_numpy(np.float64) for n in Counts._fields))
        score = get_score(goal.metric)(counts)
        self.scores = confusion[["loss", "fold"]].assign(metric=goal.metric, score=score)

    def verdict(self, candidate: str, baseline: str) -> FoldVerdict:
        names = (candidate, baseline, self.goal.metric)
        return fold_verdict(self.scores, *names, self.settings, self.rope)

    def name(self, loss: str) -> str:
        """What a loss is called, with its threshold where that is tuned."""
        if _base(loss) == "bce+threshold":
            return f"BCE with a threshold of {self.threshold(loss):.2f}"
        name, own = loss_words(loss, self.goal.metric), self.table["loss"] == loss
        if self.goal.kind == "floor" and self.table.loc[own, "threshold"].nunique() > 1:
            return f"{name} with a threshold of {self.threshold(loss):.2f}"
        return name

    def threshold(self, loss: str) -> float:
        return float(self.table.loc[self.table["loss"] == loss, "threshold"].mean())

    def counts(self, loss: str) -> Counts[float]:
        """Every row once, also where the folds were repeated."""
        rows = self.table[self.table["loss"] == loss]
        sums = rows[list(Counts._fields)].sum()
        rounds = max(1.0, len(rows) / float(self.settings.get("folds") or len(rows)))
        return Counts(*(float(sums[name]) / rounds for name in Counts._fields))

    @property
    def rarer(self) -> tuple[int, str]:
        """Rows of the rarer class, and its name; told by the settings where counts are for another
        share of positives than that of the rows that were looked at."""
        counts = self.counts(str(self.table["loss"].iloc[0]))
        positives, negatives = round(counts.tp + counts.fn), round(counts.tn + counts.fp)
        here = min((positives, "positives"), (negatives, "negatives"), key=lambda few: few[0])
        return self.settings.get("rarer") or here


def _ruled(view: _View, verdict: FoldVerdict) -> tuple[str, str, str, int | None]:
    """Kind, loss, sentence and rows needed, by the rules above."""
    elaborate, simple = verdict.candidate, verdict.baseline
    if (found := _by_floor(view, elaborate, simple)) is not None:
        return "floor", *found, None
    holds = _floor_words(view, elaborate)
    if verdict.candidate_wins >= DECIDED:
        chance = chance_words(verdict.candidate_wins)
        gain = _gain(view, elaborate, simple)
        words = f"Use {view.name(elaborate)}: {gain} (better with probability {chance}{holds})."
        return "better", elaborate, words, None
    if verdict.candidate_wins <= 1 - DECIDED:
        return "not better", simple, _not_better(view, verdict), None
    needed = rows_needed(verdict, view.rarer[0])
    return "undecided", simple, _undecided(view, verdict, needed), needed


def _by_floor(view: _View, elaborate: str, simple: str) -> tuple[str, str] | None:
    """Loss and sentence where the floor decides."""
    goal = view.goal
    if goal.kind != "floor":
        return None
    chances = {loss: goal.holds(view.counts(loss)) for loss in (elaborate, simple)}
    met = [loss for loss, chance in chances.items() if chance >= HOLDS]
    floor = f"{metric_words(goal.held)} of at least {goal.floor:g}"
    if len(met) == 2:
        return None
    if not met:
        use = max(chances, key=lambda loss: chances[loss])
        words = (
            f"No loss here holds a {floor} on new rows: {view.name(use)} comes nearest, with "
            f"probability {chance_words(chances[use])}. Ask for less, or collect more rows."
        )
        return use, words
    other = simple if met[0] == elaborate else elaborate
    ours, theirs = (chance_words(chances[loss]) for loss in (met[0], other))
    words = (
        f"Use {view.name(met[0])}: it holds a {floor} on new rows with probability {ours}, "
        f"{view.name(other)} only with {theirs}."
    )
    return met[0], words


def _floor_words(view: _View, loss: str) -> str:
    if view.goal.kind != "floor":
        return ""
    chance = chance_words(view.goal.holds(view.counts(loss)))
    floor = f"{metric_words(view.goal.held)} ≥ {view.goal.floor:g}"
    return f"; {floor} holds on new rows with probability {chance}"


def _not_better(view: _View, verdict: FoldVerdict) -> str:
    elaborate, simple = verdict.candidate, verdict.baseline
    ours, holds = loss_words(elaborate, view.goal.metric), _floor_words(view, simple)
    if verdict.baseline_wins >= DECIDED:
        chance = chance_words(verdict.baseline_wins)
        gain = _gain(view, simple, elaborate)
        return f"Use {view.name(simple)}: {gain} (better with probability {chance}{holds})."
    kept = ", and BCE's probabilities stay usable" if _is_bce(simple) else ""
    chance = chance_words(1 - verdict.candidate_wins)
    return (
        f"Use {view.name(simple)}: {ours} gains nothing that matters here (probability "
        f"{chance}{holds}){kept}."
    )


def _undecided(view: _View, verdict: FoldVerdict, needed: int | None) -> str:
    ours, rival = loss_words(verdict.candidate, view.goal.metric), loss_words(verdict.baseline)
    holds = _floor_words(view, verdict.baseline)
    chance = chance_words(verdict.candidate_wins)
    until = f"Until then {view.name(verdict.baseline)}."
    if needed is None:
        return (
            f"Not decided: the gain of {ours} over {rival} lies at the edge of what matters "
            f"(better with probability {chance}{holds}), and more rows would hardly tell. {until}"
        )
    rows = "{:,} {}".format(*view.rarer)
    return (
        f"Not decided: {rows} are too few to say whether {ours} is better "
        f"than {rival} (probability {chance}{holds}); about {needed:,} would tell. {until}"
    )


def _gain(view: _View, better: str, worse: str) -> str:
    """What the better loss does more, in money or in cases per hundred."""
    ours, theirs, goal = view.counts(better), view.counts(worse), view.goal
    rival = view.name(worse)
    if goal.kind == "cost":
        more = goal.money(ours) - goal.money(theirs)
        return f"it is worth {_money(more, goal)} more per {PER:,} rows than {rival}"
    found, before = (_hundred(c.tp, c.tp + c.fn) for c in (ours, theirs))
    right, wrong = (_hundred(c.tp, c.tp + c.fp) for c in (ours, theirs))
    where = f" where {rival} finds {before}" if found != before else f", as many as {rival}"
    words = f"it finds {found} of 100 positives{where}"
    if abs(right - wrong) <= SAME_CASES:
        return f"{words}, at the same precision" if found != before else words
    return f"{words}, and of 100 alarms {right} are right instead of {wrong}"


def _trees(view: _View, use: str) -> str:
    """A further sentence where boosted trees are clearly better than what is advised."""
    trees = [loss for loss in view.table["loss"].unique() if _base(loss) == TREES]
    if not trees or use in trees:
        return ""
    if view.verdict(trees[0], use).candidate_wins < DECIDED:
        return ""
    if view.goal.kind == "cost":
        reached = f"{_money(view.goal.money(view.counts(trees[0])), view.goal)} per {PER:,} rows"
    else:
        mean = view.scores.loc[view.scores["loss"] == trees[0], "score"].mean()
        reached = f"{metric_words(view.goal.metric)} {mean:.2f}"
    return f" Gradient boosting reaches {reached} here: the network is the limit, not the loss."


def _money(amount: float, goal: Goal) -> str:
    return f"{amount:,.0f} {goal.currency or 'in money'}"


def _hundred(part: float, whole: float) -> int:
    return round(100 * part / whole) if whole else 0


def _base(loss: str) -> str:
    return loss.partition("@")[0]


def _is_bce(loss: str) -> bool:
    return _base(loss) in ("bce", "bce+threshold", "bce+online_f1")


def _rounded(rows: float) -> int:
    """Two digits: 157 -> 160."""
    step = 10 ** max(0, math.floor(math.log10(rows)) - 1)
    return int(math.ceil(rows / step) * step)
