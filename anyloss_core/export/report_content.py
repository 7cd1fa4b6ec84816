"""What stands in the report of a comparison, of a sweep of L and of a benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from anyloss_core.common.wording import loss_words, metric_words
from anyloss_core.comparison import tables
from anyloss_core.comparison.answer import answer
from anyloss_core.comparison.comparison import Comparison
from anyloss_core.comparison.promise import recipe_table, training_words
from anyloss_core.data.profile import leak_words
from anyloss_core.export.report import ReportSection, render
from anyloss_core.figures import benchmark as suite_figures
from anyloss_core.figures import comparison as figures
from anyloss_core.figures import sweep as sweep_figures
from anyloss_core.figures.verdicts import outcome_bars
from anyloss_core.losses.approximation import valid_range
from anyloss_core.losses.scores import METRICS
from anyloss_core.statistics.analysis import count_wins, dataset_differences
from anyloss_core.statistics.bayes import ROPE, sign_test
from anyloss_core.statistics.score_table import Contest
from anyloss_core.statistics.suite_sentence import suite_headline
from anyloss_core.statistics.verdict_sentence import aim_of, fold_verdicts
from anyloss_core.statistics.verdicts import each, verdict_table

if TYPE_CHECKING:
    from anyloss_core.benchmark.results import Benchmark
    from anyloss_core.sweep.sweep import Sweep

MEANS = "Mean ± standard deviation over the folds, on rows that the model has not seen; "
LARGEST_SHARE = (
    "How probably losses, ties or wins (at the right: wins / ties / losses) are the most frequent "
    "among all such data sets; not how probable each is on one of them."
)
VALID_AT = 1e-7  # accuracy level of the shaded range of L: the finest with a range in float32


def comparison_report(
    comparison: Comparison,
    *,
    candidate: str | None = None,
    baseline: str | None = None,
    metric: str | None = None,
    rope: float = ROPE,
) -> str:
    """The report of a comparison as HTML; the choices are those of `own_contest`."""
    scores, settings = tables.all_scores(comparison, metric), comparison.settings
    chosen = {"candidate": candidate, "baseline": baseline, "metric": metric}
    found = answer(comparison, **chosen, rope=rope)
    candidate, baseline, metric = found.contest
    sections = [_means(scores, rope, tables.method_words(comparison), settings)]
    if baseline != candidate:
        sections += _differences(scores, baseline, metric, rope, settings)
    sections += _behaviour(comparison, metric)
    leaks = settings.get("leaks")  # runs of earlier versions know of none
    if len(comparison.curves):  # nothing was trained of predictions that were brought
        sections += _training(comparison, metric)
    return render(
        f"Comparison of losses on {settings['dataset']}",
        f"{found.advice.text} {found.headline}",
        sections,
        _shown(settings, comparison.total_seconds),
        (*([leak_words(leaks)] if leaks else []), *comparison.notes),
    )


def sweep_report(sweep: Sweep) -> str:
    """The report of a sweep of L as HTML."""
    from anyloss_core.sweep.words import sweep_headline

    summary = sweep.summary()
    found = valid_range(VALID_AT, sweep.settings.get("dtype") or "float64")
    valid = None if found.empty else (found.minimum, found.maximum)
    shown = summary.drop(columns="L")
    sections = [
        ReportSection(
            "Score against L",
            sweep_figures.score_by_amplifier(summary, valid),
            shown,
            f"Band: one standard deviation over the folds. Shaded: valid L at t = {VALID_AT:g}.",
        ),
        ReportSection(
            "Dead samples",
            sweep_figures.dead_by_amplifier(summary, valid),
            shown[["metric", "setting", "dead_share"]],
            "Share of training rows whose slope is exactly 0 at the end: they no longer count.",
        ),
    ]
    name, settings = sweep.settings["dataset"], _shown(sweep.settings, sweep.total_seconds)
    return render(f"Sweep of L on {name}", sweep_headline(sweep, name), sections, settings)


def benchmark_report(benchmark: Benchmark, baseline: str | None = None, rope: float = ROPE) -> str:
    """The report of a benchmark as HTML."""
    scores = benchmark.scores
    losses = list(scores["loss"].unique())
    baseline = baseline or ("bce" if "bce" in losses else losses[0])
    metrics = scores["metric"].unique()
    contests = [
        Contest(loss, baseline, aim_of(loss, metrics)) for loss in losses if loss != baseline
    ]
    failed = [f"{row.dataset} failed: {row.reason}" for row in benchmark.failed.itertuples()]
    settings = _shown(benchmark.settings.comparison.to_dict(), benchmark.seconds)
    return render(
        f"Benchmark on {scores['dataset'].nunique()} data sets ({benchmark.settings.suite})",
        suite_headline(scores, baseline=baseline, rope=rope, choosing=benchmark.choosing),
        _suite_sections(benchmark, contests, rope),
        settings | {"suite": benchmark.settings.suite},
        failed,
    )


def _means(
    scores: pd.DataFrame, rope: float, tuning: str, settings: dict[str, Any]
) -> ReportSection:
    marked = tables.marked_table(scores, rope, settings)
    marked = marked.rename(index=loss_words, columns=metric_words).T
    note = (
        f"{MEANS}{tables.BEST} beats all others, {tables.NEAR} is not decidedly beaten by the best "
        f"(rope {rope:g}). {tuning}".strip()
    )
    return ReportSection("Scores", table=marked.rename_axis("metric").reset_index(), note=note)


def _differences(
    scores: pd.DataFrame, baseline: str, metric: str, rope: float, settings: dict[str, Any]
) -> list[ReportSection]:
    gaps = tables.fold_differences(scores, metric, baseline)
    if scores["fold"].nunique() < 2:
        return []
    verdicts = fold_verdicts(scores, baseline, metric, settings, rope)
    drawn = figures.fold_difference(gaps, baseline, metric_words(metric), rope)
    return [
        ReportSection(f"Difference to {loss_words(baseline, metric)} on every fold", drawn, gaps),
        ReportSection(
            f"Who wins on {metric_words(metric)}",
            outcome_bars(verdicts),
            verdict_table(verdicts),
            "Bayesian correlated t-test (Benavoli et al. 2017); wins, ties and losses are folds. "
            "The folds spread at least by what one flipped row changes.",
        ),
    ]


def _behaviour(comparison: Comparison, metric: str) -> list[ReportSection]:
    confusion = comparison.confusion_for(metric)
    pooled = tables.pooled_confusion(confusion)
    matrices = ReportSection(
        "Confusion matrices",
        figures.confusion_matrices(pooled, metric),
        confusion,
        f"Held-out rows of all folds added. {tables.method_words(comparison, metric)}".strip(),
    )
    return [matrices, *(_learned(comparison, metric) if len(comparison.curves) else [])]


def _learned(comparison: Comparison, metric: str) -> list[ReportSection]:
    known = metric if metric in METRICS else "f1"
    bands = tables.curve_bands(comparison.curves, known)
    learned = figures.band_curves(bands, "epoch", "epoch", metric_words(known), (-1.0, 1.0))
    times = tables.relative_times(comparison.seconds)
    return [
        ReportSection(f"{metric_words(known)} on held-out rows while learning", learned, bands),
        ReportSection("Learning time", figures.time_bars(times), times),
    ]


def _training(comparison: Comparison, metric: str) -> list[ReportSection]:
    trained = comparison.settings["trained"]
    rows = [
        {"loss": loss_words(loss), **values, "recipes": _recipes_words(values)}
        for loss, values in trained.items()
    ]
    how = pd.DataFrame(rows).astype(object)
    words, taken = training_words(comparison, metric), recipe_table(comparison, metric)
    sections = [ReportSection("How each loss was trained", table=how, note=words)]
    return (
        [*sections, ReportSection("Recipe of every fold", table=taken)] if len(taken) else sections
    )


def _recipes_words(trained: dict[str, Any]) -> str:
    taken = trained.get("recipes") or {}
    return ", ".join(f"{recipe} in {count}" for recipe, count in taken.items())


def _shown(settings: dict[str, Any], seconds: float) -> dict[str, Any]:
    """What was set; the rest was the protocol's and stands in the table of training."""
    elsewhere = ("trained", "leaks")
    given = {k: v for k, v in settings.items() if v is not None and k not in elsewhere}
    return given | {"seconds": seconds}


def _suite_sections(
    benchmark: Benchmark, contests: Sequence[Contest], rope: float
) -> list[ReportSection]:
    scores, sections = benchmark.scores, []
    for candidate, baseline, metric in contests:
        pair = scores[(scores["metric"] == metric) & scores["loss"].isin((candidate, baseline))]
        ours, theirs = (loss_words(loss, metric) for loss in (candidate, baseline))
        words = f"{ours} against {theirs} on {metric_words(metric)}"
        counts, verdicts = count_wins(pair, baseline, rope), each(sign_test(pair, rope, baseline))
        gaps = dataset_differences(pair, candidate, baseline, metric)
        by_ratio = suite_figures.difference_by_imbalance(
            gaps, benchmark.ratios, rope, f"difference in {metric_words(metric)}"
        )
        sections += [
            ReportSection(f"{words}: data sets", suite_figures.win_tie_loss_bars(counts), counts),
            ReportSection(
                f"{words}: sign test",
                outcome_bars(verdicts),
                verdict_table(verdicts),
                LARGEST_SHARE,
            ),
            ReportSection(f"{words}: by imbalance", by_ratio, gaps),
        ]
    facts = ["dataset", "rows", "features", "positives", "ratio", "fingerprint", "seconds", "notes"]
    return [*sections, ReportSection("Data sets", table=benchmark.done[facts])]
