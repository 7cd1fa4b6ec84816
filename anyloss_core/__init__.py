"""AnyLoss: any confusion-matrix metric becomes a trainable loss.

The public surface. Names are imported when first used, so that `import anyloss_core` is instant
and a page that shows no model never waits for torch.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "approximation": ("approximate", "approximation_slope", "valid_range"),
    "bayes": ("Verdict", "sign_test"),
    "comparison": ("Comparison", "compare"),
    "confusion": ("Counts", "hard_counts", "soft_counts"),
    "datasets": ("DataError", "Dataset", "load_csv"),
    "estimator": ("AnyLossClassifier",),
    "export": ("load_model",),
    "formula": ("FormulaError",),
    "losses": ("SOL", "AnyLoss"),
    "scores": ("METRICS", "Score", "get_score"),
    "spelling": ("get_loss", "parse_loss"),
}
_WHERE = {name: module for module, names in _HOMES.items() for name in names}
__all__ = sorted(_WHERE)


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_WHERE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
