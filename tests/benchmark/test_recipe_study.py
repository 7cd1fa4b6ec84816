"""The study of the recipes: what is trained, that it goes on, and what is read from it."""

import pandas as pd
import pytest

from anyloss_core.benchmark import recipe_study as study
from anyloss_core.data.suites.real_suite import large_suite, real_suite


def test_the_halves_share_nothing_and_hold_tables_of_both_suites():
    a, b = study.half_of_suite("A"), study.half_of_suite("B")
    assert not set(a) & set(b)
    assert len(a) + len(b) == len(real_suite()) + len(large_suite())
    assert all(any(name.startswith("large/") for name in half) for half in (a, b))


@pytest.mark.parametrize("model", study.MODELS)
def test_rivals_and_the_recipes_themselves_take_part(model):
    small, large = (study.losses_of(model, size) for size in study.SIZES)
    assert {"anyloss:f1", "bce+search", "sol:f1", "soft:f1", "bce+smote"} < set(large)
    assert ("boosted_trees" in large) == (model == "slp")  # it has no network
    assert len(study.recipes_of(model, "small")) == 5
    assert set(study.recipes_of(model, "small")) < set(small)


def test_a_study_goes_on_where_it_stopped_and_gives_the_choice(tmp_path, monkeypatch):
    monkeypatch.setattr(study, "TUNED", ("bce+threshold",))
    monkeypatch.setattr(study, "FOR_F1", ())
    monkeypatch.setattr(study, "AIMS", {"slp": ("f1",)})
    monkeypatch.setattr(study, "REFERENCES", ())
    monkeypatch.setattr(study, "FOLDS", {"small": {"folds": 2, "epochs": 3}})
    file, halves = tmp_path / "study.csv", [study.half_of_suite(half) for half in "AB"]
    tasks = {task.name: task for task in real_suite()}
    quick = [min((tasks[n] for n in half if n in tasks), key=lambda t: t.rows) for half in halves]
    study.run_study(quick[:1], file, "slp")
    first = file.read_text()
    study.run_study(quick, file, "slp")
    assert file.read_text().startswith(first)
    assert pd.read_csv(file)["dataset"].nunique() == 2
    table = study.verdicts(study.load_study("slp", file=file))
    assert {"bce", "bce+threshold"} <= set(table["baseline"])
    assert (table[["wins", "ties", "losses"]].sum(axis=1) == 2).all()
    assert list(study.choice_of_recipe("slp", "small", file).columns) == ["A", "B"]


def test_the_trees_stand_beside_the_network_though_they_are_trained_once(tmp_path):
    file = tmp_path / "study.csv"
    rows = [("a", "slp", "boosted_trees", 0.9), ("b", "slp", "boosted_trees", 0.8)]
    rows += [("a", "slp", "bce", 0.5), ("a", "mlp", "bce", 0.6)]
    table = pd.DataFrame(rows, columns=["dataset", "model", "loss", "f1"]).assign(seconds=1.0)
    table.to_csv(file, index=False)
    found = study.load_study("mlp", file=file).of("f1", "bce", "boosted_trees")
    assert dict(zip(found["loss"], found["score"], strict=True)) == {
        "bce": 0.6,
        "boosted_trees": 0.9,
    }


@pytest.mark.parametrize("model", study.MODELS)
def test_the_kept_scores_cover_both_suites_and_every_loss(model):
    for size, suite in (("small", real_suite()), ("large", large_suite())):
        evidence = study.load_study(model, size=size)
        assert set(evidence.losses) == {*study.losses_of(model, size), *study.REFERENCES}
        assert set(evidence.scores["dataset"]) == {task.name for task in suite}
        assert evidence.scores["score"].between(-1, 1).all()
