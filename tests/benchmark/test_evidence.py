from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from anyloss_core.benchmark import evidence as ev
from anyloss_core.benchmark.benchmark import run_benchmark
from anyloss_core.data.suites.real_suite import real_suite
from anyloss_core.statistics.analysis import imbalance_group
from anyloss_core.statistics.score_table import read_repeats
from anyloss_core.store.store import Store
from tests.small_suite import QUICK, write_suite


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("evidence")
    store = Store(folder / "home")
    found = run_benchmark(write_suite(folder / "suite", tables=4), store=store, **QUICK)
    return store, found


def table(gain=0.05, losses=("bce", "anyloss:f1", "anyloss:gmean"), names=None):
    names = names or [f"d{n}" for n in range(9)]
    rows = [
        (name, loss, metric, 0.5 + 0.01 * n + gain * k)
        for n, name in enumerate(names)
        for k, loss in enumerate(losses)
        for metric in ("f1", "gmean")
    ]
    return pd.DataFrame(rows, columns=["dataset", "loss", "metric", "score"])


def test_a_file_gives_the_same_evidence_as_the_benchmark_it_came_from(kept):
    _, found = kept
    ours = ev.from_benchmark(found)
    file = ev.from_table(read_repeats(found.fold_scores.to_csv(index=False).encode()))
    pd.testing.assert_frame_equal(ours.scores, file.scores, rtol=1e-12)
    assert ours.losses == file.losses == ["bce", "anyloss:f1"]


def test_seeds_on_one_split_are_not_runs(tmp_path):
    folder = write_suite(tmp_path / "suite", tables=1, bad=False)
    seeded = run_benchmark(
        folder, store=Store(tmp_path / "home"), seeds=2, model="mlp", **QUICK | {"epochs": 3}
    )
    found = ev.from_benchmark(seeded)
    assert found.runs == 1
    assert found.folds["fold"].nunique() == QUICK["folds"]
    assert found.folds["seed"].nunique() == 2


def test_candidates_are_the_anylosses_and_the_rest_are_baselines():
    found = ev.from_table(table())
    assert (found.candidates, found.baselines) == (["anyloss:f1", "anyloss:gmean"], ["bce"])
    assert found.aims == ["f1", "gmean"]
    foreign = ev.from_table(table(losses=("logistic regression", "L_F1")))
    assert (foreign.candidates, foreign.baselines) == (["L_F1"], ["logistic regression"])


def test_every_candidate_meets_every_baseline_on_every_aim():
    contests = ev.contest_table(ev.from_table(table()), "sign", 0.01)
    assert list(zip(contests["metric"], contests["candidate"], strict=True)) == [
        (metric, loss) for metric in ("f1", "gmean") for loss in ("anyloss:f1", "anyloss:gmean")
    ]
    assert (contests["wins"] == 9).all()
    assert (contests["candidate_wins"] > 0.95).all()


@pytest.mark.parametrize("test", ["sign", "signed_rank"])
def test_inside_the_rope_every_test_sees_a_draw(test):
    (verdict,) = ev.run_test(ev.from_table(table(0.02)), test, "f1", "bce", 0.03, "anyloss:f1")
    assert (verdict.winner, verdict.n_datasets) == ("draw", 9)
    (verdict,) = ev.run_test(ev.from_table(table(0.02)), test, "f1", "bce", 0.01, "anyloss:f1")
    assert verdict.winner == "candidate"


def test_data_sets_of_the_suites_are_known_by_name():
    tasks = real_suite()[:3]
    found = ev.from_table(table(names=[*(task.name for task in tasks), "twin 7", "mine"]))
    assert {task.name: task.ratio for task in tasks}.items() <= found.ratios.items()
    assert "twin 7" in found.ratios
    assert "mine" not in found.ratios
    groups = ev.imbalance_table(found, "f1", "anyloss:f1", "bce")
    assert groups["datasets"].sum() == 4
    np.testing.assert_allclose(groups["mean"], 0.05)


def test_a_file_may_tell_the_share_of_positive_rows():
    found = ev.from_table(table(), {"d0": 0.2, "d1": 0.05})
    assert found.ratios == pytest.approx({"d0": 4.0, "d1": 19.0})
    groups = ev.imbalance_table(found, "f1", "anyloss:f1", "bce")
    assert groups["group"].tolist() == [imbalance_group(0.2), imbalance_group(0.05)]


def test_the_table_of_data_sets_has_facts_scores_and_the_difference(kept):
    found = ev.from_benchmark(kept[1])
    rows = ev.dataset_table(found, "f1", "anyloss:f1", "bce").set_index("dataset")
    assert rows.loc["t2.csv", ["rows", "features"]].tolist() == [210, 3]
    assert rows.loc["t3.csv", "group"] == imbalance_group(1 / (1 + rows.loc["t3.csv", "ratio"]))
    np.testing.assert_allclose(rows["difference"], rows["anyloss:f1"] - rows["bce"])
    noted = replace(found, facts=found.facts.assign(notes=["a leak", "", "", ""]))
    notes = ev.dataset_table(noted, "f1", "anyloss:f1", "bce")["notes"]
    assert notes.tolist() == ["a leak", "", "", ""]


def test_typed_formulas_are_further_metrics(kept):
    found = ev.from_benchmark(kept[1], ["TP / (TP + FP + 1)"])
    counts = kept[1].confusion.query("dataset == 't1.csv' and loss == 'bce'")
    by_hand = (counts["tp"] / (counts["tp"] + counts["fp"] + 1)).mean()
    ours = found.of("TP / (TP + FP + 1)", "bce").set_index("dataset")["score"]
    assert ours["t1.csv"] == pytest.approx(by_hand)
