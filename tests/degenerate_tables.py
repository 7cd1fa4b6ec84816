"""Small tables with everything that goes wrong in real ones, and settings to train on them."""

import io

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from anyloss_core.losses.scores import METRICS

COLUMNS = {  # name -> (labels, random) -> values
    "plain": lambda y, r: r.normal(size=len(y)),
    "answer": lambda y, r: y * 2.0 - 1,  # separates the classes perfectly
    "constant": lambda y, r: np.full(len(y), 3.25),
    "huge": lambda y, r: r.normal(size=len(y)) * 1e300,
    "tiny": lambda y, r: r.normal(size=len(y)) * 1e-300,
    "both": lambda y, r: r.choice([1e300, -1e300, 1e-300, 0.0], len(y)),
    "outlier": lambda y, r: np.where(np.arange(len(y)) == 0, 1e308, r.normal(size=len(y))),
    "missing": lambda y, r: np.full(len(y), np.nan),
    "gaps": lambda y, r: np.where(r.random(len(y)) < 0.8, np.nan, r.normal(size=len(y))),
    "whole": lambda y, r: r.integers(0, 3, len(y)),
    "text": lambda y, r: r.choice(["a", "b", "c", ""], len(y)),
    "yes": lambda y, r: r.choice(["yes", "no"], len(y)),
}
LOSSES = (
    *("mse", "bce", "weighted_bce", "focal", "sigmoid_f1", "lee:f1", "lee:f2"),
    *(f"anyloss:{metric}" for metric in METRICS),
    *("anyloss:f1@L=10000", "anyloss:gmean@L=1..73,warm_up=0.5", "anyloss:TP / (TP + FP + FN)"),
    *("anyloss:f1@form=naive", "sol:f1", "sol:mcc@distribution=uniform", "soft:f1", "soft:kappa"),
    *("bce+smote", "bce+undersample", "bce+threshold", "bce+online_f1"),
)


def table_bytes(rows, positives, columns, repeated, seed):
    """A CSV with the target `y`; a part of the rows may be copies of others."""
    random = np.random.default_rng(seed)
    labels = np.zeros(rows, int)
    labels[random.permutation(rows)[:positives]] = 1
    frame = pd.DataFrame({f"{k}{i}": COLUMNS[k](labels, random) for i, k in enumerate(columns)})
    frame["y"] = labels
    if repeated:
        frame = pd.concat([frame, frame], ignore_index=True)
    text = io.StringIO()
    frame.to_csv(text, index=False)
    return text.getvalue().encode()


@st.composite
def cases(draw):
    """(bytes of a table, settings of a comparison of it)."""
    folds = draw(st.sampled_from([2, 3]))
    wide = draw(st.integers(0, 9)) == 0
    rows = 50 if wide else draw(st.integers(8, 40))
    positives = draw(st.sampled_from([folds, folds + 1, rows // 2]))
    some = st.lists(st.sampled_from(list(COLUMNS)), min_size=1, max_size=5)
    columns = ["plain"] * 500 if wide else draw(some)
    settings = {
        "losses": draw(st.lists(st.sampled_from(LOSSES), min_size=1, max_size=4, unique=True)),
        "model": draw(st.sampled_from(["slp", "mlp"])),
        "dtype": draw(st.sampled_from(["float64", "float32"])),
        "protocol": draw(st.sampled_from(["fresh", "fresh", "paper", "as_released"])),
        "lr": draw(st.sampled_from([None, 0.01, 1e3, 1e30])),
        "batch": draw(st.sampled_from([None, 0, 3])),
        "optimiser": draw(st.sampled_from([None, "gd", "momentum"])),
        "epochs": draw(st.integers(1, 6)),
        "folds": folds,
        "seed": draw(st.integers(0, 3)),
    }
    shape = (rows, positives, columns, draw(st.booleans()), draw(st.integers(0, 10**6)))
    return table_bytes(*shape), settings
