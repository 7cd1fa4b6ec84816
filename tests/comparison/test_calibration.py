"""Scores become probabilities: as scikit-learn calibrates them, and worth it on a real table."""

import json
from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

import anyloss_core as al
from anyloss_core.comparison.calibration import (
    ISOTONIC_ROWS,
    Calibration,
    calibrated,
    fit_calibration,
)
from anyloss_core.data.suites.real_suite import load_real


def pushed(rows, seed=0):
    """Labels, and scores that are far too sure of themselves."""
    random = np.random.default_rng(seed)
    truth = random.random(rows)
    labels = (random.random(rows) < truth).astype(int)
    return labels, expit(6 * (np.log(truth) - np.log1p(-truth)))


def test_below_a_thousand_rows_it_is_the_sigmoid_of_scikit_learn():
    features, labels = make_classification(400, weights=[0.8], flip_y=0.1, random_state=0)
    folds, model = StratifiedKFold(5), LogisticRegression()
    oracle = CalibratedClassifierCV(model, cv=folds, ensemble=False).fit(features, labels)
    outer = cross_val_predict(model, features, labels, cv=folds, method="decision_function")
    found = fit_calibration(labels, expit(outer))
    scores = expit(model.fit(features, labels).decision_function(features))
    assert found.method == "sigmoid"
    np.testing.assert_allclose(found(scores), oracle.predict_proba(features)[:, 1], atol=1e-3)


def test_from_a_thousand_rows_on_it_is_isotonic_and_never_certain():
    labels, scores = pushed(ISOTONIC_ROWS)
    found = fit_calibration(labels, scores)
    p, oracle = (
        found(scores),
        IsotonicRegression(out_of_bounds="clip").fit_transform(scores, labels),
    )
    assert found.method == "isotonic"
    between = (oracle > oracle.min()) & (oracle < oracle.max())
    np.testing.assert_allclose(p[between], oracle[between])
    assert oracle.min() == 0 < p.min() < p.max() < 1 == oracle.max()
    sure = (oracle == 1).sum()
    assert p.max() == pytest.approx((sure + 0.5) / (sure + 1))


@pytest.mark.parametrize("rows", [300, 3_000])
def test_scores_that_are_too_sure_become_probabilities(rows):
    found = fit_calibration(*pushed(rows))
    labels, scores = pushed(5_000, seed=1)
    assert log_loss(labels, found(scores)) < 0.53 < 0.9 < log_loss(labels, scores)
    assert (np.diff(found(np.linspace(0, 1, 99))) >= 0).all()


@pytest.mark.parametrize("rows", [300, 3_000])
def test_a_calibration_comes_back_from_json(rows):
    found = fit_calibration(*pushed(rows))
    assert Calibration.from_dict(json.loads(json.dumps(asdict(found)))) == found


@pytest.mark.parametrize(
    ("method", "pairs"),
    [
        ("other", ((0.0, 1.0),)),
        ("isotonic", ()),
        ("isotonic", ((0.0, 0.5), (1.0, 0.4))),
        ("isotonic", ((0.0, 0.5), (1.0, 1.4))),
        ("sigmoid", ((float("nan"), 0.0),)),
    ],
)
def test_numbers_that_are_no_calibration_are_refused(method, pairs):
    with pytest.raises(ValueError, match="calibration"):
        Calibration(method, pairs)


def test_scores_that_are_no_numbers_are_left_out():
    labels, scores = pushed(300)
    gaps = np.append(scores, [np.nan, np.nan])
    assert fit_calibration(np.append(labels, [0, 1]), gaps) == fit_calibration(labels, scores)
    with pytest.raises(ValueError, match="diverged"):
        fit_calibration(labels, np.full(300, np.nan))


def test_no_row_has_a_say_in_its_own_probability():
    labels, scores = pushed(300)
    table = pd.DataFrame({"row": range(300), "fold": np.arange(300) % 3, "label": labels})
    table = pd.concat([table, table.assign(fold=table["fold"] + 3)])  # repeated
    table["a"] = np.append(scores, scores)
    before = calibrated(table, "a")
    swapped = table.assign(
        label=np.where(table["row"] % 3 == 0, 1 - table["label"], table["label"])
    )
    after = calibrated(swapped, "a")
    same = (table["row"] % 3 == 0).to_numpy()
    np.testing.assert_array_equal(before["a"][same], after["a"][same])
    assert not np.allclose(before["a"][~same], after["a"][~same])


@pytest.mark.parametrize("name", ["Ecdat/Mathlevel", "DAAG/mifem"])
def test_on_a_real_table_the_log_loss_falls_to_that_of_bce(name):
    found = al.compare(load_real(name), ["bce", "anyloss:f1"], folds=5).probabilities
    bce, raw = (log_loss(found["label"], found[loss]) for loss in ("bce", "anyloss:f1"))
    after = calibrated(found, "anyloss:f1")
    assert raw > bce + 0.15
    assert log_loss(after["label"], after["anyloss:f1"]) < bce + 0.03
    areas = [roc_auc_score(t["label"], t["anyloss:f1"]) for t in (found, after)]
    assert areas[0] == pytest.approx(areas[1], abs=0.02)  # the ranking stays, but for ties
