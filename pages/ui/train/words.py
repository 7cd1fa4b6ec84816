"""What the panels of the page Train say about their numbers."""

from anyloss_core.live.findings import Finding
from anyloss_core.live.history import Snapshot
from anyloss_core.losses.spelling import LossSpec, Ramp
from pages.ui.base.text import literal, share
from pages.ui.choice.losses import loss_option

FORMULAS = {
    "training_loss": r"""The loss that the training met, as the mean over the batches of an epoch.
AnyLoss of a metric $f$ is $1 - f(TN, FN, FP, TP)$ over the **soft** confusion matrix, so losses
of different kinds have different scales: compare shapes, not heights.""",
    "training_achievement": r"""How much of its own descent a loss had made by epoch $e$:

$$\frac{\text{loss}_1 - \text{loss}_e}{\text{loss}_1 - \text{loss}_{\text{last}}}$$

It puts losses of different scales on one axis. While training runs, *last* is the newest epoch,
so the curve is redrawn as the descent grows.""",
    "training_metric": r"""The metric of the **hard** predictions ($p$ above the threshold), on the
rows that were trained on (faint) and on those held out (strong). Preparation is fitted on the
training rows alone.""",
    "training_health": r"""**Dead rows**: the share of training rows whose slope is exactly 0; they
change nothing any more. **Gradient norm**: the length of the gradient of the last batch. For
AnyLoss the slope of a row is $L\,A(1-A)\,p(1-p)$, which rounds to 0 far from the threshold
when $L$ is large.""",
    "confusion": r"""Soft counts sum soft labels $s_i$, hard counts sum 0 or 1:

$$TP=\sum y_i s_i,\quad FP=\sum (1-y_i)s_i,\quad FN=\sum y_i(1-s_i),\quad TN=\sum(1-y_i)(1-s_i)$$

The loss sees the soft matrix, the metric the hard one: the gap is what the approximation costs.
Colours are shares of the actual class.""",
    "histograms": r"""Left: the probability $p$ of each row. Right: the soft label that the loss
counts. For AnyLoss it is $A(p)=1/(1+e^{-L(p-1/2)})$, for SOL the distribution function of its
random threshold, and for BCE, MSE and the like $p$ itself. Bars are shares of each class; up to
2,500 rows of a class are looked at.""",
    "boundary": r"""Each line is where a model changes its prediction; the wash is the probability
of the loss looked at. With more than two features this is a plane through the mean of the training
rows, and the points are projected onto it: a point may look to be on the wrong side of a line.
Axes show prepared (standardised) values.""",
    "numbers": r"""**Hard**: the metric of the counts of 0 and 1, which is what the model is judged
by. **Soft**: the metric of the sums of soft labels, which is what an AnyLoss is trained on.
**Gap**: soft − hard. **Dead rows**: the share of training rows whose slope is exactly 0.
**Gradient norm**: the length of the gradient of the last batch. Loss, dead rows and gradient belong
to the training rows, whichever rows are chosen above.""",
}


def soft_title(snapshot: Snapshot, model: int) -> str:
    """What the soft label of a loss is called at this epoch."""
    settings = snapshot.history.settings
    spec = settings.specs[model]
    phase = spec.at(snapshot.epoch - 1, settings.epochs)
    if phase.warming_up:
        return "p (BCE warm-up)"
    if spec.family == "anyloss":
        return f"A(p), L = {phase.L:.3g}"
    return "soft label F(p)" if spec.score else "soft label = p"


def amplifier_words(spec: LossSpec) -> str:
    """'with L = 10', 'with L from 2 to 20, after BCE for 80 % of the epochs'."""
    if spec.family != "anyloss":
        said = f"as {spec.spelling.partition('@')[2].partition(',warm_up')[0]}"
    elif isinstance(spec.L, Ramp):
        said = f"with L from {spec.L.start:g} to {spec.L.end:g}"
    else:
        said = f"with L = {spec.L:g}"
    return f"{said}, after BCE for {spec.warm_up:.0%} of the epochs" if spec.warm_up else said


def explain(finding: Finding) -> str:
    """A finding in one or two sentences of Markdown."""
    name = literal(loss_option(finding.loss))
    happened = {
        "collapsed": f"has collapsed: since epoch {finding.epoch} it calls every training row "
        f"{literal(finding.predicted, 40)}, and its loss stands still.",
        "frozen": f"updates no more: since epoch {finding.epoch} nearly all rows "
        f"({share(finding.dead)} now) have a slope of exactly 0, although some are still wrong.",
        "diverged": f"has diverged: since epoch {finding.epoch} its loss is no longer a number.",
    }[finding.kind]
    return f"{name} {happened} **What to try:** {'; '.join(finding.advice)}."
