"""Three and more classes: soft counts per class, macro scores, and training on them."""

import numpy as np
import pytest
import torch
from sklearn.datasets import load_digits, make_classification
from sklearn.metrics import f1_score, jaccard_score, precision_score, recall_score
from sklearn.model_selection import cross_val_score

from anyloss_core import AnyLossClassifier, approximate, get_score
from anyloss_core.estimator.multiclass import _sums
from anyloss_core.losses.functional import amplify, averaged
from anyloss_core.losses.softening import Amplifier

QUICK = {"epochs": 60, "lr": 0.1, "random_state": 0}
MACRO = {"f1": f1_score, "precision": precision_score, "recall": recall_score}
MACRO |= {"jaccard": jaccard_score}


def _one_hot(codes, classes):
    return torch.nn.functional.one_hot(torch.as_tensor(codes), classes).T.double()


@pytest.fixture(scope="module")
def data():
    return make_classification(
        300,
        n_features=6,
        n_informative=5,
        n_redundant=0,
        n_classes=3,
        weights=[0.7, 0.2],
        class_sep=1.0,
        random_state=1,
    )


@pytest.mark.parametrize("L", [1.0, 20.0, 73.0])
def test_with_two_classes_the_amplifier_is_the_papers(L):
    p = torch.linspace(0.01, 0.99, 99, dtype=torch.float64)
    soft = amplify(torch.stack([1 - p, p]), Amplifier(L))  # (2, B)
    torch.testing.assert_close(soft[1], approximate(p, L))
    torch.testing.assert_close(soft.sum(0), torch.ones_like(p))


def test_a_large_L_turns_the_largest_probability_into_the_prediction():
    p = torch.tensor([[0.40], [0.35], [0.25]], dtype=torch.float64)  # none above one half
    assert amplify(p, Amplifier(1000.0)).round().squeeze().tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("metric", MACRO)
def test_certain_predictions_give_scikit_learns_macro_scores(metric):
    random = np.random.default_rng(0)
    actual, predicted = random.integers(0, 4, (2, 50))
    weights = random.uniform(0, 2, 50)
    sums = _sums(_one_hot(actual, 4), _one_hot(predicted, 4)[None], torch.from_numpy(weights)[None])
    ours = 1 - averaged(get_score(metric), sums, "macro").item()
    expected = MACRO[metric](actual, predicted, average="macro", sample_weight=weights)
    assert ours == pytest.approx(expected)


def test_the_gradient_is_that_of_finite_differences():
    logits = torch.randn(2, 3, 7, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    actual = _one_hot([0, 1, 2, 0, 0, 1, 2], 3)
    weights = torch.linspace(0.5, 2, 14, dtype=torch.float64).view(2, 7)

    def loss(z):
        soft = amplify(z.softmax(1), Amplifier(12.0))
        return averaged(get_score("f1"), _sums(actual, soft, weights), "macro")

    assert torch.autograd.gradcheck(loss, logits.requires_grad_())


@pytest.mark.parametrize("metric", MACRO)
def test_score_is_the_macro_metric(data, metric):
    X, y = data
    weights = np.random.default_rng(0).uniform(0, 2, len(y))
    model = AnyLossClassifier(metric, **QUICK).fit(X, np.array(["a", "b", "c"])[y])
    expected = MACRO[metric](
        np.array(["a", "b", "c"])[y], model.predict(X), average="macro", sample_weight=weights
    )
    assert model.score(X, np.array(["a", "b", "c"])[y], weights) == pytest.approx(expected)


def test_macro_f1_beats_cross_entropy_on_an_imbalanced_problem():
    X, y = make_classification(
        1000,
        n_features=8,
        n_informative=5,
        n_classes=4,
        weights=[0.75, 0.15, 0.06],
        class_sep=0.7,
        random_state=2,
    )
    ours, cross_entropy = (
        cross_val_score(AnyLossClassifier("f1", loss=loss, **QUICK), X, y, cv=3).mean()
        for loss in ("anyloss@L=5..73,warm_up=0.2", "bce")
    )
    assert ours > cross_entropy + 0.03


def test_digits_are_learned():
    X, y = load_digits(return_X_y=True)
    model = AnyLossClassifier("f1", loss="anyloss@L=5..73,warm_up=0.2", **QUICK).fit(X[::2], y[::2])
    assert model.score(X[1::2], y[1::2]) > 0.9
    assert model.predict_proba(X).shape == (len(y), 10)
    np.testing.assert_allclose(model.predict_proba(X).sum(1), 1)


def test_hidden_layers_batches_and_other_losses_learn(data):
    X, y = data
    for loss in ("anyloss", "sol", "soft", "bce", "weighted_bce"):
        model = AnyLossClassifier(
            "f1", loss=loss, hidden=(8,), batch_size=150, epochs=40, lr=0.1, random_state=0
        ).fit(X, y)
        assert model.score(X, y) > 0.6, loss


def test_balanced_cross_entropy_finds_more_of_the_rare_class(data):
    X, y = data
    plain, even = (
        AnyLossClassifier("recall", loss=loss, **QUICK).fit(X, y).score(X, y)
        for loss in ("bce", "weighted_bce")
    )
    assert even > plain


def test_automatic_L_gives_the_model_that_its_L_alone_gives(data):
    X, y = data
    chosen = AnyLossClassifier(L="auto", **QUICK).fit(X, y)
    alone = AnyLossClassifier(loss=f"anyloss@{chosen.recipe_}", **QUICK).fit(X, y)
    np.testing.assert_allclose(chosen.loss_curve_, alone.loss_curve_)
    assert len(chosen.validation_scores_) == 5


def test_early_stopping_keeps_the_best_epoch(data):
    settings = QUICK | {"early_stopping": True, "n_iter_no_change": 5, "warm_up": 0}
    model = AnyLossClassifier(**settings).fit(*data)
    assert 5 < model.n_iter_ < 60
    assert len(model.loss_curve_) == model.n_iter_


def test_early_stopping_begins_after_the_warm_up(data):
    for seed in range(20):
        settings = QUICK | {"early_stopping": True, "random_state": seed}
        ours = AnyLossClassifier(L="2..20", **settings).fit(*data)
        bce = AnyLossClassifier(loss="bce", **settings).fit(*data)
        assert ours.n_iter_ > 0.8 * QUICK["epochs"]
        assert not np.array_equal(ours.decision_function(data[0]), bce.decision_function(data[0]))


def test_a_training_that_is_all_warm_up_ends_with_its_last_epoch(data):
    settings = QUICK | {"early_stopping": True, "n_iter_no_change": 60}
    ours = AnyLossClassifier(warm_up=0.999, **settings).fit(*data)
    assert ours.n_iter_ == 60
    assert ours.loss_curve_[-1] < ours.loss_curve_[0]
    assert ours.score(*data) > 0.5


@pytest.mark.parametrize("schedule", ["linear", "cosine"])
def test_a_rate_that_falls_comes_nearer_to_the_least_loss(data, schedule):
    settings = {"loss": "bce", "epochs": 60, "lr": 0.5, "batch_size": 50, "random_state": 0}
    constant = AnyLossClassifier(**settings, schedule="constant").fit(*data)
    falling = AnyLossClassifier(**settings, schedule=schedule).fit(*data)
    assert falling.loss_curve_[-1] < constant.loss_curve_[-1]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"loss": "focal"}, "for two classes"),
        ({"loss": "sigmoid_f1"}, "for two classes"),
        ({"loss": "anyloss:f1@threshold=0.3"}, "threshold is for two classes"),
        ({"pos_label": 1}, "needs two classes"),
    ],
)
def test_what_makes_sense_for_two_classes_only_is_refused(data, settings, words):
    with pytest.raises(ValueError, match=words):
        AnyLossClassifier(**settings).fit(*data)
