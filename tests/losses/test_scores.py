"""Every metric against scikit-learn, its slopes against finite differences."""

import warnings

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from imblearn.metrics import geometric_mean_score
from sklearn import metrics as sk

from anyloss_core.confusion import Counts, hard_counts, safe_ratio
from anyloss_core.formula import FormulaError
from anyloss_core.scores import METRICS, f_beta, get_score


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


SHAPES = [*METRICS, "f3", "min(TP / P, TN / NEG)", "max(TP, TN) / N", "abs(TP - FN) / N"]
SHAPES += ["(TP / P) ** 0.5", "exp(-FP / N)", "log(1 + TP) / log(1 + P)", "-FN / N + 1"]
SHAPES += ["(TP / N) ** -0.5", "sqrt(2) * TP / N", "TP / (TP + 0.5 * FP + 0.5 * FN) - 3"]


@pytest.mark.parametrize("name", SHAPES)
def test_slopes_equal_finite_differences(name):
    score = get_score(name)
    at = np.array([40.0, 5.0, 9.0, 13.0])  # tn, fn, fp, tp: all different
    value, slopes = score.slopes(Counts(*at))
    assert value == pytest.approx(float(score(Counts(*at))))
    for place, slope in enumerate(slopes):
        step = np.eye(4)[place] * 1e-5
        rise = score(Counts(*(at + step))) - score(Counts(*(at - step)))
        assert float(slope) == pytest.approx(rise / 2e-5, abs=1e-8)


@pytest.mark.parametrize("name", SHAPES)
def test_empty_counts_give_finite_values_and_slopes(name):
    corners = np.stack(np.meshgrid(*[[0.0, 1.0, 7.0]] * 4), -1).reshape(-1, 4)
    for dtype in (torch.float32, torch.float64):
        counts = Counts(*torch.tensor(corners.T, dtype=dtype))
        value, slopes = get_score(name).slopes(counts)
        assert torch.isfinite(torch.stack([value, *slopes])).all()
        assert value.dtype == slopes.tp.dtype == dtype


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


def test_autograd_flows_through_a_score():
    entries = torch.tensor([40.0, 5.0, 9.0, 13.0], dtype=torch.float64, requires_grad=True)
    get_score("mcc")(Counts(*entries)).backward()
    _, slopes = get_score("mcc").slopes(Counts(*entries.detach()))
    assert entries.grad.tolist() == pytest.approx([float(s) for s in slopes])


@pytest.mark.parametrize(
    ("typed", "near"), [("g-mean", "gmean"), ("balanced accuracy", "balanced_accuracy")]
)
def test_names_with_dashes_and_blanks_are_no_formulas(typed, near):
    with pytest.raises(FormulaError, match=f"did you mean '{near}'.*there are accuracy"):
        get_score(typed)


def test_unknown_names_suggest_the_nearest_metric():
    with pytest.raises(ValueError, match="did you mean 'accuracy'"):
        get_score("acuracy")


def test_a_ratio_over_zero_is_zero_and_sends_no_nan_backwards():
    top = torch.tensor([1.0, 0.0], requires_grad=True)
    bottom = torch.tensor([0.0, 0.0], requires_grad=True)
    safe_ratio(top, bottom).sum().backward()
    assert top.grad.tolist() == bottom.grad.tolist() == [0.0, 0.0]


def test_the_formula_can_be_shown_as_maths():
    assert get_score("jaccard").latex.startswith(r"\frac{\mathrm{TP}}")
    assert get_score("(TP + TN) * (TP - TN) / N").latex.count(r"\left(") == 2


@pytest.mark.parametrize("name", [*METRICS, "f3", "TP / (TP + 2 * FP - 0.5 * FN)", "P / NEG"])
def test_plain_numbers_and_arrays_have_the_same_slopes(name):
    score = get_score(name)
    for entries in ((5.0, 2.0, 3.0, 7.0), (5.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)):
        value, slopes = score.slopes(Counts(*entries))
        values, arrays = score.slopes(Counts(*(np.array([entry]) for entry in entries)))
        assert value == pytest.approx(values[0])
        assert tuple(slopes) == pytest.approx([array[0] for array in arrays])
