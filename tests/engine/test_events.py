"""What events say of the state of a training."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from sklearn.metrics import confusion_matrix, f1_score

from anyloss_core.engine.events import Event, one_class, stands_still
from anyloss_core.engine.loop import train
from anyloss_core.engine.models import predict
from anyloss_core.engine.study import Watch
from anyloss_core.losses.confusion import Counts
from tests.engine_studies import MLP, PAIR, study, table, trained


def hopeless(**settings):
    """Few positive rows, wherever they lie: BCE ends at a flat loss, on one fold with one class."""
    x, _ = table()
    y = (np.random.default_rng(0).random(len(x)) < 0.15).astype(np.int8)
    losses = ("bce", "anyloss:f1@L=5")
    setup = study(losses, data=(x / 2, y), epochs=400, optimiser="gd", **settings)
    return replace(setup, models=tuple(replace(m, lr=4.0) for m in setup.models))


def counts(*rows):
    return Counts(*torch.tensor(rows, dtype=torch.float64).T)


def test_a_collapsed_model_is_reported():
    _, [*_, event] = trained(hopeless(watch=Watch(400)))
    assert event.status == (*["training"] * 4, "collapsed", "training")
    positive = event.valid_hard.tp + event.valid_hard.fp + event.train_hard.tp + event.train_hard.fp
    assert positive.nonzero().flatten().tolist() == [0, 1, 2, 3, 5]


@pytest.mark.parametrize("detail", ["scores", "full"])
@pytest.mark.parametrize("every", [7, 100])
def test_the_status_does_not_depend_on_how_often_somebody_looks(every, detail):
    always = {e.epoch: e.status for e in train(hopeless(watch=Watch(1, detail)))}
    assert len(set(always.values())) > 1  # some collapse on the way
    for event in train(hopeless(watch=Watch(every, detail))):
        assert event.status == always[event.epoch]


def test_the_last_status_does_not_depend_on_what_else_an_event_holds():
    ends = [list(train(hopeless(watch=Watch(50, detail))))[-1] for detail in ("scores", "full")]
    assert ends[0].status == ends[1].status
    assert "collapsed" in ends[0].status


def test_one_class_means_every_row_that_was_counted():
    valid = counts((5, 2, 0, 0), (0, 0, 5, 2), (5, 1, 0, 1), (0, 0, 0, 0))  # tn, fn, fp, tp
    assert one_class(valid).tolist() == [True, True, False, False]
    train = counts((9, 1, 0, 0), (1, 0, 9, 9), (9, 1, 0, 0), (3, 1, 0, 0))
    assert one_class(valid, train).tolist() == [True, False, False, True]
    rounded = counts((5, 2, 1e-15, 0))
    assert one_class(rounded).tolist() == [True]


def test_a_loss_stands_still_at_a_pace_that_leads_nowhere():
    before = torch.tensor([0.5, 0.5, 0.5, torch.nan])
    losses = before + torch.tensor([0.0, 9e-6, 2e-5, 0.0])
    assert stands_still(losses, before, epochs=100).tolist() == [True, True, False, False]
    assert stands_still(losses, before, epochs=1000).tolist() == [True, False, False, False]


def test_the_graver_word_wins():
    flags = torch.tensor([[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]]).bool()
    one, both = (5.0, 2.0, 0.0, 0.0), (5.0, 1.0, 0.0, 1.0)
    event = Event(
        *(3, 100, 0.1),
        losses=torch.zeros(4),
        losses_before=torch.zeros(4),
        finite=~flags[2],
        valid_hard=counts(*(one if flag else both for flag in flags[1])),
        stopped=flags[0].double() * 2,
    )
    assert event.status == ("training", "stopped", "collapsed", "diverged")


def test_a_model_that_diverges_in_its_last_step_is_reported():
    setup = study(PAIR, optimiser="gd", epochs=1)
    wild = replace(setup.models[0], lr=1e308)
    data = (setup.features * 1e10, setup.labels)
    _, [event] = trained(study(PAIR, optimiser="gd", epochs=1, data=data))
    assert set(event.status) == {"training"}
    models = (wild, *setup.models[1:])
    _, [event] = trained(replace(setup, features=data[0], models=models))
    assert event.status[:2] == ("diverged", "training")


def test_events_hold_the_counts_and_scores_of_sklearn_on_both_sets_of_rows():
    setup = study(network=MLP, batch=16, epochs=4, watch=Watch(every=2, snapshots=2))
    _, events = trained(setup)
    assert [event.epoch for event in events] == [1, 2, 4]
    event = events[-1]
    logits = predict(event.parameters, torch.as_tensor(setup.features))
    for index, recipe in enumerate(setup.models):
        if recipe.loss.family != "bce":
            continue
        for rows, found in (("train", event.train_hard), ("valid", event.valid_hard)):
            chosen = getattr(setup.rows[recipe.rows], rows)
            predicted = logits[index, chosen] > 0
            expected = confusion_matrix(setup.labels[chosen], predicted)
            ours = [[found.tn[index], found.fp[index]], [found.fn[index], found.tp[index]]]
            assert np.array_equal(expected, np.array(ours))
            f1 = f1_score(setup.labels[chosen], predicted, zero_division=0)
            assert float(event.scores("f1", rows)[index]) == pytest.approx(f1)
        rows = setup.rows[recipe.rows].train
        soft = torch.sigmoid(logits[index, rows]) * torch.as_tensor(setup.labels[rows])
        assert float(event.train_soft.tp[index]) == pytest.approx(float(soft.sum()))


def test_scores_of_rows_that_were_not_counted_are_refused():
    _, [first, *_] = trained(study(PAIR, epochs=2))
    with pytest.raises(ValueError, match="detail='full'"):
        first.scores("f1", "train")
