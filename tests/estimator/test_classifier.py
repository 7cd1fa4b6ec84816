"""AnyLossClassifier: what its parameters do, and that scikit-learn's tools can use it."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, balanced_accuracy_score, f1_score, jaccard_score
from sklearn.model_selection import GridSearchCV, TunedThresholdClassifierCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from anyloss_core import AnyLossClassifier, LossWarning
from anyloss_core.comparison import assembly
from anyloss_core.comparison.protocols import FRESH
from anyloss_core.comparison.recipes import candidates, recipe_text
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.engine.study import Optimiser, StudyError
from anyloss_core.export.model_file import train_final
from anyloss_core.losses.spelling import LossError, parse_loss

QUICK = {"epochs": 60, "lr": 0.1, "random_state": 0}


@pytest.fixture(scope="module")
def data():
    X, y = make_classification(
        400,
        n_features=5,
        n_informative=3,
        weights=[0.88],
        class_sep=0.8,
        flip_y=0.05,
        random_state=3,
    )
    return X * [1, 10, 100, 0.1, 1] + 5, y  # unscaled on purpose


def test_it_beats_logistic_regression_on_the_metric_it_was_asked_for(data):
    ours = AnyLossClassifier("f1", random_state=0).fit(*data)
    plain = make_pipeline(StandardScaler(), LogisticRegression()).fit(*data)
    assert ours.score(*data) > f1_score(data[1], plain.predict(data[0])) + 0.05


def test_bce_without_warm_up_comes_to_logistic_regression(data):
    X, y = data
    ours = AnyLossClassifier(loss="bce", epochs=3000, lr=0.1).fit(X, y)
    plain = make_pipeline(StandardScaler(), LogisticRegression(C=np.inf, tol=1e-10)).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), plain.predict_proba(X), atol=1e-4)


@pytest.mark.parametrize(
    ("metric", "oracle"),
    [
        ("f1", f1_score),
        ("accuracy", accuracy_score),
        ("balanced_accuracy", balanced_accuracy_score),
        ("TP / (TP + FP + FN)", jaccard_score),
    ],
)
def test_score_is_the_metric_with_weights(data, metric, oracle):
    X, y = data
    weights = np.random.default_rng(0).uniform(0, 3, len(y))
    model = AnyLossClassifier(metric, **QUICK).fit(X, y)
    expected = oracle(y, model.predict(X), sample_weight=weights)
    assert model.score(X, y, weights) == pytest.approx(expected)


@pytest.mark.parametrize("kind", ["text", "bool", "float", "object"])
def test_labels_of_any_type_come_back(data, kind):
    X, y = data
    names = {
        "text": np.array(["no", "yes"]),
        "bool": np.array([False, True]),
        "float": np.array([-1.0, 2.0]),
        "object": np.array(["healthy", "ill"], dtype=object),
    }[kind]
    model = AnyLossClassifier(**QUICK).fit(X, names[y])
    assert list(model.classes_) == list(names)
    plain = AnyLossClassifier(**QUICK).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), names[plain.predict(X)])


def test_pos_label_decides_which_class_the_metric_is_about(data):
    X, y = data
    names = np.array(["b", "a"])[y]  # the rare class now sorts first
    model = AnyLossClassifier(pos_label="a", **QUICK).fit(X, names)
    plain = AnyLossClassifier(**QUICK).fit(X, y)
    np.testing.assert_array_equal(model.predict(X) == "a", plain.predict(X) == 1)
    np.testing.assert_allclose(model.predict_proba(X)[:, 0], plain.predict_proba(X)[:, 1])
    assert model.score(X, names) == pytest.approx(f1_score(names, model.predict(X), pos_label="a"))


def test_probabilities_decisions_and_predictions_agree(data):
    model = AnyLossClassifier(hidden=(3,), **QUICK).fit(*data)
    p, decisions = model.predict_proba(data[0]), model.decision_function(data[0])
    np.testing.assert_allclose(p.sum(1), 1)
    np.testing.assert_allclose(p[:, 1], 1 / (1 + np.exp(-decisions)))
    np.testing.assert_array_equal(model.predict(data[0]), (decisions > 0).astype(int))


def test_a_threshold_in_the_loss_moves_the_decision(data):
    model = AnyLossClassifier(loss="anyloss:f1@threshold=0.3", **QUICK).fit(*data)
    above = model.predict_proba(data[0])[:, 1] > 0.3
    np.testing.assert_array_equal(model.predict(data[0]), above.astype(int))


def test_sample_weights_count_as_repeated_rows(data):
    X, y = data
    times = np.random.default_rng(1).integers(0, 4, len(y))
    weighted = AnyLossClassifier(hidden=(3,), **QUICK).fit(X, y, sample_weight=times)
    repeated = AnyLossClassifier(hidden=(3,), **QUICK).fit(X.repeat(times, 0), y.repeat(times))
    np.testing.assert_allclose(weighted.loss_curve_, repeated.loss_curve_, rtol=1e-5)
    np.testing.assert_array_equal(weighted.predict(X), repeated.predict(X))


def test_class_weights_are_sample_weights_by_class(data):
    X, y = data
    by_class = AnyLossClassifier(class_weight={0: 1, 1: 3}, **QUICK).fit(X, y)
    by_row = AnyLossClassifier(**QUICK).fit(X, y, sample_weight=np.where(y == 1, 3, 1))
    np.testing.assert_allclose(by_class.decision_function(X), by_row.decision_function(X))
    balanced = AnyLossClassifier(loss="bce", class_weight="balanced", **QUICK).fit(X, y)
    assert (
        balanced.predict(X).sum()
        > AnyLossClassifier(loss="bce", **QUICK).fit(X, y).predict(X).sum()
    )


def test_loss_curve_and_iterations(data):
    model = AnyLossClassifier(**QUICK).fit(*data)
    assert model.n_iter_ == len(model.loss_curve_) == 60
    assert model.loss_curve_[-1] < model.loss_curve_[0] - 0.1
    recipes = {"L=2..20,warm_up=0.8", "L=10,warm_up=0", "L=30,warm_up=0"}
    assert set(model.validation_scores_) > recipes  # one is chosen on inner folds
    assert AnyLossClassifier(L=10, **QUICK).fit(*data).validation_scores_ == {}


def test_early_stopping_ends_before_the_last_epoch_at_the_best_one(data):
    model = AnyLossClassifier(
        early_stopping=True, n_iter_no_change=5, validation_fraction=0.3, warm_up=0, **QUICK
    ).fit(*data)
    assert 5 < model.n_iter_ < 60
    assert model.n_iter_ == len(model.loss_curve_)
    assert 0.3 < model.validation_scores_[model.recipe_] <= 1


def test_early_stopping_begins_after_the_warm_up():
    """It once ended all of these within the warm-up, so that they were BCE bit by bit."""
    for seed in range(20):
        X, y = make_classification(300, weights=[0.85], flip_y=0.1, random_state=seed)
        settings = {"early_stopping": True, "random_state": seed, "epochs": 60, "lr": 0.1}
        ours = AnyLossClassifier(L="2..20", **settings).fit(X, y)
        bce = AnyLossClassifier(loss="bce", **settings).fit(X, y)
        assert ours.n_iter_ > 48  # it lasts 48 epochs
        assert not np.array_equal(ours.decision_function(X), bce.decision_function(X))


def test_automatic_L_with_early_stopping_tells_the_L_apart(data):
    settings = {"early_stopping": True, "validation_fraction": 0.5, "random_state": 0}
    scores = AnyLossClassifier(L="auto", **settings).fit(*data).validation_scores_
    assert len(set(scores.values())) > 1


@pytest.mark.parametrize("schedule", ["linear", "cosine"])
def test_a_rate_that_falls_comes_nearer_to_the_least_loss(data, schedule):
    settings = {"loss": "bce", "epochs": 30, "lr": 0.5, "batch_size": 32, "random_state": 0}
    constant = AnyLossClassifier(**settings, schedule="constant").fit(*data)
    falling = AnyLossClassifier(**settings, schedule=schedule).fit(*data)
    spelled = AnyLossClassifier(**settings | {"loss": f"bce@schedule={schedule}"}).fit(*data)
    assert falling.loss_curve_[-1] < constant.loss_curve_[-1]
    assert falling.loss_curve_ == spelled.loss_curve_


def test_automatic_tries_the_recipes_of_a_comparison_and_trains_the_chosen_on_all_rows(data):
    model = AnyLossClassifier(**QUICK).fit(*data)
    tried = candidates(parse_loss("anyloss:f1"), FRESH.plans["slp"], 0.2)
    assert list(model.validation_scores_) == [recipe_text(spec) for spec in tried]
    same = AnyLossClassifier(loss=f"anyloss@{model.recipe_}", **QUICK).fit(*data)
    np.testing.assert_allclose(same.decision_function(data[0]), model.decision_function(data[0]))


@pytest.mark.parametrize("hidden", [(), (4,)])
def test_the_same_recipe_gives_the_model_of_a_comparison(data, hidden, monkeypatch):
    loss, (X, y) = "anyloss:f1@L=10,warm_up=0", data
    model = AnyLossClassifier(loss=loss, hidden=hidden, random_state=0).fit(X, y)
    rows = pd.DataFrame(X).rename(columns=str).assign(ill=y)
    seed = int(np.random.RandomState(0).randint(2**31 - 1))
    monkeypatch.setattr(assembly, "mix_seeds", lambda *seeds: seeds[0])
    settings = ComparisonSettings((loss,), model="mlp" if hidden else "slp", seed=seed)
    made = train_final(dataset_from_frame(rows, "ill", 1), loss, settings)
    np.testing.assert_allclose(expit(model.decision_function(X)), made.scores(rows), atol=1e-9)


@pytest.mark.parametrize("classes", [2, 3])
def test_weight_decay_is_that_of_the_plan(classes, monkeypatch):
    X = np.random.default_rng(0).normal(size=(300, 3))
    y = np.digitize(X[:, 0], [0, 1][: classes - 1])
    usual = {"hidden": (4,), "L": 10, "warm_up": 0, "random_state": 0, "epochs": 50}
    decayed = AnyLossClassifier(**usual).fit(X, y)
    assert decayed._settings(y).optimiser == FRESH.plans["mlp"].optimiser
    other = AnyLossClassifier(**usual, optimizer="gd").fit(X, y)
    assert other._settings(y).optimiser == Optimiser("gd")
    plain = replace(FRESH.plans["mlp"], optimiser=Optimiser("adam"))
    monkeypatch.setattr(AnyLossClassifier, "_plan", lambda self, rows: plain)
    assert AnyLossClassifier(**usual).fit(X, y).loss_curve_ != decayed.loss_curve_


def test_automatic_with_early_stopping_uses_the_held_out_rows(data):
    model = AnyLossClassifier(early_stopping=True, **QUICK).fit(*data)
    first = next(iter(model.validation_scores_))
    assert model.validation_scores_[model.recipe_] >= model.validation_scores_[first]


def test_warm_up_begins_with_cross_entropy(data):
    warmed = AnyLossClassifier(warm_up=20, **QUICK).fit(*data)
    bce = AnyLossClassifier(loss="bce", **QUICK).fit(*data)
    np.testing.assert_allclose(warmed.loss_curve_[:20], bce.loss_curve_[:20])
    assert abs(warmed.loss_curve_[20] - bce.loss_curve_[20]) > 0.01
    share = AnyLossClassifier(warm_up=1 / 3, **QUICK).fit(*data)
    np.testing.assert_allclose(share.loss_curve_, warmed.loss_curve_)


def test_what_the_loss_spells_out_wins(data):
    spelled = AnyLossClassifier(loss="anyloss:gmean@L=20,lr=0.05", epochs=30).fit(*data)
    told = AnyLossClassifier("gmean", L=20, lr=0.05, epochs=30).fit(*data)
    np.testing.assert_array_equal(spelled.loss_curve_, told.loss_curve_)
    assert spelled.score(*data) == told.score(*data)  # G-mean, though metric is left at "f1"


@pytest.mark.parametrize("optimizer", ["adam", "momentum", "gd"])
def test_every_optimizer_learns_in_batches(data, optimizer):
    # At the rate 0.1 a difference in the last digit decides where momentum ends.
    settings = QUICK | {"optimizer": optimizer, "lr": 0.02}
    model = AnyLossClassifier(batch_size=64, L=73, warm_up=0, **settings)
    assert model.fit(*data).score(*data) > 0.5


def test_features_may_have_any_scale(data):
    X, y = data
    far = X * 1e6 + 1e9
    ours = AnyLossClassifier(**QUICK)
    np.testing.assert_array_equal(ours.fit(X, y).predict(X), ours.fit(far, y).predict(far))
    raw = AnyLossClassifier(standardize=False, **QUICK).fit(X, y)
    assert not np.allclose(raw.predict_proba(X), ours.fit(X, y).predict_proba(X))


@pytest.mark.parametrize("size", [1e200, 1e-200, 1e-320])
def test_features_of_any_size_are_learned_alike(data, size):
    X, y = data
    ours = AnyLossClassifier(**QUICK)
    plain = ours.fit(X, y).decision_function(X)
    far = ours.fit(X * size, y).decision_function(X * size)
    np.testing.assert_allclose(far, plain, atol=0.01)  # 1e-320 has few digits left
    assert np.isfinite(ours.decision_function(np.full((1, 5), 1e300))).all()


def test_columns_of_a_frame_are_remembered(data):
    X, y = data
    frame = pd.DataFrame(X, columns=list("abcde"))
    model = AnyLossClassifier(**QUICK).fit(frame, y)
    assert list(model.feature_names_in_) == list("abcde")
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[list("edcba")])


def test_pickling_and_cloning_keep_everything(data):
    X, y = data
    model = AnyLossClassifier(hidden=(2,), **QUICK).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    fresh = clone(model)
    assert fresh.get_params() == model.get_params()
    assert not hasattr(fresh, "classes_")


def test_the_same_seed_gives_the_same_model(data):
    options = {"hidden": (4,), "batch_size": 50, "epochs": 20}
    one, two, other = (
        AnyLossClassifier(random_state=seed, **options).fit(*data).loss_curve_ for seed in (1, 1, 2)
    )
    assert one == two != other


def test_verbose_shows_a_bar_and_silence_is_the_default(data, capsys):
    AnyLossClassifier(**QUICK).fit(*data)
    assert capsys.readouterr().err == ""
    AnyLossClassifier(verbose=True, **QUICK).fit(*data)
    assert "60/60" in capsys.readouterr().err


def test_it_works_in_a_pipeline_and_a_grid_search(data):
    search = GridSearchCV(
        make_pipeline(StandardScaler(), AnyLossClassifier(**QUICK)),
        {"anylossclassifier__L": [5.0, 73.0], "anylossclassifier__hidden": [(), (2,)]},
        cv=3,
    )
    search.fit(*data)
    by_f1 = GridSearchCV(search.estimator, search.param_grid, cv=3, scoring="f1").fit(*data)
    assert search.best_score_ == by_f1.best_score_  # the estimator scores what it optimises


def test_cross_validation_judges_by_the_metric(data):
    model = AnyLossClassifier(**QUICK)
    np.testing.assert_allclose(
        cross_val_score(model, *data, cv=3), cross_val_score(model, *data, cv=3, scoring="f1")
    )


def test_it_can_be_calibrated_and_its_threshold_tuned(data):
    X, y = data
    calibrated = CalibratedClassifierCV(AnyLossClassifier(**QUICK), cv=3).fit(X, y)
    assert abs(calibrated.predict_proba(X)[:, 1].mean() - y.mean()) < 0.05
    plain = AnyLossClassifier(loss="bce", **QUICK)
    tuned = TunedThresholdClassifierCV(plain, scoring="f1", cv=3, random_state=0).fit(X, y)
    assert tuned.best_threshold_ < 0.5
    assert f1_score(y, tuned.predict(X)) > plain.fit(X, y).score(X, y)


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"metric": "f2x"}, ValueError, "f2x"),
        ({"loss": "anylos"}, LossError, "did you mean 'anyloss'"),
        ({"loss": "bce+smote"}, ValueError, "imbalanced-learn"),
        ({"L": "best"}, ValueError, '"auto"'),
        ({"L": -3}, ValueError, "L must be a positive number"),
        ({"hidden": (0,)}, ValueError, "hidden"),
        ({"epochs": 0}, ValueError, "epochs"),
        ({"batch_size": 2.5}, ValueError, "batch_size"),
        ({"lr": 0}, ValueError, "lr"),
        ({"optimizer": "adams"}, StudyError, "optimiser must be one of"),
        ({"validation_fraction": 1.5}, ValueError, "validation_fraction"),
        ({"warm_up": -1}, ValueError, "warm_up"),
        ({"pos_label": "yes"}, ValueError, "pos_label"),
        ({"device": "gpu"}, StudyError, "device"),
    ],
)
def test_wrong_settings_are_refused_with_a_repair(data, settings, error, words):
    with pytest.raises(error, match=words):
        AnyLossClassifier(**settings).fit(*data)


def test_a_class_with_few_rows_gets_the_default_recipe(data):
    X, y = data
    single = np.where(np.arange(len(y)) == 0, 1, 0)
    model = AnyLossClassifier(**QUICK).fit(X, single)
    assert (model.recipe_, model.validation_scores_) == ("L=2..20,warm_up=0.8", {})
    with pytest.raises(ValueError, match="single row"):
        AnyLossClassifier(early_stopping=True).fit(X, single)
    with pytest.raises(ValueError, match="one class only"):
        AnyLossClassifier().fit(X, np.zeros(len(y)))


def test_a_ramp_is_the_same_as_its_spelling(data):
    given = AnyLossClassifier(L="2..20", warm_up=0.8, **QUICK).fit(*data)
    spelled = AnyLossClassifier(loss="anyloss@L=2..20,warm_up=0.8", **QUICK).fit(*data)
    assert given.L_ == "2..20"
    np.testing.assert_array_equal(
        given.decision_function(data[0]), spelled.decision_function(data[0])
    )


@pytest.mark.parametrize("L", ["fast", "5..", "0..20", "20..-1", ""])
def test_a_ramp_that_is_none_is_refused(data, L):
    with pytest.raises(ValueError, match="L must be"):
        AnyLossClassifier(L=L, **QUICK).fit(*data)


def test_batches_that_lack_the_positives_are_warned_of():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(300, 2)), np.arange(300) < 6
    small = AnyLossClassifier("f1", L=5, epochs=2, batch_size=16, random_state=0)
    with pytest.warns(LossWarning, match=r"of the batches of 16 rows hold no positive row"):
        small.fit(X, y)
    AnyLossClassifier("f1", L=5, epochs=2, random_state=0).fit(X, y)  # all rows at once: no word
