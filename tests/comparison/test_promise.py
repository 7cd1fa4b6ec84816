"""What is said of chosen recipes and of the gain that inner rows promise."""

import pandas as pd

from anyloss_core.comparison.answer import answer
from anyloss_core.comparison.comparison import compare
from anyloss_core.comparison.outcomes import RECIPES
from anyloss_core.comparison.promise import (
    chosen_words,
    promise_words,
    recipe_table,
    recipe_words,
    training_words,
)
from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.suites.builtin import builtin

FIRST = ("anyloss:mcc", 0, "L=10,warm_up=0", 0.5, 0.4, 0.1, 0.02, "bce+threshold")
TABLE = pd.DataFrame(
    [
        FIRST,
        ("anyloss:mcc", 1, "L=10,warm_up=0", 0.5, 0.4, 0.05, 0.04, "bce+threshold"),
        ("anyloss:mcc", 2, "L=73,warm_up=0", 0.5, 0.4, 0.03, 0.03, "bce+threshold"),
        ("sol:f1", 0, "warm_up=0", float("nan"), float("nan"), float("nan"), float("nan"), ""),
    ],
    columns=RECIPES,
)


def test_the_promise_names_gain_error_metric_and_rival():
    assert promise_words(TABLE, "anyloss:mcc") == (
        "Inner rows promise AnyLoss-MCC +0.060 ± 0.030 MCC over BCE with threshold for MCC."
    )
    assert promise_words(TABLE, "sol:f1") == ""
    assert promise_words(TABLE, "bce") == ""


def test_recipes_are_counted_the_most_frequent_first():
    assert recipe_words(TABLE, "anyloss:mcc") == (
        "Recipe of AnyLoss-MCC: L=10,warm_up=0 in 2 and L=73,warm_up=0 in 1 of 3 folds."
    )
    many = pd.concat([TABLE.head(1).assign(recipe=f"L={n}") for n in (1, 1, 2, 3, 4, 5)])
    assert "others in 2 of 6 folds" in recipe_words(many, "anyloss:mcc")


def test_a_comparison_says_both_of_every_loss_that_has_chosen():
    data = builtin("breast_cancer_imbalanced")
    losses = ["bce", "bce+threshold", "anyloss:f1"]
    words = chosen_words(compare(data, losses, folds=2, repeats=1, epochs=20).recipes)
    assert words.startswith("Inner rows promise AnyLoss-F1 ")
    assert "Recipe of AnyLoss-F1: " in words
    fixed = compare(data, ["bce", "anyloss:f1@L=10"], folds=2, repeats=1, epochs=5)
    assert training_words(fixed) == "Plan: 197 rows: all rows at once, 5 epochs."


def test_a_search_of_bce_has_its_form_told_for_the_metric_that_is_judged():
    data = builtin("breast_cancer_imbalanced")
    found = compare(data, ["bce", "anyloss:f1", "bce+search"], folds=2, repeats=1, epochs=20)
    table = recipe_table(found, "mcc")
    assert list(table["loss"]) == ["anyloss:f1"] * 2 + ["bce+search"] * 2
    tried = set(found.cuts.query("loss == 'bce+search'")["recipe"])
    assert set(table["recipe"][2:]) <= tried
    assert "Recipe of BCE, best form and threshold: " in training_words(found, "mcc")


def test_the_form_of_a_search_of_bce_is_told_in_words():
    table = pd.DataFrame({"loss": "bce+search", "recipe": ["focal@alpha=0.75"] * 2 + ["mse"]})
    assert recipe_words(table, "bce+search") == (
        "Recipe of BCE, best form and threshold: focal loss (alpha=0.75) in 2 and MSE in 1 of 3 "
        "folds."
    )


def test_the_sentence_says_that_one_loss_chose_and_the_other_did_not():
    data = builtin("breast_cancer_imbalanced")
    how = {"folds": 2, "repeats": 1, "epochs": 5}
    said = "On inner folds AnyLoss-F1 chose among 5 recipes; BCE had one."
    assert said in answer(compare(data, ["bce", "anyloss:f1"], **how)).headline
    rows = data.frame.assign(ill=data.labels)
    few = dataset_from_frame(rows.groupby("ill").head(9), "ill", 1)
    assert "recipes" not in answer(compare(few, ["bce", "anyloss:f1"], **how)).headline
