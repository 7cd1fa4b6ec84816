"""What a Bayesian comparison says: who wins, the density of the difference, the table."""

import dataclasses

import numpy as np
import pytest
from scipy import integrate, stats

from anyloss_core.statistics.score_table import Contest
from anyloss_core.statistics.verdicts import FoldVerdict, Verdict, verdict_table

VERDICT = Verdict(
    *Contest("anyloss:f1", "bce", "f1"), rope=0.01, candidate_wins=0.7, draw=0.2, baseline_wins=0.1,
    wins=6, ties=1, losses=2, test="sign", error=0.002, n_datasets=9, dropped=1, difference=0.03,
    spread=0.05,
    posterior=np.full((4, 3), 1 / 3),
)  # fmt: skip
FOLDS = FoldVerdict(
    **{**vars(VERDICT), "difference": 0.02}, folds=10, scale=0.015, degrees=9
)  # of ten folds


@pytest.mark.parametrize(
    ("chances", "winner"),
    [((0.5, 0.3, 0.2), "candidate"), ((0.3, 0.4, 0.3), "draw"), ((0.1, 0.2, 0.7), "baseline")],
)
def test_the_winner_is_the_most_probable_outcome(chances, winner):
    names = ("candidate_wins", "draw", "baseline_wins")
    changed = dataclasses.replace(VERDICT, **dict(zip(names, chances, strict=True)))
    assert changed.winner == winner


def test_the_density_of_a_fold_verdict_is_a_shifted_student_distribution():
    places = np.linspace(-0.1, 0.1, 7)
    student = stats.t(9)  # standardised by hand: loc and scale might be mixed up
    expected = student.pdf((places - 0.02) / 0.015) / 0.015
    np.testing.assert_allclose(FOLDS.density(places), expected, rtol=1e-12)


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_the_interval_holds_its_share_of_the_density(level):
    low, high = FOLDS.interval(level)
    assert (low + high) / 2 == pytest.approx(0.02)
    inside = integrate.quad(lambda x: FOLDS.density(np.array([x]))[0], low, high)[0]
    assert inside == pytest.approx(level, abs=1e-6)


def test_folds_that_all_agree_have_no_density_and_an_interval_of_one_point():
    certain = dataclasses.replace(FOLDS, scale=0.0)
    assert np.isnan(certain.density(np.array([0.0, 0.02]))).all()
    assert certain.interval() == (0.02, 0.02)


def test_verdicts_become_rows_without_their_posterior():
    table = verdict_table([VERDICT, FOLDS])
    assert table.columns.tolist() == [
        "candidate", "baseline", "metric", "rope", "candidate_wins", "draw", "baseline_wins",
        "wins", "ties", "losses", "test", "error", "n_datasets", "dropped", "difference", "spread",
    ]  # fmt: skip
    assert table["difference"].tolist() == [0.03, 0.02]
    assert len(verdict_table(VERDICT)) == 1
    assert verdict_table([]).columns.tolist() == table.columns.tolist()
