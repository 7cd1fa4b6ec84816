"""Sweeps with given means."""

import numpy as np
import pandas as pd

from anyloss_core.sweep.sweep import Sweep


def sweep_of(means):
    rows = [
        (
            "f1",
            setting,
            float(setting) if setting.isdigit() else np.nan,
            fold,
            mean,
        )
        for setting, mean in means.items()
        for fold in range(2)
    ]
    scores = pd.DataFrame(rows, columns=["metric", "setting", "L", "fold", "score"])
    dead = scores.rename(columns={"score": "dead_share"}).assign(dead_share=0.0)
    return Sweep(scores, dead, {}, 0.0)
