"""Scores and their slopes against finite differences, in every kind of numbers."""

import numpy as np
import pytest
import torch

from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.program import EACH_COUNT, NEGATIVE, POSITIVE, Program, bare_value
from anyloss_core.losses.scores import METRICS, get_score

SHAPES = [*METRICS, "f3", "min(TP / P, TN / NEG)", "max(TP, TN) / N", "abs(TP - FN) / N"]
SHAPES += ["(TP / P) ** 0.5", "exp(-FP / N)", "log(1 + TP) / log(1 + P)", "-FN / N + 1"]
SHAPES += ["(TP / N) ** -0.5", "sqrt(2) * TP / N", "TP / (TP + 0.5 * FP + 0.5 * FN) - 3", "P / N"]
AT = np.array([40.0, 5.0, 9.0, 13.0])  # tn, fn, fp, tp: all different
DIRECTIONS = (*EACH_COUNT, POSITIVE, NEGATIVE)
KINDS = {
    "float": float,
    "array": lambda x: np.array([x]),
    "float32 array": lambda x: np.array([x], dtype=np.float32),
    "tensor": lambda x: torch.tensor([x], dtype=torch.float64),
    "float32 tensor": lambda x: torch.tensor([x]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_slopes_equal_finite_differences(name):
    score = get_score(name)
    value, *slopes = Program([score.tree], DIRECTIONS)(Counts(*AT.tolist()))
    assert value == pytest.approx(float(score(Counts(*AT))))
    for direction, slope in zip(DIRECTIONS, slopes, strict=True):
        step = np.array(direction) * 1e-5
        rise = score(Counts(*(AT + step))) - score(Counts(*(AT - step)))
        assert slope == pytest.approx(rise / 2e-5, abs=1e-8)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SHAPES)
def test_floats_arrays_and_tensors_give_the_same(name, kind):
    program = Program([get_score(name).tree], DIRECTIONS)
    expected = program(Counts(*AT.tolist()))
    found, one = program(Counts(*map(KINDS[kind], AT.tolist()))), KINDS[kind](1.0)
    digits = 1e-5 if "32" in kind else 1e-12
    numbers = found if kind == "float" else [x.item() for x in found]
    assert numbers == pytest.approx(expected, rel=digits, abs=digits)
    assert all(isinstance(x, type(one)) for x in found)
    assert kind == "float" or all(x.dtype == one.dtype for x in found)


@pytest.mark.parametrize("name", SHAPES)
def test_empty_counts_give_finite_values_and_slopes(name):
    corners = np.stack(np.meshgrid(*[[0.0, 1.0, 7.0]] * 4), -1).reshape(-1, 4)
    program = Program([get_score(name).tree], DIRECTIONS)
    for dtype in (torch.float32, torch.float64):
        found = torch.stack(program(Counts(*torch.tensor(corners.T, dtype=dtype))))
        assert found.isfinite().all()
        assert found.dtype == dtype
    numbers = [program(Counts(*map(float, corner))) for corner in corners]
    np.testing.assert_allclose(np.transpose(numbers), found, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", SHAPES)
def test_autograd_gives_the_slope_of_each_count(name):
    entries = torch.tensor(AT, requires_grad=True)
    get_score(name)(Counts(*entries)).backward()
    _, *slopes = Program([get_score(name).tree], EACH_COUNT)(Counts(*AT))
    assert entries.grad.tolist() == pytest.approx([float(slope) for slope in slopes])


def leaves(like):
    """Two folds x three models whose class totals are known."""
    random = np.random.default_rng(0)
    p, neg = np.array([[10.0], [7.0]]), np.array([[30.0], [41.0]])
    tp, fp = p * random.random((2, 3)), neg * random.random((2, 3))
    found = {"TP": tp, "FP": fp, "FN": p - tp, "TN": neg - fp, "P": p, "NEG": neg, "N": p + neg}
    return {name: like(value) for name, value in found.items()}


@pytest.mark.parametrize("like", [np.asarray, torch.as_tensor], ids=["arrays", "tensors"])
def test_trees_of_one_shape_run_together_each_with_its_own_constants(like):
    trees = [get_score(name).tree for name in ("f0.5", "f1", "f3")]
    values = leaves(like)
    together = Program(trees, [POSITIVE, NEGATIVE], like=values["TP"]).run(values)
    for column, tree in enumerate(trees):
        own = {name: x[:, [min(column, x.shape[1] - 1)]] for name, x in values.items()}
        alone = Program([tree], [POSITIVE, NEGATIVE]).run(own)
        for ours, theirs in zip(together, alone, strict=True):
            np.testing.assert_allclose(ours[:, [column]], theirs, rtol=1e-12)


def test_many_constants_keep_the_precision_of_the_counts():
    trees = [get_score(name).tree for name in ("f0.5", "f1", "f3")]
    values = leaves(lambda x: x.astype(np.float32))
    found = Program(trees, [POSITIVE, NEGATIVE], like=values["TP"]).run(values)
    assert {x.dtype for x in found} == {np.dtype(np.float32)}


def test_the_bare_value_shows_where_a_formula_is_undefined():
    nothing = Counts(*np.zeros(4))
    assert np.isnan(bare_value(get_score("precision").tree, nothing))
    assert bare_value(get_score("log(TP)").tree, nothing) == -np.inf
    assert bare_value(get_score("accuracy").tree, Counts(*AT)) == pytest.approx(53 / 67)
