"""A small table that has what real ones have."""

import numpy as np
import pandas as pd

from anyloss_core.data.dataset import dataset_from_frame


def small(rows=120, seed=0):
    """A table with a category, a gap and overlapping classes."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": random.normal(size=rows), "b": random.normal(size=rows) * 50})
    frame["c"] = random.choice(["red", "green", "blue"], rows)
    frame["answer"] = np.where(frame["a"] + random.normal(size=rows) > 0.8, "yes", "no")
    frame.loc[::17, "b"] = np.nan
    return dataset_from_frame(frame, "answer", positive="yes", name="small")
