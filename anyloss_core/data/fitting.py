"""Fit the 'fresh' preparation with scikit-learn and keep what was fitted as plain numbers.

Columns do not depend on each other, so a large table is fitted a few columns at a time: the same
numbers in bounded memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from anyloss_core.datasets import limits

if TYPE_CHECKING:  # scikit-learn takes two seconds to import: only where something is fitted
    from sklearn.compose import ColumnTransformer

CELLS_AT_ONCE = 2_000_000  # 16 MB; scikit-learn holds about five copies while it fits
PLAIN_SIZES = (1e-100, 1e100)  # largest values in between are squared without over- or underflow


@dataclass(frozen=True)
class NumberFit:
    """One numeric column: x * 2**-exponent, gaps filled, minus mean, over scale."""

    exponent: int
    fill: float
    mean: float
    scale: float


@dataclass(frozen=True)
class CategoryFit:
    """One category: the codes that light each output column, and where unseen codes go."""

    slots: tuple[tuple[int, ...], ...]
    rare: int | None  # the slot of pooled levels, which also takes levels never seen
    base: int | None = None  # the code without a column of its own, in a two-way category


def column_transformer(numbers: list[int], categories: list[int]) -> ColumnTransformer:
    """Median, standardisation and one-hot as one scikit-learn transformer of the raw matrix."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    fill = SimpleImputer(strategy="median", keep_empty_features=True)
    one_hot = OneHotEncoder(
        drop="if_binary",
        handle_unknown="infrequent_if_exist",
        min_frequency=limits.RARE_SHARE,
        max_categories=limits.LEVELS,
    )
    return ColumnTransformer(
        [
            ("numbers", Pipeline([("fill", fill), ("scale", StandardScaler())]), numbers),
            ("categories", one_hot, categories),
        ],
        sparse_threshold=1.0,  # one-hot stays sparse: only the fit is wanted here
    )


def fit_columns(raw: np.ndarray, is_category: np.ndarray) -> list[NumberFit | CategoryFit]:
    """One fit per raw column; `raw` (training rows, raw columns) is left as it is."""
    fits: list[NumberFit | CategoryFit] = []
    for block in _blocks(*raw.shape):
        fits += _fit_block(raw[:, block].copy(), is_category[block])
    return fits


def _blocks(rows: int, columns: int) -> Iterator[slice]:
    width = max(1, CELLS_AT_ONCE // max(rows, 1))
    return (slice(start, start + width) for start in range(0, columns, width))


def _fit_block(raw: np.ndarray, is_category: np.ndarray) -> list[NumberFit | CategoryFit]:
    numbers, categories = np.flatnonzero(~is_category), np.flatnonzero(is_category)
    exponents = size_exponents(raw[:, numbers])
    if exponents.any():
        raw[:, numbers] = np.ldexp(raw[:, numbers], -exponents)
    fitted = column_transformer(list(numbers), list(categories)).fit(raw)
    fits: dict[int, NumberFit | CategoryFit] = {}
    if numbers.size:
        fits |= dict(zip(numbers, _number_fits(fitted, exponents), strict=True))
    if categories.size:
        fits |= dict(zip(categories, _category_fits(fitted), strict=True))
    return [fits[column] for column in range(raw.shape[1])]


def size_exponents(values: np.ndarray) -> np.ndarray:
    """Powers of two that bring extreme columns (1e300, 1e-300) to about 1; 0 for the others."""
    sizes = np.abs(np.nan_to_num(values)).max(axis=0, initial=0.0)
    extreme = (sizes > 0) & ((sizes < PLAIN_SIZES[0]) | (sizes > PLAIN_SIZES[1]))
    return np.where(extreme, np.frexp(sizes)[1], 0)


def _number_fits(fitted: ColumnTransformer, exponents: np.ndarray) -> list[NumberFit]:
    steps = fitted.named_transformers_["numbers"].named_steps
    fills = steps["fill"].statistics_
    means, scales = steps["scale"].mean_, steps["scale"].scale_
    rows = zip(exponents, fills, means, scales, strict=True)
    return [NumberFit(int(e), float(f), float(m), float(s)) for e, f, m, s in rows]


def _category_fits(fitted: ColumnTransformer) -> list[CategoryFit]:
    one_hot = fitted.named_transformers_["categories"]
    pairs = zip(one_hot.categories_, one_hot.infrequent_categories_, strict=True)
    return [_category_fit(codes, rare) for codes, rare in pairs]


def _category_fit(codes: np.ndarray, rare: np.ndarray | None) -> CategoryFit:
    """Slots as OneHotEncoder orders them: frequent levels, then the pooled ones."""
    pooled = tuple(int(code) for code in rare) if rare is not None else ()
    slots = [(int(code),) for code in codes if code not in pooled]
    slots += [pooled] if pooled else []
    base = slots.pop(0)[0] if len(slots) == 2 else None  # drop="if_binary"
    return CategoryFit(tuple(slots), len(slots) - 1 if pooled else None, base)
