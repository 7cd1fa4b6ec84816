"""Words that pages share, and how text that users brought is shown: literally.

Streamlit renders labels and messages as Markdown (with LaTeX, colours and icons). Names of
columns, classes, files and runs come from outside and pass through `literal` or `option`.
"""

from __future__ import annotations

import re

from anyloss_core.figures.style import visible

METRIC_NAMES = {
    "accuracy": "Accuracy",
    "precision": "Precision",
    "recall": "Recall",
    "specificity": "Specificity",
    "npv": "Negative predictive value",
    "f1": "F1",
    "f0.5": "F0.5",
    "f2": "F2",
    "gmean": "G-mean",
    "balanced_accuracy": "Balanced accuracy",
    "jaccard": "Jaccard",
    "fowlkes_mallows": "Fowlkes-Mallows",
    "mcc": "MCC",
    "kappa": "Cohen's kappa",
    "youden": "Youden's J",
    "markedness": "Markedness",
}
LOSS_NAMES = {
    "mse": "MSE",
    "bce": "BCE",
    "weighted_bce": "Weighted BCE",
    "focal": "Focal",
    "sigmoid_f1": "sigmoidF1",
    "bce+smote": "BCE + SMOTE",
    "bce+undersample": "BCE + under-sampling",
    "bce+threshold": "BCE + tuned threshold",
}
FAMILY_NAMES = {"anyloss": "AnyLoss", "sol": "SOL", "soft": "Soft"}
STATUS_NAMES = {
    "queued": "waiting",
    "running": "running",
    "paused": "paused",
    "done": "done",
    "cancelled": "stopped",
    "failed": "failed",
    "interrupted": "interrupted",
}


def literal(text: object, longest: int = 80) -> str:
    """Foreign text inside Markdown: a code span, in which nothing is rendered."""
    shown = visible(str(text), longest) or " "
    runs = [len(run) for run in re.findall(r"`+", shown)]
    fence = "`" * (max(runs, default=0) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def option(text: object, longest: int = 60) -> str:
    """Foreign text in a list of choices, which Streamlit shows as plain text."""
    return visible(str(text), longest)


def metric_name(metric: str) -> str:
    """What a page calls a metric; a formula is shown as it was typed."""
    return METRIC_NAMES.get(metric, option(metric))


def loss_name(spelling: str) -> str:
    """What a page calls a loss: 'AnyLoss-F1 (L=50)' for 'anyloss:f1@L=50'."""
    base, _, options = spelling.partition("@")
    family, _, metric = base.partition(":")
    name = LOSS_NAMES.get(base) or option(base)
    if metric and family in FAMILY_NAMES:
        name = f"{FAMILY_NAMES[family]}-{metric_name(metric)}"
    return f"{name} ({option(options)})" if options else name


def duration(seconds: float) -> str:
    """Seconds as a person says them: 0.4 s, 12 s, 3 min 20 s, 1 h 5 min."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def share(value: float, digits: int = 1) -> str:
    """A share as per cent."""
    return f"{100 * value:.{digits}f} %"
