"""A handful of rows on A(p): the same rows in every epoch, dead where they learn nothing."""

import numpy as np
import pytest

from anyloss_core.live.samples import EACH, on_curve
from anyloss_core.store.store import Store
from tests.live_runs import train_live

LOSSES = ("anyloss:f1@L=5,form=naive", "anyloss:f1@L=150,form=naive", "anyloss:f1@L=150")


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("samples"))
    return train_live(store, losses=LOSSES, optimiser="gd", lr=50.0, epochs=30)[1]


def test_the_same_rows_of_both_classes_are_followed(history):
    first, last = (on_curve(history.snapshot(epoch)) for epoch in (1, 30))
    assert np.bincount(first.labels).tolist() == [EACH, EACH]
    np.testing.assert_array_equal(first.labels, last.labels)
    assert not np.allclose(first.p, last.p)  # they move


def test_p_is_what_the_models_say_by_hand(history):
    snapshot = history.snapshot(30)
    view, samples = history.view, on_curve(snapshot)
    rows = [np.flatnonzero(view["labels"] == kind)[:EACH] for kind in (0, 1)]
    features = view["points"][np.sort(np.concatenate(rows))].astype(float)
    for model in range(3):
        weights = snapshot.tensors["weight0"][model, 0].astype(float)
        logits = features @ weights + snapshot.tensors["bias0"][model, 0]
        np.testing.assert_allclose(samples.p[model], 1 / (1 + np.exp(-logits)), rtol=1e-6)


def test_rows_die_in_the_papers_form_of_a_large_L_alone(history):
    last = on_curve(history.snapshot(30))
    gentle, naive, safe = last.dead
    assert naive.any()
    assert not gentle.any()
    assert safe.sum() < naive.sum()
    np.testing.assert_array_equal(last.soft[1][naive], np.round(last.p[1][naive]))
