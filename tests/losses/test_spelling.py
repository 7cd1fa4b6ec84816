"""Spellings of losses: what they mean and what a wrong one answers."""

import pytest

from anyloss_core.losses.losses import SOL, AnyLoss
from anyloss_core.losses.softening import Uniform
from anyloss_core.losses.spelling import LossError, Ramp, get_loss, parse_loss, split_losses


def test_options_reach_the_loss():
    loss = get_loss("anyloss:f1@L=50,threshold=0.4")
    assert isinstance(loss, AnyLoss)
    assert (loss.softening.L, loss.softening.threshold) == (50.0, 0.4)
    assert isinstance(get_loss("sol:f1@distribution=uniform").softening, Uniform)
    assert get_loss("sol:gmean@mu=0.3,delta=0.2").softening.delta == 0.2


def test_the_default_amplifier_is_the_papers():
    assert get_loss("anyloss:gmean").softening.L == 73.0


def test_a_ramp_grows_geometrically():
    spec = parse_loss("anyloss:f1@L=5..73,warm_up=0.2")
    assert Ramp(5.0, 73.0) == spec.L
    assert spec.warm_up == 0.2
    assert [spec.L.at(share) for share in (0, 0.5, 1)] == pytest.approx([5, 365**0.5, 73])
    assert spec.build().softening.L == 73.0


def test_a_loss_is_bce_during_its_warm_up_and_its_ramp_ends_with_the_last_epoch():
    spec = parse_loss("anyloss:f1@L=2..32,warm_up=0.5")
    phases = [spec.at(epoch, epochs=10) for epoch in range(10)]
    assert [phase.warming_up for phase in phases] == [True] * 5 + [False] * 5
    assert [phase.L for phase in phases] == pytest.approx([2.0] * 5 + [2, 4, 8, 16, 32])


@pytest.mark.parametrize(("warm_up", "epochs", "warm"), [(0.7, 3, 2), (0.5, 1, 0), (1, 1, 1)])
def test_a_warm_up_has_whole_epochs(warm_up, epochs, warm):
    spec = parse_loss(f"anyloss:f1@L=2..32,warm_up={warm_up}")
    phases = [spec.at(epoch, epochs) for epoch in range(epochs)]
    assert sum(phase.warming_up for phase in phases) == warm
    assert all(2 <= phase.L <= 32 for phase in phases)


def test_a_loss_without_ramp_and_warm_up_is_the_same_in_every_epoch():
    assert {parse_loss("anyloss:f1@L=9").at(epoch, 5) for epoch in range(5)} == {(False, 9.0)}
    assert parse_loss("sol:f1").at(0, 5) == (False, None)


def test_options_that_were_typed_are_known():
    assert parse_loss(" anyloss:f1 @ l=50 , Warm_Up=0.2").spelled == ("L", "warm_up")
    assert parse_loss("anyloss:f1").spelled == ()  # although L is 73
    assert parse_loss("bce+threshold@metric=min(TP/P, TN/NEG)").spelled == ("metric",)


def test_a_formula_works_inside_a_spelling():
    spec = parse_loss("anyloss:TP / (TP + FP + FN)@L=10")
    assert spec.name == "anyloss:TP / (TP + FP + FN)"
    assert spec.L == 10.0
    tuned = parse_loss("bce+threshold@metric=min(TP/P, TN/NEG),lr=0.1")
    assert (tuned.options["metric"], tuned.lr) == ("min(TP/P, TN/NEG)", 0.1)
    assert parse_loss(tuned.spelling) == tuned


@pytest.mark.parametrize("method", ["smote", "undersample", "threshold"])
def test_methods_around_bce_are_read_but_are_no_losses(method):
    assert parse_loss(f"bce+{method}").method == method
    with pytest.raises(ValueError, match="method around BCE"):
        get_loss(f"bce+{method}")


def test_case_and_spaces_are_forgiven():
    assert parse_loss(" AnyLoss:F1 @ l = 50 , ,lr=0.1 ").spelling == "anyloss:f1@L=50,lr=0.1"
    assert parse_loss(" AnyLoss:F1 @ l = 50 ").L == 50
    assert parse_loss("bce@,").spelling == "bce"


def test_reading_a_spelling_twice_changes_nothing():
    for text in ("anyloss:f1@L=5..73,warm_up=0.2", "bce+threshold@metric=gmean", "sol:f1"):
        once = parse_loss(text)
        assert parse_loss(once.spelling) == once
        assert parse_loss(once) is once


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("anylos:f1", "did you mean 'anyloss'"),
        ("anyloss", "needs a metric, for example anyloss:f1"),
        ("anyloss:f11x", "unknown metric 'f11x'"),
        ("bce:f1", "takes no metric"),
        ("bce+magic", r"there are bce\+smote, bce\+undersample, bce\+threshold"),
        ("bce+thresold", r"did you mean 'bce\+threshold'"),
        ("mse+smote", "unknown method"),
        ("bce+", "unknown method"),
        ("gmean", "did you mean 'anyloss:gmean'"),
        ("anyloss:f1@L=50,L=60", "L is given twice"),
        ("anyloss:f1@M=3", "is no option; there are lr="),
        ("anyloss:f1@L", "is no option"),
        ("anyloss:f1@warmup=0.2", "did you mean 'warm_up'"),
        ("anyloss:f1@L=73..5", "a ramp of L must rise, as in L=5..73, got 73..5"),
        ("anyloss:f1@L=5...73", "a ramp of L must rise"),
        ("anyloss:f1@L=-1", "L must be positive"),
        ("anyloss:f1@L=0..73", "L must be a positive number"),
        ("anyloss:f1@L=nan", "L must be positive"),
        ("anyloss:f1@L=x", "L must be a number"),
        ("anyloss:f1@warm_up=2", "warm_up must be from 0 to 1"),
        ("anyloss:f1@form=quick", "form must be one of safe, naive"),
        ("sol:f1@delta=3", "delta must be above 0"),
        ("", "spelled as text"),
        (None, "spelled as text"),
    ],
)
def test_a_wrong_spelling_says_what_is_possible(text, message):
    with pytest.raises(ValueError, match=message):
        parse_loss(text)


def test_lists_are_split_at_the_right_commas():
    text = "bce, anyloss:f1@L=50,lr=0.01, anyloss:min(TP/P, TN/NEG)@L=9, sol:f1"
    assert split_losses(text) == [
        "bce",
        "anyloss:f1@L=50,lr=0.01",
        "anyloss:min(TP/P, TN/NEG)@L=9",
        "sol:f1",
    ]


def test_sol_is_built_with_the_published_settings():
    loss = get_loss("sol:f1")
    assert isinstance(loss, SOL)
    assert (loss.softening.mu, loss.softening.delta) == (0.5, 0.1)


@pytest.mark.parametrize("loss", ["mse", "linear_mse", "weighted_bce", "focal"])
def test_a_warm_up_with_bce_is_for_losses_over_counts(loss):
    with pytest.raises(LossError, match="warm_up"):
        parse_loss(f"{loss}@warm_up=0.2")
    assert parse_loss("sigmoid_f1@warm_up=0.2").warm_up == parse_loss("sol:f1@warm_up=0.2").warm_up
