"""The SQL without us gives the classes and scores of the model, in a real SQLite."""

import sqlite3
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.export.model_file import train_final
from anyloss_core.export.standalone_sql import NoSql, sql_class, sql_score
from tests.export import models


def _query(rows, *expressions):
    with sqlite3.connect(":memory:") as database:
        rows.to_sql("patients", database, index=False)
        found = database.execute(f"SELECT {', '.join(expressions)} FROM patients").fetchall()
    return [np.array(column) for column in zip(*found, strict=True)]


@pytest.mark.parametrize("loss", ["bce", "anyloss:f1", "bce+threshold"])
def test_it_predicts_as_the_model_does_in_sqlite(loss):
    model = train_final(models.dataset(), loss, {"epochs": 30})
    rows = models.new_rows()
    scores, classes = _query(rows, sql_score(model), sql_class(model))
    np.testing.assert_allclose(scores, model.scores(rows), rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(classes, model.predict(rows))
    assert len(set(classes)) == 2


def test_a_linear_output_is_cut_in_its_own_units():
    model = train_final(models.dataset(), "linear_mse", {"epochs": 30})
    rows = models.new_rows()
    scores, classes = _query(rows, sql_score(model), sql_class(model))
    np.testing.assert_allclose(scores, model.scores(rows), rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(classes, model.predict(rows))


def test_empty_texts_are_gaps():
    model = train_final(models.dataset(), "bce", {"epochs": 5})
    rows = models.new_rows()
    blank = rows.fillna(dict.fromkeys((models.CATEGORY, "smokes"), ""))
    np.testing.assert_array_equal(_query(rows, sql_score(model)), _query(blank, sql_score(model)))


def test_columns_of_texts_are_taken_for_the_numbers_in_them():
    model = train_final(models.dataset(), "bce", {"epochs": 5})
    rows = models.patients(30).drop(columns="answer").dropna()
    texts = rows.astype({models.COLUMN: str, "huge": str})
    np.testing.assert_allclose(_query(rows, sql_score(model)), _query(texts, sql_score(model)))


@pytest.mark.parametrize("threshold", [-1.0, 0.0, 0.3, 1.0, 2.0])
def test_the_threshold_decides(threshold):
    model = replace(train_final(models.dataset(), "bce", {"epochs": 5}), threshold=threshold)
    rows = models.new_rows()
    np.testing.assert_array_equal(_query(rows, sql_class(model))[0], model.predict(rows))


def test_a_thousand_columns_are_not_too_deep():
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(60, 1200)), columns=[f"c{n}" for n in range(1200)])
    data = dataset_from_frame(table.assign(y=np.arange(60) % 3 == 0), "y", True)
    model = train_final(data, "bce", {"epochs": 2})
    np.testing.assert_array_equal(_query(table, sql_class(model))[0], model.predict(table))


def test_hidden_layers_are_refused_in_words():
    with pytest.raises(NoSql, match="take the Python function"):
        sql_class(train_final(models.dataset(), "bce", {"epochs": 1, "model": "mlp"}))


@pytest.mark.parametrize("level", ["a\0b", "\\", "\\' OR 1=1 --", "\\\\'"])
def test_a_nul_and_a_backslash_are_put_together(level):
    table = models.patients().rename(columns={models.CATEGORY: "colour"})
    table["colour"] = table["colour"].replace({models.LEVELS[0]: level})
    data = dataset_from_frame(table, "answer", models.CLASSES[0])
    model = train_final(data, "bce", {"epochs": 3})
    rows = table.drop(columns="answer").head(20)
    sql = sql_class(model)
    assert not {"\0", "\\"} & set(sql)  # for MySQL the quote behind a backslash ends no text
    np.testing.assert_array_equal(_query(rows, sql)[0], model.predict(rows))


@pytest.mark.parametrize("name", ["si\0ze", 'size\\" FROM users --', "size\\"])
def test_a_name_that_could_end_early_is_refused(name):
    data = dataset_from_frame(models.patients().rename(columns={models.COLUMN: name}), "answer")
    with pytest.raises(NoSql, match="rename it"):
        sql_class(train_final(data, "bce", {"epochs": 1}))
