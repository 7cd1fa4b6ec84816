import pytest

from anyloss_core.common.settings import SettingsError
from anyloss_core.live.settings import LiveSettings, expected, read_hidden
from anyloss_core.losses.spelling import Ramp
from tests.live_runs import live_settings


def test_settings_come_back_from_their_dictionary():
    settings = live_settings(losses=("bce", "anyloss:gmean@L=9"), hidden=(5, 3), batch_norm=True)
    assert LiveSettings.from_dict(settings.to_dict()) == settings


def test_the_page_fills_in_what_a_loss_leaves_open():
    settings = live_settings(losses=("anyloss:f1", "anyloss:f1@L=9,lr=0.5", "bce"), L=40.0, lr=0.1)
    first, second, third = settings.specs
    assert (first.L, second.L, third.L) == (40.0, 9.0, None)
    assert [recipe.lr for recipe in settings.recipes(100)] == [0.1, 0.5, 0.1]


def test_a_growing_amplifier_concerns_anyloss_and_a_warm_up_all_losses_over_counts():
    losses = ("anyloss:f1", "sol:f1", "mse")
    settings = live_settings(losses=losses, ramp=True, warm_up=0.2, L=60.0)
    assert [spec.L for spec in settings.specs] == [Ramp(5.0, 60.0), None, None]
    assert [spec.warm_up for spec in settings.specs] == [0.2, 0.2, 0.0]


def test_a_batch_of_zero_means_all_rows_and_a_share_is_of_the_training_rows():
    settings = live_settings(losses=("bce", "mse@batch=0.25"))
    assert [recipe.batch for recipe in settings.recipes(80)] == [None, 20]


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"losses": ()}, "one to 6"),
        ({"losses": tuple(f"anyloss:f1@L={n}" for n in range(1, 8))}, "one to 6"),
        ({"losses": ("bce", "BCE")}, "twice"),
        ({"losses": ("bce+smote",)}, "Compare"),
        ({"losses": ("nonsense",)}, "nonsense"),
        ({"metric": "TP /"}, "TP"),
        ({"hidden": (300,)}, "256"),
        ({"hidden": (2,) * 5}, "4 hidden layers"),
        ({"hidden": (2,), "activation": "step"}, "activation"),
        ({"optimiser": "magic"}, "optimiser"),
        ({"epochs": 0}, "epochs"),
        ({"lr": float("nan")}, "lr"),
        ({"valid_share": 0.9}, "valid_share"),
    ],
)
def test_what_cannot_be_trained_is_refused_with_the_reason(changes, word):
    with pytest.raises(ValueError, match=word):
        live_settings(**changes)


def test_an_unknown_setting_is_named():
    with pytest.raises(SettingsError, match="colour"):
        LiveSettings.from_dict({"data": "builtin:random", "colour": "red"})


@pytest.mark.parametrize(("text", "widths"), [("16, 8", (16, 8)), (" 4 ", (4,)), ("", ())])
def test_hidden_layers_are_read_as_people_write_them(text, widths):
    assert read_hidden(text) == widths


@pytest.mark.parametrize("text", ["a", "1.5", "0", "-3", "9,9,9,9,9", "1000"])
def test_hidden_layers_that_make_no_sense_are_refused(text):
    with pytest.raises(SettingsError):
        read_hidden(text)


def test_small_batches_need_less_memory_and_a_slow_pace_its_time():
    large = expected(live_settings(hidden=(256,) * 4), 10**6, 10, 10**6)
    small = expected(live_settings(hidden=(256,) * 4, batch=64), 10**6, 10, 10**6)
    assert small.bytes < large.bytes / 10
    paced = expected(live_settings(epochs=5000, pace=0.1), 100, 3, 70)
    assert paced.seconds == 50_000
