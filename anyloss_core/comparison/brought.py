"""Predictions made elsewhere, judged like our own: a table with the true label and scores.

Nothing is trained, so there are no folds of a training. The rows are cut into ten blocks with the
same share of positives; on each block a column of scores is judged at the threshold that is best
for the goal on the nine others, so that no row has a say in its own threshold. The verdict over the
blocks is the correlated t-test of a cross-validation: it allows for what the blocks share, and is
for these predictions a little too careful. It speaks of new rows, not of training again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from anyloss_core.common.text import display_name
from anyloss_core.comparison.job import HEADLINE, RESULT, to_record
from anyloss_core.comparison.results import Comparison
from anyloss_core.comparison.tables import metric_scores, tuned_for
from anyloss_core.comparison.thresholds import CUTS, counts_above, find_cuts
from anyloss_core.data.errors import DataError
from anyloss_core.data.reading.table import read_table, stem
from anyloss_core.data.target import class_counts, propose_target, split_target
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import METRICS
from anyloss_core.statistics.small_data import few_rows_note
from anyloss_core.statistics.verdict_sentence import headline
from anyloss_core.store.store import Store

BLOCKS = 10
MOST_SCORES = 12
RESERVED = ("row", "fold", "label", "score", "threshold", "wrong")  # columns of our own tables
HOW = (
    "These predictions were brought: nothing was trained here. The rows were cut into {blocks} "
    "blocks; each is judged at the threshold that is best on the others. The verdict speaks of "
    "new rows for these predictions, and only if none of the rows was used to train their model."
)


def look(path: str, name: str) -> dict[str, Any]:
    """What the form shows of a file: columns that may be the label, and columns of scores."""
    frame = read_table(path)
    candidates = propose_target(frame).candidates
    return {
        "name": stem(name),
        "rows": len(frame),
        "classes": {column: class_counts(frame[column]) for column in candidates},
        "scores": [column for column in frame if frame[column].dtype.kind in "if"],
    }


def judge(
    path: str, label: str, positive: str, scores: Sequence[str], name: str, home: str, owner: str
) -> str:
    """Judge a file and keep it as a finished run in the store under `home`; returns its id.

    For a process beside the server: two million rows take hundreds of megabytes to write down.
    """
    found = from_predictions(read_table(path), label, scores, positive, name)
    chosen = {"label": label, "positive": positive, "scores": list(scores), "name": name}
    results = {RESULT: to_record(found), HEADLINE: headline(found.scores, name, found.settings)}
    title = f"{name}: predictions of {len(scores)} columns"
    store = Store(home)
    try:
        return store.keep_finished("compare", {"predictions": chosen}, results, title, owner)
    finally:
        store.close()


def from_predictions(
    frame: pd.DataFrame,
    label: str,
    scores: Sequence[str],
    positive: object = None,
    name: str = "predictions",
    seed: int = 0,
) -> Comparison:
    """A Comparison whose 'losses' are columns of scores; a higher score means positive.

    Rows without a label or without one of the scores are left out.
    """
    frame = frame.rename(columns={score: _name(score) for score in scores})
    scores = [_name(score) for score in scores]
    table, notes = _usable(frame, label, scores, positive)
    labels = table["label"].to_numpy()
    minority = int(np.bincount(labels, minlength=2).min())
    blocks = min(BLOCKS, minority)
    if blocks < 2:
        raise DataError(
            f"Of the rows with label and scores {minority} are of the rarer class.",
            "Bring at least two rows of each class.",
        )
    splitter = StratifiedKFold(blocks, shuffle=True, random_state=seed)
    parts = [held for _, held in splitter.split(labels, labels)]
    cuts = pd.concat(
        [_cuts(table, score, fold, held) for score in scores for fold, held in enumerate(parts)],
        ignore_index=True,
    )[CUTS]
    keys = [(score, fold) for score in scores for fold in range(blocks)]
    empty = pd.DataFrame(keys, columns=["loss", "fold"]).assign(**dict.fromkeys(Counts._fields, 0))
    confusion = tuned_for(empty.assign(threshold=0.5, dead_share=0.0), cuts, "f1")
    few = few_rows_note(minority, blocks)
    return Comparison(
        scores=metric_scores(confusion, list(METRICS), cuts),
        curves=pd.DataFrame(columns=["loss", "fold", "epoch", "train_loss", *METRICS]),
        confusion=confusion,
        probabilities=pd.concat(
            [table.iloc[held].assign(fold=fold) for fold, held in enumerate(parts)],
            ignore_index=True,
        )[["row", "fold", "label", *scores]],
        seconds=dict.fromkeys(scores, 0.0),
        total_seconds=0.0,
        settings=_settings(name, scores, labels, blocks, seed),
        cuts=cuts,
        notes=(HOW.format(blocks=blocks), *notes, *([few] if few else [])),
    )


def _name(score: str) -> str:
    """A column of scores as the tables of a comparison can hold it."""
    return f"{score} (score)" if score in RESERVED else score


def _usable(
    frame: pd.DataFrame, label: str, scores: list[str], positive: object
) -> tuple[pd.DataFrame, list[str]]:
    """row, label and scores in [0, 1] of the rows that have them all, and what was done to them."""
    if not scores or len(scores) > MOST_SCORES:
        raise DataError("No column of scores was chosen.", f"Choose one to {MOST_SCORES} columns.")
    for score in scores:
        if score == label or score not in frame or frame[score].dtype.kind not in "if":
            raise DataError(
                f"The column '{display_name(score)}' holds no scores.",
                "Choose columns of numbers in which a higher one means positive.",
            )
    target, notes = split_target(frame[label], positive), []
    table = frame.loc[target.known, scores].astype(np.float64)
    table = table.assign(row=np.flatnonzero(target.known), label=target.labels)
    known = np.isfinite(table[scores].to_numpy()).all(axis=1)
    if left_out := len(frame) - int(known.sum()):
        notes.append(f"{left_out:,} rows without a label or a score were left out")
    table = table[known].reset_index(drop=True)
    for score in scores:
        low, high = table[score].min(), table[score].max()
        if low < 0 or high > 1:
            table[score] = (table[score] - low) / ((high - low) or 1.0)
            notes.append(
                f"'{display_name(score)}' reached from {low:.4g} to {high:.4g}; it was moved to "
                "[0, 1], and so are its thresholds"
            )
    return table, notes


def _cuts(table: pd.DataFrame, score: str, fold: int, held: np.ndarray) -> pd.DataFrame:
    """Cuts of a block: counts of the other blocks, and beside them those of the block."""
    labels, values = table["label"].to_numpy(), table[score].to_numpy()
    others = np.ones(len(table), dtype=bool)
    others[held] = False
    cuts = find_cuts(labels[others], values[others])
    counts = counts_above(labels[held], values[held], cuts["threshold"].to_numpy())
    own = {name: part.astype(int) for name, part in counts._asdict().items()}
    return cuts.assign(**own, recipe="", loss=score, fold=fold)


def _settings(
    name: str, scores: Sequence[str], labels: np.ndarray, blocks: int, seed: int
) -> dict[str, Any]:
    """What the pages and the report ask of a comparison."""
    return {
        "losses": list(scores),
        "brought": True,
        "folds": blocks,
        "repeats": 1,
        "seeds": 1,
        "seed": seed,
        "dataset": name,
        "fingerprint": "",
        "rows": len(labels),
        "positives": int(labels.sum()),
        "leaks": {},
        "trained": {},
        "epochs": 0,
        "epochs_done": 0,
        "hidden": [],
        "inner_folds": blocks - 1,
    }
