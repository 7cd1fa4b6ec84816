"""Fit the 'fresh' preparation with scikit-learn and keep what was fitted as plain numbers.

Columns do not depend on each other, so a large table is fitted a few columns at a time: the same
numbers in bounded memory.
"""

from dataclasses import dataclass

import numpy as np

from anyloss_core.data import limits

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


Fit = NumberFit | CategoryFit


def fit_columns(raw: np.ndarray, is_category: np.ndarray) -> list[Fit]:
    """One fit per raw column; `raw` (training rows, raw columns) is left as it is."""
    rows, columns = raw.shape
    width = max(1, CELLS_AT_ONCE // max(rows, 1))
    fits: dict[int, Fit] = {}
    for kind, fit in ((False, _number_fits), (True, _category_fits)):
        chosen = np.flatnonzero(is_category == kind)
        for start in range(0, len(chosen), width):
            block = chosen[start : start + width]
            fits |= zip(block.tolist(), fit(raw[:, block]), strict=True)
    return [fits[column] for column in range(columns)]


def size_exponents(values: np.ndarray) -> np.ndarray:
    """Powers of two that bring extreme columns (1e300, 1e-300) to about 1; 0 for the others."""
    sizes = np.abs(np.nan_to_num(values)).max(axis=0, initial=0.0)
    extreme = (sizes > 0) & ((sizes < PLAIN_SIZES[0]) | (sizes > PLAIN_SIZES[1]))
    return np.where(extreme, np.frexp(sizes)[1], 0)


def _number_fits(values: np.ndarray) -> list[Fit]:
    from sklearn.impute import SimpleImputer
    from sklearn.preprocessing import StandardScaler

    exponents = size_exponents(values)
    fill = SimpleImputer(strategy="median", keep_empty_features=True)
    scale = StandardScaler().fit(fill.fit_transform(np.ldexp(values, -exponents)))
    rows = zip(exponents, fill.statistics_, scale.mean_, scale.scale_, strict=True)
    return [NumberFit(int(e), float(f), float(m), float(s)) for e, f, m, s in rows]


def _category_fits(codes: np.ndarray) -> list[Fit]:
    from sklearn.preprocessing import OneHotEncoder

    one_hot = OneHotEncoder(
        drop="if_binary",
        handle_unknown="infrequent_if_exist",
        min_frequency=limits.RARE_SHARE,
        max_categories=limits.LEVELS,
    ).fit(codes)
    pairs = zip(one_hot.categories_, one_hot.infrequent_categories_, strict=True)
    return [_category_fit(codes, rare) for codes, rare in pairs]


def _category_fit(codes: np.ndarray, rare: np.ndarray | None) -> CategoryFit:
    """Slots as OneHotEncoder orders them: frequent levels, then the pooled ones."""
    pooled = tuple(int(code) for code in rare) if rare is not None else ()
    slots: list[tuple[int, ...]] = [(int(code),) for code in codes if code not in pooled]
    slots += [pooled] if pooled else []
    base = slots.pop(0)[0] if len(slots) == 2 else None  # drop="if_binary"
    return CategoryFit(tuple(slots), len(slots) - 1 if pooled else None, base)
