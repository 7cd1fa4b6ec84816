import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from anyloss_core import compare, load_csv
from anyloss_core.bayes import sign_test
from anyloss_core.benchmark import find_run, load_benchmark, run_benchmark, start_settings
from anyloss_core.benchmark_results import load_unit
from anyloss_core.benchmark_settings import BenchmarkSettings, comparison_settings, suite_items
from anyloss_core.jobs import run_job
from anyloss_core.settings import SettingsError
from anyloss_core.store import Store, StoreError
from tests.sample_jobs import wait_for
from tests.small_suite import BAD, QUICK, TABLES, write_suite

ROOT = Path(__file__).parents[1]
# The command of a user, with a store and settings of its own.
COMMAND = """
import sys
from anyloss_core.benchmark import run_benchmark
from anyloss_core.store import Store
from tests.small_suite import QUICK
run_benchmark(sys.argv[1], store=Store(sys.argv[2]), out=sys.argv[3], workers=2, **QUICK)
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    return write_suite(tmp_path_factory.mktemp("benchmark") / "suite")


@pytest.fixture(scope="module")
def serial(suite, tmp_path_factory):
    """An uninterrupted run: the benchmark and the bytes of its file."""
    home = tmp_path_factory.mktemp("serial")
    seen = []
    found = run_benchmark(
        suite, store=Store(home), out=home / "scores.csv", on_progress=seen.append, **QUICK
    )
    return found, (home / "scores.csv").read_bytes(), seen, Store(home)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "home")


def chosen(suite, **more):
    comparison = comparison_settings(model="slp", **QUICK | more)
    return BenchmarkSettings(str(suite), suite_items(suite), comparison, files=True)


def test_each_data_set_has_the_scores_of_its_own_comparison(serial, suite):
    found = serial[0]
    alone = compare(load_csv(suite / "t3.csv"), model="slp", **QUICK).summary()
    ours = found.scores[found.scores["dataset"] == "t3.csv"]
    ours = ours.pivot(index="loss", columns="metric", values="score")
    pd.testing.assert_frame_equal(ours.loc[alone.index, alone.columns], alone, check_names=False)


def test_the_file_is_tidy_and_feeds_the_sign_test(serial, tmp_path):
    (tmp_path / "scores.csv").write_bytes(serial[1])
    scores = pd.read_csv(tmp_path / "scores.csv")
    assert list(scores.columns) == ["dataset", "loss", "metric", "score"]
    pd.testing.assert_frame_equal(scores, serial[0].scores)
    verdict = sign_test(scores[scores["metric"] == "f1"])
    assert (verdict.candidate, verdict.n_datasets) == ("anyloss:f1", TABLES)


def test_a_failed_data_set_is_recorded_with_its_reason_and_does_not_stop_the_rest(serial):
    found = serial[0]
    assert found.failed["dataset"].tolist() == [BAD]
    assert "class" in found.failed["reason"].iloc[0]
    assert found.done["dataset"].tolist() == [f"t{number}.csv" for number in range(TABLES)]


def test_facts_of_a_data_set_come_with_it(serial, suite):
    facts = serial[0].done.set_index("dataset").loc["t4.csv"]
    data = load_csv(suite / "t4.csv")
    assert (facts["rows"], facts["features"]) == (data.rows, 3)
    assert serial[0].ratios["t4.csv"] == pytest.approx(data.ratio)
    assert serial[0].positive_shares["t4.csv"] == data.positives / data.rows


def test_progress_tells_data_sets_done_the_current_one_and_the_time_left(serial):
    last = serial[2][-1]
    assert (last.status, last.done, last.total) == ("done", TABLES + 1, TABLES + 1)
    assert f"{TABLES + 1} of {TABLES + 1} data sets done, 1 failed" in last.message


def test_the_whole_comparison_of_a_data_set_is_kept(serial):
    found, _, _, store = serial
    kept = load_unit(store, found.run_id, "t1.csv")
    assert set(kept.probabilities.columns) == {"row", "fold", "label", *QUICK["losses"]}
    assert len(kept.probabilities) == 180
    with pytest.raises(StoreError, match="no finished data set"):
        load_unit(store, found.run_id, BAD)


def test_the_same_call_again_does_nothing_but_the_failed_data_set(serial, suite):
    found, _, _, store = serial
    before = {unit.key: unit.seconds for unit in store.units(found.run_id, "done")}
    again = run_benchmark(suite, store=store, **QUICK)
    assert {unit.key: unit.seconds for unit in store.units(again.run_id, "done")} == before
    assert again.scores.equals(found.scores)
    assert len(store.runs("benchmark")) == 1


def test_another_file_under_the_same_name_is_another_benchmark(store, tmp_path):
    folder = write_suite(tmp_path / "suite", tables=2, bad=False)
    first = run_benchmark(folder, store=store, **QUICK)
    text = (folder / "t0.csv").read_text().splitlines()
    (folder / "t0.csv").write_text("\n".join(text[:-10]))
    second = run_benchmark(folder, store=store, **QUICK)
    assert first.run_id != second.run_id
    assert second.done["rows"].tolist() == [140, 180]


def test_a_repaired_file_beside_a_failed_one_is_not_taken_for_done(store, tmp_path):
    folder = write_suite(tmp_path / "suite", tables=1)
    assert len(run_benchmark(folder, store=store, **QUICK).failed) == 1
    (folder / BAD).write_bytes((folder / "t0.csv").read_bytes())
    repaired = run_benchmark(folder, store=store, **QUICK)
    assert repaired.failed.empty
    assert len(repaired.done) == 2


def test_killed_in_the_middle_it_goes_on_and_ends_with_the_same_file(suite, serial, tmp_path):
    out = tmp_path / "out.csv"
    command = [sys.executable, "-c", COMMAND, str(suite), str(tmp_path), str(out)]
    process, store = subprocess.Popen(command, cwd=ROOT), Store(tmp_path)
    wait_for(lambda: any(store.units(run.id, "done") for run in store.runs("benchmark")), 120)
    children = _children(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (run,) = store.runs("benchmark")
    before = store.finished_unit_keys(run.id)
    assert 0 < len(before) < TABLES, "it was not killed in the middle"
    assert not out.exists()
    wait_for(lambda: not any(_lives(pid) for pid in children), 30)  # its processes go with it
    found = run_benchmark(suite, store=store, out=out, **QUICK)
    assert (found.run_id, store.run(run.id).attempt) == (run.id, 2)
    assert store.finished_unit_keys(run.id) > before
    assert out.read_bytes() == serial[1]


def test_while_another_process_works_on_it_the_same_command_is_refused(store, suite):
    run_id = store.create_run("benchmark", start_settings(chosen(suite)))
    with pytest.raises(StoreError, match=f"queued in another process, as run {run_id}"):
        run_benchmark(suite, store=store, **QUICK)


def test_where_it_is_computed_does_not_make_it_another_benchmark(store, suite):
    settings = chosen(suite)
    run_id = store.create_run("benchmark", start_settings(settings, workers=2), queue=False)
    assert find_run(store, settings).id == run_id
    assert find_run(store, chosen(suite, folds=4)) is None


def test_a_run_begun_with_other_defaults_is_not_mixed_with_ours(store, suite):
    old = start_settings(chosen(suite)) | {"plan": "0" * 16}
    run_id = store.create_run("benchmark", old, queue=False)
    assert run_job(store, run_id).error.startswith("this benchmark was begun with the defaults")


def test_a_page_cannot_open_files_of_the_machine(store, suite):
    settings = start_settings(chosen(suite)) | {"files": False}
    run_id = store.create_run("benchmark", settings, queue=False)
    run_job(store, run_id)
    found = load_benchmark(store, run_id)
    assert len(found.failed) == TABLES + 1
    assert found.failed["reason"].str.contains("cannot be opened here").all()


def test_a_stop_ends_a_data_set_in_the_middle_and_keeps_the_finished_ones(store, suite):
    settings = start_settings(chosen(suite, epochs=100_000))
    run_id = store.create_run("benchmark", settings, queue=False)
    worker = threading.Thread(target=run_job, args=(store, run_id))
    worker.start()
    wait_for(lambda: "now t0.csv" in store.run(run_id).message, 60)
    store.set_control(run_id, "stop")
    asked = time.monotonic()
    worker.join(30)
    assert time.monotonic() - asked < 10
    assert store.run(run_id).status == "cancelled"
    assert [unit.key for unit in store.units(run_id)] == [BAD]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"workers": 0}, "workers must be a whole number from 1"),
        ({"workers": 2, "dask": "tcp://x:1"}, "exclude each other"),
    ],
)
def test_impossible_ways_of_working_are_refused_at_the_door(how, said, store, suite):
    with pytest.raises(SettingsError, match=said):
        run_benchmark(suite, store=store, **how, **QUICK)
    assert not store.runs("benchmark")


def test_seeds_are_repeats_of_the_same_data_set(store, tmp_path):
    folder = write_suite(tmp_path / "suite", tables=1, bad=False)
    found = run_benchmark(folder, store=store, seeds=2, model="mlp", **QUICK)
    assert found.fold_scores["fold"].nunique() == 2 * QUICK["folds"]
    assert len(found.scores) == len(found.fold_scores) / (2 * QUICK["folds"])
    assert np.isfinite(found.scores["score"]).all()


def test_a_typed_formula_is_also_a_metric(store, tmp_path):
    folder = write_suite(tmp_path / "suite", tables=1, bad=False)
    losses = ("bce", "anyloss:TP / (TP + 3*FN + FP)")
    found = run_benchmark(folder, store=store, **QUICK | {"losses": losses})
    (name,) = set(found.scores["metric"]) - set(compare_metrics())
    counts = found.confusion[["tp", "fn", "fp"]].astype(float)
    by_hand = counts["tp"] / (counts["tp"] + 3 * counts["fn"] + counts["fp"])
    by_hand = by_hand.groupby(found.confusion["loss"], sort=False).mean()
    ours = found.scores[found.scores["metric"] == name].set_index("loss")["score"]
    np.testing.assert_allclose(ours, by_hand[ours.index])


def compare_metrics():
    from anyloss_core import METRICS

    return METRICS


def test_the_suite_may_be_openml_numbers(store):
    items = suite_items("openml:31, 1464,31")
    assert [item.reference for item in items] == ["openml:31", "openml:1464"]


def _children(pid):
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(text) for text in found.split()]


def _lives(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
