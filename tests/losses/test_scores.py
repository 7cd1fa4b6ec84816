"""Every metric against scikit-learn, names and formulas alike."""

import pickle
import warnings

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from imblearn.metrics import geometric_mean_score
from sklearn import metrics as sk

from anyloss_core.losses.confusion import Counts, hard_counts
from anyloss_core.losses.formula import FormulaError
from anyloss_core.losses.scores import METRICS, f_beta, get_score


def _youden(y, p):
    return sk.recall_score(y, p) + sk.recall_score(y, p, pos_label=0) - 1


def _markedness(y, p):
    return sk.precision_score(y, p) + sk.precision_score(y, p, pos_label=0) - 1


ORACLES = {
    "accuracy": sk.accuracy_score,
    "precision": sk.precision_score,
    "recall": sk.recall_score,
    "specificity": lambda y, p: sk.recall_score(y, p, pos_label=0),
    "npv": lambda y, p: sk.precision_score(y, p, pos_label=0),
    "f1": sk.f1_score,
    "f0.5": lambda y, p: sk.fbeta_score(y, p, beta=0.5),
    "f2": lambda y, p: sk.fbeta_score(y, p, beta=2),
    "gmean": lambda y, p: geometric_mean_score(y, p, average="binary"),
    "balanced_accuracy": sk.balanced_accuracy_score,
    "jaccard": sk.jaccard_score,
    "fowlkes_mallows": lambda y, p: np.sqrt(sk.precision_score(y, p) * sk.recall_score(y, p)),
    "mcc": sk.matthews_corrcoef,
    "kappa": lambda y, p: np.nan_to_num(sk.cohen_kappa_score(y, p, labels=[0, 1])),
    "youden": _youden,
    "markedness": _markedness,
}
BINARY = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=30)


def _ours(name, labels, predictions):
    counts = hard_counts(torch.tensor(labels), torch.tensor(predictions))
    return get_score(name)(counts).item()


def test_every_metric_has_an_oracle():
    assert set(ORACLES) == set(METRICS)


@pytest.mark.parametrize("name", ORACLES)
def test_hard_predictions_score_as_in_scikit_learn(name):
    labels = [1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0]
    predictions = [1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1]  # precision, recall, npv, tnr all differ
    assert _ours(name, labels, predictions) == pytest.approx(ORACLES[name](labels, predictions))


@pytest.mark.parametrize("name", ORACLES)
@given(pairs=BINARY)
def test_degenerate_predictions_score_as_in_scikit_learn(name, pairs):
    labels, predictions = map(list, zip(*pairs, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns of what is undefined
        expected = ORACLES[name](labels, predictions)
    assert _ours(name, labels, predictions) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("beta", [0.1, 0.5, 1.0, 3.0, 10.0])
def test_f_beta_for_any_beta(beta):
    labels, predictions = [1, 1, 0, 0, 1], [1, 0, 0, 1, 0]
    expected = sk.fbeta_score(labels, predictions, beta=beta)
    assert _ours(f"f{beta:g}", labels, predictions) == pytest.approx(expected)


def test_a_beta_of_zero_is_refused():
    with pytest.raises(ValueError, match="beta of an F score"):
        f_beta(0.0)


@pytest.mark.parametrize("name", METRICS)
def test_the_loss_of_a_metric_runs_from_zero_to_one(name):
    score = METRICS[name]
    assert score.loss(score(Counts(tn=9, fn=0, fp=0, tp=4))) == pytest.approx(0)
    assert score.loss(score(Counts(tn=0, fn=4, fp=4, tp=0))) == pytest.approx(1)


def test_scores_take_tensors_arrays_and_numbers():
    f1 = get_score("f1")
    assert f1(Counts(tn=5, fn=1, fp=2, tp=3)) == pytest.approx(2 / 3)
    many = Counts(*np.array([[5, 5], [1, 0], [2, 0], [3, 3]], dtype=float))
    np.testing.assert_allclose(f1(many), [2 / 3, 1.0])
    assert f1(Counts(*map(torch.from_numpy, many))).tolist() == pytest.approx([2 / 3, 1.0])


@pytest.mark.parametrize("name", [*METRICS, "min(TP / P, 0.9)", "(TP / N) ** 0.5"])
def test_whole_numbers_and_mixed_counts_score_as_their_floats(name):
    whole = (5, 0, 1, 3)
    expected = get_score(name)(Counts(*map(float, whole)))
    for counts in (Counts(*map(torch.tensor, whole)), Counts(torch.tensor(5.0).double(), 0, 1, 3)):
        assert get_score(name)(counts).item() == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("typed", "near"), [("g-mean", "gmean"), ("balanced accuracy", "balanced_accuracy")]
)
def test_names_with_dashes_and_blanks_are_no_formulas(typed, near):
    with pytest.raises(FormulaError, match=f"did you mean '{near}'.*there are accuracy"):
        get_score(typed)


def test_unknown_names_suggest_the_nearest_metric():
    with pytest.raises(ValueError, match="did you mean 'accuracy'"):
        get_score("acuracy")


def test_a_score_that_was_used_can_be_pickled():
    counts = Counts(5.0, 1.0, 2.0, 3.0)
    score = get_score("(TP / P) ** 0.5 - abs(FP / NEG)")
    found = [*score.class_slopes(counts), score(counts)]
    again = pickle.loads(pickle.dumps(score))
    assert again == score
    assert [*again.class_slopes(counts), again(counts)] == found


def test_a_formula_may_have_a_name_of_its_own():
    score = get_score("Net value: (5*TP - FP) / (5*P)")
    assert (score.name, score.text) == ("Net value: (5*TP - FP) / (5*P)", "(5*TP - FP) / (5*P)")
    assert get_score(score.name) == score
    assert get_score("Mine : f2").text == get_score("f2").text
    counts = Counts(tn=5.0, fn=1.0, fp=2.0, tp=4.0)
    assert score(counts) == get_score(score.text)(counts)


@pytest.mark.parametrize("name", ["f1: TP / P", "F0.5: TP / P", "MCC: TP / P"])
def test_a_metric_keeps_its_name(name):
    with pytest.raises(FormulaError, match="is a metric already"):
        get_score(name)


@pytest.mark.parametrize("text", ["a: b: TP", "1a: TP", "x:", f"{'x' * 41}: TP", "<b>: TP"])
def test_what_is_no_name_is_refused_as_a_formula(text):
    with pytest.raises(FormulaError):
        get_score(text)


def test_a_cost_is_told_from_a_score():
    assert get_score("5*FN + FP").report.is_cost
    assert get_score("FP / NEG").report.is_cost
    assert not any(get_score(text).report.is_cost for text in ("f1", "TP - FP * FN", "P / N"))
