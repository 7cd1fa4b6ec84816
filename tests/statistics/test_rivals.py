"""The simpler of two losses, and the rival that a candidate has to beat."""

import pandas as pd
import pytest

from anyloss_core.statistics.rivals import simple_rival, simplicity


def test_the_simpler_of_two_losses():
    order = ["bce", "bce+threshold", "focal", "bce+smote", "anyloss:f1@L=5", "a column of a CSV"]
    shuffled = [order[place] for place in (3, 0, 5, 1, 4, 2)]
    assert sorted(shuffled, key=simplicity) == order


@pytest.mark.parametrize(("bce", "tuned", "rival"), [(60, 50, "bce"), (50, 60, "bce+threshold")])
def test_the_rival_is_the_better_of_bce_and_its_tuned_form(bce, tuned, rival):
    cells = {"anyloss:f1": 70, "mse": 90, "bce": bce, "bce+threshold": tuned}
    scores = pd.DataFrame(
        [(loss, 0, "f1", value / 100) for loss, value in cells.items()],
        columns=["loss", "fold", "metric", "score"],
    )
    assert simple_rival(scores, "anyloss:f1", "f1") == rival
    assert simple_rival(scores[scores["loss"] == "mse"], "mse", "f1") is None
