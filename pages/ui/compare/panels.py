"""The result of a comparison: a sentence, the table of means, and who beats whom how surely."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from anyloss_core.common.wording import loss_words
from anyloss_core.comparison import tables
from anyloss_core.comparison.answer import Answer, answer, goal_of
from anyloss_core.comparison.comparison import Comparison
from anyloss_core.comparison.job import load_comparison
from anyloss_core.comparison.promise import recipe_table, training_words
from anyloss_core.figures import comparison as figures
from anyloss_core.figures.verdicts import fold_posterior, outcome_bars
from anyloss_core.losses.confusion import Counts
from anyloss_core.statistics.verdict_sentence import (
    aim_of,
    fold_verdicts,
    leading_loss,
    metric_of,
)
from anyloss_core.statistics.verdicts import FoldVerdict, verdict_table
from pages.ui.base.plain_words import below, lead
from pages.ui.base.state import Board
from pages.ui.base.text import in_markdown
from pages.ui.charts.charts import show_figure, show_formula, show_table
from pages.ui.choice import losses as loss_choice
from pages.ui.choice.formulas import T_TEST, metric_formulas
from pages.ui.choice.goal import current
from pages.ui.choice.question import (
    Question,
    loss_values,
    pick,
    pick_baseline,
    pick_rope,
    verdict_words,
)
from pages.ui.data import reading
from pages.ui.runs import runs

LIVE = r"""
The confusion matrices of all folds in training are added, and the metric is worked out once. The
result at the end is the mean of the folds instead, so the two can differ a little."""
EARLIER = (
    "Made by an earlier version with its defaults of training (a single layer: 300 epochs at a "
    "constant rate of 0.03; thresholds tuned for F1 in three inner folds). A new run, the script "
    "and the model file take today's, and give other figures."
)
RECIPE_COLUMNS = {
    "loss": "Loss",
    "fold": "Fold",
    "recipe": "Recipe",
    "inner_score": "On inner rows",
    "default_score": "The default there",
    "promise": "Promised gain",
    "promise_error": "±",
    "against": "Over",
}
RULES = """
**The advice.** The more elaborate of two losses is advised where it is better by more than the rope
with a probability of 0.95. Where that is at most 0.05 it gains nothing that matters, and
the simpler, better calibrated, cheaper one is advised. Everything else is not decided: then the
simpler one, and the rows of the rarer class from which the posterior, which narrows with their
square root, would tell. A floor decides first: it has to hold on new rows with a probability of at
least 1/2 (Beta posterior of the held-out rows). So that it can, a threshold for a floor, that of
AnyLoss too, is the best of those that hold it on the inner rows with a probability of 0.8."""
DIFFERENCE = r"""
$d_i = \text{score}_i(\text{loss}) - \text{score}_i(\text{baseline})$ on the held-out
rows of fold $i$; both losses see the same folds and start from the same weights. Diamond: mean
with one standard deviation. Shaded: the rope."""


@dataclass(frozen=True)
class ComparisonView(Question):
    """A comparison, and what the visitor wants to see of it."""

    comparison: Comparison
    key: str  # of the comparison: what was worked out once is found again
    metrics: tuple[str, ...]

    def once(self, work: Callable, *chosen: object, source: str) -> object:
        """work(a table of the comparison, *chosen), remembered."""
        table = getattr(self.comparison, source)
        return _once(self.key, work.__qualname__, chosen, lambda: work(table, *chosen))

    def remembered(self, name: str, make: Callable[[], object], *chosen: object) -> object:
        """make(), remembered for this metric, these rivals and this rope."""
        return _once(self.key, name, (*self.asked.values(), self.metrics, *chosen), make)

    @property
    def scores(self) -> pd.DataFrame:
        """Tidy scores of the shown metrics, the chosen one first."""
        work = self.comparison.scores_of
        return _once(self.key, work.__qualname__, self.metrics, lambda: work(self.metrics))

    @property
    def confusion(self) -> pd.DataFrame:
        """The counts, with thresholds tuned for the chosen metric."""
        work = self.comparison.confusion_for
        return _once(self.key, work.__qualname__, (self.metric,), lambda: work(self.metric))

    @property
    def answer(self) -> Answer:
        """Advice and headline, the same as on the command line and in the report."""
        work = lambda: answer(self.comparison, **self.asked)  # noqa: E731
        return self.remembered("answer", work)

    @property
    def losses(self) -> list[str]:
        return list(self.comparison.seconds)

    def verdicts(self, metric: str) -> list[FoldVerdict]:
        """Every other loss against the baseline."""
        asked = (self.baseline, metric, self.comparison.settings, self.rope)
        return self.remembered("verdicts", lambda: fold_verdicts(self.scores, *asked), metric)


def load(run_id: str, attempt: int, finished: float | None) -> Comparison | None:
    """The kept result; a run that is over does not change, but a resumed one has new results."""
    key = ("comparison", run_id, attempt, finished)
    return reading.kept(key, lambda: load_comparison(runs.store(), run_id))


def _once(key: str, work: str, chosen: tuple, make: Callable) -> Any:
    return reading.kept(("compared", key, work, chosen), make)


def choose_view(comparison: Comparison, key: str, board: Board) -> ComparisonView:
    """Metric, candidate, baseline and rope: those of the goal when nothing is chosen."""
    losses, goal = list(comparison.seconds), goal_of(comparison)
    offered = loss_choice.metrics_on_offer()
    lead = board["candidate"] if board["candidate"] in losses else leading_loss(losses)
    own = metric_of(lead) or aim_of(lead, offered)
    aim = goal.metric if comparison.settings.get("goal") else own
    if comparison.settings.get("brought"):  # predictions of other tools serve whatever is wanted
        aim = current().metric
    with st.expander("Another metric, candidate, baseline or rope", icon=":material/tune:"):
        columns = st.columns(4, vertical_alignment="bottom", gap="medium")
        with columns[0]:
            metric = pick(board, "metric", (*offered, aim, board["metric"]), aim)
        with columns[1]:
            candidate = pick(board, "candidate", losses, _candidate(losses, metric))
        with columns[2]:
            baseline = pick_baseline(board, losses, candidate)
        with columns[3]:
            rope = pick_rope(board)
    floor = (goal.wanted, goal.held) if goal.kind == "floor" else ()
    metrics = tuple(dict.fromkeys((metric, *floor, *board["metrics"])))
    return ComparisonView(metric, candidate, baseline, rope, comparison, key, metrics)


def show_sentence(view: ComparisonView) -> None:
    """What to do, then the statistics, as on the command line, and what a reader must know:
    stopped early, collapsed or diverged models."""
    settings = view.comparison.settings
    lead(view.answer.advice.text)
    below(view.answer.headline)
    show_formula(f"{T_TEST}\n\n{RULES}", "sentence", "How sure is that?")
    if settings["epochs_done"] < settings["epochs"]:
        st.info(
            f"Stopped after {settings['epochs_done']} of {settings['epochs']} epochs: the figures "
            "show what was trained until then.",
            icon=":material/info:",
        )
    if "inner_folds" not in settings:
        st.caption(EARLIER)
    for note in view.comparison.notes:
        st.warning(in_markdown(note, 300), icon=":material/warning:")


def mean_table(view: ComparisonView, board: Board) -> None:
    """Losses x metrics, the best marked."""
    shown = view.remembered("means", lambda: _marked(view))
    folds = view.scores["fold"].nunique()
    wide = {"Loss": st.column_config.TextColumn(width=190)}
    formulas = metric_formulas(view.metrics)
    # All losses at a glance: by itself the table would hide those after the tenth.
    more = {"column_config": wide, "height": "content"}
    show_table(shown, "comparison", formula=formulas, **more)
    st.caption(
        f"Mean ± standard deviation over {folds} folds, on rows that the model has not seen. "
        f"{tables.BEST} beats all others by the verdict of the folds, {tables.NEAR} is not "
        f"decidedly beaten by the best, within the rope of {view.rope:g}. "
        f"{tables.method_words(view.comparison)}"
    )
    _recipes(view)
    with st.popover("Metrics shown", icon=":material/checklist:"):
        loss_choice.metrics(board, "metrics", "Metrics")


def _recipes(view: ComparisonView) -> None:
    """The plan, what inner rows promised, and the recipes that were taken, fold by fold."""
    asked = (view.comparison, view.metric)
    if words := view.remembered("training", lambda: training_words(*asked)):
        below(words)
    table = view.remembered("recipes", lambda: recipe_table(*asked))
    if len(table):
        shown = table.assign(
            loss=[loss_words(loss, view.metric) for loss in table["loss"]],
            # Its threshold is tuned for what the loss aims at, whatever is shown.
            against=table["against"].map(loss_words, na_action="ignore"),
        )
        with st.expander("Recipe of every fold", icon=":material/table_rows:"):
            show_table(shown.rename(columns=RECIPE_COLUMNS), "recipes")


def _marked(view: ComparisonView) -> pd.DataFrame:
    marked = tables.marked_table(view.scores, view.rope, view.comparison.settings)
    shown = marked.rename(index=loss_words, columns=loss_choice.metric_option)
    goal, pooled = view.answer.goal, tables.pooled_confusion(view.confusion).set_index("loss")
    each = [Counts(*row) for row in pooled[list(Counts._fields)].loc[marked.index].to_numpy()]
    if goal.kind == "cost":
        shown.insert(
            0, f"{goal.currency or 'Money'} per 1,000 rows", [round(goal.money(c)) for c in each]
        )
    if goal.kind == "floor":
        rounds = view.scores["fold"].nunique() / view.comparison.settings["folds"]
        once = [Counts(*(part / max(1.0, rounds) for part in counts)) for counts in each]
        shown.insert(1, "The floor holds", [f"{goal.holds(c):.2f}" for c in once])
    return shown.rename_axis("Loss").reset_index()


def difference(view: ComparisonView) -> None:
    """Fold by fold, and the Bayesian test."""
    if view.baseline is None:
        st.info("There is nothing to compare one loss with. Add another and compare again.")
        return
    gaps = tables.fold_differences(view.scores, view.metric, view.baseline)
    means = gaps.groupby("loss", sort=False)["difference"].mean()
    verdicts = view.verdicts(view.metric)
    left, right = st.columns(2, gap="large")
    with left:
        st.header("Difference on every fold")
        show_figure(
            figures.fold_difference(gaps, view.baseline, view.metric_label, view.rope),
            "difference_per_fold",
            alt=f"{view.metric_label} of each loss minus that of "
            f"{loss_words(view.baseline, view.metric)} on "
            f"every fold. Means: {loss_values(means, '+.4f')}.",
            table=gaps,
            formula=DIFFERENCE,
        )
    with right:
        st.header(f"Against {in_markdown(loss_words(view.baseline, view.metric))}")
        show_figure(
            outcome_bars(verdicts),
            "win_draw_lose",
            alt=f"Probabilities of winning, drawing and losing on {view.metric_label}. "
            + " ".join(map(verdict_words, verdicts)),
            table=lambda: verdict_table([v for m in view.metrics for v in view.verdicts(m)]),
            formula=T_TEST,
        )
    chosen = next(v for v in verdicts if v.candidate == view.candidate)
    _posterior(chosen, view.metric_label)


def _posterior(verdict: FoldVerdict, metric: str) -> None:
    low, high = verdict.interval()
    ours, theirs = (loss_words(x, verdict.metric) for x in (verdict.candidate, verdict.baseline))
    st.header("What the folds say about the difference")
    show_figure(
        fold_posterior(verdict),
        "posterior",
        alt=f"Posterior density of the difference in {metric} between {ours} and {theirs}: mean "
        f"{verdict.difference:.4f}, 95 % between {low:.4f} and {high:.4f}. "
        + verdict_words(verdict),
        table=lambda: verdict_table(verdict).assign(low_95=low, high_95=high),
        formula=T_TEST,
    )
    st.caption(
        f"Mean difference {verdict.difference:+.4f}; with 95 % probability it lies between "
        f"{low:+.4f} and {high:+.4f}."
    )


def _candidate(losses: Sequence[str], metric: str) -> str:
    """The loss that aims at the metric, or else the first that aims at any."""
    aiming = [loss for loss in losses if metric_of(loss) == metric]
    return aiming[0] if aiming else leading_loss(losses)
