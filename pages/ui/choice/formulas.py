"""Metrics and the test of a difference as maths, for the formulas under charts and tables."""

from collections.abc import Sequence

from anyloss_core.common.wording import metric_words
from anyloss_core.losses.scores import get_score

T_TEST = r"""
**Bayesian correlated t-test** (Benavoli et al. 2017) on the
differences $d_1 \dots d_n$ of the folds, mean $\bar d$, variance $s^2$:

$$
\delta \sim t_{n-1}\left(\bar d,\ \left(\tfrac1n + \tfrac{\rho}{1-\rho}\right) s^2\right),
\qquad \rho = \tfrac{1}{k}
$$

$\rho$ allows for the training rows that the $k$ folds of one repeat share; $s$ is at least what
one flipped row of a fold would change, so that folds which agree by chance decide nothing. The
**rope** is the region of practical equivalence: $P(\text{win}) = P(\delta > \text{rope})$,
$P(\text{draw}) = P(|\delta| \le \text{rope})$, $P(\text{lose}) = P(\delta < -\text{rope})$.

In the sentence, the number after ± is the scale of this distribution, and a winner is named from
a probability of 0.95 on: on simulated tables such a winner is right at least 19 times in 20."""


def metric_formulas(metrics: Sequence[str]) -> str:
    """The shown metrics as maths, and where their scores come from."""
    return f"Each score is worked out per fold from its confusion matrix.\n\n{in_maths(metrics)}"


def in_maths(metrics: Sequence[str]) -> str:
    """One displayed equation for each metric."""
    lines = [f"$$\\text{{{_latex_text(each)}}} = {_maths(each)}$$" for each in metrics]
    return "\n\n".join(lines)


def _maths(metric: str) -> str:
    return get_score(get_score(metric).text).latex  # as written, without the factor 1 of an F score


def _latex_text(metric: str) -> str:
    safe = metric_words(metric)
    return safe if safe.replace("-", "").replace(" ", "").replace("'", "").isalnum() else "score"
