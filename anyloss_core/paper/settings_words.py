"""What a recomputation was made with, in one line: beside a table, and on the command line."""

from collections.abc import Mapping
from typing import Any


def settings_words(settings: Mapping[str, Any]) -> str:
    """'SLP, protocol paper, 10 folds, 1 seed, 1000 epochs, gd; lr: mse 0.01, bce 0.2; L: 73'."""
    if "trained" in settings:
        return _comparison(settings)
    if settings and all(isinstance(v, Mapping) and "trained" in v for v in settings.values()):
        return " | ".join(_comparison(own) for own in settings.values())
    words = (f"{name} {_value(value)}" for name, value in settings.items() if value is not None)
    return ", ".join(words) or "nothing to set"


def _comparison(settings: Mapping[str, Any]) -> str:
    parts = [
        str(settings["model"]).upper(),
        f"protocol {settings['protocol']}",
        f"{settings['folds']} folds",
        f"{settings['seeds']} start{'s' if settings['seeds'] != 1 else ''} per fold",
        f"{settings['epochs']} epochs",
        str(settings["optimiser"]),
    ]
    if settings.get("hidden"):
        parts.insert(1, f"hidden units {', '.join(map(str, settings['hidden']))}")
    trained = settings["trained"]
    details = [
        f"{label}: {_by_loss({loss: own[name] for loss, own in trained.items()})}"
        for name, label in (("lr", "lr"), ("L", "L"), ("warm_up", "warm-up"), ("batch", "batch"))
        if any(own[name] for own in trained.values())
    ]
    return "; ".join([", ".join(parts), *details])


def _by_loss(values: Mapping[str, Any]) -> str:
    """'0.01' if all that have one agree, else 'mse 0.01, bce 0.2'."""
    own = {loss: value for loss, value in values.items() if value}
    if len(set(own.values())) == 1:
        return str(next(iter(own.values())))
    return ", ".join(f"{loss} {value}" for loss, value in own.items())


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {own}" for name, own in value.items())
    return str(value)
