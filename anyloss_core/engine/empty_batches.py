"""Batches too small for a metric: how many of them lack a class without which it stands still.

F1 of a batch without positives is 0 whatever is predicted, so its gradient is exactly 0. What that
means for a training can be said before it begins, from the sizes of the classes alone.
"""

import math

from anyloss_core.common.wording import metric_words
from anyloss_core.engine.batches import steps_per_epoch
from anyloss_core.engine.study import Recipe
from anyloss_core.losses.losses import CountsLoss
from anyloss_core.losses.messages import absences

WORTH_SAYING = 0.05  # share of such batches


def empty_batches(recipe: Recipe, positives: int, rows: int, stratified: bool) -> str | None:
    """What to say of a loss that is trained so on so many rows; None where nothing is.

    The warm-up of a loss is not counted: it learns from every batch.
    """
    loss = recipe.loss.build()
    if recipe.batch is None or not isinstance(loss, CountsLoss):
        return None
    sizes = {"positive": positives, "negative": rows - positives}
    for absent in absences(loss.score):
        share = share_without(sizes[absent], rows, recipe.batch, stratified)
        if share > WORTH_SAYING:
            repair = "larger batches" if stratified else "larger batches, or stratified ones"
            return (
                f"{share:.0%} of the batches of {recipe.batch:,} rows hold no {absent} row, and "
                f"teach nothing of {metric_words(loss.score.name)}; take {repair}"
            )
    return None


def share_without(members: int, rows: int, size: int, stratified: bool) -> float:
    """The share of the batches of `size` of so many rows that lack a class with `members` rows."""
    if size >= rows:
        return 0.0 if members else 1.0
    if stratified:  # one each until there is none left
        return max(0.0, 1 - members / steps_per_epoch(rows, size, False))
    if members > rows - size:
        return 0.0
    # Drawn without putting back: C(rows - members, size) / C(rows, size).
    return math.exp(_log_choose(rows - members, size) - _log_choose(rows, size))


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
