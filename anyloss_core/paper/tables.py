"""The published figures, tidy and in our spellings.

The CSV files beside this module hold the numbers as printed; here their columns get our names.
Rows stay in the paper's order.
"""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import pandas as pd

from anyloss_core.data import suites
from anyloss_core.paper.names import GROUPS, METRICS, our_loss

TABLES = {
    "valid_L_range": "valid range of L per accuracy level (Table 1)",
    "slp_4_datasets": "SLP, 4 imbalanced data sets, all losses and metrics (Appendix)",
    "mlp_4_datasets": "MLP, 4 imbalanced data sets, all losses and metrics (Appendix)",
    "resampling_slp": "AnyLoss beside SMOTE and random under-sampling, SLP",
    "achievement_rate": "share of the descent made by an epoch, SLP",
    "learning_time_vs_bce": "learning time over that of BCE",
    "L_sweep_4_datasets": "scores for five values of L, MLP, 4 data sets",
    "L_sweep_102_wins": "winning numbers of five values of L, MLP, 102 data sets",
    "102_datasets_meta": "sizes and class balance of the 102 data sets",
    "102_wins": "winning numbers on 102 data sets",
    "102_imbalance_groups": "AnyLoss - baseline by imbalance, 102 data sets",
    "slp_102_bayes": "Bayesian sign test, SLP, 102 data sets",
    "mlp_102_bayes": "Bayesian sign test, MLP, 102 data sets",
    "huge_titanic": "SLP and MLP on 799,603 rows",
    "resnet50_mnist": "ResNet-50 on MNIST, one digit against the rest",
}


def load_table(name: str, dataset: int | None = None) -> pd.DataFrame:
    """A published table with our column names and spellings; see `TABLES` for the names.

    With `dataset` only the rows of that data set (1 to 4).
    """
    if name not in TABLES:
        raise ValueError(f"name: no published table {name!r}, there are {', '.join(TABLES)}")
    table = _read(name)
    return table.copy() if dataset is None else table[table["dataset"] == dataset]


@cache
def _read(name: str) -> pd.DataFrame:
    with _folder(name).joinpath(f"{name}.csv").open("rb") as file:
        frame = pd.read_csv(file)
    if "model_loss" in frame:  # "SLP MSE", or "MSE" where there is one model
        parts = frame.pop("model_loss").str.rsplit(" ", n=1)
        frame["model"] = [part[0].lower() if len(part) > 1 else "resnet50" for part in parts]
        frame["loss"] = [part[-1] for part in parts]
    if "metric" in frame:
        frame["metric"] = frame["metric"].map(METRICS)
    if "model" in frame:
        frame["model"] = frame["model"].str.lower()
    if "group" in frame:
        frame["group"] = frame["group"].map(GROUPS)
    if "baseline" in frame:
        frame["baseline"] = frame["baseline"].str.lower()
        frame["candidate"] = "anyloss:" + frame["metric"]
    frame = frame.rename(columns=_COLUMNS)
    if "loss" in frame and "metric" in frame:
        pairs = zip(frame["loss"], frame["metric"], strict=True)
        frame["loss"] = [our_loss(loss, metric) for loss, metric in pairs]
    return frame


def _folder(name: str) -> Traversable:
    if name == "102_datasets_meta":  # lies with the twins that are generated after it
        return files(suites)
    return files(__package__).joinpath("published")


_COLUMNS = {
    "method": "loss",
    "delta_mean": "mean",
    "delta_sd": "sd",
    "p_win": "candidate_wins",
    "p_draw": "draw",
    "p_lose": "baseline_wins",
}
