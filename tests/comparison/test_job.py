"""A comparison and its model as jobs: real runs in a real store."""

import threading
from dataclasses import replace

import numpy as np
import pytest

from anyloss_core.comparison.comparison import Comparing, ComparisonSettings, compare
from anyloss_core.comparison.job import job_settings, load_comparison
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.export.model_job import stored_model
from anyloss_core.jobs.jobs import KINDS, run_job
from anyloss_core.store.store import Store

DATA = "builtin:breast_cancer_imbalanced"
SETTINGS = ComparisonSettings(losses=("bce", "anyloss:f1"), folds=3, epochs=15)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return Store(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def run(store):
    return run_job(store, store.create_run("compare", job_settings(DATA, SETTINGS), queue=False))


def test_the_job_gives_what_compare_gives(store, run):
    assert run.status == "done"
    direct = compare(builtin("breast_cancer_imbalanced"), **SETTINGS.to_dict())
    kept = load_comparison(store, run.id)
    np.testing.assert_array_equal(kept.scores["score"], direct.scores["score"])
    assert kept.summary().equals(direct.summary())
    assert kept.curves.equals(direct.curves)
    assert kept.probabilities.equals(direct.probabilities)
    assert kept.notes == direct.notes


def test_progress_names_folds_and_epochs_and_events_hold_pooled_counts(store, run):
    assert run.message == "all 3 folds at once, epoch 15 of 15"
    events = store.events(run.id)
    assert [event.epoch for event in events] == list(range(1, 16))
    kept = load_comparison(store, run.id)
    last = kept.confusion.query("loss == 'anyloss:f1'")[["tn", "fn", "fp", "tp"]].sum()
    np.testing.assert_array_equal(events[-1].payload["counts"]["anyloss:f1"], last)


def test_the_sentence_is_kept_for_lists(store, run):
    assert store.get_result(run.id, "headline").startswith("On breast_cancer_imbalanced, ")


def test_a_stopped_comparison_keeps_what_is_done(store):
    long = ComparisonSettings(losses=("bce", "anyloss:f1"), folds=3, epochs=1_000_000)
    run_id = store.create_run("compare", job_settings(DATA, long), queue=False)

    def stop_once_it_runs():
        while store.run(run_id).done < 1:
            pass
        store.set_control(run_id, "stop")

    threading.Thread(target=stop_once_it_runs, daemon=True).start()
    assert run_job(store, run_id).status == "cancelled"
    kept = load_comparison(store, run_id)
    assert 0 < kept.settings["epochs_done"] < 1_000_000
    assert kept.summary().notna().all(axis=None)


def test_a_wrong_data_set_fails_in_words(store):
    settings = job_settings("upload:" + "0" * 32, SETTINGS)
    failed = run_job(store, store.create_run("compare", settings, queue=False))
    assert failed.status == "failed"
    assert "Fault" in failed.error


def test_a_comparison_longer_than_its_kind_may_work_is_refused(store):
    run_id = store.create_run("compare", job_settings(DATA, SETTINGS), queue=False)
    kinds = {"compare": replace(KINDS["compare"], limit_seconds=1e-3)}
    failed = run_job(store, run_id, kinds)
    assert failed.status == "failed"
    assert "that a run may work; use fewer epochs" in failed.error


def test_the_model_of_a_run_predicts(store, run):
    settings = job_settings(DATA, SETTINGS) | {"loss": "anyloss:f1", "of": run.id}
    made = run_job(store, store.create_run("model", settings, queue=False))
    assert made.status == "done", made.error
    dataset = builtin("breast_cancer_imbalanced")
    chances = stored_model(store, made.id).predict_proba(dataset.frame)
    ours, theirs = chances[dataset.labels == 1].mean(), chances[dataset.labels == 0].mean()
    assert ours > theirs + 0.2


def test_a_stop_is_felt_while_folds_are_prepared():
    class Enough(Exception):
        pass

    def stop():
        raise Enough

    comparing = Comparing(builtin("breast_cancer_imbalanced"), SETTINGS, on_batch=stop)
    with pytest.raises(Enough):
        next(comparing)
    assert not comparing.records
