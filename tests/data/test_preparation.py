"""Preparation: equal to scikit-learn, blind to validation rows, exact through JSON."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from anyloss_core.data import limits
from anyloss_core.data import preparation as preparation_module
from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.encoding import encode, fields_of
from anyloss_core.data.errors import DataError
from anyloss_core.data.preparation import (
    Preparation,
    paper_features,
    prepare_fresh,
)
from anyloss_core.data.reading.table import load_csv
from anyloss_core.data.suites.builtin import builtin
from tests.nasty_files import NASTY


def mixed(rows=400, seed=0):
    """Numbers with gaps, categories with rare levels and gaps, a date, booleans."""
    random = np.random.default_rng(seed)
    shares = [0.4, 0.3, 0.28, 0.01, 0.005, 0.005]
    frame = pd.DataFrame(
        {
            "a": np.where(random.random(rows) < 0.2, np.nan, random.gamma(2, 30, rows)),
            "town": random.choice(["Rome", "Oslo", "Bonn", "Ulm", "Nice", "Lyon"], rows, p=shares),
            "b": random.integers(0, 50, rows),
            "sex": random.choice(["m", "f"], rows),
            "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 900, rows), "D"),
            "smoker": random.choice(["yes", "no"], rows, p=[0.995, 0.005]),
            "grade": random.choice(["A", "B", None], rows, p=[0.6, 0.3, 0.1]),
        }
    )
    return dataset_from_frame(frame.assign(y=random.random(rows) < 0.3), "y")


def column_transformer(numbers, categories):
    """Median, standardisation and one-hot as one scikit-learn transformer of the raw matrix."""
    fill = SimpleImputer(strategy="median", keep_empty_features=True)
    one_hot = OneHotEncoder(
        drop="if_binary",
        handle_unknown="infrequent_if_exist",
        min_frequency=limits.RARE_SHARE,
        max_categories=limits.LEVELS,
    )
    scaled = Pipeline([("fill", fill), ("scale", StandardScaler())])
    return ColumnTransformer([("numbers", scaled, numbers), ("levels", one_hot, categories)])


def sklearn_says(dataset, train, rows):
    """What the fitted ColumnTransformer itself makes of the rows."""
    fields = fields_of(dataset.columns)
    raw = encode(dataset.frame, fields)
    is_category = [field.kind == "category" for field in fields for _ in field.raw_names]
    numbers, categories = np.flatnonzero(np.logical_not(is_category)), np.flatnonzero(is_category)
    transformer = column_transformer(list(numbers), list(categories)).fit(raw[train])
    made = transformer.transform(raw[rows])
    return made.toarray() if hasattr(made, "toarray") else made


def by_name(dataset, train):
    """Our features with numbers first, as ColumnTransformer orders them."""
    fitted = prepare_fresh(dataset, train)
    names = fitted.feature_names
    order = sorted(range(len(names)), key=lambda n: "=" in names[n])
    return fitted.transform(dataset.frame)[:, order], [names[n] for n in order]


@pytest.mark.filterwarnings("ignore:Found unknown categories")
@pytest.mark.parametrize("seed", range(12))
def test_features_equal_those_of_scikit_learn(seed):
    dataset = mixed(seed=seed)
    train = np.random.default_rng(seed).permutation(dataset.rows)[: 60 + 25 * seed]
    ours, _ = by_name(dataset, train)
    rest = np.setdiff1d(np.arange(dataset.rows), train)
    np.testing.assert_allclose(ours[train], sklearn_says(dataset, train, train), atol=1e-12)
    np.testing.assert_allclose(ours[rest], sklearn_says(dataset, train, rest), atol=1e-12)


def test_names_tell_levels_gaps_and_pools_apart():
    names = prepare_fresh(mixed(), np.arange(400)).feature_names
    assert names[0] == "a"
    assert {"town=Rome", "town=Oslo", "town=Bonn", "town=rare"} <= set(names)
    assert {name for name in names if name.startswith("grade")} == {
        "grade=missing",
        "grade=A",
        "grade=B",
    }
    assert sum(name.startswith("sex") for name in names) == 1
    assert {"day year", "day month", "day day", "day weekday"} <= set(names)


def test_training_rows_are_standardised_with_their_own_mean_and_median():
    dataset, train = mixed(), np.arange(0, 400, 3)
    fitted = prepare_fresh(dataset, train)
    column = dataset.frame["a"].to_numpy()
    filled = np.where(np.isnan(column), np.nanmedian(column[train]), column)
    expected = (filled - filled[train].mean()) / filled[train].std()
    np.testing.assert_allclose(fitted.transform(dataset.frame)[:, 0], expected)


def test_validation_rows_leave_no_trace():
    dataset, train = mixed(), np.arange(200)
    changed = dataset.frame.copy()
    changed.loc[200:, "a"] = 1e9
    changed.loc[200:, "town"] = "Ulm"
    other = dataset_from_frame(changed.assign(y=dataset.labels), "y")
    one, two = (prepare_fresh(d, train) for d in (dataset, other))
    first_rows = slice(0, 200)
    np.testing.assert_array_equal(
        one.transform(dataset.frame[first_rows])[:, 0], two.transform(other.frame[first_rows])[:, 0]
    )
    assert one.feature_names == two.feature_names


def test_a_mask_and_indices_choose_the_same_rows():
    dataset = mixed()
    mask = np.arange(400) % 3 == 0
    assert prepare_fresh(dataset, mask) == prepare_fresh(dataset, np.flatnonzero(mask))


@pytest.mark.parametrize("name", [n for n, nasty in NASTY.items() if nasty.expected == "dataset"])
def test_json_gives_the_same_features_to_the_last_bit(name):
    dataset = load_csv(NASTY[name].content)
    fitted = prepare_fresh(dataset, np.arange(0, dataset.rows, 2))
    stored = json.loads(json.dumps(fitted.to_dict(), allow_nan=False))
    again = Preparation.from_dict(stored)
    np.testing.assert_array_equal(again.transform(dataset.frame), fitted.transform(dataset.frame))
    assert again.feature_names == fitted.feature_names
    assert again == fitted


@pytest.mark.parametrize(
    "spoil",
    [
        lambda d: d.update(format=2),
        lambda d: d.pop("fits"),
        lambda d: d["fits"].pop(),
        lambda d: d["fits"][0].update(scale=0.0),
        lambda d: d["fits"][0].update(mean="nan"),
        lambda d: d["fields"][0].update(kind="pickle"),
        lambda d: d["fields"][1].update(levels=None),
        lambda d: d["fits"][1].update(slots=[[7000]]),
        lambda d: d["fits"][1].update(rare=99),
    ],
)
def test_a_spoilt_description_is_refused(spoil):
    stored = json.loads(json.dumps(prepare_fresh(mixed(), np.arange(400)).to_dict()))
    spoil(stored)
    with pytest.raises(DataError, match="no preparation of ours"):
        Preparation.from_dict(stored)


def test_wild_new_rows_stay_finite():
    dataset = mixed()
    fitted = prepare_fresh(dataset, np.arange(400))
    wild = dataset.frame.head(3).assign(a=[np.inf, -1e308, np.nan], town=["Mars", None, "Rome"])
    features = fitted.transform(wild)
    assert np.isfinite(features).all()
    assert features[0, 0] == features[2, 0]  # infinite counts as missing


def test_missing_columns_are_named():
    fitted = prepare_fresh(mixed(), np.arange(400))
    with pytest.raises(DataError, match="lacks the columns 'a', 'sex'"):
        fitted.transform(mixed().frame.drop(columns=["a", "sex"]))


@settings(max_examples=60, deadline=None, database=None, derandomize=True)
@given(
    st.lists(st.floats(allow_nan=True, allow_infinity=False), min_size=20, max_size=20),
    st.integers(1, 19),
)
def test_any_numbers_become_finite_features(values, cut):
    table = pd.DataFrame({"x": values, "k": np.arange(20) % 7, "y": [0, 1] * 10})
    dataset = dataset_from_frame(table, "y")
    features = prepare_fresh(dataset, np.arange(cut)).transform(dataset.frame)
    assert np.isfinite(features).all()
    # No value of n can be further from their mean than sqrt(n) standard deviations.
    assert np.abs(features[:cut]).max() <= np.sqrt(cut) + 1e-6
    np.testing.assert_allclose(features[:cut].mean(axis=0), 0, atol=1e-6)
    paper = paper_features(dataset)
    assert np.isfinite(paper).all()
    assert np.abs(paper).max() <= np.sqrt(20) + 1e-6


def test_blocks_of_rows_and_columns_do_not_change_the_numbers(monkeypatch):
    from anyloss_core.data import fitting

    dataset, train = mixed(), np.arange(0, 400, 2)
    whole = prepare_fresh(dataset, train)
    features = whole.transform(dataset.frame)
    monkeypatch.setattr(fitting, "CELLS_AT_ONCE", 300)
    monkeypatch.setattr(preparation_module, "ROWS_AT_ONCE", 37)
    assert prepare_fresh(dataset, train) == whole
    np.testing.assert_array_equal(whole.transform(dataset.frame), features)


def test_paper_features_are_factorize_codes_standardised_with_ddof_1():
    dataset = mixed()
    made = paper_features(dataset)
    names = [raw for field in fields_of(dataset.columns) for raw in field.raw_names]
    town = pd.factorize(dataset.frame["town"].astype(object))[0]
    np.testing.assert_allclose(
        made[:, names.index("town")], (town - town.mean()) / town.std(ddof=1)
    )
    b = dataset.frame["b"]
    np.testing.assert_allclose(made[:, names.index("b")], (b - b.mean()) / b.std())
    gaps = dataset.frame["a"].isna().to_numpy()
    assert (made[gaps, names.index("a")] == 0).all()  # the mean


def test_ready_features_are_left_alone_by_paper_and_prepared_by_fresh():
    dataset = builtin("random")
    np.testing.assert_array_equal(paper_features(dataset), dataset.frame.to_numpy())
    fresh = prepare_fresh(dataset, np.arange(dataset.rows)).transform(dataset.frame)
    np.testing.assert_allclose(fresh.std(axis=0), 1.0)


def test_the_features_of_each_category_stand_together():
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"a": random.normal(size=40), "town": random.choice(list("xyz"), 40)})
    frame["flag"], frame["sex"] = random.integers(0, 2, 40), random.choice(["m", "f"], 40)
    frame["answer"] = np.arange(40) % 2
    fitted = prepare_fresh(dataset_from_frame(frame, "answer"), np.arange(40))
    names = fitted.feature_names
    spans = [names[own] for own in fitted.category_columns()]
    assert [len(span) for span in spans] == [3, 1]
    assert all(name.startswith("town=") for name in spans[0])
    assert spans[1][0].startswith("sex=")
    assert [names[own] for own in fitted.category_columns({"flag"})][1] == ("flag",)
