"""A table in which one column gives the answer away, as a file and as a Dataset."""

import io

import numpy as np
import pandas as pd

LEAK = "paid back"


def leaky_frame(rows: int = 200) -> pd.DataFrame:
    """income and age say a little about the target 'late', LEAK says all of it."""
    random = np.random.default_rng(5)
    late = random.random(rows) < 0.25
    income, age = random.normal(late, 1.2, (2, rows)).round(3)
    paid = np.where(late, random.normal(-5, 1, rows), random.normal(5, 1, rows)).round(3)
    names = np.where(late, "yes", "no")
    return pd.DataFrame({"income": income, "age": age, LEAK: paid, "late": names})


def leaky_csv() -> bytes:
    """The table as a visitor brings it."""
    file = io.StringIO()
    leaky_frame().to_csv(file, index=False)
    return file.getvalue().encode()
