"""OpenML data sets by number or name, for users who are online; kept in the user's cache."""

import re
import warnings
from pathlib import Path

import pandas as pd
from platformdirs import user_cache_path

from anyloss_core.common.text import display_name
from anyloss_core.data.dataset import Dataset, dataset_from_frame
from anyloss_core.data.errors import DataError
from anyloss_core.data.target import propose_target

CACHE = "anyloss-lab"
NUMBER = re.compile(r"[0-9]{1,9}")
NAME = re.compile(r"[\w.() -]{1,100}")


def load_openml(
    which: int | str,
    target: str | None = None,
    positive: object = None,
    drop: tuple[str, ...] = (),
    cache: Path | None = None,
) -> Dataset:
    """The data set of that number or name; downloaded once, read from the cache afterwards."""
    which = str(which).strip()
    query = _query(which)
    frame, default = _fetch(query, cache or user_cache_path(CACHE) / "openml")
    target = target or default or propose_target(frame).target
    name = f"openml {which}"
    return dataset_from_frame(
        frame, target, positive, name=name, drop=drop, source=f"https://www.openml.org, {which}"
    )


def _query(which: str) -> dict[str, int | str]:
    if NUMBER.fullmatch(which):
        return {"data_id": int(which)}
    if NAME.fullmatch(which):
        return {"name": which}
    raise DataError(
        f"'{display_name(which)}' is neither an OpenML number nor a name.",
        "Use the number in the data set's address, such as 31, or its name, such as credit-g.",
    )


def _fetch(query: dict[str, int | str], cache: Path) -> tuple[pd.DataFrame, str | None]:
    """Table and default target."""
    from sklearn.datasets import fetch_openml

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # several versions of a name: the first is taken
            home = {"data_home": str(cache), "n_retries": 1, "delay": 0.1}
            found = fetch_openml(**query, **home, as_frame=True, parser="auto")
    except Exception as error:  # network, server, parser: each raises its own types
        raise _refusal(query, error) from None
    targets = found.target_names
    return found.frame, targets[0] if targets and len(targets) == 1 else None


def _refusal(query: dict[str, int | str], error: Exception) -> DataError:
    which = display_name(next(iter(query.values())))
    reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
    # HTTP errors are OSErrors too, but came from a server that answered.
    if isinstance(error, OSError) and not hasattr(error, "code"):
        return DataError(
            f"OpenML cannot be reached ({reason}).",
            "Check the network, or use a built-in or uploaded data set: they work offline.",
        )
    return DataError(
        f"OpenML gave no table for '{which}' ({reason}).",
        "Check the number or name at openml.org; only tables of type ARFF can be read.",
    )
