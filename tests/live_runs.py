"""Live trainings for tests: small, real, in this process."""

from __future__ import annotations

from anyloss_core.jobs.jobs import run_job
from anyloss_core.live.history import History
from anyloss_core.live.settings import LiveSettings
from anyloss_core.store.records import StoredEvent

DATA = "synthetic:rows=160,features=3,imbalance=3,separation=1.5,noise=0.05,seed=4"


def live_settings(**changes):
    return LiveSettings(**({"data": DATA, "epochs": 12, "lr": 0.1} | changes))


def train_live(store, **changes):
    """A finished run and its history."""
    settings = live_settings(**changes)
    run = run_job(store, store.create_run("train", settings.to_dict(), queue=False))
    assert run.status == "done", run.error
    history = History(settings, store.get_result(run.id, "view"))
    history.extend(store.events(run.id))
    return run, history


def history_of(history, *epochs, **changes):
    """A history of the chosen epochs; `changes` give a quantity another value in each of them."""
    made = History(history.settings, history.view)
    for place, epoch in enumerate(epochs):
        snapshot = history.snapshot(epoch)
        changed = {name: values[place] for name, values in changes.items()}
        parameters = snapshot.tensors if place == 0 else None
        payload = {**snapshot.values, **changed, "parameters": parameters}
        made.extend([StoredEvent(place + 1, epoch, payload)])
    return made
