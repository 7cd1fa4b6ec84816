"""The profile: balance, gaps, duplicates and suspected leaks."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from anyloss_core.data import profile as profiles
from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.profile import find_leaks, leak_words, lone_auc

R = np.arange(200)
LABELS = (R % 5 == 0).astype(np.int8)
NOISE = np.random.default_rng(0).normal(size=200)


def profile(**columns):
    table = pd.DataFrame({"noise": NOISE, **columns, "y": LABELS})
    return dataset_from_frame(table, "y").profile()


def test_balance_and_ratio_are_those_of_the_labels():
    found = profile()
    assert (found.rows, found.positives, found.ratio, found.positive_share) == (200, 40, 4.0, 0.2)


def test_missing_cells_are_counted_over_all_columns():
    gaps = np.where(R % 4 == 0, np.nan, R * 1.5)
    assert profile(gaps=gaps).missing_share == pytest.approx(0.125)


def test_repeated_rows_are_counted_once_each():
    table = pd.DataFrame({"x": [1.5, 1.5, 1.5, 2, 3], "z": list("aaaab"), "y": [0, 0, 1, 1, 0]})
    assert dataset_from_frame(table, "y").profile().duplicates == 1  # the label counts too


@pytest.mark.parametrize(
    "leak",
    [
        LABELS * 2.0 + NOISE / 100,
        -(LABELS * 2.0) + NOISE / 100,
        np.where(LABELS, "paid back late", "fine"),
        np.where(LABELS, np.nan, NOISE),
        np.where(LABELS, 2, 1 + 2 * (R % 2)),  # a code: the positives lie between the others
        np.array([f"reason {n}" for n in np.where(LABELS, 40, 0) + R % 32]),
        pd.Timestamp("2020-01-01") + pd.to_timedelta(LABELS.astype(int) * 400 + R % 7, "D"),
    ],
    ids=["rises", "falls", "level", "gap", "code", "many levels", "date"],
)
def test_a_feature_that_gives_the_answer_away_is_flagged(leak):
    found = profile(leak=leak)
    assert list(found.leaks) == ["leak"]
    assert found.leaks["leak"] > 0.995
    assert found.table().set_index("column").loc["leak"].iloc[-1] > 0.995


@pytest.mark.parametrize("rows", [40, 200, 2000])
@pytest.mark.parametrize("positives", [2, 0.02, 0.2, 0.5])
def test_levels_by_chance_are_not_flagged(rows, positives):
    random = np.random.default_rng(rows)
    labels = np.zeros(rows, np.int8)
    labels[: max(2, int(positives * rows) if positives < 1 else positives)] = 1
    for levels in (3, 10, 30, 60, 100, rows // 3, rows // 2, rows):
        codes = random.integers(levels, size=rows)
        frame = pd.DataFrame({"numbers": 1.0 * codes, "texts": codes.astype(str)})
        assert not find_leaks(frame.astype({"texts": "category"}), labels), levels


def test_a_good_feature_is_not_flagged():
    good = LABELS * 2.0 + NOISE
    assert 0.8 < roc_auc_score(LABELS, good) < 0.99
    assert profile(good=good).leaks == {}


def test_a_large_table_is_judged_by_a_sample_and_then_on_all_rows(monkeypatch):
    monkeypatch.setattr(profiles, "SCREENED", 30)
    leak = LABELS * 2.0 + NOISE / 100
    leak[np.flatnonzero(LABELS)[0]] = -1.0  # one positive of 40 below all negatives: AUC 0.975
    frame = pd.DataFrame({"noise": NOISE, "all but one": leak, "leak": LABELS + NOISE / 100})
    assert find_leaks(frame, LABELS) == {"leak": 1.0}


def test_what_is_suspected_is_said_in_a_sentence():
    assert leak_words({"a\nb": 0.99712}) == (
        "'a\\u000ab' alone reaches AUC 0.9971: it may be the answer in another form."
    )
    assert leak_words({"a": 1.0, "b": 0.997}).startswith("'a' and 'b' reach AUC 0.9970 or more")


def test_the_auc_is_that_of_scikit_learn():
    tied = np.round(NOISE + LABELS)
    assert lone_auc(pd.Series(tied), LABELS) == pytest.approx(roc_auc_score(LABELS, tied))


def test_the_table_says_what_happens_to_each_column():
    table = profile(same=np.ones(200), town=np.array(list("abcd"))[R % 4]).table()
    actions = dict(zip(table["column"], table["what happens"], strict=True))
    assert actions["same"].startswith("dropped")
    assert actions["town"].startswith("one column per level")
    assert actions["noise"].startswith("standardised")
