"""What a protocol decides, and what a spelling keeps."""

import pytest

from anyloss_core.comparison.protocols import (
    FRESH,
    PAPER,
    batch_of,
    get_protocol,
    rate_of,
    schedule_of,
    trained_as,
)
from anyloss_core.comparison.settings import ComparisonSettings, SettingsError
from anyloss_core.losses.spelling import parse_loss


def test_what_is_spelled_out_wins_over_the_protocol():
    plan = FRESH.plans["slp"]
    plain = trained_as(parse_loss("anyloss:f1"), plan)
    assert (plain.L, plain.warm_up) == (plan.L, plan.warm_up[""])
    spelled = trained_as(parse_loss("anyloss:f1@L=73,warm_up=0"), plan)
    assert (spelled.L, spelled.warm_up) == (73.0, 0.0)
    assert rate_of(parse_loss("bce@lr=0.5"), PAPER, "slp", "random") == 0.5
    assert rate_of(parse_loss("anyloss:gmean"), PAPER, "slp", "random") == 0.04
    assert rate_of(parse_loss("anyloss:gmean"), PAPER, "mlp", "random") == 0.005
    assert rate_of(parse_loss("bce+smote"), PAPER, "slp", "random") == 0.2


@pytest.mark.parametrize("spelling", ["sol:f1", "soft:gmean", "sigmoid_f1"])
def test_rivals_over_counts_begin_with_bce_as_anyloss_does(spelling):
    for plan in FRESH.plans.values():
        ours, rival = (trained_as(parse_loss(name), plan) for name in ("anyloss:f1", spelling))
        assert rival.warm_up == ours.warm_up > 0
        assert trained_as(parse_loss(f"{spelling}@warm_up=0"), plan).warm_up == 0
    assert trained_as(parse_loss(spelling), PAPER.plans["slp"]).warm_up == 0


def test_a_schedule_is_spelled_set_or_the_plans():
    plan = FRESH.plans["slp"]
    assert schedule_of(parse_loss("bce"), plan) == "linear"
    assert schedule_of(parse_loss("bce@schedule=cosine"), plan) == "cosine"
    assert ComparisonSettings(schedule="constant").plan.schedule == "constant"
    for name in ("paper", "as_released"):
        assert {p.schedule for p in get_protocol(name).plans.values()} == {"constant"}
    with pytest.raises(SettingsError, match="schedule must be one of"):
        ComparisonSettings(schedule="steps")


def test_the_published_rate_of_gmean_makes_up_for_the_slip_in_its_gradient():
    """The appendix trains G-mean on data set 1 with 0.01 and a gradient four times too long."""
    gmean, f1 = parse_loss("anyloss:gmean"), parse_loss("anyloss:f1")
    assert rate_of(gmean, PAPER, "slp", "random") == 4 * rate_of(f1, PAPER, "slp", "random")
    assert rate_of(gmean, FRESH, "slp", "random") == FRESH.plans["slp"].lr


@pytest.mark.parametrize(
    ("spelling", "model", "rows"),
    [
        ("bce", "slp", None),
        ("bce", "mlp", 45),
        ("anyloss:gmean", "mlp", 450),
        ("bce@batch=0.1", "mlp", 90),
        ("bce@batch=32", "mlp", 32),
    ],
)
def test_a_batch_is_a_number_of_rows_or_a_share_of_them(spelling, model, rows):
    assert batch_of(parse_loss(spelling), PAPER.plans[model], 900) == rows


def test_a_share_of_few_rows_is_still_a_batch():
    assert batch_of(parse_loss("bce"), PAPER.plans["mlp"], 7) == 1


@pytest.mark.parametrize(("model", "form"), [("slp", "adaline"), ("mlp", "linear_mse")])
def test_the_papers_mse_has_the_form_that_the_paper_trained(model, form):
    assert trained_as(parse_loss("mse"), PAPER.plans[model]).family == form
    assert trained_as(parse_loss("mse"), FRESH.plans[model]).family == "mse"


def test_an_unknown_protocol_is_refused_with_those_that_there_are():
    with pytest.raises(ValueError, match="fresh, paper, as_released, got 'secret'"):
        get_protocol("secret")
