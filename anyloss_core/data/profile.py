"""What is known about a data set before any training: balance, gaps, duplicates, leaks.

A feature that ranks the two classes almost perfectly on its own is flagged: it usually is the
answer in another form. Flagged only, never dropped: some questions are that easy.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from anyloss_core.data.columns import Column

LEAK_AUC = 0.995  # a lone feature above this is suspected to give the answer away
LEVELS_JUDGED = 50  # more levels than this rank the classes by chance


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


def profile_of(frame: pd.DataFrame, labels: np.ndarray, columns: tuple[Column, ...]) -> Profile:
    """Profile of used features `frame` (rows, F) and `labels` (rows,)."""
    positives, rows = int(labels.sum()), len(labels)
    rare = min(positives, rows - positives)
    aucs = {name: lone_auc(frame[name], labels) for name in frame.columns}
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
        leaks={name: auc for name, auc in aucs.items() if auc > LEAK_AUC},
        columns=columns,
    )


def lone_auc(column: pd.Series, labels: np.ndarray) -> float:
    """The best AUC, 0.5 to 1, that this column reaches alone; missing cells rank at one end."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return _level_auc(column.cat.codes.to_numpy(), labels)
    values = column.astype("int64") if column.dtype.kind == "M" else column
    values = values.to_numpy(dtype=np.float64)
    missing = column.isna().to_numpy()
    ends = (-np.inf, np.inf) if missing.any() else (0.0,)
    aucs = [_auc(np.where(missing, end, values), labels) for end in ends]
    return max(max(auc, 1 - auc) for auc in aucs)


def _auc(values: np.ndarray, labels: np.ndarray) -> float:
    """Mann-Whitney: the share of (positive, negative) pairs in the right order, ties half."""
    from scipy.stats import rankdata  # scipy.stats takes a second to import

    positives = float(labels.sum())
    ranks = rankdata(values)[labels == 1].sum()
    return (ranks - positives * (positives + 1) / 2) / (positives * (len(labels) - positives))


def _level_auc(codes: np.ndarray, labels: np.ndarray) -> float:
    """AUC of ranking the rows by the positive share of their level."""
    rows = np.bincount(codes + 1)
    if len(rows) > LEVELS_JUDGED:
        return 0.5
    shares = np.bincount(codes + 1, weights=labels) / np.maximum(rows, 1)
    return _auc(shares[codes + 1], labels)
