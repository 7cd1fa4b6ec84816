"""The study of the defaults: the kept scores are what training gives, and what they say."""

import pandas as pd
import pytest

from anyloss_core.benchmark import default_study as study
from anyloss_core.comparison.comparison import compare
from anyloss_core.data.suites.real_suite import real_suite
from anyloss_core.data.suites.references import open_reference


def test_the_halves_share_nothing_and_make_up_the_suite():
    a, b = study.half_of_suite("A"), study.half_of_suite("B")
    assert not set(a) & set(b)
    assert sorted(a + b) == sorted(entry.name for entry in real_suite())


@pytest.mark.parametrize("model", study.MODELS)
def test_the_kept_scores_cover_the_suite_and_every_loss(model):
    evidence = study.load_study(model)
    assert set(evidence.losses) == set(study.LOSSES)
    assert evidence.scores["dataset"].nunique() == len(real_suite())
    assert evidence.scores["score"].between(-1, 1).all()


THEN = {"slp": {"epochs": 300, "lr": 0.03, "schedule": "constant"}, "mlp": {}}  # see OLDER_PLAN


@pytest.mark.parametrize("model", study.MODELS)
def test_the_kept_scores_are_what_the_defaults_of_then_gave(model):
    smallest = min(real_suite(), key=lambda entry: entry.rows)
    plain = {loss: loss for loss in ("bce", "mse", "weighted_bce", "bce+undersample")}
    plain |= {f"anyloss:{metric}@warm_up=0.7": f"anyloss:{metric}" for metric in study.METRICS}
    plain |= {f"sol:{metric}@warm_up=0": f"sol:{metric}" for metric in study.METRICS}
    settings = study.SETTINGS | THEN[model]
    found = compare(open_reference(smallest.reference), list(plain), model=model, **settings)
    again = found.summary()[list(study.METRICS)].rename(index=plain)
    kept = pd.read_csv(study.KEPT).query("model == @model and dataset == @smallest.name")
    kept = kept.set_index("loss")[list(study.METRICS)]
    # Another processor may round another way and flip a row or two of 250.
    assert (again - kept.loc[again.index]).abs().mean().max() < 0.01


def test_a_study_goes_on_where_it_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(study, "LOSSES", ("anyloss:f1", "bce"))
    monkeypatch.setattr(study, "SETTINGS", {"folds": 2, "epochs": 3})
    file = tmp_path / "study.csv"
    data = ["builtin:moons", "builtin:circles"]
    study.run_study(data[:1], file, "slp")
    first = file.read_text()
    study.run_study(data, file, "slp")
    assert file.read_text().startswith(first)
    assert len(pd.read_csv(file)) == 4


@pytest.mark.parametrize("model", study.MODELS)
@pytest.mark.parametrize("half", ["A", "B"])
def test_the_defaults_beat_cross_entropy_on_both_halves(model, half):
    found = study.verdicts(study.load_study(model, half)).set_index(["metric", "baseline"])
    for metric in ("f1", "gmean", "balanced_accuracy"):
        assert found.loc[(metric, "bce"), "better"] >= 0.95


def test_wins_ties_and_losses_stand_beside_every_probability():
    found = study.verdicts(study.load_study("mlp")).set_index(["metric", "baseline"])
    assert (found[["wins", "ties", "losses"]].sum(axis=1) == len(real_suite())).all()
    row = found.loc[("f1", "bce+threshold@metric=f1")]
    assert row["same"] > 0.95
    assert row["losses"] > 25  # a sure draw, and many a loss


def test_a_threshold_tuned_for_another_metric_is_no_rival():
    assert "bce+threshold@metric=f1" in study.rivals_of("f1")
    assert "bce+threshold@metric=mcc" not in study.rivals_of("f1")
    assert "bce+threshold@metric=accuracy" in study.rivals_of("accuracy")
    assert "sol:f1" in study.rivals_of("f1")
    assert "sol:mcc" not in study.rivals_of("f1")
