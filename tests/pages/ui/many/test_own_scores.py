"""Scores from a file: the same analysis as for a run, or a word on what the file lacks."""

import pandas as pd

from anyloss_core.benchmark.benchmark import load_benchmark
from anyloss_core.benchmark.evidence import from_benchmark, score_file
from anyloss_core.data.cells.spreadsheet import harmless_csv
from anyloss_core.store.store import Store
from pages.ui.many import own_scores
from tests.pages.conftest import all_text, contests


def test_scores_from_a_file_get_the_same_analysis(open_page, tmp_path):
    rows = [
        (f"AER/Set{n}", loss, "f1", 0.5 + 0.02 * n + gain)
        for n in range(8)
        for loss, gain in (("bce", 0.0), ("ours", 0.04))
    ]
    table = pd.DataFrame(rows, columns=["dataset", "loss", "metric", "score"])
    upload = Store(tmp_path).save_upload(table.to_csv(index=False).encode(), {"name": "s.csv"})
    test = open_page("many", source="scores", scores=upload)
    assert not test.exception
    contest = contests(test).iloc[0]
    assert (contest["candidate"], contest["wins"], contest["losses"]) == ("ours", 8, 0)
    assert contest["candidate wins"] > 0.9


def test_the_scores_of_a_run_uploaded_again_know_their_imbalance(open_page, finished_run, tmp_path):
    scores = score_file(from_benchmark(load_benchmark(Store(tmp_path), finished_run)))
    upload = Store(tmp_path).save_upload(harmless_csv(scores), {"name": "s.csv"})
    test = open_page("many", source="scores", scores=upload, view="imbalance")
    assert not test.exception
    assert "By imbalance group" in all_text(test)
    assert "is not known" not in all_text(test)


def test_more_losses_than_can_be_tested_against_each_other_are_said(open_page, tmp_path):
    rows = [f"d{n},{loss},f1,0.{n}" for n in range(3) for loss in ("bce", *map(str, range(40)))]
    table = "\n".join(["dataset,loss,metric,score", *rows])
    upload = Store(tmp_path).save_upload(table.encode(), {"name": "s.csv"})
    test = open_page("many", source="scores", scores=upload)
    assert not test.exception
    assert "There are 41 losses; at most 40" in test.info[0].value


def test_a_wrong_file_of_scores_is_refused_in_words(open_page, tmp_path):
    upload = Store(tmp_path).save_upload(b"a,b\n1,2\n", {"name": "s.csv"})
    test = open_page("many", source="scores", scores=upload)
    assert not test.exception
    assert "dataset" in test.warning[0].value


def test_repeats_are_averaged_and_told_shares_become_ratios(store):
    lines = "a,bce,f1,0.5,0,0.2\na,bce,f1,0.7,1,0.2\nb,bce,f1,0.9,0,0.5\nb,bce,f1,0.7,1,0.5\n"
    content = "dataset,loss,metric,score,fold,positive_share\n" + lines
    evidence = own_scores._read(store.save_upload(content.encode(), {"name": "s.csv"}))
    assert evidence.scores["score"].tolist() == [0.6, 0.8]
    assert evidence.ratios == {"a": 4.0, "b": 1.0}
    assert len(evidence.folds) == 4
