"""Who wins on many data sets, and how surely: verdicts, imbalance, ranks, every data set."""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from anyloss_core.benchmark import evidence as tables
from anyloss_core.benchmark.evidence import Evidence
from anyloss_core.common.wording import loss_words, metric_words
from anyloss_core.figures import benchmark as figures
from anyloss_core.figures.verdicts import outcome_bars, posterior_simplex
from anyloss_core.statistics.analysis import count_wins, dataset_differences
from anyloss_core.statistics.bayes import INSTALL, has_hierarchical
from anyloss_core.statistics.ranks import rank_losses
from anyloss_core.statistics.score_table import score_matrix
from anyloss_core.statistics.suite_sentence import suite_headline
from anyloss_core.statistics.verdict_sentence import aim_of, leading_loss
from anyloss_core.statistics.verdicts import Verdict, verdict_table
from pages.ui.base.plain_words import lead
from pages.ui.base.state import Board
from pages.ui.base.text import in_markdown, literal
from pages.ui.charts.charts import show_figure, show_formula, show_table
from pages.ui.choice.question import (
    Question,
    loss_values,
    pick,
    pick_baseline,
    pick_rope,
    verdict_words,
)
from pages.ui.many.formulas import GROUPS, RANKS, TEST_FORMULAS, TEST_NAMES, WINS

ROPES = (0.01, 0.05)  # the paper's two
SMALLEST = 0.0001  # Monte-Carlo error that is still spelled out
Open = Callable[[str, "BenchmarkView"], None]


@dataclass(frozen=True)
class BenchmarkView(Question):
    """Scores of many data sets, and what the visitor wants to see of them."""

    evidence: Evidence
    key: str  # names the scores, for caches
    test: str
    open_dataset: Open | None  # shows the comparison of one data set, if there is one

    def words(self, loss: str) -> str:
        """What a loss is called, with the metric that its threshold is tuned for."""
        return loss_words(loss, self.metric)

    def verdicts(self) -> list[Verdict]:
        """All losses against the baseline on the chosen metric."""
        return _verdicts(self.key, self.test, self.metric, self.baseline, self.rope, self.evidence)


def show(
    evidence: Evidence, key: str, board: Board, open_dataset: Open | None
) -> BenchmarkView | None:
    """The whole analysis; None when there is nothing to compare."""
    if len(evidence.losses) < 2:
        st.info("One loss has nothing to be compared with. Add another.", icon=":material/info:")
        return None
    above = st.container()
    view = choose_view(evidence, key, board, open_dataset)
    with above:
        lead(suite_headline(evidence.scores, **view.asked, choosing=evidence.choosing))
        show_formula(TEST_FORMULAS["sign"], "many.sentence", "How sure is that?")
    board.segments("view", "Look at", format_func=SECTION_NAMES.get, label_visibility="collapsed")
    SECTIONS[board["view"]](view)
    return view


def choose_view(
    evidence: Evidence, key: str, board: Board, open_dataset: Open | None
) -> BenchmarkView:
    """Metric, candidate, baseline, rope and test, with what is sensible when nothing is chosen."""
    losses = evidence.losses
    columns = st.columns([2, 2, 2, 2], vertical_alignment="top", gap="medium")
    with columns[0]:
        chosen = board["candidate"] if board["candidate"] in losses else leading_loss(losses)
        metric = pick(board, "metric", evidence.metrics, aim_of(chosen, evidence.metrics))
    with columns[1]:
        aiming = [loss for loss in losses if aim_of(loss, evidence.metrics) == metric]
        aiming = [loss for loss in aiming if tables.is_anyloss(loss)] or [leading_loss(losses)]
        candidate = pick(board, "candidate", losses, aiming[0])
    with columns[2]:
        baseline = pick_baseline(board, losses, candidate)
    with columns[3]:
        rope = _rope(board)
    lacking = _missing_test(evidence)
    tests = [name for name in tables.TESTS if name != "hierarchical" or lacking is None]
    test = board.segments("test", "Test", options=tests, format_func=TEST_NAMES.get, help=lacking)
    return BenchmarkView(metric, candidate, baseline, rope, evidence, key, test, open_dataset)


def verdict(view: BenchmarkView) -> None:
    """Wins, ties and losses; the Bayesian test; all contests as a table."""
    left, right = st.columns(2, gap="large")
    baseline = view.words(view.baseline)
    with left:
        st.header("Data sets won, tied and lost")
        counts = count_wins(view.evidence.of(view.metric), view.baseline, view.rope)
        show_figure(
            figures.win_tie_loss_bars(counts),
            "many.wins_ties_losses",
            alt=f"{view.metric_label} of each loss against {baseline}. "
            + " ".join(
                f"{view.words(c.candidate)}: {c.wins} won, {c.ties} tied, {c.losses} lost."
                for c in counts.itertuples()
            ),
            table=counts,
            formula=WINS,
        )
    with right:
        st.header("How sure is that?")
        found = view.verdicts()
        show_figure(
            outcome_bars(found),
            "many_verdicts",
            alt=f"{TEST_NAMES[view.test]} on {view.metric_label} against {baseline}, rope "
            f"{view.rope:g}. " + " ".join(map(verdict_words, found)),
            table=verdict_table(found),
            filename=f"{view.test}_test",
            formula=TEST_FORMULAS[view.test],
        )
    _simplex(view, next(v for v in found if v.candidate == view.candidate))
    st.header(f"Every AnyLoss against every baseline, by {in_markdown(view.metric_label)}")
    contests = _contests(view.key, view.test, view.rope, view.metric, view.evidence)
    show_table(contests, "many.contests", formula=TEST_FORMULAS[view.test])


def imbalance(view: BenchmarkView) -> None:
    """The difference against the imbalance of the data sets, one by one and in groups."""
    evidence = view.evidence
    gaps = dataset_differences(evidence.scores, view.candidate, view.baseline, view.metric)
    gaps = gaps[gaps["dataset"].isin(evidence.ratios)]
    if gaps.empty:
        st.info(
            "How imbalanced these data sets are is not known. Add a column positive_share to the "
            "file, the share of positive rows of the data set; those of the built-in suites are "
            "known by their names.",
            icon=":material/info:",
        )
        return
    words = f"{view.words(view.candidate)} minus {view.words(view.baseline)}"
    st.header("Difference on every data set")
    point = show_figure(
        figures.difference_by_imbalance(
            gaps, evidence.ratios, view.rope, f"{view.metric_label}: difference"
        ),
        "many.difference_by_imbalance",
        alt=f"{view.metric_label}, {words}, against the imbalance; {len(gaps)} data sets, mean "
        f"difference {gaps['difference'].mean():+.4f}.",
        table=gaps.assign(ratio=gaps["dataset"].map(evidence.ratios)),
        clickable=view.open_dataset is not None,
    )
    if view.open_dataset is not None:
        st.caption("One point a data set. Click it to open its comparison.")
        if point and point.get("custom"):
            view.open_dataset(str(point["custom"][0]), view)
    st.header("By imbalance group")
    groups = tables.imbalance_table(evidence, view.metric, view.candidate, view.baseline)
    show_figure(
        figures.group_bars(groups),
        "many.imbalance_groups",
        alt=f"Mean of {view.metric_label}, {words}, per imbalance group. "
        + " ".join(
            f"{g.group}: {g.mean:+.4f} on {g.datasets} data sets." for g in groups.itertuples()
        ),
        table=groups,
        formula=GROUPS,
    )


def ranks(view: BenchmarkView) -> None:
    """Average ranks with the critical difference."""
    if view.evidence.of(view.metric)["dataset"].nunique() < 2:
        st.info("Ranks need two data sets.", icon=":material/info:")
        return
    ranking = rank_losses(view.evidence.scores, view.metric)
    st.header(f"Average ranks on {ranking.n_datasets} data sets")
    show_figure(
        figures.critical_difference_diagram(ranking),
        "many.ranks",
        alt=f"Average ranks on {view.metric_label}, best first: "
        f"{loss_values(ranking.ranks, '.2f')}. "
        f"Critical difference {ranking.critical_difference:.2f}.",
        table=ranking.ranks.rename("average rank").rename_axis("loss").reset_index(),
        formula=RANKS,
    )
    st.caption(
        f"Losses joined by a bar were not shown to differ at level {ranking.alpha:g}. Friedman's "
        "test: if all losses were equal, ranks this far apart would have probability "
        f"{ranking.p_value:.2g}."
    )


def datasets(view: BenchmarkView) -> None:
    """Every data set: a table to sort, and a heatmap."""
    evidence = view.evidence
    table = tables.dataset_table(evidence, view.metric, view.candidate, view.baseline)
    st.header(f"{in_markdown(view.metric_label)} on every data set")
    selecting = {} if view.open_dataset is None else _SELECTING
    in_words = {loss: view.words(loss) for loss in evidence.losses}
    event = show_table(table, "many.datasets", column_config=in_words, **selecting)
    if view.open_dataset is not None:
        rows = event.selection.rows
        name = str(table["dataset"].iloc[rows[0]]) if rows else ""
        words = (
            f"Open the comparison of {literal(name, 40)}"
            if name
            else "Choose a row to open its comparison"
        )
        if st.button(words, key="many.open", disabled=not name, icon=":material/open_in_new:"):
            view.open_dataset(name, view)
    matrix = score_matrix(evidence.scores, view.metric)
    st.header("Data sets x losses")
    show_figure(
        figures.score_heatmap(matrix, view.metric_label),
        "many.heatmap",
        alt=f"Heatmap of {view.metric_label}, {len(matrix)} data sets by {matrix.shape[1]} losses; "
        f"a dot marks the best loss of a data set. Means: {loss_values(matrix.mean())}",
        table=matrix.reset_index(),
    )


def _rope(board: Board) -> float:
    rope = pick_rope(board)
    with st.container(horizontal=True, gap="small", key="many.ropes"):
        for value in ROPES:
            st.button(
                f"{value:g}",
                key=f"many.rope:{value:g}",
                type="tertiary",
                on_click=board.set,
                args=("rope", value),
            )
    return rope


def _simplex(view: BenchmarkView, verdict: Verdict) -> None:
    st.header("What could be true")
    show_figure(
        posterior_simplex(verdict),
        "many.posterior",
        alt="Draws of the posterior in the triangle baseline, draw, candidate. "
        + verdict_words(verdict),
        table=lambda: pd.DataFrame(
            verdict.posterior, columns=["baseline better", "no difference", "candidate better"]
        ),
        formula=TEST_FORMULAS[view.test],
    )
    known = verdict.error >= SMALLEST
    error = f"{verdict.error:.4f}" if known else f"below {SMALLEST:g}"
    st.caption(
        "Each point is one possible world: how large a share of all data sets prefers which loss. "
        f"The Monte-Carlo error of the probabilities is {error}."
    )


@st.cache_data(show_spinner="Testing", max_entries=64)
def _verdicts(
    key: str, test: str, metric: str, baseline: str, rope: float, _evidence: Evidence
) -> list[Verdict]:
    return tables.run_test(_evidence, test, metric, baseline, rope)


@st.cache_data(show_spinner="Testing", max_entries=32)
def _contests(key: str, test: str, rope: float, metric: str, _evidence: Evidence) -> pd.DataFrame:
    found = tables.contest_table(_evidence, test, rope, (metric,))
    named = {"metric": metric_words, "candidate": loss_words, "baseline": loss_words}
    in_words = found.assign(**{name: found[name].map(words) for name, words in named.items()})
    return in_words.rename(columns=lambda name: name.replace("_", " "))


def _missing_test(evidence: Evidence) -> str | None:
    """Why the hierarchical test is not on offer."""
    if evidence.folds is None:
        return "The hierarchical test needs the scores of every fold; these are means."
    return None if has_hierarchical() else f"The hierarchical test needs pystan: `{INSTALL}`"


_SELECTING = {"on_select": "rerun", "selection_mode": "single-row"}
SECTIONS = {"verdict": verdict, "imbalance": imbalance, "ranks": ranks, "datasets": datasets}
SECTION_NAMES = {
    "verdict": "Who wins",
    "imbalance": "Imbalance",
    "ranks": "Ranks",
    "datasets": "Every data set",
}
