"""Bayesian verdicts against oracles from outside: integrals, baycomp, Student's quantiles."""

import baycomp
import numpy as np
import pandas as pd
import pytest
from scipy import integrate, stats

from anyloss_core.statistics import bayes
from anyloss_core.statistics.bayes import (
    correlated_t_test,
    hierarchical_test,
    sign_test,
    signed_rank_test,
)
from anyloss_core.statistics.score_table import (
    Contest,
    ScoreTableError,
    average_repeats,
    pair_scores,
)


def versus(differences, candidate="anyloss:f1", baseline="bce", metric="f1", level=0.5):
    """Tidy scores in which the candidate exceeds the baseline by these differences."""
    rows = [
        (f"d{place}", loss, metric, level + gain)
        for place, difference in enumerate(differences)
        for loss, gain in ((baseline, 0.0), (candidate, difference))
    ]
    return pd.DataFrame(rows, columns=["dataset", "loss", "metric", "score"])


def votes(wins, draws, losses, size=0.1):
    return versus([size] * wins + [0.004] * draws + [-size] * losses)


def largest_of_dirichlet(alpha):
    """P(each component is the largest), by integrating over independent gamma variables."""

    def chance(first, others):
        def integrand(x):
            return stats.gamma.pdf(x, first) * np.prod([stats.gamma.cdf(x, a) for a in others])

        # From a little above 0: a weight of 0.0001 has a pole there that hides no probability.
        return integrate.quad(integrand, 1e-9, 400, limit=400, points=[0.01, *alpha])[0]

    return [chance(a, [b for j, b in enumerate(alpha) if j != i]) for i, a in enumerate(alpha)]


@pytest.mark.parametrize(
    ("wins", "draws", "losses"), [(40, 34, 28), (51, 50, 1), (10, 3, 12), (3, 1, 1), (5, 60, 37)]
)
def test_sign_test_equals_the_dirichlet_integral(wins, draws, losses):
    verdict = sign_test(votes(wins, draws, losses))
    expected = largest_of_dirichlet([wins + 1e-4, draws + 1 + 1e-4, losses + 1e-4])
    ours = [verdict.candidate_wins, verdict.draw, verdict.baseline_wins]
    assert ours == pytest.approx(expected, abs=0.01)
    assert np.abs(np.subtract(ours, expected)).max() < 4 * verdict.error
    assert sum(ours) == pytest.approx(1)


def test_sign_test_of_102_data_sets_is_as_in_the_paper_s_tables():
    """A published row (0.501, 0.499, 0) needs wins level with draws and hardly a loss."""
    verdict = sign_test(votes(50, 49, 3, size=0.2), rope=0.05)
    assert (verdict.candidate_wins, verdict.draw) == pytest.approx((0.5, 0.5), abs=0.01)
    assert verdict.baseline_wins == pytest.approx(0, abs=1e-4)
    assert verdict.n_datasets == 102


def test_the_winner_is_the_one_with_the_higher_scores():
    assert sign_test(votes(20, 1, 0)).candidate_wins > 0.99
    assert sign_test(votes(0, 1, 20)).baseline_wins > 0.99
    assert sign_test(votes(0, 20, 0)).draw > 0.99
    assert signed_rank_test(votes(20, 1, 0)).winner == "candidate"
    assert signed_rank_test(votes(0, 1, 20)).winner == "baseline"


def test_swapping_candidate_and_baseline_swaps_the_probabilities():
    scores = votes(40, 34, 28)
    forward, backward = sign_test(scores), sign_test(scores, baseline="anyloss:f1")
    assert backward.candidate == "bce"
    assert backward.candidate_wins == pytest.approx(forward.baseline_wins, abs=0.01)
    assert backward.difference == pytest.approx(-forward.difference)


def test_a_wider_rope_turns_wins_into_draws():
    scores = versus([0.03] * 30)
    assert sign_test(scores, rope=0.01).winner == "candidate"
    assert sign_test(scores, rope=0.05).winner == "draw"


def test_exact_ties_stay_draws_without_a_rope():
    verdict = sign_test(versus([0.0] * 20 + [0.1] * 5), rope=0)
    assert verdict.winner == "draw"
    assert verdict.candidate_wins + verdict.draw + verdict.baseline_wins == pytest.approx(1)


@pytest.mark.parametrize("test", [sign_test, signed_rank_test])
@pytest.mark.parametrize("rope", [0.01, 0.05])
def test_a_difference_of_exactly_the_rope_is_a_tie(test, rope):
    scores = versus([rope, -rope] * 8 + [rope] * 4, level=0.3)  # 0.31 - 0.3 is above 0.01 in floats
    verdict = test(scores, rope)
    assert verdict.draw > 0.99
    assert (verdict.wins, verdict.ties, verdict.losses) == (0, 20, 0)


@pytest.mark.parametrize("test", [sign_test, signed_rank_test])
def test_identical_scores_are_a_tie_at_rope_0(test):
    verdict = test(versus([0.0] * 12), rope=0)
    assert (verdict.winner, verdict.draw, verdict.ties) == ("draw", 1, 12)


def test_votes_stand_beside_the_probabilities():
    verdict = sign_test(votes(0, 79, 29))  # worse by more than the rope on 27 % of the data sets
    assert verdict.draw > 0.995
    assert (verdict.wins, verdict.ties, verdict.losses) == (0, 79, 29)


@pytest.mark.parametrize("rope", [0.01, 0.05])
def test_signed_rank_test_equals_baycomp_draw_for_draw(rope, monkeypatch):
    monkeypatch.setattr(bayes, "BLOCK", 1000)  # several blocks have to join into the same stream
    differences = np.random.default_rng(3).normal(0.01, 0.04, 23)
    differences[:2] = [0.0, -0.03]  # no sum of two is 2 rope, of which baycomp gives half away
    verdict = signed_rank_test(versus(differences, level=0.0), rope, samples=400, seed=5)
    theirs = baycomp.SignedRankTest.sample(
        np.zeros(23), differences, rope, nsamples=400, random_state=5
    )
    assert verdict.posterior == pytest.approx(theirs, abs=1e-12)
    assert verdict.candidate_wins == baycomp.multiple.Posterior(theirs).probs()[2]


def test_signed_rank_test_lets_large_differences_count_for_more():
    scores = versus([0.02] * 9 + [-0.3] * 7)
    assert sign_test(scores, rope=0.001).winner == "candidate"
    assert signed_rank_test(scores, rope=0.001).winner == "baseline"


@pytest.mark.parametrize("test", [sign_test, signed_rank_test])
def test_a_seed_fixes_the_result_and_the_caller_s_generator_is_left_alone(test):
    scores = versus(np.random.default_rng(0).normal(0.01, 0.03, 15))
    np.random.seed(1)
    before = np.random.get_state()[1].copy()
    first, again = test(scores, samples=2000), test(scores, samples=2000)
    other = test(scores, samples=2000, seed=1)
    assert (np.random.get_state()[1] == before).all()
    assert first == again
    assert (first.posterior == again.posterior).all()
    assert (first.posterior != other.posterior).any()


def test_the_stated_error_covers_the_spread_between_seeds():
    scores = votes(11, 9, 3)
    runs = [sign_test(scores, samples=2000, seed=seed) for seed in range(40)]
    spread = np.std([run.candidate_wins for run in runs], ddof=1)
    assert spread == pytest.approx(runs[0].error, rel=0.4)


def test_certainty_still_states_an_error_above_zero():
    verdict = sign_test(votes(100, 0, 0), samples=1000)
    assert verdict.candidate_wins == 1
    assert 0 < verdict.error < 0.002


def test_one_candidate_gives_a_verdict_and_several_a_list_by_metric():
    one = versus([0.1, 0.2, 0.3])
    more = pd.concat([one, versus([0.1, 0.0], metric="mcc"), versus([0.0], candidate="mse")])
    more = more.drop_duplicates(["dataset", "loss", "metric"])
    assert sign_test(one).candidate == "anyloss:f1"
    verdicts = sign_test(more)
    assert [(v.metric, v.candidate) for v in verdicts] == [
        ("f1", "anyloss:f1"),
        ("f1", "mse"),
        ("mcc", "anyloss:f1"),
    ]
    assert [v.n_datasets for v in verdicts] == [3, 1, 2]


def test_data_sets_without_a_pair_are_left_out_and_counted():
    scores = versus([0.1, 0.2, 0.3]).iloc[:-1]
    verdict = sign_test(scores)
    assert (verdict.n_datasets, verdict.dropped) == (2, 1)
    assert verdict.difference == pytest.approx(0.15)
    assert verdict.spread == pytest.approx(np.std([0.1, 0.2], ddof=1))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s.drop(columns="metric"), "lacks the column metric"),
        (lambda s: pd.concat([s, s]), "several rows"),
        (lambda s: s.assign(score=np.nan), "missing or infinite"),
        (lambda s: s[s["loss"] == "bce"], "no loss besides the baseline"),
        (lambda s: s[s["loss"] != "bce"], "no loss 'bce' in scores, found 'anyloss:f1'"),
        (lambda s: s.iloc[:0], "no rows"),
        (lambda s: s.assign(score="good"), "not a number"),
    ],
)
def test_unusable_scores_are_refused_with_the_repair(change, message):
    with pytest.raises(ScoreTableError, match=message):
        sign_test(change(versus([0.1, 0.2])))


@pytest.mark.parametrize("rope", [-0.01, float("nan"), float("inf")])
def test_an_impossible_rope_is_refused(rope):
    with pytest.raises(ValueError, match="rope must be"):
        sign_test(versus([0.1, 0.2]), rope=rope)


def folds(candidate, baseline):
    rows = [
        (loss, place, "f1", score)
        for loss, scores in (("bce", baseline), ("anyloss:f1", candidate))
        for place, score in enumerate(scores)
    ]
    return pd.DataFrame(rows, columns=["loss", "fold", "metric", "score"])


def test_correlated_t_test_equals_the_corrected_student_distribution():
    rng = np.random.default_rng(1)
    baseline = rng.uniform(0.6, 0.7, 20)
    candidate = baseline + rng.normal(0.02, 0.02, 20)
    verdict = correlated_t_test(folds(candidate, baseline), rope=0.01, folds=10)
    gains = candidate - baseline
    # Nadeau-Bengio: 1/n + test share / training share, with ten folds of a run 1/9.
    scale = np.sqrt(gains.var(ddof=1) * (1 / 20 + 1 / 9))
    assert verdict.candidate_wins == pytest.approx(stats.t.sf(0.01, 19, gains.mean(), scale))
    assert verdict.baseline_wins == pytest.approx(stats.t.cdf(-0.01, 19, gains.mean(), scale))
    assert verdict.candidate_wins + verdict.draw + verdict.baseline_wins == pytest.approx(1)
    left, draw, right = baycomp.CorrelatedTTest.probs(baseline, candidate, 0.01, runs=2)
    assert (verdict.baseline_wins, verdict.draw) == pytest.approx((left, draw))
    assert verdict.candidate_wins == pytest.approx(right)
    assert (verdict.folds, verdict.n_datasets, verdict.error) == (20, 1, 0)
    low, high = verdict.interval(0.9)
    assert stats.t.cdf(low, 19, gains.mean(), scale) == pytest.approx(0.05)
    grid = np.linspace(-1, 1, 20001)
    assert integrate.trapezoid(verdict.density(grid), grid) == pytest.approx(1, abs=1e-6)
    assert low < verdict.difference < high


def test_folds_of_a_stopped_repeat_share_as_many_rows_as_those_of_a_whole_one():
    rng = np.random.default_rng(2)
    gains = rng.normal(0.02, 0.02, 17)  # ten folds and seven of the next repeat
    verdict = correlated_t_test(folds(0.6 + gains, np.full(17, 0.6)), folds=10)
    scale = np.sqrt(gains.var(ddof=1) * (1 / 17 + 1 / 9))  # rho = 1/10, not 1/17
    assert verdict.scale == pytest.approx(scale)
    assert verdict.candidate_wins == pytest.approx(stats.t.sf(0.01, 16, gains.mean(), scale))


def test_the_spread_of_the_folds_has_a_floor():
    agreeing = folds([0.5] * 2, [0.5] * 2)
    assert correlated_t_test(agreeing).draw == 1
    verdict = correlated_t_test(agreeing, least_spread=0.2)
    scale = 0.2 * np.sqrt(1 / 2 + 1)
    assert verdict.draw == pytest.approx(1 - 2 * stats.t.sf(0.01, 1, 0, scale))
    assert verdict.draw < 0.05
    wide = folds([0.9, 0.1], [0.5] * 2)
    assert correlated_t_test(wide, least_spread=0.2) == correlated_t_test(wide)


@pytest.mark.parametrize("least", [0.0, 0.2])
def test_identical_folds_are_a_tie_at_rope_0(least):
    verdict = correlated_t_test(folds([0.5, 0.7], [0.5, 0.7]), rope=0, least_spread=least)
    assert (verdict.winner, verdict.draw) == ("draw", 1)


def test_a_fold_difference_of_exactly_the_rope_is_a_tie():
    verdict = correlated_t_test(folds([0.31] * 5, [0.3] * 5), rope=0.01)
    assert (verdict.draw, verdict.ties) == (1, 5)


def test_correlated_t_test_is_certain_when_all_folds_agree():
    verdict = correlated_t_test(folds([0.75] * 5, [0.5] * 5))
    assert verdict.candidate_wins == 1
    assert verdict.interval() == (0.25, 0.25)
    assert np.isnan(verdict.density(np.array([0.25]))).all()


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (folds([0.5] * 4, [0.5] * 3), {}, "1 folds have only one"),
        (folds([0.5] * 4, [0.5] * 4), {"folds": 1}, "folds must be two or more"),
        (folds([0.5], [0.5]), {}, "folds must be two or more, got 1 scores"),
        (folds([0.5] * 4, [0.5] * 4).drop(columns="fold"), {}, "lacks the column fold"),
        (folds([0.5] * 4, [0.5] * 4).assign(dataset=list("AABBAABB")), {}, "2 data sets"),
    ],
)
def test_unusable_folds_are_refused_with_the_repair(scores, options, message):
    with pytest.raises(ValueError, match=message):
        correlated_t_test(scores, **options)


def test_the_hierarchical_test_says_what_to_install(monkeypatch):
    monkeypatch.setattr(bayes, "has_hierarchical", lambda: False)
    with pytest.raises(ModuleNotFoundError, match="pystan"):
        hierarchical_test(versus([0.1]).assign(fold=0))


def test_the_hierarchical_test_gets_a_row_of_folds_per_data_set():
    scores = pd.concat(versus([0.1, 0.2], level=0.1 * f).assign(fold=f) for f in (2, 0, 1))
    contest = Contest("anyloss:f1", "bce", "f1")
    pair = pair_scores(average_repeats(scores), *contest)
    baseline, candidate = bayes._folds_by_dataset(scores, pair, contest)
    assert baseline == pytest.approx(np.array([[0, 0.1, 0.2]] * 2))
    assert candidate - baseline == pytest.approx(np.array([[0.1] * 3, [0.2] * 3]))
    with pytest.raises(ScoreTableError, match="same folds on every data set"):
        bayes._folds_by_dataset(scores.iloc[1:], pair, contest)


def test_the_hierarchical_test_takes_seeds_on_one_split_as_one_measurement(monkeypatch):
    """Ten seeds on three splits are three folds, not thirty."""
    splits = [versus([0.1, 0.2], level=0.1 * fold).assign(fold=fold) for fold in range(3)]
    seeds = pd.concat(
        split.assign(seed=seed, score=split["score"] + 0.01 * seed)
        for split in splits
        for seed in range(10)
    )
    given = []

    def sample(left, right, rope, runs):
        given.append((left, right, runs))
        return np.tile([0.1, 0.2, 0.7], (50, 1))

    monkeypatch.setattr(bayes, "has_hierarchical", lambda: True)
    monkeypatch.setattr(baycomp.HierarchicalTest, "sample", sample)
    assert hierarchical_test(seeds).winner == "candidate"
    ((left, right, runs),) = given
    assert left == pytest.approx(np.array([[0.045, 0.145, 0.245]] * 2))
    assert right - left == pytest.approx(np.array([[0.1] * 3, [0.2] * 3]))
    assert runs == 1


def test_the_hierarchical_test_gets_repeats_one_after_the_other():
    once = [versus([0.1, 0.2], level=0.1 * fold).assign(fold=fold) for fold in range(2)]
    twice = pd.concat(
        part.assign(repeat=r, score=part["score"] + r) for r in (1, 0) for part in once
    )
    contest = Contest("anyloss:f1", "bce", "f1")
    pair = pair_scores(average_repeats(twice), *contest)
    baseline, _ = bayes._folds_by_dataset(twice, pair, contest)
    assert baseline == pytest.approx(np.array([[0, 0.1, 1, 1.1]] * 2))
