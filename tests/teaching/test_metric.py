"""What the page Any metric computes: surface, soft and hard value, gradients."""

import numpy as np
import pandas as pd
import pytest
import torch

from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.losses.scores import get_score
from anyloss_core.teaching import metric as metric_view


@pytest.fixture(scope="module")
def sample():
    return metric_view.reference_sample(builtin("breast_cancer_imbalanced"))


def test_the_surface_is_one_minus_recall_for_recall():
    rates, loss = metric_view.loss_surface(get_score("recall"), rows=1000, positives=30)
    np.testing.assert_allclose(loss, np.broadcast_to(1 - rates[:, None], loss.shape), atol=1e-12)


def test_the_best_corner_of_f1_is_top_left():
    _, loss = metric_view.loss_surface(get_score("f1"), rows=1000, positives=100)
    assert loss[-1, 0] == 0
    assert loss.argmin() == np.ravel_multi_index((len(loss) - 1, 0), loss.shape)


@pytest.mark.parametrize("metric", ["f1", "mcc", "TP / (TP + FP + FN)"])
def test_the_soft_value_reaches_the_hard_one(metric, sample):
    table = metric_view.soft_against_hard(get_score(metric), sample, np.array([1.0, 1e4]))
    assert abs(table["gap"].iloc[1]) < 0.02 < abs(table["gap"].iloc[0])


@pytest.mark.parametrize("metric", ["accuracy", "f1", "f2", "gmean", "balanced_accuracy"])
def test_autograd_and_closed_form_agree(metric, sample):
    names = [str(i) for i in range(sample.features.shape[1] - 1)]
    table = metric_view.gradient_check(get_score(metric), sample, 10.0, names)
    scale = table["autograd"].abs().max()
    assert table["difference"].abs().max() < 1e-12 * max(scale, 1)
    assert scale > 1e-4


def test_the_printed_gmean_gradient_is_four_times_as_long(sample):
    names = [str(i) for i in range(sample.features.shape[1] - 1)]
    table = metric_view.gradient_check(get_score("gmean"), sample, 10.0, names)
    np.testing.assert_allclose(table["as printed (factor -2)"], 4 * table["closed form"])


def test_gradients_push_the_classes_apart(sample):
    table = metric_view.sample_gradients(get_score("f1"), sample, 5.0)
    assert (table.loc[table["class"] == 1, "gradient"] <= 0).all()
    assert (table.loc[table["class"] == 0, "gradient"] >= 0).all()


def test_large_data_keeps_its_balance():
    sample = metric_view.reference_sample(builtin("random"))
    assert len(sample.labels) == metric_view.MOST_ROWS
    assert abs(float(torch.mean(sample.labels)) - builtin("random").labels.mean()) < 1e-3


def test_a_wide_table_is_looked_at_by_fewer_rows():
    random = np.random.default_rng(0)
    words = random.choice([f"w{n}" for n in range(20)], (3_000, 120))  # 2,400 features in all
    frame = pd.DataFrame(words).add_prefix("c").assign(y=np.arange(3_000) % 3 == 0)
    sample = metric_view.reference_sample(dataset_from_frame(frame, "y"))
    assert sample.features.numel() <= metric_view.MOST_CELLS * 1.01
    assert abs(float(sample.labels.mean()) - 1 / 3) < 0.01
