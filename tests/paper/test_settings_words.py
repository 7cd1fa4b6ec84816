"""Settings in one line: what all losses share is said once."""

from anyloss_core.paper.settings_words import settings_words

TRAINED = {
    "bce": {"lr": 0.2, "batch": None, "L": None, "warm_up": 0.0, "form": "bce"},
    "anyloss:f1": {"lr": 0.01, "batch": None, "L": "73", "warm_up": 0.0, "form": "anyloss"},
}
COMPARED = {
    "model": "slp",
    "protocol": "paper",
    "folds": 10,
    "seeds": 1,
    "epochs": 1000,
    "optimiser": "gd",
    "hidden": [],
    "trained": TRAINED,
}


def test_a_comparison_is_told_with_what_each_loss_was_trained_with():
    words = settings_words(COMPARED)
    assert words.startswith("SLP, protocol paper, 10 folds, 1 start per fold, 1000 epochs, gd")
    assert "lr: bce 0.2, anyloss:f1 0.01" in words
    assert words.endswith("L: 73")


def test_several_protocols_stand_beside_each_other():
    other = COMPARED | {"model": "mlp", "hidden": [2], "protocol": "as_released", "seeds": 3}
    words = settings_words({"paper": COMPARED, "as_released": other})
    assert words.count(" | ") == 1
    assert "MLP, hidden units 2, protocol as_released, 10 folds, 3 starts per fold" in words


def test_plain_settings_are_listed():
    assert settings_words({"rounds": 5, "epochs": {"slp": 100, "mlp": 5}, "rows": None}) == (
        "rounds 5, epochs slp 100, mlp 5"
    )
    assert settings_words({}) == "nothing to set"
