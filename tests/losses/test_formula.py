"""Typed formulas: what is accepted, what is refused and where the message points."""

import random
import re
import time

import pytest
import torch
from sklearn.metrics import jaccard_score

from anyloss_core.losses.confusion import hard_counts
from anyloss_core.losses.formula import MAX_LENGTH, FormulaError, parse_formula
from anyloss_core.losses.losses import SoftLoss
from anyloss_core.losses.scores import METRICS, get_score

REFUSED = {
    "TP.__class__": 0,
    "().__class__.__bases__": 0,
    "__import__('os').system('id')": 11,
    "TP if TP else TN": 0,
    "lambda: TP": 6,
    "[TP for TP in TN]": 0,
    "(x := TP)": 3,
    "TP; TN": 2,
    "TP == TN": 3,
    "TP and TN": 0,
    "not TP": 0,
    "TP, TN": 0,
    "f'{TP}'": 1,
    "'TP'": 0,
    "TP ^ 2": 3,
    "TP % 2": 3,
    "TP // 2": 0,
    "TP ** 99": 6,
    "TP ** TN": 6,
    "9 ** 9 ** 9 * TP": 10,
    "TP ** (2 ** 5)": 7,
    "1e999 * TP": 0,
    "nan * TP": 0,
    "inf * TP": 0,
    "1j * TP": 1,
    "0x10 * TP": 1,
    "True * TP": 0,
    "2TP": 1,
    "TP TN": 3,
    "TP +": 4,
    "(TP": 0,
    "TP)": 2,
    "min(TP)": 0,
    "sqrt(TP, TN)": 0,
    "sqrt(x=TP)": 6,
    "sqrt": 0,
    "open(TP)": 0,
    "max(*TP)": 0,
    "ТР / N": 0,  # Cyrillic look-alikes
    "ＴＰ / N": 0,  # full width: Python itself would read TP
    "TP\u202e / N": 2,  # right-to-left override
    "TP\x00": 2,
    "0.5": 0,
    "   ": 0,
    "": 0,
}


@pytest.mark.parametrize(("text", "place"), REFUSED.items())
def test_what_is_no_formula_is_refused_and_pointed_at(text, place):
    with pytest.raises(FormulaError) as error:
        parse_formula(text)
    assert error.value.position == place


def test_the_message_shows_the_place():
    with pytest.raises(FormulaError, match=r"'XX' is unknown.*\n  TP / \(XX \+ 1\)\n {8}\^"):
        parse_formula("TP / (XX + 1)")


def test_over_long_and_over_deep_input_is_refused_at_once():
    started = time.perf_counter()
    for text in ("TP+" * MAX_LENGTH, "(" * 400 + "TP" + ")" * 400, "-" * 900 + "TP", "1" * 999):
        with pytest.raises(FormulaError):
            parse_formula(text)
    with pytest.raises(FormulaError, match="1,000,000 characters"):
        parse_formula("T" * 1_000_000)
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize("text", ["(TP ** 4) ** 4 / N", "((TP ** 8) * 1) ** 2", "(TP ** 0.5) ** 9"])
def test_a_power_of_a_power_counts_as_their_product(text):
    with pytest.raises(FormulaError, match="a power must be a number between"):
        get_score(text)


def test_a_score_beyond_all_numbers_is_refused():
    with pytest.raises(FormulaError, match="grows beyond all numbers"):
        get_score("*".join(["1e30 * TP * N"] * 10))


def test_names_may_be_lower_case_and_spread_over_lines():
    counts = hard_counts(torch.tensor([1, 1, 0, 0]), torch.tensor([1, 0, 1, 0]))
    assert get_score(" tp /\n (tp + fp + fn)")(counts) == pytest.approx(
        jaccard_score([1, 1, 0, 0], [1, 0, 1, 0])
    )


def test_a_typed_built_in_trains_as_the_built_in():
    for name in ("f1", "mcc", "gmean", "kappa"):
        typed = get_score(METRICS[name].text)
        assert typed.range == METRICS[name].range


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("TP", "leave \\[0, 1\\]"),
        ("FN / P", "missed positive is found"),
        ("FP / NEG", "false alarm is avoided"),
        ("log(TP / N)", "undefined"),
        ("TP / (TP - FP)", "undefined"),
        ("(TP + 1) / (P + 1)", "never rises when a false alarm is avoided"),
        ("P / N", "never rises when a missed positive is found"),
    ],
)
def test_odd_scores_are_reported(text, warning):
    report = get_score(text).report
    assert any(re.search(warning, message) for message in report.warnings)


def test_a_sound_score_is_reported_without_warnings():
    report = get_score("(TP + TN + 1) / (N + 2)").report
    assert report.warnings == ()
    assert 0 <= report.low < 0.01
    assert 0.99 < report.high <= 1


def test_the_reported_range_is_the_one_found():
    report = get_score("3 * TP / N - 1").report
    assert (report.low, report.high) == (-1.0, 2.0)


FUZZ_CASES = 12_000
PIECES = ["TP", "TN", "FP", "FN", "N", "P", "NEG", "sqrt(", "min(", "max(", "log(", "exp(", "abs("]
PIECES += ["(", ")", "+", "-", "*", "/", "**", ",", " ", "1", "0", "2.5", "1e9", ".", "_", "x"]
PIECES += ["__", "import", "lambda", ":", "=", "[", "]", "{", "}", "'", '"', "\\", "\n", "é", "∞"]
PIECES += ["0" * 50, "if", "else", "@", "#", ";", "\x00", "\ud800"]
SOUND = ["TP", "TN", "FP", "FN", "N", "P", "NEG", "0.5", "2"]


def _junk(rng):
    return "".join(rng.choices(PIECES, k=rng.randint(1, 14)))


def _sound(rng, depth=0, leaves=SOUND):
    """A random formula that follows the grammar."""
    if depth > 3 or rng.random() < 0.25:
        return rng.choice(leaves)
    a, b = (_sound(rng, depth + 1, leaves) for _ in range(2))
    forms = ["({a} + {b})", "({a} - {b})", "{a} * {b}", "{a} / ({b})", "sqrt({a})", "({a}) ** 2"]
    forms += ["min({a}, {b})", "max({a}, {b})", "abs({a})", "log({a})", "exp({a})", "-{a}"]
    return rng.choice(forms).format(a=a, b=b)


def test_junk_gives_a_score_or_a_formula_error_and_nothing_else():
    rng = random.Random(0)
    slowest = accepted = 0
    for case in range(FUZZ_CASES):
        text = _sound(rng) if case % 4 == 0 else _junk(rng)
        started = time.perf_counter()
        try:
            parse_formula(text)
            accepted += 1
        except FormulaError:
            pass
        slowest = max(slowest, time.perf_counter() - started)
    assert accepted > FUZZ_CASES / 8
    assert slowest < 1


def test_random_sound_formulas_are_finite_everywhere():
    rng = random.Random(1)
    for _ in range(300):
        text = _sound(rng)
        try:
            score = get_score(text)
        except FormulaError:
            continue
        report = score.report
        assert report.low == report.low, text  # not NaN


EXTREME = ["1e-45", "1e-320", "3e-31", "1e-20", "1e20", "2e30", "1e38", "1e39", "1e300"]


@pytest.mark.parametrize(
    ("text", "reason", "place"),
    [
        ("min(TP / P, 1e39)", "1e39 is too large; use 0, or a number between 1e-30 and 1e", 12),
        ("TP / P + 1e300 - 1e300", "1e300 is too large", 9),
        (" TP / (TP + 1e-45 * FP)", "1e-45 is too small", 12),
        ("TP / P * (1e20 * 1e20)", r"1e20 \* 1e20 is too large", 10),
        ("TP * 1e999", "1e999 is too large", 5),
        ("(1e20 * TP) ** 2 / (1e20 * N) ** 2", "no value or slope in float32, e.g. at TN=", 0),
        ("TP ** 8 / (TP ** 8 + FP ** 8)", "divide the counts by N first", 0),
    ],
)
def test_numbers_that_float32_cannot_hold_are_refused(text, reason, place):
    with pytest.raises(FormulaError, match=reason) as error:
        get_score(text)
    assert error.value.position == place


def test_the_number_zero_and_the_repaired_formula_are_accepted():
    assert get_score("(TP / N) ** 8 / ((TP / N) ** 8 + (FP / N) ** 8) + 0 * TN")


@pytest.mark.filterwarnings("ignore::anyloss_core.losses.messages.LossWarning")  # some stand still
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_whatever_is_accepted_has_finite_slopes_or_says_that_it_has_not(dtype):
    """Random formulas with extreme numbers, at interior counts of a row to a million."""
    rng, labels = random.Random(2), torch.tensor([1.0, 0.0, 1.0, 0.0], dtype=dtype)
    accepted = 0
    for _ in range(400):
        text = _sound(rng, leaves=SOUND + EXTREME)
        try:
            loss = SoftLoss(text, stacked=True)
        except FormulaError:
            continue
        accepted += 1
        logits = torch.tensor([[rng.uniform(-3, 3) for _ in labels] for _ in range(3)], dtype=dtype)
        size = torch.full_like(logits, 10 ** rng.uniform(0, 5.3))
        said = ""
        try:
            loss(logits.requires_grad_(), labels.expand(3, 4), size).sum().backward()
        except ValueError as refused:
            said = str(refused)
        assert "divisors away from 0" in said or logits.grad.isfinite().all(), text
    assert accepted > 100
