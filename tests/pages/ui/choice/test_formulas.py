"""Metrics as maths under charts and tables."""

from pages.ui.choice.formulas import in_maths, metric_formulas


def test_a_metric_is_an_equation_with_its_name():
    assert in_maths(["recall"]).startswith(r"$$\text{recall} = \frac{")
    assert in_maths(["f1", "mcc"]).count("$$") == 4


def test_a_formula_with_signs_in_its_name_is_called_score():
    assert in_maths(["TP / (TP + FP)"]).startswith(r"$$\text{score} = ")


def test_the_formulas_of_a_table_say_where_scores_come_from():
    assert metric_formulas(["f1"]).startswith("Each score is worked out per fold")
