"""Writes store.zip beside it: a home folder, and what was read of it.

Runs with the code of commit 2175f59 only, the last one before the modules moved into rooms:

    git worktree add /tmp/earlier 2175f59
    cd /tmp/earlier && PYTHONPATH=. python .../tests/store/earlier/write_store.py

What is expected is what that code read from the store it had just written. The files stay as they
are: a later version writes a store of its own beside them, and the test opens both.
"""

import json
import secrets
import tempfile
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
from anyloss_core.benchmark_results import load_benchmark, load_unit, open_unit
from anyloss_core.benchmark_settings import BenchmarkSettings, Item, comparison_settings
from anyloss_core.bundle import export_bundle
from anyloss_core.comparison_job import HEADLINE, load_comparison
from anyloss_core.comparison_job import job_settings as compare_settings
from anyloss_core.datasets import read_table, synthetic
from anyloss_core.live_history import History, chosen_plane
from anyloss_core.live_settings import LiveSettings
from anyloss_core.model_job import model_file, stored_model
from anyloss_core.published.kept import kept_results
from anyloss_core.settings import ComparisonSettings
from anyloss_core.sweep_job import SweepSettings, load_sweep
from anyloss_core.sweep_job import job_settings as sweep_settings

from anyloss_core import benchmark, job_queue
from anyloss_core.jobs import run_job
from anyloss_core.store import Store

HERE = Path(__file__).parent
DATA = "synthetic:rows=90,features=2,imbalance=3.0,separation=1.5,noise=0.05,seed=4"
OTHER = "synthetic:rows=80,features=3,imbalance=4.0,separation=1.0,noise=0.0,seed=5"
COMPARISON = ComparisonSettings(
    losses=(
        "bce", "mse", "anyloss:f1", "anyloss:TP / (TP + FP + FN)", "sol:f1", "soft:f1",
        "sigmoid_f1", "focal", "weighted_bce", "bce+smote", "bce+threshold",
        "anyloss:gmean@L=5..73,warm_up=0.2",
    ),
    folds=3,
    epochs=20,
    curves=10,
)  # fmt: skip
PAPER = ComparisonSettings(
    losses=("bce", "anyloss:f1@L=50"), model="mlp", protocol="paper", folds=2, epochs=5
)


def main():
    with tempfile.TemporaryDirectory() as home:
        store = Store(home)
        ids, more = write_runs(store)
        found = {
            "commit": "2175f59",
            "runs": {name: describe(store, run_id) for name, run_id in ids.items()},
            **more,
        }
        store.close()
        pack(Path(home), json.dumps(found, indent=1, default=plain))


def write_runs(store):
    upload = store.save_upload(uploaded(), {"name": "söme data.csv", "target": "sick"})
    data = f"upload:{upload}"
    ids = {
        "train": finish(store, "train", live().to_dict(), "Live: three losses"),
        "compare": finish(store, "compare", compare_settings(data, COMPARISON), "On my file"),
        "paper protocol": finish(store, "compare", compare_settings(DATA, PAPER), "As the paper"),
    }
    model = {
        "data": data,
        "loss": "anyloss:f1",
        "comparison": COMPARISON.to_dict(),
        "of": ids["compare"],
    }
    ids["model"] = finish(store, "model", model, "Model of my file")
    swept = SweepSettings(("f1", "gmean"), (30.0, 73.0, "5..73"), folds=3, epochs=10)
    ids["sweep"] = finish(store, "sweep", sweep_settings(DATA, swept), "Three L")
    ids["benchmark"] = finish(store, "benchmark", many(data), "Four data sets")
    opened = open_unit(store, load_benchmark(store, ids["benchmark"]), "generated")
    ids["opened unit"] = opened
    paper = {"parts": ["valid_range"], "datasets": [1], "csv": {}, "options": {}}
    ids["paper"] = finish(store, "paper", paper, "Paper: Valid range of L")
    ids |= write_unfinished(store, data)
    bundle = export_bundle(store, ids["compare"], with_data=True)
    files = {"compare.json": bundle, "live.json": export_bundle(store, ids["train"])}
    files["model.zip"] = model_file(store, ids["model"])
    for name, content in files.items():
        (store.home / name).write_bytes(content)
    return ids, {"upload": upload}


def write_unfinished(store, data):
    ids = {}
    comparison = compare_settings(data, COMPARISON)
    ids["interrupted"] = store.create_run("compare", comparison, "Never begun", queue=False)
    ids["queued"] = store.create_run("compare", compare_settings(DATA, PAPER), "Waiting")
    ids["lost"] = store.create_run("train", live().to_dict(), "Its worker was killed", queue=False)
    job_queue.claim(store, secrets.token_hex(16), ids["lost"])
    ids["cut off"] = store.create_run("benchmark", many(data), "Cut off", queue=False)
    keep = benchmark.Telling.keep

    def keep_one(telling, task, outcome):
        keep(telling, task, outcome)
        raise KeyboardInterrupt

    benchmark.Telling.keep = keep_one
    with suppress(KeyboardInterrupt):
        run_job(store, ids["cut off"])
    benchmark.Telling.keep = keep
    bad = compare_settings("upload:" + "0" * 32, PAPER)
    ids["failed"] = store.create_run("compare", bad, "No such file", queue=False)
    run_job(store, ids["failed"])
    ids["cancelled"] = store.create_run("train", live().to_dict(), "Stopped")
    store.set_control(ids["cancelled"], "stop")
    return ids


def live():
    losses = ("bce", "anyloss:f1", "anyloss:gmean@L=5..50,warm_up=0.25")
    return LiveSettings(DATA, losses, epochs=12, lr=0.1, hidden=(3,), batch=20)


def many(data):
    items = (
        Item("generated", DATA, 90),
        Item("other", OTHER, 80),
        Item("mine", data),
        Item("none such", "upload:" + "0" * 32),
    )
    settings = comparison_settings(losses=("bce", "anyloss:f1"), folds=3, epochs=20, curves=5)
    return benchmark.start_settings(BenchmarkSettings("some", items, settings))


def uploaded():
    data = synthetic(rows=90, features=3, imbalance=4.0, seed=1)
    frame = data.frame.round(3)
    frame["town"] = np.resize(["Bern", "Genf", "=1+1", "Zürich", ""], len(frame))
    frame["sick"] = np.where(data.labels == 1, "yes", "no")
    frame.loc[3, "x1"] = np.nan
    return frame.to_csv(index=False).encode()


def finish(store, kind, settings, title):
    run = run_job(store, store.create_run(kind, settings, title, queue=False))
    assert run.status == "done", run.error
    return run.id


def describe(store, run_id):
    """What this version reads of a run."""
    run = store.run(run_id)
    facts = {name: getattr(run, name) for name in ("id", "kind", "title", "status", "settings")}
    facts |= {"error": run.error, "seconds": run.seconds, "created": run.created}
    facts["headline"] = store.get_result(run_id, HEADLINE)
    if run.status == "done":
        facts |= {"found": READ[run.kind](store, run)}
    return facts


def read_train(store, run):
    history = History(LiveSettings.from_dict(run.settings), store.get_result(run.id, "view"))
    history.extend(store.events(run.id))
    moment, plane = history.moment(7), chosen_plane(history.view, None, None)
    grid = plane.grid(plane.project(history.view["points"]), 5)
    landscape = moment.landscape(plane, grid)
    return {
        "epochs": history.epochs,
        "losses": history.column("losses"),
        "dead": history.column("dead"),
        "f1": history.scores("f1", "valid"),
        "soft gmean": history.scores("gmean", "train", soft=True),
        "achievement": history.achievement(),
        "epoch": moment.epoch,
        "counts": moment.counts("valid", soft=True),
        "margins": landscape.margins,
        "features": history.view["features"],
    }


def read_compare(store, run):
    found = load_comparison(store, run.id)
    return {
        "summary": split(found.summary()),
        "std": split(found.summary("std")),
        "scores": split(found.scores),
        "confusion": split(found.confusion),
        "curves": split(found.curves),
        "notes": found.notes,
        "seconds": found.seconds,
        "settings": found.settings,
        "json": found.to_dict(),
    }


def read_model(store, run):
    model = stored_model(store, run.id)
    upload = run.settings["data"].removeprefix("upload:")
    frame = read_table(store.open_upload(upload).path)
    return {
        "probabilities": model.predict_proba(frame),
        "classes": model.predict(frame),
        "threshold": model.threshold,
    }


def read_sweep(store, run):
    found = load_sweep(store, run.id)
    return {"summary": split(found.summary()), "best": found.best()}


def read_benchmark(store, run):
    found = load_benchmark(store, run.id)
    return {
        "scores": split(found.scores),
        "datasets": split(found.datasets),
        "ratios": found.ratios,
        "unit": split(load_unit(store, run.id, "other").summary()),
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


def split(frame):
    """A table as JSON can hold it, to the last bit."""
    return {str(key): list(values) for key, values in frame.reset_index().to_dict("list").items()}


def plain(value):
    return value.tolist()


def pack(home, expected):
    with zipfile.ZipFile(HERE / "store.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("expected.json", expected)
        for path in sorted(home.rglob("*")):
            if path.is_file():
                archive.write(path, Path("home") / path.relative_to(home))


if __name__ == "__main__":
    main()
