"""The paper's names of metrics, losses and data sets, and our spellings of the same things."""

METRICS = {
    "Acc": "accuracy",
    "F-1": "f1",
    "G-Mean": "gmean",
    "B-Acc": "balanced_accuracy",
    "B-A": "balanced_accuracy",
}
LOSSES = {
    "MSE": "mse",
    "BCE": "bce",
    "L_A": "anyloss:accuracy",
    "L_F1": "anyloss:f1",
    "L_F0.5": "anyloss:f0.5",
    "L_F2": "anyloss:f2",
    "L_G": "anyloss:gmean",
    "L_B": "anyloss:balanced_accuracy",
    "S_A": "sol:accuracy",
    "S_F": "sol:f1",
    "S_B": "sol:balanced_accuracy",
    "BCE+SMOTE": "bce+smote",
    "BCE+RUS": "bce+undersample",
}
GROUPS = {
    "60:40~70:30": "60:40-70:30",
    "70:30~80:20": "70:30-80:20",
    "80:20~90:10": "80:20-90:10",
    "90:10~": "above 90:10",
}
DATASETS = {1: "Random", 2: "Credit Card", 3: "Breast Cancer", 4: "Diabetes"}
OFFLINE = (1, 3)  # data sets that need no file
# The eight losses that the paper trained in this order, one after the other.
EIGHT = tuple(
    LOSSES[name] for name in ("MSE", "BCE", "L_A", "L_F1", "L_F0.5", "L_F2", "L_G", "L_B")
)
ANYLOSSES = tuple(name for name in EIGHT if name.startswith("anyloss:"))
SOLS = tuple(LOSSES[name] for name in ("S_A", "S_F", "S_B"))


def our_loss(name: str, metric: str) -> str:
    """'L_F1' -> 'anyloss:f1'; a bare 'AnyLoss' or 'SOL' is the one that aims at `metric` (ours)."""
    if name in ("AnyLoss", "SOL"):
        return f"{name.lower()}:{metric}"
    return LOSSES[name]


def paper_metric(metric: str) -> str:
    """'f1' -> 'F-1', for a column of the paper's tables; the first of several names."""
    return next(theirs for theirs, ours in METRICS.items() if ours == metric)


def paper_loss(loss: str) -> str:
    """'anyloss:f1' -> 'L_F1'; a loss that the paper does not have keeps its spelling."""
    return next((theirs for theirs, ours in LOSSES.items() if ours == loss), loss)
