"""How many batches lack a class, held against batches that are really drawn."""

import numpy as np
import pytest

from anyloss_core.engine.batches import Batches, Table
from anyloss_core.engine.empty_batches import empty_batches, share_without
from anyloss_core.engine.study import Recipe, Rows, Study
from anyloss_core.losses.spelling import parse_loss


def _drawn(rows, positives, size, stratified, epochs=200):
    labels = (np.arange(rows) < positives).astype(int)
    own = Rows(np.arange(rows), np.arange(0))
    models = (Recipe(parse_loss("bce"), 0, 0.1, size),)
    study = Study(np.zeros((rows, 1)), labels, (own,), models, stratified=stratified)
    batches = Batches(study, Table(study), [own], size)
    found = [float(batch.totals[0, 0]) == 0 for _ in range(epochs) for batch in batches]
    return np.mean(found)


@pytest.mark.parametrize("stratified", [False, True])
@pytest.mark.parametrize(("rows", "positives", "size"), [(640, 7, 32), (640, 40, 32), (96, 2, 48)])
def test_the_share_is_that_of_real_batches(rows, positives, size, stratified):
    share = share_without(positives, rows, size, stratified)
    assert _drawn(rows, positives, size, stratified) == pytest.approx(share, abs=0.03)


def test_at_one_per_cent_most_batches_of_32_have_no_positive():
    assert share_without(1000, 100_000, 32, False) == pytest.approx(0.99**32, abs=0.002)
    assert share_without(1000, 100_000, 100_000, False) == 0


def test_the_sentence_has_the_share_and_the_repair():
    recipe = Recipe(parse_loss("anyloss:f1"), 0, 0.1, 32)
    said = empty_batches(recipe, 10, 1000, False)
    assert said is not None
    assert said.startswith("72% of the batches of 32 rows hold no positive row")
    assert said.endswith("take larger batches, or stratified ones")
    assert "stratified" not in str(empty_batches(recipe, 10, 1000, True))
    assert empty_batches(recipe, 500, 1000, False) is None


@pytest.mark.parametrize(("loss", "batch"), [("bce", 32), ("anyloss:f1", None), ("focal", 32)])
def test_nothing_is_said_of_means_and_of_full_batches(loss, batch):
    assert empty_batches(Recipe(parse_loss(loss), 0, 0.1, batch), 10, 1000, False) is None
