"""How sure are we that one loss beats another? Bayesian tests, as named probabilities.

The only importer of baycomp (Benavoli et al., JMLR 2017). baycomp calls its arguments left and
right and counts the difference right - left; here the baseline is always left and the candidate
right, and a difference inside the rope (region of practical equivalence) is a draw.
Across data sets: sign, signed-rank and hierarchical test, whose probabilities say which outcome has
the largest share of all data sets, not how often one is met; on one data set: correlated t-test.
"""

import contextlib
import importlib.util
import tempfile
from collections.abc import Callable, Iterable

import baycomp
import numpy as np
import pandas as pd
from scipy import stats

from anyloss_core.statistics.score_table import (
    RUNS,
    TIE,
    Contest,
    Pair,
    ScoreTableError,
    average_repeats,
    average_seeds,
    check_scores,
    contests,
    pair_scores,
)
from anyloss_core.statistics.verdicts import AnyVerdict, FoldVerdict, Verdict

ROPE = 0.01  # one point of a score: the paper's first choice; 0.05 is its second
SAMPLES = 50_000  # baycomp's default; the Monte-Carlo error is then at most 0.0023
SEED = 0
INSTALL = "pip install 'pystan>=3.10' 'setuptools<81'"  # of the hierarchical test
RANK_PRIOR = 0.5  # baycomp's weight of the pseudo-observation 0 in the signed-rank test
BLOCK = 2**22  # numbers held at once by the signed-rank test, about 32 MB


def sign_test(
    scores: pd.DataFrame,
    rope: float = ROPE,
    baseline: str = "bce",
    *,
    seed: int = SEED,
    samples: int = SAMPLES,
) -> Verdict | list[Verdict]:
    """Bayesian sign test of every other loss against `baseline`, as the paper used it.

    `scores` is tidy: dataset, loss, metric, score. Each data set votes once: better, worse, or
    within `rope`; one prior vote goes to the draw. One candidate on one metric gives one verdict,
    otherwise a list, metric by metric.
    """

    def draw(pair: Pair, _: Contest) -> np.ndarray:
        return baycomp.SignTest.sample(
            pair.baseline, pair.candidate, rope + TIE, nsamples=samples, random_state=seed
        )

    return _across_datasets(scores, rope, baseline, "sign test", draw)


def signed_rank_test(
    scores: pd.DataFrame,
    rope: float = ROPE,
    baseline: str = "bce",
    *,
    seed: int = SEED,
    samples: int = SAMPLES,
) -> Verdict | list[Verdict]:
    """Bayesian signed-rank test: as `sign_test`, but larger differences count for more."""

    def draw(pair: Pair, _: Contest) -> np.ndarray:
        return _signed_rank_posterior(pair.differences, rope, samples, seed)

    return _across_datasets(scores, rope, baseline, "signed-rank test", draw)


def correlated_t_test(
    scores: pd.DataFrame,
    rope: float = ROPE,
    baseline: str = "bce",
    *,
    folds: int | None = None,
    least_spread: float = 0.0,
) -> FoldVerdict | list[FoldVerdict]:
    """Bayesian correlated t-test on the folds of one data set (Nadeau-Bengio's correction).

    `scores` is tidy: loss, fold, metric, score. In a repeated cross-validation every repeat's folds
    carry their own number, and `folds` says how many one repeat has (None: all are of one). The
    folds are taken to spread by `least_spread` at least (`small_data`). The posterior is exact, so
    `error` is 0.
    """
    table = _folds_as_datasets(scores)
    rope = _checked_rope(rope)
    return _one_or_all(
        _fold_verdict(contest, pair_scores(table, *contest), rope, folds, least_spread)
        for contest in contests(table, baseline)
    )


def hierarchical_test(
    scores: pd.DataFrame, rope: float = ROPE, baseline: str = "bce", *, runs: int = 1
) -> Verdict | list[Verdict]:
    """Bayesian hierarchical test on the folds of many data sets; needs pystan, an optional package.

    `scores` is tidy with a column `fold`, equally many folds on every data set, `runs` repeats of
    the cross-validation together; seeds on one split (a column `seed`) are one measurement. Stan
    seeds itself, so two calls agree only within the Monte-Carlo error.
    """
    if not has_hierarchical():
        raise ModuleNotFoundError(
            f"the hierarchical test needs the package pystan ({INSTALL}); "
            "without it use sign_test or signed_rank_test"
        )
    table, splits = average_repeats(scores), average_seeds(scores)

    def draw(pair: Pair, contest: Contest) -> np.ndarray:
        left, right = _folds_by_dataset(splits, pair, contest)  # (N, K) each
        # baycomp pickles its last sample into the working directory and reads it back from there.
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            return baycomp.HierarchicalTest.sample(left, right, rope, runs=runs)

    return _across_datasets(table, rope, baseline, "hierarchical test", draw)


def has_hierarchical() -> bool:
    """Whether the optional package behind `hierarchical_test` is installed."""
    # pystan 3.10 imports pkg_resources, which setuptools 81 no longer brings.
    return all(importlib.util.find_spec(name) for name in ("stan", "pkg_resources"))


def _across_datasets(
    scores: pd.DataFrame,
    rope: float,
    baseline: str,
    test: str,
    draw: Callable[[Pair, Contest], np.ndarray],
) -> Verdict | list[Verdict]:
    table = check_scores(scores)
    rope = _checked_rope(rope)
    verdicts = []
    for contest in contests(table, baseline):
        pair = pair_scores(table, *contest)
        verdicts.append(_verdict(contest, pair, rope, test, draw(pair, contest)))
    return _one_or_all(verdicts)


def _verdict(
    contest: Contest, pair: Pair, rope: float, test: str, posterior: np.ndarray
) -> Verdict:
    # Not baycomp's `probs(with_rope=False)` at rope 0: it leaves out the draws, and ties are ties.
    wins = np.bincount(np.argmax(posterior, axis=1), minlength=3)
    baseline_wins, draw, candidate_wins = (wins / len(posterior)).tolist()
    return Verdict(
        *(*contest, rope, candidate_wins, draw, baseline_wins, *pair.votes(rope)),
        test=test,
        error=_monte_carlo_error(wins),
        n_datasets=len(pair.datasets),
        dropped=pair.dropped,
        difference=_difference(pair),
        spread=_spread(pair),
        posterior=posterior,
    )


def _fold_verdict(
    contest: Contest, pair: Pair, rope: float, folds: int | None, least_spread: float
) -> FoldVerdict:
    count = len(pair.datasets)
    folds = count if folds is None else folds
    if pair.dropped:
        raise ScoreTableError(
            f"scores: {pair.dropped} folds have only one of {contest.candidate!r} and "
            f"{contest.baseline!r}; score both losses on the same folds"
        )
    if count < 2 or folds < 2:
        raise ValueError(
            f"folds must be two or more, got {count} scores and {folds} folds of one repeat; "
            "score both losses on more folds"
        )
    # Nadeau and Bengio: test rows over training rows are 1 / (folds - 1), in every repeat.
    scale = max(_spread(pair), least_spread) * float(np.sqrt(1 / count + 1 / (folds - 1)))
    chances = _student_outcomes(pair.differences, scale, rope)
    return FoldVerdict(
        *(*contest, rope, *chances, *pair.votes(rope)),
        test="correlated t-test",
        error=0.0,
        n_datasets=1,
        dropped=0,
        difference=_difference(pair),
        spread=_spread(pair),
        folds=count,
        scale=scale,
        degrees=count - 1,
    )


def _student_outcomes(
    differences: np.ndarray, scale: float, rope: float
) -> tuple[float, float, float]:
    """P(win), P(draw), P(lose) of Student's distribution around the mean difference."""
    mean, beyond = float(differences.mean()), rope + TIE
    if scale <= TIE or (rope == 0 and np.abs(differences).max() <= TIE):  # equal throughout
        return float(mean > beyond), float(abs(mean) <= beyond), float(mean < -beyond)
    win = float(stats.t.sf(rope, len(differences) - 1, mean, scale))
    lose = float(stats.t.cdf(-rope, len(differences) - 1, mean, scale))
    return win, max(0.0, 1 - win - lose), lose


def _signed_rank_posterior(
    differences: np.ndarray, rope: float, samples: int, seed: int
) -> np.ndarray:
    """baycomp's signed-rank posterior (S, 3), draw for draw, as matrix products instead of a loop.

    The pseudo-observation 0 comes first; w are Dirichlet weights of the N + 1 differences, and a
    pair (i, j) counts for the candidate when d_i + d_j > 2 rope: w' A w over all pairs. A pair of
    exactly 2 rope is a tie, where baycomp gives half of it away.
    """
    values = np.concatenate(([0.0], differences))
    sums = values[:, None] + values[None, :]  # (N + 1, N + 1)
    above, below = ((sign * sums > 2 * (rope + TIE)).astype(np.float64) for sign in (1, -1))
    prior = np.ones(len(values))
    prior[0] = RANK_PRIOR
    random = np.random.RandomState(seed)
    shares = []
    for start in range(0, samples, size := max(1, BLOCK // len(values))):
        weights = random.dirichlet(prior, min(size, samples - start))  # (block, N + 1)
        right, left = (((weights @ side) * weights).sum(1) for side in (above, below))
        shares.append(np.column_stack((left, 1 - left - right, right)))
    return np.concatenate(shares)


def _folds_as_datasets(scores: pd.DataFrame) -> pd.DataFrame:
    """A fold counts as a data set, so that the same checks and pairing apply."""
    if "fold" not in scores.columns:
        raise ScoreTableError(
            f"scores lacks the column fold; expected loss, fold, metric, score, got "
            f"{', '.join(map(str, scores.columns))}"
        )
    if "dataset" in scores.columns and scores["dataset"].nunique() > 1:
        raise ScoreTableError(
            f"scores has {scores['dataset'].nunique()} data sets; the correlated t-test is for "
            "one, use sign_test for several"
        )
    return check_scores(scores.assign(dataset=scores["fold"]))


def _folds_by_dataset(
    scores: pd.DataFrame, pair: Pair, contest: Contest
) -> tuple[np.ndarray, np.ndarray]:
    """Baseline and candidate, each (data sets, folds)."""
    rows = scores[scores["metric"] == contest.metric]
    order = [name for name in (*RUNS, "fold") if name in rows.columns]
    rows = rows[rows["dataset"].astype(str).isin(pair.datasets)].sort_values(["dataset", *order])
    tables = [
        rows[rows["loss"] == loss].pivot(index="dataset", columns=order, values="score").to_numpy()
        for loss in (contest.baseline, contest.candidate)
    ]
    if tables[0].shape != tables[1].shape or any(np.isnan(table).any() for table in tables):
        raise ScoreTableError(
            f"scores: {contest.metric!r} of {contest.candidate!r} and {contest.baseline!r} "
            "needs the same folds on every data set for the hierarchical test"
        )
    return tables[0], tables[1]


def _checked_rope(rope: float) -> float:
    if not (np.isfinite(rope) and rope >= 0):
        raise ValueError(f"rope must be a number of at least 0, got {rope!r}; 0.01 is usual")
    return float(rope)


def _difference(pair: Pair) -> float:
    return float(pair.differences.mean())


def _spread(pair: Pair) -> float:
    return float(pair.differences.std(ddof=1)) if len(pair.datasets) > 1 else 0.0


def _monte_carlo_error(wins: np.ndarray) -> float:
    """Standard error of a share among the draws; one more draw each way keeps 0 and 1 honest."""
    shares = (wins + 1) / (wins.sum() + len(wins))
    return float(np.sqrt(shares * (1 - shares) / wins.sum()).max())


def _one_or_all(verdicts: Iterable[AnyVerdict]) -> AnyVerdict | list[AnyVerdict]:
    several = list(verdicts)
    return several[0] if len(several) == 1 else several
