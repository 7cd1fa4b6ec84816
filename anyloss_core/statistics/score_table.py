"""Tidy scores: one row per data set, loss and metric, the input of every comparison of losses.

Reads such a table from a CSV (`read_scores`), checks it once (`check_scores`) and pairs a candidate
with a baseline over the data sets that have both (`pair_scores`). What the numbers mean is left to
`bayes` and `analysis`.
"""

import csv
import io
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
import pandas as pd

from anyloss_core.data.cells.spreadsheet import plain

COLUMNS = ("dataset", "loss", "metric", "score")
SHARE = "positive_share"  # a column that may tell the imbalance of a data set
REPEATS = ("fold", "seed", "repeat", "run")  # columns that may tell several rows of one score apart
RUNS = ("repeat", "run")  # those of them that tell repeats of the whole cross-validation apart
MAX_BYTES = 100 * 2**20  # a million rows of four columns are about 40 MB
TIE = 1e-9  # equal mean scores summed in another order differ by less than this
PREVIEW = 6  # how many names an error message lists


class ScoreTableError(ValueError):
    """The table of scores cannot be used; the message says what to change."""


class Contest(NamedTuple):
    """Who is held against whom, on what; in the order of `pair_scores`."""

    candidate: str
    baseline: str
    metric: str


class Votes(NamedTuple):
    """On how many data sets (or folds) the candidate is better, the same and worse."""

    wins: int
    ties: int
    losses: int


@dataclass(frozen=True)
class Pair:
    """Scores of two losses on the same data sets, in the same order."""

    datasets: tuple[str, ...]
    candidate: np.ndarray  # (N,)
    baseline: np.ndarray  # (N,)
    dropped: int  # data sets that have only one of the two

    @property
    def differences(self) -> np.ndarray:
        """Candidate minus baseline per data set, shape (N,)."""
        return self.candidate - self.baseline

    def votes(self, rope: float = 0.0) -> Votes:
        """How the data sets vote; a difference of exactly the rope is a tie, rounded or not."""
        better, worse = (sign * self.differences > rope + TIE for sign in (1, -1))
        wins, losses = int(better.sum()), int(worse.sum())
        return Votes(wins, len(self.datasets) - wins - losses, losses)


def read_scores(source: str | PathLike | bytes | IO) -> pd.DataFrame:
    """Tidy scores from a CSV (`dataset,loss,metric,score`), the mean over folds and seeds."""
    return average_repeats(read_repeats(source))


def read_repeats(source: str | PathLike | bytes | IO) -> pd.DataFrame:
    """As `read_scores`, with the columns of folds and seeds kept, one row per repeat."""
    frame, decimal_comma = _read(source)
    _require_columns(frame)
    frame["score"] = _numbers(frame["score"], decimal_comma)
    kept = [*COLUMNS, *(name for name in REPEATS if name in frame.columns)]
    frame = frame[kept].apply(lambda column: column if column.name == "score" else _texts(column))
    _require_finite(frame)
    return frame


def read_shares(source: str | PathLike | bytes | IO) -> dict[str, float]:
    """Data set -> share of its positive rows, from the column positive_share; {} without one."""
    frame, decimal_comma = _read(source)
    if SHARE not in frame.columns:
        return {}
    shares = _numbers(frame[SHARE], decimal_comma)
    if not shares.between(0, 1, inclusive="neither").all():
        raise ScoreTableError(f"{SHARE} must be a share of rows between 0 and 1 in every row")
    return dict(zip(frame["dataset"].str.strip(), shares.tolist(), strict=True))


def _texts(column: pd.Series) -> pd.Series:
    """Names as they were before a CSV of ours kept spreadsheets from running them."""
    return column.str.strip().map(plain, na_action="ignore")


def average_repeats(scores: pd.DataFrame) -> pd.DataFrame:
    """Mean score per data set, loss and metric when the table tells folds or seeds apart."""
    _require_columns(scores)
    repeats = [name for name in REPEATS if name in scores.columns]
    if not repeats:
        return check_scores(scores)
    _require_distinct(scores, repeats)
    keys = list(COLUMNS[:3])
    return check_scores(scores.groupby(keys, sort=False, as_index=False)["score"].mean())


def average_seeds(scores: pd.DataFrame) -> pd.DataFrame:
    """Several seeds on one split are one measurement: their mean, where a column tells them."""
    if "seed" not in scores.columns:
        return scores
    keys = [name for name in scores.columns if name not in ("seed", "score")]
    return scores.groupby(keys, sort=False, as_index=False)["score"].mean()


def count_runs(scores: pd.DataFrame) -> int:
    """How many repeats of the cross-validation a table tells apart."""
    named = [name for name in RUNS if name in scores.columns]
    return len(scores[named].drop_duplicates()) if named else 1


def mark_seeds(scores: pd.DataFrame, folds: int, seeds: int) -> pd.DataFrame:
    """Folds of our comparisons, counted on through repeats and seeds, as fold and seed.

    The numbers of the same split are equal afterwards; `seed` tells its starts apart.
    """
    number = scores["fold"]
    split = number // (folds * seeds) * folds + number % folds
    return scores.assign(fold=split, seed=number // folds % seeds)


def check_scores(scores: pd.DataFrame) -> pd.DataFrame:
    """The four columns of a tidy table, or a `ScoreTableError` that says what to repair."""
    if not isinstance(scores, pd.DataFrame):
        raise ScoreTableError(
            f"scores must be a pandas DataFrame with the columns {', '.join(COLUMNS)}, "
            f"got {type(scores).__name__}"
        )
    _require_columns(scores)
    if not len(scores):
        raise ScoreTableError("scores has no rows; give at least one data set with two losses")
    table = scores[list(COLUMNS)].copy()
    table["score"] = _numbers(table["score"], decimal_comma=False)
    _require_finite(table)
    _require_distinct(table)
    return table


def require_loss(scores: pd.DataFrame, loss: str, argument: str) -> None:
    """Raise unless the table has this loss; the message lists what there is."""
    seen = sorted(map(str, scores["loss"].unique()))
    if loss in seen:
        return
    folded = {name.lower(): name for name in seen}
    close = get_close_matches(str(loss).lower(), folded, n=1, cutoff=0.6)
    hint = f"; did you mean {folded[close[0]]!r}?" if close else ""
    raise ScoreTableError(f"{argument}: no loss {loss!r} in scores, found {_listed(seen)}{hint}")


def pair_scores(scores: pd.DataFrame, candidate: str, baseline: str, metric: str) -> Pair:
    """Both losses' scores on the data sets that have both; `scores` was checked before."""
    rows = scores[scores["metric"] == metric]
    parts = (rows[rows["loss"] == loss] for loss in (candidate, baseline))
    ours, theirs = (dict(zip(own["dataset"], own["score"], strict=True)) for own in parts)
    shared = [name for name in ours if name in theirs]
    if not shared:
        raise ScoreTableError(
            f"scores: no data set has {metric!r} for both {candidate!r} and {baseline!r}; "
            "score both losses on the same data sets"
        )
    left, right = (np.array([own[name] for name in shared]) for own in (ours, theirs))
    dropped = len({*ours, *theirs}) - len(shared)
    return Pair(tuple(map(str, shared)), left, right, dropped)


def contests(table: pd.DataFrame, baseline: str) -> list[Contest]:
    """Every other loss against the baseline, metric by metric, in order of appearance."""
    require_loss(table, baseline, "baseline")
    rivals = table[table["loss"] != baseline]
    if not len(rivals):
        raise ScoreTableError(f"scores has no loss besides the baseline {baseline!r}; add one")
    by_metric = rivals.groupby("metric", sort=False)["loss"]
    return [Contest(loss, baseline, name) for name, losses in by_metric for loss in losses.unique()]


def score_matrix(scores: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Data sets x losses for one metric, in order of appearance, NaN where a score is missing."""
    rows = scores[scores["metric"] == metric]
    if not len(rows):
        seen = sorted(map(str, scores["metric"].unique()))
        raise ScoreTableError(f"metric: no {metric!r} in scores, found {_listed(seen)}")
    table = rows.pivot(index="dataset", columns="loss", values="score")
    return table.loc[rows["dataset"].unique(), rows["loss"].unique()]


def _text(source: str | PathLike | bytes | IO) -> str:
    if isinstance(source, bytes):
        content = source
    elif hasattr(source, "read"):
        content = source.read(MAX_BYTES + 1)
    else:
        with Path(source).open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ScoreTableError(
            f"scores: the file is larger than {MAX_BYTES >> 20} MB; average folds and seeds first"
        )
    try:
        return content if isinstance(content, str) else content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ScoreTableError(
            f"scores: byte {error.start} is not UTF-8 text; save the table as a UTF-8 CSV"
        ) from error


def _read(source: str | PathLike | bytes | IO) -> tuple[pd.DataFrame, bool]:
    """The cells as texts under their names, and whether a comma may mark decimals."""
    text, delimiter = _text(source), ","
    with suppress(csv.Error):
        header = text.lstrip().split("\n", 1)[0]
        delimiter = csv.Sniffer().sniff(header, delimiters=",;\t|").delimiter
    try:
        # The header is read as a row: pandas would take surplus cells for an index, or cut them.
        rows = pd.read_csv(
            io.StringIO(text), sep=delimiter, dtype=str, keep_default_na=False, header=None
        )
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise ScoreTableError(
            f"scores: not a CSV table ({error}); expected the header {','.join(COLUMNS)}"
        ) from error
    names = rows.iloc[0].astype(str).str.strip().str.lower()
    frame = rows.iloc[1:].reset_index(drop=True).set_axis(names, axis=1).rename_axis(None, axis=1)
    return frame, delimiter != ","


def _require_columns(frame: pd.DataFrame) -> None:
    missing = [name for name in COLUMNS if name not in frame.columns]
    if missing:
        raise ScoreTableError(
            f"scores lacks the column{'s' * (len(missing) > 1)} {', '.join(missing)}; "
            f"expected {', '.join(COLUMNS)}, got {_listed(list(map(str, frame.columns)))}"
        )
    if frame.columns.has_duplicates:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise ScoreTableError(f"scores has the column {twice!r} twice; keep one")


def _numbers(column: pd.Series, decimal_comma: bool) -> pd.Series:
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        return column.astype(np.float64)
    text = column.astype(str).str.strip()
    if decimal_comma:
        text = text.str.replace(",", ".", regex=False)
    numbers = pd.to_numeric(text, errors="coerce").astype(np.float64)
    wrong = numbers.isna() & ~text.str.lower().isin(("", "nan", "na", "none", "<na>"))
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise ScoreTableError(
            f"score: {text.iloc[row][:40]!r} in row {row + 1} is not a number; "
            "write scores as decimals such as 0.913"
        )
    return numbers


def _require_finite(frame: pd.DataFrame) -> None:
    wrong = ~np.isfinite(frame["score"].to_numpy())
    if wrong.any():
        row = frame[wrong].iloc[0]
        raise ScoreTableError(
            f"score: {int(wrong.sum())} of {len(frame)} are missing or infinite, first for "
            f"dataset {row['dataset']!r}, loss {row['loss']!r}, metric {row['metric']!r}; "
            "remove these rows (a data set without a pair is then left out and counted)"
        )


def _require_distinct(scores: pd.DataFrame, repeats: Iterable[str] = ()) -> None:
    keys = [*COLUMNS[:3], *repeats]
    repeated = scores[scores.duplicated(keys)]
    if len(repeated):
        shown = ", ".join(f"{name} {str(repeated[name].iloc[0])!r}" for name in keys)
        raise ScoreTableError(
            f"scores has several rows for {shown}; keep one, "
            f"or tell folds and seeds apart in a column named {' or '.join(REPEATS[:2])}"
        )


def _listed(names: list[str]) -> str:
    shown = ", ".join(repr(name[:40]) for name in names[:PREVIEW])
    return shown + (f" and {len(names) - PREVIEW} more" if len(names) > PREVIEW else "")
