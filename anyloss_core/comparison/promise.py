"""What a comparison says of chosen recipes: which were taken, and what inner rows promised.

The promise is the gain over BCE with a threshold tuned for the same metric, on rows of the training
folds that the inner models had not seen. It is known before a single held-out row is looked at.
"""

import numpy as np
import pandas as pd

from anyloss_core.common.wording import listed, loss_words, metric_words
from anyloss_core.comparison.comparison import Comparison
from anyloss_core.losses.spelling import parse_loss

SHOWN = 3  # recipes in the sentence, the most frequent ones


def chosen_words(comparison: Comparison, loss: str | None = None) -> str:
    """Both sentences for a loss, or for every loss that has chosen; '' where none has."""
    found = comparison.recipes
    names = [loss] if loss else list(found["loss"].unique())
    parts = [says(found, name) for name in names for says in (promise_words, recipe_words)]
    return " ".join(filter(None, parts))


def promise_words(recipes: pd.DataFrame, loss: str) -> str:
    """'Inner rows promise AnyLoss-F1 +0.081 ± 0.020 F1 over BCE with threshold for F1.'

    ± is the standard error of a fold's inner rows: those of several folds are mostly the same rows.
    """
    rows = recipes[(recipes["loss"] == loss) & recipes["promise"].notna()]
    if not len(rows):
        return ""
    score = parse_loss(loss).score
    metric = score.name if score else "f1"
    gain, error = rows["promise"].mean(), rows["promise_error"].mean()
    against = loss_words(rows["against"].iloc[0], metric)
    return (
        f"Inner rows promise {loss_words(loss)} {gain:+.3f} ± {error:.3f} {metric_words(metric)} "
        f"over {against}."
    )


def recipe_words(recipes: pd.DataFrame, loss: str) -> str:
    """'Recipe of AnyLoss-F1: L=10,warm_up=0 in 7 and L=2..20,warm_up=0.8 in 3 of 10 folds.'"""
    own = recipes.loc[recipes["loss"] == loss, "recipe"]
    if not len(own):
        return ""
    counts = own.value_counts()
    parts = [f"{recipe} in {count}" for recipe, count in counts.head(SHOWN).items()]
    if len(counts) > SHOWN:
        parts.append(f"others in {int(np.sum(counts[SHOWN:]))}")
    return f"Recipe of {loss_words(loss)}: {listed(parts)} of {len(own)} folds."
