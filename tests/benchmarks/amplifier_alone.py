"""What does the amplifier itself add? AnyLoss-F1 against soft-F1, alike in everything else.

Both begin with the same BCE warm-up, go on from the same weights on the same folds, and aim at F1
of soft counts: of A(p), L rising as in the usual recipe, or of p as it is. The latter is also SOL
with the uniform distribution of its authors. Prints the mean difference over the tables with its
standard error, and won / tied / lost at a rope of 0.01.

    OMP_NUM_THREADS=1 python -m tests.benchmarks.amplifier_alone
"""

import argparse

import numpy as np
import pandas as pd
import torch

from anyloss_core.comparison.comparison import compare
from anyloss_core.comparison.protocols import FRESH, trained_as
from anyloss_core.comparison.settings import amplifier_text
from anyloss_core.data.suites.real_suite import real_suite
from anyloss_core.data.suites.references import open_reference
from anyloss_core.losses.spelling import parse_loss

ROPE = 0.01
IMBALANCED = 4.0  # n of n:1 from which a table counts as imbalanced
SETTINGS = {"folds": 5, "repeats": 2, "curves": 1}


def amplified(model: str) -> str:
    """AnyLoss-F1 with the usual recipe spelled out, so that nothing is chosen."""
    spec = trained_as(parse_loss("anyloss:f1"), FRESH.plans[model])
    return f"anyloss:f1@L={amplifier_text(spec.L)},warm_up={spec.warm_up:g}"


def gain(reference: str, model: str) -> float:
    """Mean F1 over the folds, AnyLoss minus soft-F1."""
    losses = (amplified(model), "soft:f1")
    means = compare(open_reference(reference), losses, model=model, **SETTINGS).summary()["f1"]
    return float(means[losses[0]] - means[losses[1]])


def words(gains: np.ndarray) -> str:
    won, lost = int((gains > ROPE).sum()), int((gains < -ROPE).sum())
    error = gains.std(ddof=1) / len(gains) ** 0.5
    return (
        f"{gains.mean():+.4f} ± {error:.4f}, {won} / {len(gains) - won - lost} / {lost} "
        f"of {len(gains)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--largest", type=int, default=2_000, help="rows")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    tasks = [task for task in real_suite() if task.rows <= chosen.largest]
    for model in ("slp", "mlp"):
        rows = [(task.ratio, gain(task.reference, model)) for task in tasks]
        table = pd.DataFrame(rows, columns=["ratio", "gain"])
        rare = table["ratio"] >= IMBALANCED
        for name, part in (("imbalanced", table[rare]), ("others", table[~rare])):
            print(f"{model}, {name}: {words(part['gain'].to_numpy())}", flush=True)


if __name__ == "__main__":
    main()
