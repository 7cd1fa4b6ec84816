"""What a study refuses, and on which device and in which precision it is trained."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from anyloss_core.comparison.assembly import assemble
from anyloss_core.comparison.comparison import ComparisonSettings
from anyloss_core.engine.study import Optimiser, Recipe, Rows, Stopping, Study, StudyError, Watch
from anyloss_core.losses.spelling import parse_loss
from tests.engine_studies import PAIR, study, table
from tests.support.generated import synthetic


@pytest.fixture
def on_a_mac(monkeypatch):
    """What torch says there; no tensor is made, for nothing is trained."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)


@pytest.mark.usefixtures("on_a_mac")
def test_auto_is_mps_in_float32_unless_float64_is_asked_for():
    setup = study(["bce"])
    assert (setup.torch_device.type, setup.precision) == ("mps", torch.float32)
    exact = replace(setup, dtype=torch.float64)
    assert (exact.torch_device.type, exact.precision) == ("cpu", torch.float64)


@pytest.mark.usefixtures("on_a_mac")
@pytest.mark.parametrize(
    ("protocol", "dtype", "expected"),
    [
        ("fresh", None, ("mps", torch.float32)),
        ("fresh", "float64", ("cpu", torch.float64)),
        ("paper", None, ("cpu", torch.float64)),  # the published figures need every digit
    ],
)
def test_a_comparison_never_asks_mps_for_float64(protocol, dtype, expected):
    settings = ComparisonSettings(("bce",), protocol=protocol, folds=2, dtype=dtype)
    built = next(assemble(synthetic(60), settings)).study
    assert (built.torch_device.type, built.precision) == expected


def test_a_device_that_is_not_there_is_named_with_the_repair():
    with pytest.raises(StudyError, match="no device 'cuda:99' here; use 'auto' or 'cpu'"):
        _ = study(["bce"], device="cuda:99").torch_device


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        (lambda: Optimiser(betas=(0.9, 1.0)), "betas"),
        (lambda: Optimiser("momentum", momentum=-1), "momentum"),
        (lambda: Optimiser(epsilon=-1e-8), "epsilon"),
        (lambda: Optimiser(weight_decay=float("nan")), "weight_decay"),
        (lambda: Optimiser(clip=-1.0), "clip"),
        (lambda: Stopping(patience=0), "patience"),
        (lambda: study(watch=Watch(snapshots=-2)), "snapshots"),
        (lambda: study(dtype=torch.float16), "dtype"),
        (lambda: study(device="mps", dtype=torch.float64), "mps has no float64"),
    ],
)
def test_settings_that_would_train_nonsense_are_refused(wrong, word):
    with pytest.raises(StudyError, match=word):
        wrong()


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"labels": np.full(97, 2)}, "labels"),
        ({"features": np.full((97, 4), np.nan)}, "features"),
        ({"epochs": 0}, "epochs"),
        ({"optimiser": Optimiser("lbfgs")}, "optimiser"),
        ({"device": "abacus"}, "device"),
        ({"weights": -np.ones(97)}, "weights"),
        ({"models": ()}, "models"),
        ({"rows": (Rows(np.array([200]), np.array([1])),)}, "rows"),
    ],
)
def test_wrong_settings_are_named(change, word):
    setup = study(PAIR)
    with pytest.raises(StudyError, match=word):
        _ = replace(setup, **change).torch_device


def test_a_learning_rate_must_be_positive():
    x, y = table()
    with pytest.raises(StudyError, match="lr"):
        Study(x, y, (Rows(np.arange(9), np.arange(3)),), (Recipe(parse_loss("bce"), 0, 0.0),))


@pytest.mark.parametrize(
    ("watch", "epochs", "events", "kept"),
    [
        (Watch(1), 4, [1, 2, 3, 4], []),
        (Watch(3), 8, [1, 3, 6, 8], []),
        (Watch(100), 5, [1, 5], []),
        (Watch(4, snapshots=3), 8, [1, 3, 4, 6, 8], [1, 3, 6, 8]),
    ],
)
def test_events_come_after_the_first_the_last_and_every_few_epochs(watch, epochs, events, kept):
    every = range(1, epochs + 1)
    assert [epoch for epoch in every if watch.wants(epoch, epochs)] == events
    assert [epoch for epoch in every if watch.keeps(epoch, epochs)] == kept
