"""A sweep as a job: a real run in a real store."""

import threading
from dataclasses import replace

import pytest

from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.jobs.jobs import KINDS, run_job
from anyloss_core.store.store import Store
from anyloss_core.sweep.job import SweepSettings, job_settings, load_sweep

DATA = "builtin:breast_cancer_imbalanced"


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


def start(store, settings, **kinds):
    run_id = store.create_run("sweep", job_settings(DATA, settings), queue=False)
    return run_job(store, run_id, KINDS | kinds)


def test_a_sweep_is_kept_with_its_ramp(store):
    settings = SweepSettings(("f1", "TP/(TP+FP+FN)"), (10.0, "5..73"), folds=3, epochs=10)
    run = start(store, settings)
    assert run.status == "done", run.error
    table = load_sweep(store, run.id).summary()
    assert table["setting"].tolist() == ["10", "5..73"] * 2
    assert table["L"].isna().tolist() == [False, True] * 2
    assert table["mean"].between(0, 1).all()
    assert store.get_result(run.id, "headline").startswith("On breast_cancer_imbalanced, F1 ")


def test_settings_come_back_from_a_run(store):
    settings = SweepSettings(("f1", "mcc"), (5.0, "5..73"), model="mlp", warm_up=0.0, epochs=3)
    run = store.run(store.create_run("sweep", job_settings(DATA, settings), queue=False))
    assert SweepSettings.from_dict(run.settings["sweep"]) == settings


def test_a_sweep_is_a_comparison_of_its_losses():
    settings = SweepSettings(("f1",), (5.0, "5..73"), form="naive", warm_up=0.2, folds=4, lr=0.1)
    losses = ("anyloss:f1@L=5,form=naive,warm_up=0.2", "anyloss:f1@L=5..73,form=naive,warm_up=0.2")
    assert settings.comparison == ComparisonSettings(losses, folds=4, repeats=1, lr=0.1)


def test_a_stopped_sweep_keeps_what_is_done(store):
    settings = SweepSettings(("f1",), (5.0,), folds=3, epochs=1_000_000)
    run_id = store.create_run("sweep", job_settings(DATA, settings), queue=False)

    def stop_once_it_runs():
        while store.run(run_id).done < 1:
            pass
        store.set_control(run_id, "stop")

    threading.Thread(target=stop_once_it_runs, daemon=True).start()
    assert run_job(store, run_id).status == "cancelled"
    assert load_sweep(store, run_id).settings["epochs_done"] < 1_000_000


def test_a_sweep_longer_than_it_may_work_is_refused(store):
    short = replace(KINDS["sweep"], limit_seconds=1e-3)
    run = start(store, SweepSettings(epochs=10), sweep=short)
    assert run.status == "failed"
    assert "that a run may work; use fewer epochs" in run.error
