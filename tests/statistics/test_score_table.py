"""Tidy scores: reading, checking and pairing, with messages that say what to repair."""

import io

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anyloss_core.benchmark.results import write_scores
from anyloss_core.statistics.score_table import (
    ScoreTableError,
    average_repeats,
    average_seeds,
    check_scores,
    count_runs,
    mark_seeds,
    pair_scores,
    read_repeats,
    read_scores,
    read_shares,
    require_loss,
    score_matrix,
)

HEADER = "dataset,loss,metric,score\n"


def tidy(*rows):
    return pd.DataFrame(rows, columns=["dataset", "loss", "metric", "score"])


def test_names_that_a_spreadsheet_would_run_are_written_harmless_and_read_as_they_were(tmp_path):
    names = ["=cmd()", "+1", "-x", "@sum", "'quoted", "plain"]
    scores = pd.DataFrame({"dataset": names, "loss": "bce", "metric": "f1", "score": 0.5})
    write_scores(scores, tmp_path / "scores.csv")
    cells = (tmp_path / "scores.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in cells[1:]][:4] == ["'=cmd()", "+1", "'-x", "'@sum"]
    assert read_scores(tmp_path / "scores.csv")["dataset"].tolist() == names


def test_a_tidy_csv_becomes_four_columns():
    table = read_scores(b"dataset,loss,metric,score\nA,bce,f1,0.5\nA,anyloss:f1,f1,0.75\n")
    assert list(table.columns) == ["dataset", "loss", "metric", "score"]
    assert table["score"].tolist() == [0.5, 0.75]


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffDataset, Loss ,METRIC,Score\nA,bce,f1,0.5\n",
        "dataset;loss;metric;score\nA;bce;f1;0,5\n",
        "dataset\tloss\tmetric\tscore\tnote\r\nA\tbce\tf1\t0.5\tx\r\n",
        'score,metric,"loss",dataset\n5e-1,f1,bce,A\n',
    ],
    ids=["byte order mark and capitals", "semicolons and decimal comma", "tabs", "other order"],
)
def test_common_dialects_give_the_same_table(text):
    expected = tidy(("A", "bce", "f1", 0.5))
    pd.testing.assert_frame_equal(read_scores(text.encode()), expected, check_dtype=False)


def test_a_path_an_open_file_and_text_read_alike(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(HEADER + "A,bce,f1,0.5\n")
    from_path = read_scores(path)
    pd.testing.assert_frame_equal(from_path, read_scores(io.StringIO(path.read_text())))
    with path.open("rb") as file:
        pd.testing.assert_frame_equal(from_path, read_scores(file))


def test_names_that_look_like_missing_values_or_numbers_stay_names():
    table = read_scores((HEADER + "NA,bce,f1,0.5\n007,bce,f1,0.25\n").encode())
    assert table["dataset"].tolist() == ["NA", "007"]


def test_folds_and_seeds_are_averaged_and_can_be_kept():
    text = b"dataset,loss,metric,fold,score\nA,bce,f1,0,0.2\nA,bce,f1,1,0.6\nB,bce,f1,0,0.1\n"
    assert read_scores(text)["score"].tolist() == pytest.approx([0.4, 0.1])
    assert read_repeats(text)["fold"].tolist() == ["0", "1", "0"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dataset,loss,score\nA,bce,0.5\n", "lacks the column metric; expected dataset, loss"),
        ("dataset,bce,mse\nA,0.5,0.4\n", "lacks the columns loss, metric, score"),
        (HEADER + "A,bce,f1,high\n", "'high' in row 1 is not a number"),
        (HEADER + "A,bce,f1,0.5\nA,mse,f1,\n", "1 of 2 are missing or infinite.*'mse'"),
        (HEADER + "A,bce,f1,inf\n", "missing or infinite"),
        (HEADER + "A,bce,f1,0.5\nA,bce,f1,0.6\n", "several rows for dataset 'A', loss 'bce'"),
        (HEADER, "no rows"),
        ("", "not a CSV"),
        ("dataset,loss,metric,Score,score\nA,bce,f1,1,1\n", "'score' twice"),
        (HEADER + "A,bce,f1,0.5,extra\n", "not a CSV"),
        ('dataset,loss,metric,score\n"A,bce,f1,0.5\n', "not a CSV|not a number|missing|no rows"),
    ],
)
def test_a_wrong_table_is_refused_with_the_repair(text, message):
    with pytest.raises(ScoreTableError, match=message):
        read_scores(text.encode())


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(ScoreTableError, match="UTF-8"):
        read_scores(b"\xff\xfe\x00\x81")


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda t: (HEADER + t).encode()))
)
def test_any_bytes_give_a_table_or_an_explanation(content):
    try:
        table = read_scores(content)
    except ScoreTableError:
        return
    assert table["score"].between(-1e308, 1e308).all()


def test_a_repeated_fold_is_not_averaged_silently():
    scores = tidy(("A", "bce", "f1", 0.5), ("A", "bce", "f1", 0.7)).assign(fold=[3, 3])
    with pytest.raises(ScoreTableError, match="fold '3'"):
        average_repeats(scores)


def test_something_that_is_no_table_is_named():
    with pytest.raises(ScoreTableError, match="got dict"):
        check_scores({"dataset": []})


def test_a_missing_loss_gets_the_nearest_name():
    scores = tidy(("A", "BCE", "f1", 0.5), ("A", "anyloss:f1", "f1", 0.7))
    with pytest.raises(ScoreTableError, match="did you mean 'BCE'"):
        require_loss(scores, "bce", "baseline")


def test_pairs_keep_shared_data_sets_in_order_and_count_the_rest():
    scores = tidy(
        ("B", "bce", "f1", 0.1),
        ("A", "bce", "f1", 0.2),
        ("C", "bce", "f1", 0.3),
        ("A", "mse", "f1", 0.7),
        ("B", "mse", "f1", 0.5),
        ("D", "mse", "f1", 0.9),
    )
    pair = pair_scores(scores, candidate="mse", baseline="bce", metric="f1")
    assert dict(zip(pair.datasets, pair.differences, strict=True)) == pytest.approx(
        {"A": 0.5, "B": 0.4}
    )
    assert pair.dropped == 2


def test_a_pair_without_a_shared_data_set_is_refused():
    scores = tidy(("A", "bce", "f1", 0.1), ("B", "mse", "f1", 0.2))
    with pytest.raises(ScoreTableError, match="no data set has 'f1' for both"):
        pair_scores(scores, "mse", "bce", "f1")


def test_a_matrix_keeps_the_order_and_shows_gaps():
    scores = tidy(("B", "mse", "f1", 0.1), ("B", "bce", "f1", 0.2), ("A", "bce", "f1", 0.3))
    matrix = score_matrix(scores, "f1")
    assert matrix.index.tolist() == ["B", "A"]
    assert matrix.columns.tolist() == ["mse", "bce"]
    assert matrix.isna().to_numpy().tolist() == [[False, False], [True, False]]
    with pytest.raises(ScoreTableError, match="found 'f1'"):
        score_matrix(scores, "mcc")


def test_shares_of_positive_rows_may_stand_beside_the_scores():
    text = "dataset;loss;metric;score;Positive_Share\n a ;bce;f1;0,5;0,2\nb;bce;f1;0,5;0,4\n"
    assert read_shares(text.encode()) == {"a": 0.2, "b": 0.4}
    assert read_shares(f"{HEADER}a,bce,f1,0.5\n".encode()) == {}
    with pytest.raises(ScoreTableError, match="between 0 and 1"):
        read_shares(text.replace("0,2", "20").encode())


def test_starts_on_one_split_get_its_number_and_one_mean():
    """Two repeats of three folds with two seeds, counted 0 to 11 as comparisons do."""
    numbers = pd.DataFrame({"fold": range(12), "score": range(12)})
    marked = mark_seeds(numbers, folds=3, seeds=2)
    assert marked["fold"].tolist() == [0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5]
    assert marked["seed"].tolist() == [0, 0, 0, 1, 1, 1] * 2
    means = average_seeds(marked)
    assert means["score"].tolist() == [1.5, 2.5, 3.5, 7.5, 8.5, 9.5]
    assert average_seeds(means) is means


def test_runs_are_the_repeats_that_a_table_tells_apart():
    folds = pd.DataFrame({"fold": [0, 1, 0, 1], "score": 0.5})
    assert count_runs(folds) == count_runs(folds.assign(seed=[0, 0, 1, 1])) == 1
    assert count_runs(folds.assign(repeat=["a", "a", "b", "b"])) == 2
