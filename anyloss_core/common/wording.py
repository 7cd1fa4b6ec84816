"""What losses and metrics are called in a sentence, a report or a table for people to read."""

from collections.abc import Sequence

from anyloss_core.common.goal_formulas import read_cost, read_floor

METRICS_IN_WORDS = {
    "accuracy": "accuracy",
    "precision": "precision",
    "recall": "recall",
    "specificity": "specificity",
    "npv": "negative predictive value",
    "gmean": "G-mean",
    "balanced_accuracy": "balanced accuracy",
    "jaccard": "Jaccard index",
    "fowlkes_mallows": "Fowlkes-Mallows index",
    "mcc": "MCC",
    "kappa": "Cohen's kappa",
    "youden": "Youden's J",
    "markedness": "markedness",
}
LOSSES_IN_WORDS = {
    "mse": "MSE",
    "adaline": "MSE (Adaline)",
    "linear_mse": "MSE (linear output)",
    "bce": "BCE",
    "weighted_bce": "weighted BCE",
    "focal": "focal loss",
    "sigmoid_f1": "sigmoidF1",
    "bce+smote": "BCE with SMOTE",
    "bce+undersample": "BCE with under-sampling",
    "bce+threshold": "BCE with a tuned threshold",
    "bce+online_f1": "BCE cut at half its F1",
    "bce+search": "BCE, best form and threshold",
    "logistic_regression": "logistic regression (scikit-learn)",
    "boosted_trees": "boosted trees (scikit-learn)",
}
JUDGED_IN_WORDS = {  # whose threshold is tuned for whatever metric judges
    "bce+threshold": "BCE with threshold for {}",
    "bce+search": "BCE, best form and threshold for {}",
    "logistic_regression": "logistic regression with threshold for {}",
    "boosted_trees": "boosted trees with threshold for {}",
}
TUNED_METRIC = {f"metric={metric}": metric for metric in ("f1", *METRICS_IN_WORDS)}
FAMILIES_IN_WORDS = {"anyloss": "AnyLoss", "sol": "SOL", "soft": "soft", "lee": "Lee"}


def metric_words(metric: str) -> str:
    """'balanced_accuracy' -> 'balanced accuracy', 'f0.5' -> 'F0.5', 'Net value: TP / P' -> 'Net
    value'; a formula without a name stays as typed, unless it is that of a cost or of a floor.
    """
    if name := metric.partition(":")[0].strip() if ":" in metric else "":
        return name
    if metric[:1] == "f" and metric[1:].replace(".", "", 1).isdigit():
        return f"F{metric[1:]}"
    if cost := read_cost(metric):
        return cost_words(*cost)
    if held := read_floor(metric):
        return floor_words(*held)
    return METRICS_IN_WORDS.get(metric, metric)


def cost_words(miss: float, alarm: float, hit: float) -> str:
    """'money (miss -50, alarm -1, hit +10)'."""
    parts = [f"miss -{miss:g}"] * (miss > 0) + [f"alarm -{alarm:g}"] + [f"hit +{hit:g}"] * (hit > 0)
    return f"money ({', '.join(parts)})"


def floor_words(wanted: str, held: str, floor: float) -> str:
    """'precision at recall ≥ 0.9'."""
    wanted, held = (METRICS_IN_WORDS.get(name, name) for name in (wanted, held))
    return f"{wanted} at {held} ≥ {floor:g}"


def loss_words(spelling: str, judged: str | None = None) -> str:
    """'anyloss:f1@L=50' -> 'AnyLoss-F1 (L=50)', 'bce+threshold' -> 'BCE with a tuned threshold'.

    `judged` is the metric it is judged by, for which a threshold is tuned unless it says another.
    """
    base, _, options = spelling.partition("@")
    if base == "bce+threshold" and options in TUNED_METRIC:
        return f"BCE with threshold for {metric_words(TUNED_METRIC[options])}"
    family, _, metric = base.partition(":")
    words = LOSSES_IN_WORDS.get(base, base)
    if metric and family in FAMILIES_IN_WORDS:
        words = f"{FAMILIES_IN_WORDS[family]}-{metric_words(metric)}"
    elif judged and base in JUDGED_IN_WORDS and "metric=" not in options:
        words = JUDGED_IN_WORDS[base].format(metric_words(judged))
    return f"{words} ({options})" if options else words


def listed(items: Sequence[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last
