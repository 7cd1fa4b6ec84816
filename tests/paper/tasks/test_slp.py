"""The published SLP figures of data sets 1 and 3: equal to the last printed digit."""

import numpy as np
import pytest

from anyloss_core.comparison.protocols import PUBLISHED_RATES
from anyloss_core.paper.cells import cell_table
from anyloss_core.paper.datasets import NAMES, paper_dataset
from anyloss_core.paper.names import EIGHT
from anyloss_core.paper.tables import load_table
from anyloss_core.paper.tasks.slp import RATES, RESAMPLING, TABLE, reproduce_sol
from tests.paper.conftest import silent


@pytest.mark.parametrize("number", [1, 3])
def test_all_32_scores_of_a_data_set_are_equal_to_six_decimals(slp_results, number):
    table = cell_table(slp_results[number].cells)
    scores = table[table["table"] == TABLE]
    assert len(scores) == 8 * 4
    assert set(scores["loss"]) == set(EIGHT)
    wrong = scores[(scores["ours"] - scores["published"]).abs() > 5.001e-7]
    assert wrong.empty, wrong.to_string()
    assert scores["equal"].all()


@pytest.mark.parametrize("number", [1, 3])
def test_all_12_achievement_rates_of_a_data_set_are_equal_to_three_decimals(slp_results, number):
    table = cell_table(slp_results[number].cells)
    rates = table[table["table"] == RATES]
    assert len(rates) == 12
    assert rates["equal"].all(), rates[~rates["equal"]].to_string()


@pytest.mark.parametrize("number", [1, 3])
def test_anyloss_s_column_beside_resampling_is_equal(slp_results, number):
    table = cell_table(slp_results[number].cells)
    beside = table[table["table"] == RESAMPLING]
    assert len(beside) == 3
    assert beside["equal"].all()


def test_a_curve_has_a_value_for_every_epoch(slp_results):
    curves = slp_results[3].extras["curves"]
    assert {len(curve) for curve in curves.values()} == {1000}
    assert np.diff(curves["bce"]).max() < 0


@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("model", ["slp", "mlp"])
def test_the_protocol_s_learning_rates_are_those_of_the_table(number, model):
    listed = load_table(f"{model}_4_datasets", number).drop_duplicates("loss")
    rates = dict(zip(listed["loss"], listed["lr"], strict=True))
    assert rates == PUBLISHED_RATES[NAMES[number], model]


def test_sol_stands_beside_the_published_figures_with_a_reason():
    result = reproduce_sol(3, paper_dataset(3), silent)
    assert len(result.cells) == 3 * 4
    assert all(cell.equal or "ten folds" in cell.explanation for cell in result.cells)
