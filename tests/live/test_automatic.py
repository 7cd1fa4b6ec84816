"""The recipe of a live training: what a comparison would choose on the same rows."""

import numpy as np
import pytest

from anyloss_core.comparison.protocols import FRESH
from anyloss_core.comparison.recipes import candidates, recipe_text
from anyloss_core.data.preparation import prepare_fresh
from anyloss_core.data.suites.references import open_reference
from anyloss_core.estimator.classifier import AnyLossClassifier
from anyloss_core.live.automatic import settled
from anyloss_core.live.scene import prepare, split
from anyloss_core.losses.spelling import parse_loss
from tests.live_runs import DATA, live_settings, train_live

LOSSES = ("anyloss:f1", "bce", "anyloss:gmean@L=5", "sol:f1")
OPEN = {"automatic": True, "losses": LOSSES, "epochs": 30, "lr": 0.2, "schedule": "linear"}


def quiet():
    pass


@pytest.fixture(scope="module")
def scene():
    return prepare(live_settings(**OPEN), open_reference(DATA))


def test_what_is_open_is_chosen_and_what_is_spelled_stays(scene):
    anyloss, bce, spelled, sol = scene.settings.trained
    tried = candidates(parse_loss("anyloss:f1"), FRESH.plans["slp"], 0.2)
    assert anyloss in [spec.spelling for spec in tried]
    assert (bce, spelled) == ("bce", "anyloss:gmean@L=5")
    assert sol.startswith("sol:f1@distribution=")
    assert [scene.study.models[n].loss.L for n in (0, 2)] == [parse_loss(anyloss).L, 5.0]
    assert scene.view()["trained"] == list(scene.settings.trained)
    assert scene.settings.losses == LOSSES  # the names stay


@pytest.mark.parametrize("metric", ["f1", "gmean", "balanced_accuracy"])
def test_the_estimator_chooses_the_same_from_the_same_rows(metric):
    loss = f"anyloss:{metric}"
    seed = int(np.random.RandomState(0).randint(2**31 - 1))  # as the estimator draws its own
    settings = live_settings(automatic=True, losses=(loss,), epochs=60, lr=0.2, seed=seed)
    dataset = open_reference(DATA)
    train, _ = split(dataset, settings.valid_share, settings.seed)
    features = prepare_fresh(dataset, train).transform(dataset.frame)
    (ours,) = settled(settings, features, dataset.labels, train, quiet).trained
    same = {"epochs": 60, "lr": 0.2, "schedule": "constant", "standardize": False}
    model = AnyLossClassifier(metric, random_state=0, pos_label=1, **same)
    model.fit(features[train], dataset.labels[train])
    assert recipe_text(parse_loss(ours)) == model.recipe_


def test_nothing_is_chosen_unless_asked_or_where_rows_are_too_few():
    plain = live_settings(losses=("anyloss:f1",))
    assert settled(plain, np.empty((0, 2)), np.empty(0), np.empty(0, int), quiet) is plain
    labels = np.array([0] * 12 + [1] * 4)
    few = live_settings(automatic=True, losses=("anyloss:f1", "bce"))
    found = settled(few, np.zeros((16, 2)), labels, np.arange(16), quiet)
    default = candidates(parse_loss("anyloss:f1"), FRESH.plans["slp"], few.lr)[0]
    assert found.trained == (default.spelling, "bce")


def test_a_choice_can_be_stopped():
    class Stopped(Exception):
        pass

    def stop():
        raise Stopped

    settings = live_settings(automatic=True, losses=("anyloss:f1",), epochs=5)
    with pytest.raises(Stopped):
        prepare(settings, open_reference(DATA), on_batch=stop)


def test_a_run_keeps_what_was_chosen(store):
    run, _ = train_live(store, automatic=True, losses=("anyloss:f1", "bce"))
    anyloss, bce = store.get_result(run.id, "view")["trained"]
    assert anyloss.startswith("anyloss:f1@L=")
    assert bce == "bce"
