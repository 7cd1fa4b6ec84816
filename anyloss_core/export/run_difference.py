"""Two runs side by side: the settings in which they differ, and the scores that both have."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from anyloss_core.comparison.comparison import Comparison
from anyloss_core.sweep.sweep import Sweep


def setting_differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> pd.DataFrame:
    """setting, first, second: only the lines that differ."""
    ours, theirs = dict(_flat(first)), dict(_flat(second))
    rows = [
        (name, _text(ours.get(name)), _text(theirs.get(name)))
        for name in dict.fromkeys((*ours, *theirs))
        if _text(ours.get(name)) != _text(theirs.get(name))
    ]
    return pd.DataFrame(rows, columns=["setting", "first", "second"])


def setting_rows(settings: Mapping[str, Any]) -> pd.DataFrame:
    """setting, value: everything that a run was made with, what was left open is left out."""
    rows = [(name, _text(value)) for name, value in _flat(settings)]
    return pd.DataFrame([row for row in rows if row[1]], columns=["setting", "value"])


def score_differences(
    first: Comparison | Sweep, second: Comparison | Sweep, metric: str
) -> pd.DataFrame:
    """name, first, second, difference: mean scores of the losses (or values of L) of both runs."""
    ours, theirs = _means(first, metric), _means(second, metric)
    table = pd.DataFrame({"first": ours, "second": theirs})
    order = list(dict.fromkeys((*ours.index, *theirs.index)))
    table = table.reindex(order).assign(difference=lambda t: t["second"] - t["first"])
    return table.rename_axis("name").reset_index()


def _means(result: Comparison | Sweep, metric: str) -> pd.Series:
    if isinstance(result, Sweep):
        rows = result.scores[result.scores["metric"] == metric]
        return rows.groupby("setting", sort=False)["score"].mean()
    rows = result.scores_of([metric])
    return rows.groupby("loss", sort=False)["score"].mean()


def _flat(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(_text, value))
    return "" if value is None else str(value)
