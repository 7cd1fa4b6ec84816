"""The result of a comparison: a sentence, the table of means, and who beats whom how surely."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from anyloss_core import comparison_tables as tables
from anyloss_core.comparison import Comparison
from anyloss_core.comparison_job import load_comparison
from anyloss_core.figures import comparison as figures
from anyloss_core.figures.verdicts import fold_posterior
from anyloss_core.verdict_sentence import aim_of, fold_verdict, headline, leading_loss
from anyloss_core.verdicts import FoldVerdict, verdict_table
from anyloss_core.wording import loss_words
from pages.ui import loss_choice, runs
from pages.ui.charts import show_figure, show_formula, show_table
from pages.ui.metric_maths import in_maths
from pages.ui.plain_words import lead
from pages.ui.state import Board
from pages.ui.text import in_markdown, literal

T_TEST = r"""
**Bayesian correlated t-test** (Benavoli et al. 2017, computed by baycomp) on the
differences $d_1 \dots d_n$ of the folds, mean $\bar d$, variance $s^2$:

$$\delta \sim t_{n-1}\left(\bar d,\ \left(\tfrac1n + \tfrac{\rho}{1-\rho}\right) s^2\right),
\qquad \rho = \tfrac{1}{k}$$

$\rho$ allows for the training rows that the $k$ folds share. The **rope** is the region of
practical equivalence: $P(\text{win}) = P(\delta > \text{rope})$,
$P(\text{draw}) = P(|\delta| \le \text{rope})$, $P(\text{lose}) = P(\delta < -\text{rope})$.

In the sentence, the number after ± is the scale of this distribution, and a winner is named from
a probability of 0.8 on."""
LIVE = r"""
The confusion matrices of all folds in training are added, and the metric is worked out once. The
result at the end is the mean of the folds instead, so the two can differ a little."""
DIFFERENCE = r"""
$d_i = \text{score}_i(\text{loss}) - \text{score}_i(\text{baseline})$ on the held-out
rows of fold $i$; both losses see the same folds and start from the same weights. Diamond: mean
with one standard deviation. Shaded: the rope."""


@dataclass(frozen=True)
class View:
    """A comparison, and what the visitor wants to see of it."""

    comparison: Comparison
    key: str  # of the comparison: what was worked out once is found again
    metric: str
    candidate: str
    baseline: str | None  # None when there is only one loss
    rope: float
    metrics: tuple[str, ...]

    def once(self, work: Callable, *chosen: object, source: str = "confusion") -> object:
        """work(a table of the comparison, *chosen), remembered."""
        table = getattr(self.comparison, source)
        return _once(self.key, work.__qualname__, chosen, lambda: work(table, *chosen))

    def remembered(self, name: str, make: Callable[[], object], *chosen: object) -> object:
        """make(), remembered for this metric, these rivals and this rope."""
        settings = (self.metric, self.candidate, self.baseline, self.rope, self.metrics, *chosen)
        return _once(self.key, name, settings, make)

    @property
    def scores(self) -> pd.DataFrame:
        """Tidy scores of the shown metrics, the chosen one first."""
        return self.once(tables.metric_scores, self.metrics)

    @property
    def metric_label(self) -> str:
        return loss_choice.metric_option(self.metric)

    @property
    def losses(self) -> list[str]:
        return list(self.comparison.seconds)

    def verdicts(self, metric: str) -> list[FoldVerdict]:
        """Every other loss against the baseline."""
        return self.remembered("verdicts", lambda: self._verdicts(metric), metric)

    def _verdicts(self, metric: str) -> list[FoldVerdict]:
        rivals = [loss for loss in self.losses if loss != self.baseline]
        settings = self.comparison.settings
        return [
            fold_verdict(self.scores, loss, self.baseline, metric, settings, self.rope)
            for loss in rivals
        ]


@st.cache_resource(show_spinner=False, max_entries=8)
def load(run_id: str, attempt: int, finished: float | None) -> Comparison | None:
    """The kept result; a run that is over does not change, but a resumed one has new results."""
    return load_comparison(runs.store(), run_id)


@st.cache_resource(show_spinner=False, max_entries=40)
def _once(key: str, work: str, chosen: tuple, _make: Callable) -> object:
    return _make()


def choose_view(comparison: Comparison, key: str, board: Board) -> View:
    """Metric, candidate, baseline and rope, with what is sensible when nothing is chosen."""
    losses = list(comparison.seconds)
    columns = st.columns([2, 2, 2, 2], vertical_alignment="bottom", gap="medium")
    with columns[0]:
        lead = board["candidate"] if board["candidate"] in losses else leading_loss(losses)
        own = lead.partition("@")[0].partition(":")[2]
        aim = aim_of(lead, [*loss_choice.metrics_on_offer(), own])
        metric = _pick(board, "metric", "Metric", loss_choice.metrics_on_offer(), aim)
    with columns[1]:
        candidate = _pick(board, "candidate", "Candidate", losses, _candidate(losses, metric))
    with columns[2]:
        rivals = [loss for loss in losses if loss != candidate]
        auto = "bce" if "bce" in rivals else next(iter(rivals), "")
        baseline = _pick(board, "baseline", "Baseline", rivals, auto) if rivals else None
    with columns[3]:
        rope = board.slider(
            "rope",
            "Rope",
            step=0.005,
            format="%.3f",
            help="A difference up to this size is no difference in practice.",
        )
    metrics = tuple(dict.fromkeys((metric, *board["metrics"])))
    return View(comparison, key, metric, candidate, baseline, rope, metrics)


def sentence(view: View) -> str:
    """The result in words, the same as on the command line."""
    settings = view.comparison.settings
    chosen = {"candidate": view.candidate, "baseline": view.baseline, "metric": view.metric}
    return headline(view.scores, settings["dataset"], settings, rope=view.rope, **chosen)


def show_sentence(view: View) -> None:
    """The sentence in large letters."""
    lead(view.remembered("sentence", lambda: sentence(view)))
    show_formula(T_TEST, "sentence", "How sure is that?")
    notes(view.comparison)


def notes(comparison: Comparison) -> None:
    """What a reader must know: stopped early, collapsed or diverged models."""
    settings = comparison.settings
    if settings["epochs_done"] < settings["epochs"]:
        st.info(
            f"Stopped after {settings['epochs_done']} of {settings['epochs']} epochs: the figures "
            "show what was trained until then.",
            icon=":material/info:",
        )
    for note in comparison.notes:
        st.warning(literal(note, 300), icon=":material/warning:")


def mean_table(view: View, board: Board) -> None:
    """Losses x metrics, the best marked."""
    shown = view.remembered("means", lambda: _marked(view))
    folds = view.scores["fold"].nunique()
    wide = {"Loss": st.column_config.TextColumn(width=190)}
    formulas = metric_formulas(view.metrics)
    # All losses at a glance: by itself the table would hide those after the tenth.
    more = {"column_config": wide, "height": "content"}
    show_table(shown, "means", "comparison", formula=formulas, **more)
    st.caption(
        f"Mean ± standard deviation over {folds} folds, on rows that the model has not seen. "
        f"{tables.BEST} highest mean (several when equal), {tables.NEAR} a tie: within the rope "
        f"of {view.rope:g} of the best."
    )
    with st.popover("Metrics shown", icon=":material/checklist:"):
        loss_choice.metrics(board, "metrics", "Metrics")


def _marked(view: View) -> pd.DataFrame:
    marked = tables.marked_table(view.scores, view.rope)
    shown = marked.rename(index=loss_words, columns=loss_choice.metric_option)
    return shown.rename_axis("Loss").reset_index()


def metric_formulas(metrics: Sequence[str]) -> str:
    """The shown metrics as maths."""
    return f"Each score is worked out per fold from its confusion matrix.\n\n{in_maths(metrics)}"


def difference(view: View) -> None:
    """Fold by fold, and the Bayesian test."""
    if view.baseline is None:
        st.info("There is nothing to compare one loss with. Add another and compare again.")
        return
    gaps = tables.fold_differences(view.scores, view.metric, view.baseline)
    verdicts = view.verdicts(view.metric)
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Difference on every fold")
        show_figure(
            figures.fold_difference(gaps, view.baseline, view.metric_label, view.rope),
            "difference",
            alt=f"{view.metric_label} of each loss minus that of {loss_words(view.baseline)} on "
            f"every fold. {_means_in_words(gaps)}",
            table=gaps,
            filename="difference_per_fold",
            formula=DIFFERENCE,
        )
    with right:
        st.subheader(f"Against {in_markdown(loss_words(view.baseline))}")
        show_figure(
            figures.outcome_bars(verdicts),
            "outcomes",
            alt=f"Probabilities of winning, drawing and losing on {view.metric_label}. "
            + " ".join(map(_verdict_in_words, verdicts)),
            table=lambda: verdict_table([v for m in view.metrics for v in view.verdicts(m)]),
            filename="win_draw_lose",
            formula=T_TEST,
        )
    chosen = next(v for v in verdicts if v.candidate == view.candidate)
    _posterior(chosen, view.metric_label)


def _posterior(verdict: FoldVerdict, metric: str) -> None:
    low, high = verdict.interval()
    ours, theirs = loss_words(verdict.candidate), loss_words(verdict.baseline)
    st.subheader("What the folds say about the difference")
    show_figure(
        fold_posterior(verdict),
        "posterior",
        alt=f"Posterior density of the difference in {metric} between {ours} and {theirs}: mean "
        f"{verdict.difference:.4f}, 95 % between {low:.4f} and {high:.4f}. "
        + _verdict_in_words(verdict),
        table=lambda: verdict_table(verdict).assign(low_95=low, high_95=high),
        filename="posterior",
        formula=T_TEST,
    )
    st.caption(
        f"Mean difference {verdict.difference:+.4f}; with 95 % probability it lies between "
        f"{low:+.4f} and {high:+.4f}."
    )


def _pick(board: Board, name: str, label: str, options: Sequence[str], auto: str) -> str:
    """A choice that may be left to the page; '' stands for that."""
    words = loss_choice.metric_option if name == "metric" else loss_choice.loss_option
    known = dict.fromkeys(("", *options))
    if name == "metric" and board[name]:
        known[board[name]] = None
    if board[name] not in known:
        board.set(name, "")
    picked = board.select(
        name,
        label,
        options=list(known),
        format_func=lambda value: words(value) if value else f"{words(auto)} (automatic)",
    )
    return picked or auto


def _candidate(losses: Sequence[str], metric: str) -> str:
    """The loss that aims at the metric, or else the first that aims at any."""
    aiming = [loss for loss in losses if loss.partition("@")[0].endswith(f":{metric}")]
    return aiming[0] if aiming else leading_loss(losses)


def _verdict_in_words(verdict: FoldVerdict) -> str:
    return (
        f"{loss_words(verdict.candidate)}: wins {verdict.candidate_wins:.2f}, draws "
        f"{verdict.draw:.2f}, loses {verdict.baseline_wins:.2f}."
    )


def _means_in_words(gaps: pd.DataFrame) -> str:
    means = gaps.groupby("loss", sort=False)["difference"].mean()
    return "Means: " + ", ".join(f"{loss_words(k)} {v:+.4f}" for k, v in means.items()) + "."
