"""AnyLoss: any confusion-matrix metric becomes a trainable loss.

The public surface. Names are imported when first used, so that `import anyloss_core` is instant
and a page that shows no model never waits for torch.
"""

import importlib
from typing import Any

__version__ = "0.2.0.dev0"  # the one place; pyproject.toml reads it

_HOMES = {
    "losses.approximation": ("approximate", "approximation_slope", "valid_range"),
    "statistics.bayes": ("Verdict", "sign_test"),
    "comparison.comparison": ("Comparison", "compare"),
    "losses.confusion": ("Counts", "hard_counts", "soft_counts"),
    "data.dataset": ("Dataset",),
    "data.errors": ("DataError",),
    "data.reading.table": ("load_csv",),
    "estimator.classifier": ("AnyLossClassifier",),
    "export.model_file": ("load_model",),
    "losses.formula": ("FormulaError",),
    "losses.counts_loss": ("SOL", "AnyLoss"),
    "losses.messages": ("LossWarning",),
    "losses.scores": ("METRICS", "Score", "get_score"),
    "losses.spelling": ("get_loss", "parse_loss"),
}
_WHERE = {name: module for module, names in _HOMES.items() for name in names}
__all__ = sorted(_WHERE)


def __getattr__(name: str) -> Any:
    if name == "functional":
        return importlib.import_module(f"{__name__}.functional")
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_WHERE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
