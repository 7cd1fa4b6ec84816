"""What a comparison says of chosen recipes: which were taken, and what inner rows promised.

The promise is the gain over BCE with a threshold tuned for the same metric, on rows of the training
folds that the inner models had not seen. It is known before a single held-out row is looked at.
"""

import numpy as np
import pandas as pd

from anyloss_core.common.wording import listed, loss_words, metric_words
from anyloss_core.comparison.comparison import Comparison
from anyloss_core.comparison.thresholds import best_cuts
from anyloss_core.losses.scores import get_score
from anyloss_core.losses.spelling import parse_loss

SEARCH = "bce+search"  # names may also be those of scores that were brought
SHOWN = 3  # recipes in the sentence, the most frequent ones


def training_words(comparison: Comparison, metric: str = "f1") -> str:
    """The plan, what inner rows promised, and which recipes were taken; '' for older runs."""
    plan = comparison.settings.get("plan")
    told = f"Plan: {plan}." if plan else ""
    return " ".join(filter(None, [told, chosen_words(recipe_table(comparison, metric))]))


def recipe_table(comparison: Comparison, metric: str = "f1") -> pd.DataFrame:
    """RECIPES of every loss that has chosen, fold by fold.

    `bce+search` has a choice of its own for each metric, as its threshold has.
    """
    cuts = comparison.cuts
    searched = cuts[[loss.partition("@")[0] == SEARCH for loss in cuts["loss"]]]
    if not len(searched):
        return comparison.recipes
    folds = searched.groupby(["loss", "fold"]).ngroup().to_numpy()
    best = searched.iloc[best_cuts(searched, folds, get_score(metric))][["loss", "fold", "recipe"]]
    found = pd.concat([comparison.recipes.astype(object), best.astype(object)])
    order = {loss: place for place, loss in enumerate(comparison.seconds)}
    return found.sort_values("loss", key=lambda names: names.map(order), kind="stable")


def chosen_words(recipes: pd.DataFrame) -> str:
    """Promise and recipe of every loss that has chosen; '' where none has."""
    names = recipes["loss"].unique()
    parts = [says(recipes, name) for name in names for says in (promise_words, recipe_words)]
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
    if loss.partition("@")[0] == SEARCH:
        own = own.map(loss_words)  # its recipes are losses
    counts = own.value_counts()
    parts = [f"{recipe} in {count}" for recipe, count in counts.head(SHOWN).items()]
    if len(counts) > SHOWN:
        parts.append(f"others in {int(np.sum(counts[SHOWN:]))}")
    return f"Recipe of {loss_words(loss)}: {listed(parts)} of {len(own)} folds."
