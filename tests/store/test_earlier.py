"""Runs that an earlier version wrote still open, show the numbers that it showed, and can go on.

`earlier/store.zip` holds a home folder and what the version that wrote it read from it;
`earlier/write_store.py` says how it was made.
"""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from anyloss_core.benchmark.results import load_benchmark, load_unit
from anyloss_core.common.wording import loss_words
from anyloss_core.comparison.job import HEADLINE, load_comparison
from anyloss_core.data.reading.table import read_table
from anyloss_core.data.suites.references import open_reference
from anyloss_core.export.model_file import load_model
from anyloss_core.export.model_job import stored_model
from anyloss_core.jobs import queue
from anyloss_core.jobs.jobs import KINDS, run_job
from anyloss_core.live.history import History, chosen_plane
from anyloss_core.live.settings import LiveSettings
from anyloss_core.paper.kept import kept_results
from anyloss_core.store.bundle import export_bundle, import_bundle
from anyloss_core.store.store import Store
from anyloss_core.sweep.job import load_sweep

ARCHIVE = Path(__file__).parent / "earlier" / "store.zip"
with zipfile.ZipFile(ARCHIVE) as archive:
    EXPECTED = json.loads(archive.read("expected.json"))
RUNS = EXPECTED["runs"]
TUNED = "bce+threshold"  # for F1 then, whatever was judged
DONE = [name for name, run in RUNS.items() if run["status"] == "done"]
FILES = {"compare": "compare.json", "train": "live.json"}  # bundles that it exported


def unpack(home):
    """The home folder of the earlier version, as a store of today."""
    with zipfile.ZipFile(ARCHIVE) as archive:
        for name in archive.namelist():
            if name.startswith("home/"):
                path = home / name.removeprefix("home/")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(archive.read(name))
    return Store(home)


@pytest.fixture(scope="module")
def earlier(tmp_path_factory):
    """For tests that only read."""
    store = unpack(tmp_path_factory.mktemp("earlier"))
    yield store
    store.close()


@pytest.fixture
def own(tmp_path):
    """For tests that write."""
    store = unpack(tmp_path)
    yield store
    store.close()


def columns(frame):
    return {str(key): list(values) for key, values in frame.reset_index().to_dict("list").items()}


def read_train(store, run):
    history = History(LiveSettings.from_dict(run.settings), store.get_result(run.id, "view"))
    history.extend(store.events(run.id))
    snapshot, plane = history.snapshot(7), chosen_plane(history.view, None, None)
    grid = plane.grid(plane.project(history.view["points"]), 5)
    return {
        "epochs": history.epochs,
        "losses": history.column("losses"),
        "dead": history.column("dead"),
        "f1": history.scores("f1", "valid"),
        "soft gmean": history.scores("gmean", "train", soft=True),
        "achievement": history.achievement(),
        "epoch": snapshot.epoch,
        "counts": snapshot.counts("valid", soft=True),
        "margins": snapshot.landscape(plane, grid).margins,
        "features": history.view["features"],
    }


def read_compare(store, run):
    found = load_comparison(store, run.id)
    return {
        "summary": columns(found.summary()),
        "std": columns(found.summary("std")),
        "scores": columns(found.scores),
        "confusion": columns(found.confusion),
        "curves": columns(found.curves),
        "notes": list(found.notes),
        "seconds": found.seconds,
        "settings": found.settings,
        "json": found.to_dict(),
    }


def read_model(store, run):
    model = stored_model(store, run.id)
    frame = read_table(store.open_upload(EXPECTED["upload"]).path)
    return {
        "probabilities": model.predict_proba(frame),
        "classes": model.predict(frame),
        "threshold": model.threshold,
    }


def read_sweep(store, run):
    found = load_sweep(store, run.id)
    return {"summary": columns(found.summary()), "best": found.best()}


def read_benchmark(store, run):
    found = load_benchmark(store, run.id)
    return {
        "scores": columns(found.scores),
        "datasets": columns(found.datasets),
        "ratios": found.ratios,
        "unit": columns(load_unit(store, run.id, "other").summary()),
    }


def read_paper(store, run):
    (kept,) = kept_results(store, [run]).values()
    return {"cells": [cell.to_dict() for cell in kept.result.cells]}


READ = {
    "train": read_train,
    "compare": read_compare,
    "model": read_model,
    "sweep": read_sweep,
    "benchmark": read_benchmark,
    "paper": read_paper,
}


def told_today(found):
    """What was read then, with a threshold tuned for F1 called by its name of today."""
    return json.loads(json.dumps(found).replace(f'"{TUNED}"', f'"{TUNED}@metric=f1"'))


def check(found, expected):
    """All that was read then is read now; a version may add to it."""
    if isinstance(expected, dict):
        for key, value in expected.items():
            check(found[key], value)
    elif isinstance(expected, list) and any(isinstance(value, dict) for value in expected):
        for one, value in zip(found, expected, strict=True):
            check(one, value)
    elif isinstance(expected, float | list) and np.asarray(expected).dtype.kind == "f":
        # A landscape is worked out in float32 when it is looked at, by this machine's own sums.
        rtol = 1e-6 if np.asarray(found).dtype == np.float32 else 1e-12
        np.testing.assert_allclose(np.asarray(found, float), expected, rtol=rtol, atol=1e-15)
    else:
        assert json.loads(json.dumps(found, default=lambda value: value.tolist())) == expected


@pytest.mark.parametrize("name", RUNS)
def test_every_run_is_listed_as_it_was(earlier, name):
    expected = RUNS[name]
    run = earlier.run(expected["id"])
    for key in ("kind", "title", "status", "settings", "error", "seconds", "created"):
        assert getattr(run, key) == expected[key]
    assert earlier.get_result(run.id, HEADLINE) == expected["headline"]
    assert run.id in {listed.id for listed in earlier.runs(run.kind)}


@pytest.mark.parametrize("name", DONE)
def test_a_finished_run_shows_the_numbers_that_it_showed(earlier, name):
    run = earlier.run(RUNS[name]["id"])
    check(READ[run.kind](earlier, run), told_today(RUNS[name]["found"]))


def test_every_kind_of_run_is_among_them():
    newer = {"importance"}  # what the version that made them did not have
    assert {RUNS[name]["kind"] for name in DONE} == set(KINDS) - newer == set(READ)


@pytest.mark.parametrize("name", DONE)
def test_a_run_travels_in_a_bundle_of_today(earlier, store, name):
    run = store.run(import_bundle(store, export_bundle(earlier, RUNS[name]["id"])))
    expected = told_today(RUNS[name]["found"])
    if run.kind == "benchmark":  # what its uploads were called here is nobody else's business
        del expected["datasets"]["reference"]
    if run.kind == "model":  # neither is the table that the predictions are for
        assert stored_model(store, run.id).threshold == expected["threshold"]
    else:
        check(READ[run.kind](store, run), expected)


@pytest.mark.parametrize("name", FILES)
def test_a_bundle_of_then_is_imported_today(earlier, store, name):
    run = store.run(import_bundle(store, (earlier.home / FILES[name]).read_bytes()))
    check(READ[run.kind](store, run), told_today(RUNS[name]["found"]))
    if name == "compare":  # the data came with it
        data = open_reference(run.settings["data"], uploads=store.home / "uploads")
        assert (data.target, data.positive, data.rows) == ("sick", "yes", 90)


def test_a_model_file_of_then_predicts_as_it_did(earlier):
    model = load_model((earlier.home / "model.zip").read_bytes())
    frame = read_table(earlier.open_upload(EXPECTED["upload"]).path)
    expected = RUNS["model"]["found"]
    np.testing.assert_allclose(model.predict_proba(frame), expected["probabilities"], rtol=1e-12)
    assert list(model.predict(frame)) == expected["classes"]


def test_an_upload_of_then_is_there(earlier):
    upload = earlier.open_upload(EXPECTED["upload"])
    assert upload.meta["name"] == "söme data.csv"
    assert upload.read().startswith(b"x1,x2,x3,town,sick\n")


# Trained by the code of today: the sums of its engine may round in another order.
SAME = {"rtol": 1e-6, "atol": 1e-9}


def test_a_comparison_that_waited_then_is_done_today(own):
    run = run_job(own, RUNS["queued"]["id"])
    assert run.status == "done", run.error
    found, expected = read_compare(own, run), RUNS["paper protocol"]["found"]
    assert found["summary"]["loss"] == expected["summary"]["loss"]
    np.testing.assert_allclose(found["scores"]["score"], expected["scores"]["score"], **SAME)


def test_what_was_left_to_defaults_is_done_with_those_of_today(own):
    run = run_job(own, RUNS["interrupted"]["id"])
    assert run.status == "done", run.error
    found, expected = read_compare(own, run), RUNS["compare"]["found"]
    assert found["summary"]["loss"] == expected["summary"]["loss"]
    trained = found["settings"]["trained"]["bce"]
    assert (trained["lr"], trained["schedule"]) == (0.2, "linear")
    assert found["settings"]["epochs"] == 20  # this was asked for


def test_a_comparison_says_when_it_is_of_an_earlier_version(earlier):
    found = load_comparison(earlier, RUNS["compare"]["id"])
    assert TUNED not in found.seconds
    assert f"{TUNED}@metric=f1" in set(found.scores["loss"])
    assert f"{TUNED}@metric=f1" in found.probabilities
    assert loss_words(f"{TUNED}@metric=f1", "accuracy") == "BCE with threshold for F1"
    assert found.confusion_for("accuracy").equals(found.confusion)
    assert "inner_folds" not in found.settings


def test_a_live_training_whose_process_was_killed_then_is_done_today(own):
    assert queue.mark_lost(own) == 1
    run = own.run(RUNS["lost"]["id"])
    assert (run.status, run.resumable) == ("interrupted", True)
    own.requeue(run.id, queue=False)
    run = run_job(own, run.id)
    found, expected = read_train(own, run), RUNS["train"]["found"]
    np.testing.assert_allclose(found["losses"], expected["losses"], **SAME)
    np.testing.assert_array_equal(found["f1"], expected["f1"])


def test_a_benchmark_begun_with_other_defaults_keeps_what_it_has_and_says_why(own):
    own.requeue(RUNS["cut off"]["id"], queue=False)
    run = run_job(own, RUNS["cut off"]["id"])
    assert run.status == "failed"
    assert "begun with the defaults of another version" in run.error
    assert [unit.key for unit in own.units(run.id)] == ["generated"]
    assert set(load_benchmark(own, run).scores["dataset"]) == {"generated"}


@pytest.mark.parametrize("name", ["failed", "cancelled"])
def test_what_did_not_end_well_can_be_tried_again(own, name):
    own.requeue(RUNS[name]["id"])
    assert own.run(RUNS[name]["id"]).status == "queued"
