"""A study is extended part by part and read back without losing what its columns are."""

import pandas as pd
import pytest

from anyloss_core.comparison.suite_study import extend_study, read_study

TABLES = {name: f"synthetic:rows={rows},features=2" for name, rows in (("1e2", 100), ("b", 60))}


def rows_of(dataset):
    return pd.DataFrame({"setting": ["5", "5..73"], "score": [dataset.rows / 3, 0.5]})


@pytest.fixture
def file(tmp_path):
    return tmp_path / "study.csv"


def test_each_data_set_of_a_part_is_worked_on_once(file):
    seen = []

    def work(dataset):
        seen.append(dataset.rows)
        return rows_of(dataset)

    first = dict(list(TABLES.items())[:1])
    extend_study(file, first, work, model="slp", share=0.5)
    extend_study(file, TABLES, work, model="slp", share=0.5)
    extend_study(file, first, work, model="slp", share=0.0)
    assert seen == [100, 60, 100]
    assert len(pd.read_csv(file)) == 6


def test_an_interrupted_study_keeps_what_is_done(file):
    def work(dataset):
        if dataset.rows == 60:
            raise KeyboardInterrupt
        return rows_of(dataset)

    with pytest.raises(KeyboardInterrupt):
        extend_study(file, TABLES, work, model="slp")
    assert read_study(file, model="slp")["dataset"].unique().tolist() == ["1e2"]


def test_names_that_look_like_numbers_stay_names(file):
    extend_study(file, TABLES, rows_of, model="slp")
    found = read_study(file, model="slp")
    assert list(found.columns) == ["dataset", "setting", "score"]
    assert found["dataset"].tolist() == ["1e2", "1e2", "b", "b"]
    assert found["setting"].tolist() == ["5", "5..73"] * 2
    assert found["score"].tolist() == pytest.approx([100 / 3, 0.5, 20, 0.5])
    assert read_study(file, model="mlp").empty
