"""Which recipes are tried, for which losses, and on which inner folds."""

import numpy as np
import pytest

from anyloss_core.comparison.protocols import FRESH, LARGE, PAPER, plan_for
from anyloss_core.comparison.recipes import (
    INNER_FOLDS,
    candidates,
    enough_to_choose,
    inner_splits,
    is_automatic,
    recipe_text,
    training_key,
)
from anyloss_core.losses.schedule import Ramp
from anyloss_core.losses.spelling import parse_loss

SLP = FRESH.plans["slp"]


def tried(loss, plan=SLP):
    return [spec.spelling for spec in candidates(parse_loss(loss), plan, 0.2)]


def test_the_default_of_the_plan_comes_first_and_each_is_spelled_out():
    found = candidates(parse_loss("anyloss:f1"), SLP, 0.2)
    assert (found[0].L, found[0].warm_up) == (Ramp(2, 20), 0.8)
    assert len(found) == 1 + len(SLP.search)
    assert found[1].spelling == "anyloss:f1@L=10,warm_up=0"
    assert [parse_loss(spec.spelling) for spec in found] == list(found)


@pytest.mark.parametrize("loss", ["anyloss:f1@L=73", "bce", "soft:f1", "bce+threshold"])
def test_what_is_spelled_or_has_no_recipe_is_left_alone(loss):
    assert len(tried(loss)) == 1
    assert not is_automatic(parse_loss(loss), SLP)


def test_published_settings_choose_nothing():
    assert len(tried("anyloss:f1", PAPER.plans["slp"])) == 1


def test_rivals_have_a_search_of_their_own():
    forms = tried("bce+search")
    assert forms[0] == "bce"
    assert {"weighted_bce", "focal@alpha=0.75", "bce@lr=0.6"} < set(forms)
    assert len({spec.split("@")[1] for spec in tried("sol:f1")}) == 5


def test_a_large_table_tries_less_on_one_inner_fold():
    plan = plan_for(FRESH, "slp", 100_000)
    assert 1 < len(tried("anyloss:f1", plan)) < len(tried("anyloss:f1"))
    few, many = (np.arange(rows) % 5 == 0 for rows in (1000, LARGE + 1000))
    assert len(list(inner_splits(few.astype(int), 0))) == INNER_FOLDS
    assert len(list(inner_splits(many.astype(int), 0))) == 1


def test_inner_folds_need_rows_of_both_classes():
    labels = np.array([0] * 50 + [1] * 9)
    assert not enough_to_choose(labels)
    assert enough_to_choose(np.append(labels, 1))
    assert list(inner_splits(np.array([0, 0, 0, 1]), 0)) == []


def test_inner_models_are_shared_by_losses_that_train_alike():
    bce, tuned = (training_key(parse_loss(loss)) for loss in ("bce", "bce+threshold@metric=mcc"))
    assert bce == tuned
    assert training_key(parse_loss("bce+smote")) != bce


def test_a_recipe_is_called_by_what_tells_it_from_the_others():
    assert recipe_text(parse_loss("anyloss:f1@L=10,warm_up=0")) == "L=10,warm_up=0"
    assert recipe_text(parse_loss("weighted_bce")) == "weighted_bce"
    assert recipe_text(parse_loss("focal@alpha=0.75")) == "focal@alpha=0.75"
