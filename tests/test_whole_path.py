"""From the bytes of a table to scores: finite, or with a stated reason, and always the same.

Same numbers for the same seed, bit for bit: in one process, in another, in a worker. With another
number of threads torch adds in another order; then probabilities agree to 1e-9 (see the last test).
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from pandas.testing import assert_frame_equal

from anyloss_core.benchmark.units import one_thread
from anyloss_core.comparison.comparison import compare
from anyloss_core.data.reading.table import load_csv
from tests.degenerate_tables import LOSSES, cases, table_bytes
from tests.support.generated import synthetic

ROOT = Path(__file__).parents[1]
CASES = int(os.environ.get("LAB_CASES", "30"))  # more of them when there is time


def attempt(content, chosen):
    """The comparison, or the sentence that refuses it."""
    try:
        return compare(load_csv(content, "y", positive="1"), **chosen)
    except ValueError as refusal:
        return str(refusal)


@settings(max_examples=CASES)
@given(cases())
def test_any_table_gives_finite_scores_or_a_reason_and_the_same_ones_again(case):
    first, second = attempt(*case), attempt(*case)
    if isinstance(first, str):
        assert first == second
        assert len(first.split()) > 4, first
        return
    check_scores(first)
    for name in ("scores", "confusion", "curves", "probabilities"):
        assert_frame_equal(getattr(first, name), getattr(second, name), check_exact=True)
    assert first.notes == second.notes


def check_scores(found):
    """Scores are numbers; a model that has lost its numbers is named in a note."""
    assert np.isfinite(found.scores["score"]).all()
    assert found.scores["score"].between(-1, 1).all()
    told = {note.split(": ")[0] for note in found.notes if "diverged" in note}
    for loss in found.seconds:
        lost = not np.isfinite(found.probabilities[loss]).all()
        curve = found.curves.loc[found.curves["loss"] == loss, "train_loss"]
        assert loss in told or (not lost and np.isfinite(curve.iloc[-1])), (loss, found.notes)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("model", ["slp", "mlp"])
def test_every_loss_survives_every_kind_of_column_at_once(model, dtype):
    kinds = ("plain", "answer", "constant", "huge", "tiny", "both", "outlier", "gaps", "whole")
    content = table_bytes(40, 3, (*kinds, "text", "yes"), repeated=False, seed=1)
    chosen = {"losses": LOSSES, "model": model, "dtype": dtype, "epochs": 20, "folds": 3}
    found = attempt(content, chosen)  # three rows of the rarer class: one a fold
    assert not isinstance(found, str), found
    check_scores(found)
    few, *others = found.notes
    assert "3 rows of the rarer class in 3 folds" in few
    assert all("collapsed" in note for note in others)


def test_a_column_without_a_value_is_left_out_and_a_table_of_them_is_refused():
    content = table_bytes(30, 10, ("missing", "plain"), repeated=False, seed=0)
    assert [column.name for column in load_csv(content, "y").used_columns] == ["plain1"]
    told = attempt(table_bytes(30, 10, ("missing", "constant"), False, 0), {"losses": ["bce"]})
    assert "column" in told


REPEATED = {
    "slp": {"losses": ["bce", "anyloss:f1"], "folds": 3, "epochs": 60},
    "mlp": {"losses": ["bce", "anyloss:f1"], "folds": 3, "epochs": 60, "model": "mlp"},
}
ELSEWHERE = """
import json, os, torch
from tests.test_whole_path import repeat
torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))  # on one core it would take one
print(json.dumps([torch.get_num_threads(), {k: [*map(float.hex, v)] for k, v in repeat().items()}]))
"""


def repeat():
    """P(positive) of all rows, large enough for torch to share the work among its threads."""
    data = synthetic(rows=6000, features=30, imbalance=5, seed=4)
    found = {model: compare(data, **chosen) for model, chosen in REPEATED.items()}
    return {model: result.probabilities["anyloss:f1"] for model, result in found.items()}


def elsewhere(threads):
    """The same in another process with so many threads."""
    run = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        cwd=ROOT,
        env=os.environ | {"OMP_NUM_THREADS": str(threads)},
        capture_output=True,
        text=True,
        check=True,
    )
    used, found = json.loads(run.stdout)
    assert used == threads
    return {model: np.array([*map(float.fromhex, values)]) for model, values in found.items()}


def test_another_process_gives_the_same_bits_and_other_threads_the_same_to_1e_9():
    with one_thread():
        here = repeat()
    one, two = elsewhere(1), elsewhere(2)
    for model in REPEATED:
        assert np.array_equal(here[model], one[model])
        assert np.abs(one[model] - two[model]).max() < 1e-9
