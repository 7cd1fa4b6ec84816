"""The study of the recipes: what is trained, that it goes on, and what is read from it."""

import pandas as pd
import pytest

from anyloss_core.benchmark import recipe_study as study
from anyloss_core.comparison.comparison import compare
from anyloss_core.data.suites.real_suite import large_suite, real_suite
from anyloss_core.data.suites.references import open_reference

AGAIN = {  # what is trained once more: all kinds of losses, and on a large table what is quick
    "small": ("anyloss:f1", "anyloss:accuracy", "sol:f1", "bce+threshold", "bce", "mse"),
    "large": ("bce", "mse"),
}


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
    monkeypatch.setattr(study, "METRICS", ("f1",))
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
        assert len(evidence.scores) == len(suite) * len(evidence.losses) * len(study.METRICS)
        assert evidence.scores["score"].between(-1, 1).all()


@pytest.mark.parametrize("model", study.MODELS)
@pytest.mark.parametrize("size", study.SIZES)
def test_the_kept_scores_are_what_the_defaults_give(size, model):
    suite = real_suite() if size == "small" else large_suite()
    task = min(suite, key=lambda entry: entry.rows)
    data, settings = open_reference(task.reference), study.settings_for(task)
    found = compare(data, AGAIN[size], model=model, **settings)
    again = found.scores_of(study.METRICS).pivot_table("score", "loss", "metric")
    kept = pd.read_csv(study.KEPT).query("model == @model and dataset == @task.name")
    kept = kept.set_index("loss").loc[list(AGAIN[size]), list(study.METRICS)]
    # Another processor may round another way and flip a row or two.
    assert (again - kept).abs().mean().max() < 0.01


@pytest.mark.parametrize("model", study.MODELS)
@pytest.mark.parametrize("half", ["A", "B"])
def test_anyloss_beats_cross_entropy_on_both_halves(model, half):
    found = study.verdicts(study.load_study(model, half, "small")).set_index(["metric", "baseline"])
    for metric in ("f1", "gmean", "balanced_accuracy"):
        assert found.loc[(metric, "bce"), "better"] >= 0.95


def test_wins_ties_and_losses_stand_beside_every_probability():
    found = study.verdicts(study.load_study("mlp", size="small")).set_index(["metric", "baseline"])
    assert (found[["wins", "ties", "losses"]].sum(axis=1) == len(real_suite())).all()
    row = found.loc[("f1", "bce+threshold")]
    assert row["same"] > 0.95
    assert row["losses"] > 20  # a sure draw, and many a loss


def test_rivals_that_aim_at_f1_are_rivals_for_f1_alone():
    assert {"sol:f1", "lee:f1", "bce+online_f1"} <= set(study.rivals_of("f1"))
    assert not any("f1" in rival for rival in study.rivals_of("mcc"))
    assert {"bce", "bce+threshold", "boosted_trees"} <= set(study.rivals_of("mcc"))


def test_the_report_has_the_tables_of_the_readme():
    readme = (study.KEPT.parent / "README.md").read_text()
    lines = study.report().splitlines()
    assert sum(line.startswith("| SLP, F1 | 0.") for line in lines) == len(study.SIZES)
    assert [line for line in lines if line not in readme] == []
