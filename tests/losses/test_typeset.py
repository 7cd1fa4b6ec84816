"""Formulas as maths: fractions, roots, and brackets only where they are needed."""

import pytest

from anyloss_core.losses.formula import parse_formula
from anyloss_core.losses.scores import METRICS
from anyloss_core.losses.typeset import latex

TP, FP, FN, TN = (rf"\mathrm{{{name}}}" for name in ("TP", "FP", "FN", "TN"))
WRITTEN = {
    "TP / (TP + FP)": rf"\frac{{{TP}}}{{{TP} + {FP}}}",
    "sqrt(TP * TN) / N": rf"\frac{{\sqrt{{{TP} \cdot {TN}}}}}{{N}}",
    "(TP + TN) * (TP - TN)": rf"\left({TP} + {TN}\right) \cdot \left({TP} - {TN}\right)",
    "TP - (FP - FN)": rf"{TP} - \left({FP} - {FN}\right)",
    "TP - FP - FN": rf"{TP} - {FP} - {FN}",
    "(TP / N) ** 2": rf"\frac{{{TP}}}{{N}}^{{2}}",
    "(TP + FP) ** 0.5": rf"\left({TP} + {FP}\right)^{{0.5}}",
    "abs(TP - FN) / P": rf"\frac{{\left|{TP} - {FN}\right|}}{{P}}",
    "-(TP + FP)": rf"-\left({TP} + {FP}\right)",
    "min(TP, 3)": rf"\min\left({TP}, 3\right)",
    "TN / NEG": rf"\frac{{{TN}}}{{N_{{-}}}}",
}


@pytest.mark.parametrize("text", WRITTEN)
def test_a_formula_is_written_as_maths(text):
    assert latex(parse_formula(text)) == WRITTEN[text]


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_has_balanced_braces_and_brackets(name):
    written = METRICS[name].latex
    assert written.count("{") == written.count("}") > 0
    assert written.count(r"\left") == written.count(r"\right")
