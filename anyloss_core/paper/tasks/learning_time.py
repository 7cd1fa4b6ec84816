"""Learning time over that of BCE, measured here: a ratio, never seconds.

Every loss is trained alone, with the same settings, round after round in turn, so that whatever
else the machine does hits all of them alike; the median of the rounds' ratios is reported.
"""

from dataclasses import replace
from statistics import median

from anyloss_core.data.dataset import Dataset
from anyloss_core.paper.cells import Cell, OnProgress, Result, Where, noisy_cell, shifted
from anyloss_core.paper.names import ANYLOSSES, SOLS
from anyloss_core.paper.running import run_comparison
from anyloss_core.paper.tables import load_table

TABLE = "learning_time_vs_bce"
ROUNDS = 5
EPOCHS = {"slp": 100, "mlp": 5}  # a tenth of the published ones: the ratio is the same
GROUPS = {"MSE": ("mse",), "SOL": SOLS, "AnyLoss": ANYLOSSES}
WHY = (
    "measured on this machine with this engine, not with the authors' NumPy and Keras: its BCE "
    "needs one sigmoid and no counts, so that what AnyLoss and SOL add shows more"
)
FAR = 0.2  # a ratio that differs by more is different, however much the rounds scatter


def reproduce_time(
    number: int, dataset: Dataset, progress: OnProgress, rounds: int = ROUNDS
) -> Result:
    """MSE, the mean of SOL and the mean of AnyLoss over BCE, SLP and MLP."""
    cells, ratios = [], {}
    for part, model in enumerate(EPOCHS):
        own = shifted(progress, part, len(EPOCHS))
        ratios[model] = _ratios(number, dataset, model, rounds, own)
        cells += _cells(number, model, ratios[model])
    return Result(cells, {"rounds": rounds, "epochs": EPOCHS}, {"ratios": ratios})


def _ratios(
    number: int, dataset: Dataset, model: str, rounds: int, progress: OnProgress
) -> dict[str, list[float]]:
    """Time over BCE's of the same round, per group and round."""
    losses = ("bce", *(loss for group in GROUPS.values() for loss in group))
    found: dict[str, list[float]] = {name: [] for name in GROUPS}
    _seconds(dataset, "bce", model, progress, "warming up")  # the first training pays for start-up
    for turn in range(rounds):
        seconds = {}
        for part, loss in enumerate(losses):
            own = shifted(progress, turn * len(losses) + part, rounds * len(losses))
            message = f"time of {loss}, {model.upper()}, data set {number}"
            seconds[loss] = _seconds(dataset, loss, model, own, message)
        for name, group in GROUPS.items():
            mean = sum(seconds[loss] for loss in group) / len(group)
            found[name].append(mean / seconds["bce"])
    return found


def _seconds(dataset: Dataset, loss: str, model: str, progress: OnProgress, message: str) -> float:
    batch = None if model == "slp" else 0.05
    settings = {"model": model, "epochs": EPOCHS[model], "lr": 0.01, "batch": batch, "curves": 1}
    return run_comparison(dataset, [loss], progress, message, **settings).seconds[loss]


def _cells(number: int, model: str, ratios: dict[str, list[float]]) -> list[Cell]:
    rows = load_table(TABLE, number)
    cells = []
    for row in rows[rows["model"] == model].itertuples():
        where = Where(TABLE, number, row.loss, f"{model} time")
        cell = noisy_cell(where, row.time_ratio_to_bce, ratios[row.loss], WHY, FAR)
        cells.append(replace(cell, ours=median(ratios[row.loss])))
    return cells
