"""The paper's comparison on our suites: the right losses, and scores for every table."""

import pytest

from anyloss_core.paper.our_suites import (
    LOSSES,
    METRICS,
    SUITES,
    kept_scores,
    real_shares,
    suite_settings,
)


@pytest.mark.parametrize("model", ["slp", "mlp"])
def test_every_real_table_has_every_loss_and_metric(model):
    scores = kept_scores(model)
    assert set(scores["loss"]) == set(LOSSES)
    assert len(scores) == len(real_shares()) * len(LOSSES) * len(METRICS)
    assert not scores.duplicated(["dataset", "loss", "metric"]).any()
    assert scores["score"].between(0, 1).all()
    assert set(scores["dataset"]) == set(real_shares())


def test_the_shares_are_of_the_rarer_class():
    shares = real_shares()
    assert all(0 < share <= 0.41 for share in shares.values())


@pytest.mark.parametrize(("suite", "count"), [("real", 108), ("synthetic", 102)])
def test_a_suite_is_compared_as_the_paper_did(suite, count):
    settings = suite_settings(suite, "mlp")
    assert len(settings.items) == count
    assert settings.comparison.losses == LOSSES
    assert settings.suite == SUITES[suite].lower()
