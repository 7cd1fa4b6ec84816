"""Does a share of BCE beside AnyLoss help? Plain torch, the usual recipe, blend = 1, 0.9, 0.8.

Real tables of up to 2,500 rows, three folds, from the same start; prints the mean score on held-out
rows and how each blend differs from AnyLoss alone, on half A and half B of the suite.

    OMP_NUM_THREADS=1 python -m tests.benchmarks.blends --model slp --metric f1
"""

import argparse
from itertools import pairwise

import numpy as np
import pandas as pd
import torch
from sklearn.model_selection import StratifiedKFold

from anyloss_core.benchmark.recipe_study import half_of_suite
from anyloss_core.comparison.choice import hard_score
from anyloss_core.comparison.protocols import FRESH
from anyloss_core.comparison.settings import amplifier_text
from anyloss_core.data.preparation import prepare_fresh
from anyloss_core.data.suites.real_suite import real_suite
from anyloss_core.data.suites.references import open_reference
from anyloss_core.losses.losses import AnyLoss
from anyloss_core.losses.scores import get_score

BLENDS = (1.0, 0.9, 0.8)  # share of AnyLoss; the rest is BCE with both classes of equal weight
ROPE = 0.01


def network(model: str, features: int) -> torch.nn.Sequential:
    """The small plan's network with its start, always the same one."""
    torch.manual_seed(0)
    widths = [features, *FRESH.plans[model].network.hidden, 1]
    layers: list[torch.nn.Module] = []
    for size, following in pairwise(widths):
        layers += [torch.nn.Linear(size, following, dtype=torch.float64), torch.nn.Tanh()]
        torch.nn.init.xavier_uniform_(layers[-2].weight)
        torch.nn.init.zeros_(layers[-2].bias)
    return torch.nn.Sequential(*layers[:-1])


def decide(model, metric, blend, train, labels, valid):
    """Train on all rows at once, as the small plan says, and decide the held-out rows."""
    plan = FRESH.plans[model]
    warm_up = plan.warm_up[""]
    loss = AnyLoss(metric, L=amplifier_text(plan.L), warm_up=warm_up, blend=blend)
    net = network(model, train.shape[1])
    decay = plan.optimiser.weight_decay
    optimiser = torch.optim.Adam(net.parameters(), lr=plan.lr, weight_decay=decay)
    for epoch in range(plan.epochs):
        loss.at(epoch, plan.epochs)
        if plan.schedule == "linear":
            optimiser.param_groups[0]["lr"] = plan.lr * (1 - epoch / plan.epochs)
        optimiser.zero_grad()
        loss(net(train)[:, 0], labels).backward()
        optimiser.step()
    with torch.no_grad():
        return net(valid)[:, 0].numpy() > 0


def scores(reference, model, metric):
    """blend -> mean score over the folds of one table."""
    dataset, found = open_reference(reference), []
    splitter = StratifiedKFold(3, shuffle=True, random_state=0)
    for train, valid in splitter.split(dataset.labels, dataset.labels):
        features = prepare_fresh(dataset, train).transform(dataset.frame)
        rows = torch.from_numpy(features[train]), torch.from_numpy(dataset.labels[train]).double()
        unseen, truth = torch.from_numpy(features[valid]), dataset.labels[valid]
        decided = [decide(model, metric, blend, *rows, unseen) for blend in BLENDS]
        found.append([hard_score(truth, own, get_score(metric)) for own in decided])
    return dict(zip(BLENDS, np.mean(found, axis=0), strict=True))


def tell(table: pd.DataFrame) -> None:
    half_a = table.index.isin(half_of_suite("A"))
    for blend in BLENDS:
        gain = table[blend] - table[BLENDS[0]]
        won, lost = (gain > ROPE).sum(), (gain < -ROPE).sum()
        print(
            f"blend {blend:g}: {table[blend].mean():.4f}, {gain.mean():+.4f} ± {gain.sem():.4f}, "
            f"won {won} lost {lost}; A {gain[half_a].mean():+.4f}, B {gain[~half_a].mean():+.4f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", choices=list(FRESH.plans), default="slp")
    parser.add_argument("--metric", default="f1")
    parser.add_argument("--largest", type=int, default=2_500, help="rows")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    tasks = [task for task in real_suite() if task.rows <= chosen.largest]
    found = {task.name: scores(task.reference, chosen.model, chosen.metric) for task in tasks}
    print(f"{chosen.model}, {chosen.metric}, {len(tasks)} tables")
    tell(pd.DataFrame(found).T)


if __name__ == "__main__":
    main()
