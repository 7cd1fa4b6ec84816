"""Trainings that really go wrong, and one that does not."""

import pytest

from anyloss_core.live.findings import WINDOW, find, small_batches
from anyloss_core.store.store import Store
from tests.live_runs import train_live

HOPELESS = "synthetic:rows=200,features=2,imbalance=9,separation=0.01,noise=0,seed=0"


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


def test_a_good_training_has_no_findings(store):
    _, history = train_live(store, losses=("anyloss:f1", "bce"), epochs=60)
    assert find(history) == []


def test_a_collapse_to_one_class_is_found_dated_and_explained(store):
    _, history = train_live(store, data=HOPELESS, losses=("bce",), epochs=100)
    (finding,) = find(history)
    assert (finding.kind, finding.loss) == ("collapsed", "bce")
    assert finding.predicted == history.view["classes"][0]
    hard = history.column("train_hard")[:, 0]
    assert hard[history.epochs.index(finding.epoch) :, 2:].sum() == 0  # no positive from then on
    assert any("AnyLoss" in advice for advice in finding.advice)


def test_a_collapse_is_not_seen_before_its_loss_stands_still(store):
    _, history = train_live(store, data=HOPELESS, losses=("bce",), epochs=100)
    assert find(history, WINDOW) == []
    assert find(history, 100) != []


def test_rows_without_a_slope_are_found_and_the_window_is_named(store):
    _, history = train_live(store, losses=("sol:f1@delta=0.01", "bce"), epochs=60, lr=0.3)
    (finding,) = find(history)
    assert (finding.kind, finding.loss) == ("frozen", "sol:f1@delta=0.01")
    assert finding.dead >= 0.95
    assert any("delta" in advice for advice in finding.advice)
    assert any("warm-up" in advice for advice in finding.advice)


def test_a_loss_that_is_no_number_is_found(store):
    _, history = train_live(
        store, losses=("adaline@lr=1000", "bce"), epochs=300, optimiser="gd", lr=0.1
    )
    found = {finding.loss: finding for finding in find(history)}
    assert found["adaline@lr=1000"].kind == "diverged"
    assert "1000" in found["adaline@lr=1000"].advice[0]


def test_small_batches_and_a_large_constant_amplifier_are_named(store):
    _, history = train_live(
        store, data=HOPELESS, losses=("anyloss:accuracy",), epochs=60, batch=8, lr=0.3
    )
    advice = " ".join(text for finding in find(history) for text in finding.advice)
    assert "larger batches: 8 rows" in advice
    assert "L that grows" in advice
    assert "warm-up" in advice


def test_batches_that_lack_a_class_are_told_before_anything_goes_wrong(store):
    rare = "synthetic:rows=200,features=2,imbalance=19,seed=0"
    losses = ("anyloss:f1", "bce")
    _, history = train_live(store, data=rare, losses=losses, epochs=2, batch=8)
    assert list(small_batches(history)) == ["anyloss:f1"]
    assert "batches of 8 rows hold no positive row" in small_batches(history)["anyloss:f1"]
    _, full = train_live(store, data=rare, losses=losses, epochs=2)
    assert small_batches(full) == {}
