"""A sweep in one sentence."""

from anyloss_core.sweep.words import setting_words, sweep_headline
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
