"""Programs with a part worked out beforehand against the whole program."""

import numpy as np
import pytest
import torch

from anyloss_core.expression import Program
from anyloss_core.prepared import Prepared
from anyloss_core.scores import METRICS, get_score

TYPED = (
    "min(TP / P, TN / NEG)",
    "exp(TP / P) - log(FP / NEG + 1)",
    "abs(TP - FP) ** 2 / N ** 2",
    "-(FN - TP) / (P + 3)",
    "P / N",
)
SCORES = [*METRICS.values(), *map(get_score, TYPED)]


def leaves(kind):
    random = np.random.default_rng(0)
    p, neg = np.array([[10.0], [7.0]]), np.array([[30.0], [41.0]])
    tp, fp = p * random.random((2, 3)), neg * random.random((2, 3))
    found = {"TP": tp, "FP": fp, "FN": p - tp, "TN": neg - fp, "P": p, "NEG": neg, "N": p + neg}
    return {name: kind(value) for name, value in found.items()}


@pytest.mark.parametrize("kind", [np.asarray, torch.as_tensor], ids=["arrays", "tensors"])
@pytest.mark.parametrize("score", SCORES, ids=lambda score: score.name)
def test_what_is_known_beforehand_changes_nothing(score, kind):
    program, values = Program([score.tree]), leaves(kind)
    one, none = kind(np.array([[[1.0]], [[0.0]]])), kind(np.array([[[0.0]], [[1.0]]]))
    slopes = {"TP": one, "FN": -one, "FP": none, "TN": -none}
    value, slope = program.along({name: (values[name], slopes.get(name)) for name in values})
    for known in ({}, {name: values[name] for name in ("P", "NEG", "N")}):
        prepared = Prepared(program, slopes, known, values["TP"])
        for _ in range(2):  # a call leaves no trace
            found, moved = prepared(values)
            assert np.allclose(found, value)
            assert (moved is None) == (slope is None)
            assert moved is None or np.allclose(moved + 0 * value, slope + 0 * value)


def test_constants_beyond_all_numbers_warn_nobody():
    values = {name: value.astype(np.float32) for name, value in leaves(np.asarray).items()}
    program = Program([get_score("max(TP / P, 1 / exp(N) ** 5)").tree])
    one = np.ones((2, 1, 1), dtype=np.float32)
    value, _ = Prepared(program, {"TP": one}, {"P": values["P"], "N": values["N"]}, one)(values)
    assert np.isfinite(value).all()


def test_a_linear_score_has_nothing_left_to_do_for_its_slopes():
    values = leaves(np.asarray)
    program = Program([get_score("balanced_accuracy").tree])
    one = np.array([[[1.0]], [[0.0]]])
    slopes = {"TP": one, "FN": -one, "FP": 1 - one, "TN": one - 1}
    known = {name: values[name] for name in ("P", "NEG", "N")}
    assert not any(step.terms for step in Prepared(program, slopes, known, values["TP"]).steps)
    assert any(step.terms for step in Prepared(program, slopes, {}, values["TP"]).steps)
