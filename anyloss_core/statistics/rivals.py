"""Which of two losses is the simpler one, and against which a candidate has to prove itself."""

import pandas as pd

from anyloss_core.losses.spelling import LossError, parse_loss

TUNED = 1  # simplicity of BCE with a tuned threshold; BCE itself has 0


def simplicity(loss: str) -> int:
    """How much a loss asks for: 0 for BCE; a name from elsewhere asks for most."""
    try:
        spec = parse_loss(loss)
    except LossError:
        return 6
    if spec.is_reference:
        return 5
    if spec.score is not None or spec.family == "sigmoid_f1":
        return 4
    if spec.method in ("threshold", "online_f1"):
        return TUNED
    return 3 if spec.method else int(spec.family != "bce") * 2


def simple_rival(scores: pd.DataFrame, candidate: str, metric: str) -> str | None:
    """Against what a candidate has to prove itself: the better of BCE and BCE with a tuned
    threshold, or else the simplest of the others; None for a lone loss."""
    means = scores[scores["metric"] == metric].groupby("loss", sort=False)["score"].mean()
    rivals = [loss for loss in means.index if loss != candidate]
    simple = [loss for loss in rivals if simplicity(loss) <= TUNED]
    if simple:
        return max(simple, key=lambda loss: float(means[loss]))
    return min(rivals, key=simplicity, default=None)
