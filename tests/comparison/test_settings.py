"""Settings of a comparison: refused by name, stored and read back."""

import json

import pytest

from anyloss_core.common.settings import SettingsError
from anyloss_core.comparison.comparison import ComparisonSettings, compare
from anyloss_core.comparison.settings import amplifier_text, read_amplifier
from anyloss_core.losses.spelling import LossError
from tests.support.small_table import small


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"model": "cnn"}, "model"),
        ({"protocol": "secret"}, "protocol"),
        ({"folds": 1}, "folds"),
        ({"losses": ()}, "losses"),
        ({"losses": "bce"}, "must be a list of spellings"),
        ({"losses": ("bce", "bce")}, "twice"),
        ({"epochs": -1}, "epochs"),
        ({"lr": -0.1}, "lr"),
        ({"lr": 0}, "lr"),
        ({"batch": -1}, "batch"),
        ({"moon": 1}, "moon"),
        ({"hidden": (0,)}, "hidden"),
    ],
)
def test_wrong_settings_are_named(settings, word):
    with pytest.raises(ValueError, match=word):
        compare(small(), **settings)


def test_a_wrong_spelling_is_refused_before_anything_is_trained():
    with pytest.raises(LossError, match="anyloss"):
        compare(small(), losses=("anylos:f1",))


def test_settings_survive_json():
    settings = ComparisonSettings(("bce",), "mlp", hidden=(3, 2), epochs=5)
    assert ComparisonSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings
    with pytest.raises(SettingsError, match="mood"):
        ComparisonSettings.from_dict({"mood": "good"})


def test_what_is_set_wins_over_the_plan_of_the_protocol():
    plain = ComparisonSettings(protocol="paper", model="mlp").plan
    plan = ComparisonSettings(
        protocol="paper", model="mlp", epochs=7, batch=0, optimiser="gd", dtype="float32"
    ).plan
    assert (plan.epochs, plan.batch, plan.batches) == (7, None, {})
    assert (plan.optimiser.name, plan.dtype) == ("gd", "float32")
    assert (plan.network, plan.lr) == (plain.network, plain.lr)


def test_hidden_units_in_an_slp_get_a_start_that_tells_them_apart():
    assert ComparisonSettings(hidden=(3,)).plan.network.initial == "glorot"


@pytest.mark.parametrize(("curves", "spacing"), [(100, 3), (400, 1), (0, 1), (7, 42)])
def test_curves_are_spread_over_the_epochs(curves, spacing):
    assert ComparisonSettings(epochs=300, curves=curves).curve_spacing == spacing


@pytest.mark.parametrize("text", ["73", "5..73", "0.25"])
def test_an_amplifier_is_written_as_it_is_read(text):
    assert amplifier_text(read_amplifier(text)) == text


@pytest.mark.parametrize(
    ("rows", "settings", "repeats"),
    [
        (300, {}, 5),
        (300, {"repeats": 1}, 1),
        (300, {"folds": 5}, 1),
        (300, {"protocol": "paper"}, 1),
        (3000, {}, 1),
    ],
)
def test_ten_folds_of_a_small_table_are_repeated(rows, settings, repeats):
    settled = ComparisonSettings(**settings).settled(small(rows))
    assert (settled.repeats, settled.all_folds) == (repeats, settled.folds * repeats)
    assert settled.settled(small(rows)) == settled


def test_the_result_tells_the_repeats_and_the_few_rows_of_a_fold():
    found = compare(small(), losses=("bce",), epochs=3)
    assert (found.settings["repeats"], found.scores["fold"].nunique()) == (5, 50)
    assert any("rows of the rarer class in 10 folds" in note for note in found.notes)
    one = compare(small(), losses=("bce",), folds=3, epochs=3)
    assert (one.settings["repeats"], one.scores["fold"].nunique(), one.notes) == (1, 3, ())


def test_a_goal_is_checked_tidied_and_kept():
    settings = ComparisonSettings(goal="precision@recall>=0.9")
    assert settings.goal == "precision at recall >= 0.9"
    assert ComparisonSettings.from_dict(settings.to_dict()) == settings
    with pytest.raises(ValueError, match="should raise an alarm"):
        ComparisonSettings(goal="cost: miss=3")
