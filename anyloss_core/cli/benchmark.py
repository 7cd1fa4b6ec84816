"""Compare losses on many data sets: wins, ties, losses and the Bayesian sign test.

Suites: real (public tables), synthetic (generated twins of the paper's 102), openml:31,1464, or
a folder or zip of tables. Every finished data set is kept: a killed benchmark goes on where it
stopped when the same command is given again.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from anyloss_core.cli.console import (
    ProgressBar,
    add_yes,
    check_patience,
    filled,
    output_file,
    print_table,
    rope_width,
)

if TYPE_CHECKING:
    from anyloss_core.benchmark.results import Benchmark

SUMMARY = "which loss wins on many data sets?"
EXAMPLES = """\
examples:
  benchmark --suite real --losses bce,anyloss:f1 --workers 2 --out scores.csv
  benchmark --suite my_tables/ --model mlp --losses bce,anyloss:gmean --out scores.csv
  benchmark --suite synthetic --losses bce,anyloss:f1 --dask tcp://10.0.0.1:8786 --out scores.csv
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `benchmark`."""
    suites = "real, large, synthetic, openml:..., FOLDER, ZIP"
    parser.add_argument("--suite", default="real", help=suites)
    parser.add_argument("--model", default="slp", help="slp or mlp; default: %(default)s")
    parser.add_argument(
        "--losses", type=filled, default="bce,anyloss:f1", help="default: %(default)s"
    )
    parser.add_argument("--protocol", default="fresh", help="fresh or paper")
    parser.add_argument("--folds", type=int, default=10, help="default: %(default)s")
    parser.add_argument("--seeds", type=int, default=1, help="starts per fold")
    parser.add_argument("--epochs", type=int, help="default: the protocol's")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, default=1, metavar="N", help="processes here")
    where.add_argument("--dask", type=filled, metavar="ADDRESS", help="a Dask cluster instead")
    parser.add_argument("--baseline", type=filled, help="default: bce, or the first loss")
    parser.add_argument(
        "--rope", type=rope_width, default=0.01, help="smaller differences are draws"
    )
    parser.add_argument(
        "--out", type=output_file, required=True, metavar="FILE", help="tidy scores as CSV"
    )
    parser.add_argument(
        "--report", type=output_file, metavar="OUT.html", help="a self-contained report"
    )
    add_yes(parser)


def run(chosen: argparse.Namespace) -> None:
    """Run or resume, write the scores, print who won."""
    from anyloss_core.benchmark.benchmark import run_benchmark
    from anyloss_core.losses.spelling import parse_loss, split_losses

    if chosen.report:  # tell that plotly is missing before the work
        import anyloss_core.figures  # noqa: F401
    losses = [parse_loss(loss).spelling for loss in split_losses(chosen.losses)]
    baseline = chosen.baseline or ("bce" if "bce" in losses else losses[0])
    if baseline not in losses:
        raise ValueError(f"--baseline must be one of the losses {', '.join(losses)}")
    with ProgressBar("benchmark") as progress:
        benchmark = run_benchmark(
            chosen.suite,
            losses,
            chosen.model,
            chosen.protocol,
            chosen.folds,
            chosen.seeds,
            workers=chosen.workers,
            dask=chosen.dask,
            out=chosen.out,
            on_estimate=lambda seconds: check_patience(seconds, chosen.yes),
            on_progress=lambda run: progress(run.share, run.message, run.eta),
            epochs=chosen.epochs,
        )
    if chosen.report and len(losses) > 1 and len(benchmark.scores):
        from anyloss_core.export.report_content import benchmark_report

        page = benchmark_report(benchmark, baseline, chosen.rope)
        Path(chosen.report).write_text(page, encoding="utf-8")
    _print(benchmark, losses, baseline, chosen)


def _print(
    benchmark: Benchmark, losses: list[str], baseline: str, chosen: argparse.Namespace
) -> None:
    from anyloss_core.statistics.bayes import sign_test
    from anyloss_core.statistics.suite_sentence import suite_headline
    from anyloss_core.statistics.verdict_sentence import aim_of
    from anyloss_core.statistics.verdicts import verdict_table

    for row in benchmark.failed.itertuples():
        print(f"failed: {row.dataset}: {row.reason}")
    if len(losses) < 2 or benchmark.scores.empty:
        return
    metrics = benchmark.scores["metric"].unique()
    aims = dict.fromkeys(aim_of(loss, metrics) for loss in losses if loss != baseline)
    scores = benchmark.scores[benchmark.scores["metric"].isin(aims)]
    shown = ["metric", "candidate", "baseline", "rope", "wins", "ties", "losses"]
    shown += ["candidate_wins", "draw", "baseline_wins"]
    print_table(verdict_table(sign_test(scores, chosen.rope, baseline))[shown].round(4))
    how = {"baseline": baseline, "rope": chosen.rope, "choosing": benchmark.choosing}
    print(f"\n{suite_headline(benchmark.scores, **how)}")
