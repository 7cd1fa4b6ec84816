"""What a benchmark found: scores, facts, failures, and each comparison whole."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core import compare, load_csv
from anyloss_core.benchmark.benchmark import load_benchmark, run_benchmark
from anyloss_core.benchmark.results import load_unit, open_unit
from anyloss_core.comparison.job import load_comparison
from anyloss_core.statistics.bayes import sign_test
from anyloss_core.store.bundle import export_bundle, import_bundle
from anyloss_core.store.store import StoreError
from tests.small_suite import BAD, QUICK, TABLES, write_suite


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


def test_the_whole_comparison_of_a_data_set_is_kept(serial):
    found, _, _, store = serial
    kept = load_unit(store, found.run_id, "t1.csv")
    assert set(kept.probabilities.columns) == {"row", "fold", "label", *QUICK["losses"]}
    assert len(kept.probabilities) == 180
    with pytest.raises(StoreError, match="no finished data set"):
        load_unit(store, found.run_id, BAD)


def test_a_formula_typed_afterwards_has_its_own_threshold(store, tmp_path):
    cost = "1 - (9 * FN + FP) / (9 * P + NEG)"
    folder = write_suite(tmp_path / "suite", tables=2, bad=False)
    losses = ["bce+threshold", f"bce+threshold@metric={cost}"]
    found = run_benchmark(folder, store=store, **QUICK | {"losses": losses})
    for metric in (cost, "f1"):
        scores = found.fold_scores_with([cost]).query("metric == @metric")
        table = scores.pivot(index=["dataset", "fold"], columns="loss", values="score")
        free, fixed = table[losses[0]], table[found.settings.comparison.names[1]]
        assert (free == fixed).all() == (metric == cost)


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


def test_what_is_opened_of_an_imported_benchmark_is_imported(serial, store):
    found, _, _, source = serial
    run_id = import_bundle(store, export_bundle(source, found.run_id), owner="me")
    opened = store.run(open_unit(store, load_benchmark(store, run_id), "t1.csv", owner="me"))
    assert opened.imported
    assert not opened.resumable


def test_a_data_set_opens_as_a_finished_comparison_once(serial):
    found, _, _, store = serial
    first = open_unit(store, found, "t1.csv", owner="me")
    run = store.run(first)
    assert (run.kind, run.status, run.owner) == ("compare", "done", "me")
    opened = load_comparison(store, first)
    kept_counts = found.confusion.query("dataset == 't1.csv'")
    for name in ("tn", "fn", "fp", "tp", "threshold"):
        assert opened.confusion[name].tolist() == kept_counts[name].tolist()
    assert opened.settings["rows"] == 180
    assert open_unit(store, found, "t1.csv", owner="me") == first
    assert open_unit(store, found, "t1.csv", owner="you") != first
    store.delete_run(first)
    assert open_unit(store, load_benchmark(store, found.run_id), "t1.csv", owner="me") != first
