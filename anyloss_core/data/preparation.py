"""From typed columns to the numbers a network sees, in the two ways of the two protocols.

'fresh' (`prepare_fresh`): imputation, one-hot and standardisation are fitted on the training rows
only, by scikit-learn; what was fitted is kept as plain numbers, so that
it can be applied, written as JSON and read back without pickle. 'paper' (`paper_features`):
whole-table standardisation with ddof = 1 and pandas.factorize codes.
"""

from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from anyloss_core.data import limits
from anyloss_core.data.dataset import Dataset
from anyloss_core.data.encoding import MISSING_CODE, UNKNOWN_CODE, Field, encode, fields_of
from anyloss_core.data.errors import DataError
from anyloss_core.data.fitting import CategoryFit, NumberFit, fit_columns, size_exponents

NUMBERS = ("fill", "mean", "scale")
FORMAT = 1  # raise it when the JSON changes its meaning
ROWS_AT_ONCE = 65_536  # rows transformed together, so that copies stay small
# Standardised training values stay below sqrt(rows); this only tames wild values in new rows.
FARTHEST = 1e6


@dataclass(frozen=True)
class Preparation:
    """Fitted on training rows; turns any frame with these columns into features."""

    fields: tuple[Field, ...]
    fits: tuple[NumberFit | CategoryFit, ...]  # one per raw column of `encode`

    @property
    def feature_names(self) -> tuple[str, ...]:
        """One name per feature, in the order of the columns of `transform`."""
        return tuple(name for field, raw, fit in self.parts() for name in _names(field, raw, fit))

    def transform(self, frame: pd.DataFrame) -> np.ndarray:
        """Features (rows, F) as float64, always finite."""
        features = np.empty((len(frame), sum(_width(fit) for fit in self.fits)))
        for start in range(0, len(frame), ROWS_AT_ONCE):
            stop = start + ROWS_AT_ONCE
            self._fill(features[start:stop], encode(frame.iloc[start:stop], self.fields))
        return features

    def category_columns(self, booleans: Collection[str] = ()) -> tuple[slice, ...]:
        """The features of each category; `booleans` are columns of numbers that are one too."""
        ends = np.cumsum([0] + [_width(fit) for fit in self.fits]).tolist()
        return tuple(
            slice(start, stop)
            for (field, _, fit), start, stop in zip(self.parts(), ends, ends[1:], strict=False)
            if stop > start and (isinstance(fit, CategoryFit) or field.name in booleans)
        )

    def parts(self) -> Iterator[tuple[Field, str, NumberFit | CategoryFit]]:
        """Field, name and fit of every raw column, in the order of `transform`."""
        raws = [(field, raw) for field in self.fields for raw in field.raw_names]
        return ((*pair, fit) for pair, fit in zip(raws, self.fits, strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Everything fitted, as JSON can hold it."""
        return {
            "format": FORMAT,
            "fields": [asdict(field) for field in self.fields],
            "fits": [asdict(fit) for fit in self.fits],
        }

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> "Preparation":
        """The preparation that `to_dict` described."""
        try:
            if stored["format"] != FORMAT:
                raise ValueError(f"format {stored['format']}")
            fields = tuple(_field(field) for field in stored["fields"])
            fits = tuple(_fit(fit) for fit in stored["fits"])
            _check_pairs(fields, fits)
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(
                f"This is no preparation of ours ({error}).", "Export the model once more."
            ) from None
        return cls(fields, fits)

    def _fill(self, features: np.ndarray, raw: np.ndarray) -> None:
        numbers = [column for column, fit in enumerate(self.fits) if isinstance(fit, NumberFit)]
        starts = np.cumsum([0] + [_width(fit) for fit in self.fits])
        if numbers:
            features[:, starts[numbers]] = self._standardised(raw[:, numbers])
        for column, (field, _, fit) in enumerate(self.parts()):
            if isinstance(fit, CategoryFit):
                lit = _one_hot(raw[:, column], fit, len(field.levels))
                features[:, starts[column] : starts[column + 1]] = lit

    def _standardised(self, values: np.ndarray) -> np.ndarray:
        fits = [fit for fit in self.fits if isinstance(fit, NumberFit)]
        exponents = np.array([fit.exponent for fit in fits])
        with np.errstate(over="ignore", invalid="ignore"):
            if exponents.any():
                values = np.ldexp(values, -exponents)
            values = np.where(np.isfinite(values), values, [fit.fill for fit in fits])
            values -= [fit.mean for fit in fits]
            values /= [fit.scale for fit in fits]
        return np.clip(values, -FARTHEST, FARTHEST, out=values)


def prepare_fresh(dataset: Dataset, train_rows: np.ndarray) -> Preparation:
    """Fit on `train_rows` (indices or mask) of the data set; no other row is looked at."""
    fields = fields_of(dataset.columns)
    raw = encode(dataset.frame.iloc[train_rows], fields)
    is_category = np.array([field.kind == "category" for field in fields for _ in field.raw_names])
    return Preparation(fields, tuple(fit_columns(raw, is_category)))


def most_features(dataset: Dataset) -> int:
    """How many features `prepare_fresh` gives at most, whatever the training rows."""
    return sum(
        min(len(field.levels) + 1, limits.LEVELS)  # one more for missing cells
        if field.kind == "category"
        else len(field.raw_names)
        for field in fields_of(dataset.columns)
    )


def paper_features(dataset: Dataset) -> np.ndarray:
    """Features (rows, F) as published: factorize codes, (x - mean) / std with ddof = 1.

    Standardised over the whole table, validation rows included: that is what the paper did.
    Missing numbers take the mean. Data sets marked `ready` come out as they are.
    """
    features = np.ascontiguousarray(encode(dataset.frame, fields_of(dataset.columns)))
    if dataset.ready:
        return features
    exponents = size_exponents(features)
    if exponents.any():
        features = np.ldexp(features, -exponents)
    features -= np.nanmean(features, axis=0)
    spread = np.nanstd(features, axis=0, ddof=1)
    features /= np.where(spread > 0, spread, 1.0)
    return np.nan_to_num(features, copy=False, nan=0.0)


def _one_hot(codes: np.ndarray, fit: CategoryFit, levels: int) -> np.ndarray:
    """(rows, slots) of 0 and 1; codes without a slot light the pooled one, if there is any."""
    unseen = len(fit.slots) if fit.rare is None else fit.rare
    slots = np.full(levels - UNKNOWN_CODE, unseen)  # by code, shifted so that the lowest is 0
    for slot, members in enumerate(fit.slots):
        slots[np.array(members) - UNKNOWN_CODE] = slot
    if fit.base is not None:
        slots[fit.base - UNKNOWN_CODE] = len(fit.slots)
    lights = np.eye(len(fit.slots) + 1, len(fit.slots))  # the last row lights nothing
    return lights[slots[codes.astype(np.int64) - UNKNOWN_CODE]]


def _names(field: Field, raw: str, fit: NumberFit | CategoryFit) -> list[str]:
    if isinstance(fit, NumberFit):
        return [raw]
    levels = (*field.levels, "missing")  # MISSING_CODE, -1, picks the last
    return [
        f"{raw}=rare" if slot == fit.rare else f"{raw}={levels[codes[0]]}"
        for slot, codes in enumerate(fit.slots)
    ]


def _width(fit: NumberFit | CategoryFit) -> int:
    return 1 if isinstance(fit, NumberFit) else len(fit.slots)


def _field(stored: dict[str, Any]) -> Field:
    levels = tuple(str(level) for level in stored["levels"])
    if stored["kind"] not in ("number", "date", "category"):
        raise ValueError(f"kind {stored['kind']}")
    return Field(str(stored["name"]), stored["kind"], levels)


def _check_pairs(fields: tuple[Field, ...], fits: tuple[NumberFit | CategoryFit, ...]) -> None:
    """Every raw column has a fit of its kind, and every code of a fit is a level of its field."""
    raws = [field for field in fields for _ in field.raw_names]
    for field, fit in zip(raws, fits, strict=True):
        if (field.kind == "category") != isinstance(fit, CategoryFit):
            raise ValueError("a fit does not suit its column")
        if isinstance(fit, CategoryFit):
            codes = [code for slot in fit.slots for code in slot]
            codes += [] if fit.base is None else [fit.base]
            known = range(MISSING_CODE, len(field.levels))
            if not set(codes) <= set(known) or fit.rare not in (None, *range(len(fit.slots))):
                raise ValueError("a level is not known")


def _fit(stored: dict[str, Any]) -> NumberFit | CategoryFit:
    if "slots" not in stored:
        fit = NumberFit(int(stored["exponent"]), *(float(stored[k]) for k in NUMBERS))
        if not np.isfinite([fit.fill, fit.mean, fit.scale]).all() or fit.scale <= 0:
            raise ValueError("fitted numbers must be finite")
        return fit
    slots = tuple(tuple(int(code) for code in slot) for slot in stored["slots"])
    rare, base = (None if stored[k] is None else int(stored[k]) for k in ("rare", "base"))
    return CategoryFit(slots, rare, base)
