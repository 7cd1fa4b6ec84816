"""Metrics as maths, for the formulas under charts and tables."""

from __future__ import annotations

from collections.abc import Sequence

from anyloss_core.scores import get_score
from anyloss_core.wording import metric_words


def in_maths(metrics: Sequence[str]) -> str:
    """One displayed equation for each metric."""
    lines = [f"$$\\text{{{_latex_text(each)}}} = {_maths(each)}$$" for each in metrics]
    return "\n\n".join(lines)


def _maths(metric: str) -> str:
    return get_score(get_score(metric).text).latex  # as written, without the factor 1 of an F score


def _latex_text(metric: str) -> str:
    safe = metric_words(metric)
    return safe if safe.replace("-", "").replace(" ", "").replace("'", "").isalnum() else "score"
