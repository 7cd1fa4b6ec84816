"""What is known about a data set before any training: balance, gaps, duplicates, leaks.

A feature that ranks the two classes almost perfectly on its own is flagged: it usually is the
answer in another form. Flagged only, never dropped: some questions are that easy.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anyloss_core.common.text import display_name
from anyloss_core.common.wording import listed
from anyloss_core.data.columns import Column

TYPES = (
    "What a column is, and which levels a category has, is decided on all rows, those that are "
    "held out later too, but never by the class. Medians, means and rare levels come from the "
    "training rows of each fold."
)
LEAK_AUC = 0.995  # a lone feature above this is suspected to give the answer away
SCREEN_AUC = 0.98  # a feature below this on a sample cannot be above LEAK_AUC on all rows
SCREENED = 10_000  # rows of each class in that sample
CODES = 10  # a numeric column with so few values may be a code, whose order says nothing
# Levels of r rows each rank the classes by chance with an AUC of about 1 - (r - 1)·share/2: the
# share of the rarer class times (r - 1) has to lie well above 0.01. A level of one row is always
# right, so there have to be several.
ROWS_PER_LEVEL, RARE_PER_LEVEL = 3, 0.05


@dataclass(frozen=True)
class Profile:
    """The figures of the profile page."""

    rows: int
    features: int
    positives: int
    ratio: float  # n of 'n:1'
    missing_share: float  # of all cells of all columns but the target
    duplicates: int  # rows that repeat an earlier row, class included
    leaks: dict[str, float]  # features that predict the target almost alone -> their AUC
    columns: tuple[Column, ...]

    @property
    def positive_share(self) -> float:
        """Share of rows of the positive class."""
        return self.positives / self.rows

    def table(self) -> pd.DataFrame:
        """One row a column: what it is and what happens to it."""
        return pd.DataFrame(
            {
                "column": [c.name for c in self.columns],
                "type": [c.kind for c in self.columns],
                "what happens": [c.action for c in self.columns],
                "missing": [c.missing_share for c in self.columns],
                "different values": [c.distinct for c in self.columns],
                "suspected leak (AUC alone)": [
                    self.leaks.get(c.name, np.nan) for c in self.columns
                ],
            }
        )


def profile_of(
    frame: pd.DataFrame, labels: np.ndarray, columns: tuple[Column, ...], leaks: dict[str, float]
) -> Profile:
    """Profile of used features `frame` (rows, F), `labels` (rows,) and what `find_leaks` found."""
    positives, rows = int(labels.sum()), len(labels)
    rare = min(positives, rows - positives)
    # A hash of every row instead of the rows: bounded memory, and equal rows hash equal.
    hashes = pd.util.hash_pandas_object(frame, index=False).to_numpy()
    repeated = pd.DataFrame({"row": hashes, "label": labels}).duplicated()
    return Profile(
        rows=rows,
        features=frame.shape[1],
        positives=positives,
        ratio=(rows - rare) / rare,
        missing_share=float(np.mean([c.missing_share for c in columns])),
        duplicates=int(repeated.sum()),
        leaks=leaks,
        columns=columns,
    )


def find_leaks(frame: pd.DataFrame, labels: np.ndarray) -> dict[str, float]:
    """Features of `frame` (rows, F) that predict the target almost alone -> their AUC.

    A sample of a large table decides which columns are worth a look at all rows.
    """
    sample = _screening_sample(labels)
    aucs = {name: best_auc(frame[name].iloc[sample], labels[sample]) for name in frame.columns}
    suspects = [name for name, auc in aucs.items() if auc > SCREEN_AUC]
    if len(sample) < len(labels):
        aucs = {name: best_auc(frame[name], labels) for name in suspects}
    return {name: aucs[name] for name in suspects if aucs[name] > LEAK_AUC}


def leak_words(
    leaks: Mapping[str, float],
    quoted: Callable[[str], str] = lambda name: f"'{display_name(name)}'",
) -> str:
    """What is suspected of these columns, in a sentence."""
    names, least = listed([quoted(name) for name in leaks]), min(leaks.values())
    if len(leaks) == 1:
        return f"{names} alone reaches AUC {least:.4f}: it may be the answer in another form."
    return (
        f"{names} reach AUC {least:.4f} or more, each alone: they may be the answer in another "
        "form."
    )


def best_auc(column: pd.Series, labels: np.ndarray) -> float:
    """The best AUC, 0.5 to 1, that this column reaches alone: by its order or by its levels."""
    codes, levels = pd.factorize(column)
    if isinstance(column.dtype, pd.CategoricalDtype):
        return level_auc(codes, labels)
    by_order = lone_auc(column, labels)
    return max(by_order, level_auc(codes, labels)) if len(levels) <= CODES else by_order


def lone_auc(column: pd.Series, labels: np.ndarray) -> float:
    """The best AUC, 0.5 to 1, of the order of a column; missing cells rank at one end."""
    values = column.astype("int64") if column.dtype.kind == "M" else column
    values = values.to_numpy(dtype=np.float64)
    missing = column.isna().to_numpy()
    ends = (-np.inf, np.inf) if missing.any() else (0.0,)
    aucs = [_auc(np.where(missing, end, values), labels) for end in ends]
    return max(max(auc, 1 - auc) for auc in aucs)


def _auc(values: np.ndarray, labels: np.ndarray) -> float:
    """Mann-Whitney: the share of (positive, negative) pairs in the right order, ties half."""
    _, place, rows = np.unique(values, return_inverse=True, return_counts=True)
    positive = np.bincount(place, weights=labels)
    negative = rows - positive
    below = np.cumsum(negative) - negative / 2  # negatives ranked lower, equal ones half
    return float(positive @ below / (positive.sum() * negative.sum()))


def _screening_sample(labels: np.ndarray) -> np.ndarray:
    """Positions of at most SCREENED rows of each class: an AUC does not depend on their shares."""
    random = np.random.default_rng(0)
    classes = [np.flatnonzero(labels == label) for label in (0, 1)]
    taken = [random.permutation(rows)[:SCREENED] for rows in classes]
    return np.sort(np.concatenate(taken))


def level_auc(codes: np.ndarray, labels: np.ndarray) -> float:
    """AUC of ranking rows by the positive share of their level; 0.5 where levels are too many."""
    rows = np.bincount(codes + 1)
    each = len(labels) / np.count_nonzero(rows)
    share = min(labels.mean(), 1 - labels.mean())
    if each < ROWS_PER_LEVEL or (each - 1) * share < RARE_PER_LEVEL:
        return 0.5
    shares = np.bincount(codes + 1, weights=labels) / np.maximum(rows, 1)
    return _auc(shares[codes + 1], labels)
