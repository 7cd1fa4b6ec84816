"""What a comparison says about its goal: the contest, the advice and the sentence behind it.

The page, the command line, the report and the list of runs all take their words from here.
"""

from dataclasses import dataclass

from anyloss_core.comparison.comparison import Comparison
from anyloss_core.comparison.tables import all_scores
from anyloss_core.statistics.advice import Advice, advise
from anyloss_core.statistics.bayes import ROPE
from anyloss_core.statistics.goal import Goal, formula_goal, parse_goal
from anyloss_core.statistics.rivals import simple_rival, simplicity
from anyloss_core.statistics.score_table import Contest
from anyloss_core.statistics.verdict_sentence import headline, own_contest


@dataclass(frozen=True)
class Answer:
    """Advice first, statistics second; both are about the same candidate.

    The advice holds it against the better of BCE and BCE with a tuned threshold where the sentence
    holds it against BCE: nobody should change the loss for what a threshold gives.
    """

    goal: Goal
    contest: Contest
    advice: Advice
    headline: str


def answer(
    comparison: Comparison,
    *,
    candidate: str | None = None,
    baseline: str | None = None,
    metric: str | None = None,
    rope: float = ROPE,
) -> Answer:
    """The answer of a comparison to its goal, as far as nobody chose something else."""
    scores, settings = all_scores(comparison, metric), comparison.settings
    contest = own_contest(scores, settings, candidate, baseline, metric)
    rival: str | None = contest.baseline
    if simplicity(contest.baseline) == 0 or rival == contest.candidate:
        rival = simple_rival(scores, contest.candidate, contest.metric)
    goal = goal_of(comparison, contest.metric)
    advice = advise(
        comparison.confusion_for(contest.metric),
        goal,
        settings,
        candidate=contest.candidate,
        baseline=rival,
        rope=rope,
    )
    words = headline(scores, settings["dataset"], settings, **contest._asdict(), rope=rope)
    return Answer(goal, contest, advice, words)


def goal_of(comparison: Comparison, metric: str | None = None) -> Goal:
    """The goal of a comparison; looked at by another metric, that metric."""
    stored = comparison.settings.get("goal")
    goal = None if stored is None else parse_goal(stored)
    if goal is not None and metric in (None, goal.metric):
        return goal
    return formula_goal(metric or "f1")
