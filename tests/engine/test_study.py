"""What a study refuses, and on which device and in which precision it is trained."""

from dataclasses import replace

import pytest
import torch

from anyloss_core.assembly import assemble
from anyloss_core.comparison import ComparisonSettings
from anyloss_core.datasets import synthetic
from anyloss_core.study import Optimiser, Stopping, StudyError, Watch
from tests.engine_studies import study


@pytest.fixture
def on_a_mac(monkeypatch):
    """What torch says there; no tensor is made, for nothing is trained."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)


@pytest.mark.usefixtures("on_a_mac")
def test_auto_is_mps_in_float32_unless_float64_is_asked_for():
    setup = study(["bce"])
    assert (setup.place.type, setup.precision) == ("mps", torch.float32)
    exact = replace(setup, dtype=torch.float64)
    assert (exact.place.type, exact.precision) == ("cpu", torch.float64)


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
    assert (built.place.type, built.precision) == expected


def test_a_device_that_is_not_there_is_named_with_the_repair():
    with pytest.raises(StudyError, match="no device 'cuda:99' here; use 'auto' or 'cpu'"):
        _ = study(["bce"], device="cuda:99").place


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
