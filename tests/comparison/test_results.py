"""Tables of a comparison against scikit-learn."""

import json

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, f1_score, matthews_corrcoef

import anyloss_core as al
from anyloss_core.comparison.comparison import compare
from anyloss_core.comparison.protocols import FRESH
from anyloss_core.losses.scores import METRICS
from tests.support.generated import synthetic
from tests.support.small_table import small


def test_scores_are_those_of_sklearn_on_the_held_out_rows():
    data = small()
    found = compare(data, losses=("bce", "anyloss:f1"), folds=3, epochs=30)
    assert list(found.scores) == ["loss", "fold", "metric", "score"]
    assert len(found.scores) == 2 * 3 * len(METRICS)
    table = found.scores.set_index(["loss", "fold", "metric"])["score"]
    for fold, rows in found.probabilities.groupby("fold"):
        labels, predicted = rows["label"], rows["anyloss:f1"] > 0.5
        for metric, expected in (
            ("f1", f1_score(labels, predicted)),
            ("balanced_accuracy", balanced_accuracy_score(labels, predicted)),
            ("mcc", matthews_corrcoef(labels, predicted)),
        ):
            assert table["anyloss:f1", fold, metric] == pytest.approx(expected)
    assert sorted(found.probabilities["row"]) == list(range(data.rows))
    counts = found.confusion.groupby("loss")[["tn", "fn", "fp", "tp"]].sum().sum(axis=1)
    assert (counts == data.rows).all()


def test_a_summary_is_losses_by_metrics_and_json_holds_the_folds():
    found = al.compare(small(), losses=["anyloss:mcc", "bce"], folds=4, epochs=20, seed=3)
    assert list(found.summary().index) == ["anyloss:mcc", "bce"]
    assert list(found.summary().columns) == list(METRICS)
    written = json.loads(json.dumps(found.to_dict()))
    first = next(row for row in written["scores"] if row["metric"] == "f1")
    assert len(first["folds"]) == 4
    assert first["mean"] == pytest.approx(np.mean(first["folds"]))
    assert first["std"] == pytest.approx(np.std(first["folds"], ddof=1))
    assert written["settings"]["trained"]["bce"]["lr"] == FRESH.plans["slp"].lr
    assert set(found.seconds) == {"anyloss:mcc", "bce"}
    assert all(value > 0 for value in found.seconds.values())


def test_curves_have_a_point_for_every_loss_and_fold():
    found = compare(small(), losses=("bce", "mse"), folds=3, epochs=40, curves=10, lr=0.03)
    curve = found.curves.query("loss == 'bce' and fold == 1")
    assert curve["epoch"].tolist() == [1, *range(4, 41, 4)]
    assert curve["train_loss"].is_monotonic_decreasing
    every = compare(small(), losses=("bce",), folds=2, epochs=7, curves=0).curves
    assert every.query("fold == 0")["epoch"].tolist() == [1, 2, 3, 4, 5, 6, 7]


def test_notes_do_not_depend_on_the_points_of_the_curves():
    noise = synthetic(rows=300, features=2, imbalance=9, separation=0.0, seed=0)
    losses = ("bce", "bce@lr=1e308")
    seen = {
        curves: compare(noise, losses, folds=3, epochs=400, curves=curves).notes
        for curves in (0, 1, 7, 100)
    }
    assert len(set(seen.values())) == 1, seen
    collapsed, diverged = seen[100]
    assert collapsed.startswith("bce: collapsed in 1 of the folds")
    assert diverged.startswith("bce@lr=1e308: diverged")


def test_batches_without_a_positive_are_told_of_losses_that_need_one():
    losses = ["bce", "anyloss:f1", "anyloss:balanced_accuracy@L=5"]
    dataset = synthetic(rows=300, features=2, imbalance=14, seed=0)
    found = compare(dataset, losses, folds=3, repeats=1, epochs=2, batch=16)
    (note,) = (note for note in found.notes if "batches" in note)
    assert note.startswith("anyloss:f1: ")
    assert "of the batches of 16 rows hold no positive row, and teach nothing of F1" in note
    full = compare(dataset, losses, folds=3, repeats=1, epochs=2)
    assert not [note for note in full.notes if "batches" in note]
