"""A sweep in one sentence."""

import pandas as pd
import pytest

from anyloss_core.sweep.words import advice, setting_words, sweep_headline
from tests.support.sweeps import sweep_of


def test_the_sentence_names_the_best_and_what_will_do():
    words = sweep_headline(sweep_of({"5": 0.7, "10": 0.795, "5..73": 0.8, "73": 0.799}), "data.csv")
    assert words == (
        "On data.csv, F1 is highest with the ramp 5 to 73 (0.800 ± 0.000); within 0.01 of it: "
        "L = 10 and L = 73."
    )


def test_the_sentence_says_when_nothing_comes_near():
    assert "no other is within" in sweep_headline(sweep_of({"5": 0.2, "73": 0.9}), "x")
    assert setting_words("73") == "L = 73"


@pytest.mark.parametrize(
    ("means", "said", "take"),
    [
        ({"5": 0.7, "10": 0.795, "30": 0.8, "73": 0.799}, "any L from 10 up will do (73 was", "30"),
        ({"1": 0.8, "5": 0.8, "73": 0.7}, "any L up to 5 will do (1 was the smallest", "1"),
        ({"1": 0.8, "5": 0.8}, "any L from 1 to 5 will do, that is all", "1"),
        ({"1": 0.7, "5": 0.8, "10": 0.8, "73": 0.7}, "any L from 5 to 10 will do.", "5"),
        ({"1": 0.7, "5": 0.8, "10": 0.7, "30": 0.795}, "L = 5 is the one to take", "5"),
        ({"5": 0.8}, "L = 5 is the only one tried", "5"),
        ({"5": 0.7, "5..73": 0.8}, "no constant L comes within 0.01 of the ramp 5 to 73", "5..73"),
    ],
)
def test_the_advice_names_neighbours_of_the_best_that_will_do(means, said, take):
    (found,) = advice(sweep_of(means))
    assert found.sentence.startswith(f"For F1: {said}")
    assert (found.metric, found.setting) == ("f1", take)


@pytest.mark.parametrize(
    ("recipes", "said"),
    [
        (["L=30,warm_up=0.8"] * 5, "; automatic chose L = 30, 0.010 behind the best."),
        (
            ["L=30,warm_up=0", "L=30,warm_up=0.8", "L=2..20,warm_up=0.8"],
            "; automatic chose L = 30 on 2 of 3 folds, 0.010 behind the best.",
        ),
        ([], "; automatic reached 0.790, 0.010 behind the best."),
    ],
)
def test_the_advice_tells_what_automatic_chose(recipes, said):
    found = sweep_of({"10": 0.8, "30": 0.8, "auto": 0.79})
    rows = [("f1", fold, recipe) for fold, recipe in enumerate(recipes)]
    chosen = pd.DataFrame(rows, columns=["metric", "fold", "recipe"])
    (one,) = advice(type(found)(**vars(found) | {"chosen": chosen}))
    assert one.sentence.endswith(said)
    assert one.setting == "10"


def test_the_advice_says_when_folds_are_too_few_for_it():
    sweep = sweep_of({"5": 0.7, "10": 0.8})
    scores = sweep.scores.assign(score=[0.6, 0.8, 0.9, 0.7])  # fold by fold: -0.3 and +0.1
    (one,) = advice(type(sweep)(**vars(sweep) | {"scores": scores}))
    assert one.sentence.endswith("; these folds know a difference of two L only to ± 0.200.")
    assert "only to" not in advice(sweep)[0].sentence
