"""Comparisons: the published figures, honest preparation, methods around BCE, tidy results."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import balanced_accuracy_score, f1_score, matthews_corrcoef

import anyloss_core as al
from anyloss_core.assembly import INNER_FOLDS, assemble, draw_folds
from anyloss_core.comparison import Comparing, ComparisonSettings, compare
from anyloss_core.datasets import builtin, dataset_from_frame, prepare_fresh, synthetic
from anyloss_core.protocols import FRESH, PAPER, PROTOCOLS, rate_of, trained_as
from anyloss_core.scores import METRICS, get_score
from anyloss_core.settings import SettingsError
from anyloss_core.spelling import LossError, parse_loss
from anyloss_core.thresholds import best_threshold

EIGHT = (
    "mse",
    "bce",
    "anyloss:accuracy",
    "anyloss:f1",
    "anyloss:f0.5",
    "anyloss:f2",
    "anyloss:gmean",
    "anyloss:balanced_accuracy",
)
# Published SLP scores of the eight losses above, in their order (paper, appendix).
PUBLISHED = {
    "random": {
        "accuracy": (0.898, 0.9215, 0.922, 0.9139, 0.9235, 0.8726, 0.8594, 0.8533),
        "f1": (0.075428, 0.546856, 0.540208, 0.632383, 0.57261, 0.589266, 0.571078, 0.563108),
        "gmean": (0.194819, 0.664798, 0.654791, 0.814538, 0.690798, 0.872564, 0.874335, 0.87454),
        "balanced_accuracy": (
            0.519203,
            0.714945,
            0.70891,
            0.823336,
            0.732524,
            0.872757,
            0.874674,
            0.875064,
        ),
    },
    "breast_cancer_imbalanced": {
        "accuracy": (
            0.979615,
            0.984679,
            0.987244,
            0.984679,
            0.984679,
            0.989744,
            0.982179,
            0.982179,
        ),
        "f1": (0.86381, 0.90127, 0.912381, 0.90127, 0.892381, 0.932381, 0.90127, 0.906032),
        "gmean": (0.875467, 0.919174, 0.920613, 0.919174, 0.902262, 0.950962, 0.946705, 0.961198),
        "balanced_accuracy": (
            0.8875,
            0.927738,
            0.929167,
            0.927738,
            0.9125,
            0.956944,
            0.952738,
            0.963849,
        ),
    },
}


def small(rows=120, seed=0):
    """A table with a category, a gap and overlapping classes."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": random.normal(size=rows), "b": random.normal(size=rows) * 50})
    frame["c"] = random.choice(["red", "green", "blue"], rows)
    frame["answer"] = np.where(frame["a"] + random.normal(size=rows) > 0.8, "yes", "no")
    frame.loc[::17, "b"] = np.nan
    return dataset_from_frame(frame, "answer", positive="yes", name="small")


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_slp_equals_the_published_figures_to_six_decimals(name):
    found = compare(builtin(name), losses=EIGHT, model="slp", protocol="paper").summary()
    for metric, figures in PUBLISHED[name].items():
        ours = [round(found.loc[loss, metric], 6) for loss in EIGHT]
        assert ours == list(figures), metric


def test_resampling_equals_the_published_figures():
    losses = ("bce+smote@ratio=0.7", "bce+undersample@ratio=0.3")
    data = builtin("breast_cancer_imbalanced")
    found = compare(data, losses=losses, protocol="paper").summary()
    figures = found[["accuracy", "f1", "balanced_accuracy"]].round(4).to_numpy()
    assert figures.tolist() == [[0.9872, 0.9302, 0.9708], [0.9847, 0.9149, 0.9652]]


def test_scores_are_those_of_sklearn_on_the_held_out_rows():
    data = small()
    found = compare(data, losses=("bce", "anyloss:f1"), folds=3, epochs=30)
    assert list(found.scores) == ["loss", "fold", "metric", "score"]
    assert len(found.scores) == 2 * 3 * len(METRICS)
    table = found.scores.set_index(["loss", "fold", "metric"])["score"]
    for fold, rows in found.probabilities.groupby("fold"):
        labels, predicted = rows["label"], rows["anyloss:f1"] > 0.5
        for metric, expected in (
            ("f1", f1_score(labels, predicted)),
            ("balanced_accuracy", balanced_accuracy_score(labels, predicted)),
            ("mcc", matthews_corrcoef(labels, predicted)),
        ):
            assert table["anyloss:f1", fold, metric] == pytest.approx(expected)
    assert sorted(found.probabilities["row"]) == list(range(data.rows))
    counts = found.confusion.groupby("loss")[["tn", "fn", "fp", "tp"]].sum().sum(axis=1)
    assert (counts == data.rows).all()


def test_a_summary_is_losses_by_metrics_and_json_holds_the_folds():
    found = al.compare(small(), losses=["anyloss:mcc", "bce"], folds=4, epochs=20, seed=3)
    assert list(found.summary().index) == ["anyloss:mcc", "bce"]
    assert list(found.summary().columns) == list(METRICS)
    written = json.loads(json.dumps(found.to_dict()))
    first = next(row for row in written["scores"] if row["metric"] == "f1")
    assert len(first["folds"]) == 4
    assert first["mean"] == pytest.approx(np.mean(first["folds"]))
    assert first["std"] == pytest.approx(np.std(first["folds"], ddof=1))
    assert written["settings"]["trained"]["bce"]["lr"] == FRESH.plans["slp"].lr
    assert set(found.seconds) == {"anyloss:mcc", "bce"}
    assert all(value > 0 for value in found.seconds.values())


def test_curves_have_a_point_for_every_loss_and_fold():
    found = compare(small(), losses=("bce", "mse"), folds=3, epochs=40, curves=10)
    curve = found.curves.query("loss == 'bce' and fold == 1")
    assert curve["epoch"].tolist() == [1, *range(4, 41, 4)]
    assert curve["train_loss"].is_monotonic_decreasing
    every = compare(small(), losses=("bce",), folds=2, epochs=7, curves=0).curves
    assert every.query("fold == 0")["epoch"].tolist() == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("protocol", list(PROTOCOLS))
def test_the_same_seed_repeats_a_comparison_and_another_does_not(protocol):
    settings = {"losses": ("bce", "anyloss:f1"), "model": "mlp", "folds": 2, "epochs": 6}
    runs = [compare(small(), protocol=protocol, seed=seed, **settings) for seed in (1, 1, 2)]
    first, again, other = (run.probabilities.drop(columns="fold") for run in runs)
    pd.testing.assert_frame_equal(first, again)
    assert not first.equals(other)


def test_a_loss_gives_the_same_numbers_whatever_it_is_compared_with():
    settings = {"model": "mlp", "folds": 3, "epochs": 25, "batch": 20}
    alone = compare(small(), losses=("anyloss:gmean",), **settings).probabilities
    crowd = ("bce", "bce+smote", "bce+threshold", "anyloss:gmean", "sol:f1", "focal")
    among = compare(small(), losses=crowd, **settings).probabilities
    assert np.allclose(alone["anyloss:gmean"], among["anyloss:gmean"], atol=1e-9)


def test_fresh_preparation_never_sees_the_validation_rows():
    data = small()
    settings = ComparisonSettings(losses=("bce",), folds=3)
    [assembly] = assemble(data, settings)
    for place, fold in enumerate(draw_folds(data, settings)):
        rows = assembly.study.rows[place]
        expected = prepare_fresh(data, fold.train).transform(data.frame)
        own = assembly.study.features[rows.train][:, : expected.shape[1]]
        assert np.array_equal(own, expected[fold.train])
        assert not set(fold.train) & set(fold.valid)


def test_repeats_draw_other_folds_and_seeds_other_starts():
    data = small()
    repeated = draw_folds(data, ComparisonSettings(folds=3, repeats=2))
    assert [fold.number for fold in repeated] == [0, 1, 2, 3, 4, 5]
    assert not np.array_equal(repeated[0].valid, repeated[3].valid)
    seeded = draw_folds(data, ComparisonSettings(folds=3, seeds=2))
    assert np.array_equal(seeded[0].valid, seeded[3].valid)
    assert seeded[0].seed != seeded[3].seed
    found = compare(data, losses=("bce",), folds=2, repeats=2, seeds=2, epochs=3, model="mlp")
    assert found.scores["fold"].nunique() == 8


def test_smote_adds_rows_of_the_rarer_class_to_the_training_rows_only():
    data = small()
    settings = ComparisonSettings(losses=("bce", "bce+smote", "bce+undersample"), folds=3)
    [assembly] = assemble(data, settings)
    study = assembly.study
    for member, recipe in zip(assembly.members, study.models, strict=True):
        rows = study.rows[recipe.rows]
        share = study.labels[rows.train].mean()
        assert len(rows.valid) == len(member.rows)
        assert (share == 0.5) == (member.loss > 0)
        assert np.array_equal(study.labels[rows.valid], data.labels[member.rows])


def test_a_tuned_threshold_comes_from_the_training_rows_of_its_fold():
    data = small()
    found = compare(data, losses=("bce", "bce+threshold@metric=gmean"), folds=3, epochs=60)
    tuned = found.confusion.query("loss != 'bce'")["threshold"]
    assert tuned.nunique() > 1
    assert (tuned < 0.5).all()  # one row in four is positive
    table = found.summary()
    assert table.iloc[1]["gmean"] > table.iloc[0]["gmean"]
    same = found.probabilities
    assert np.allclose(same["bce"], same["bce+threshold@metric=gmean"], atol=1e-10)


def test_thresholds_for_several_metrics_share_their_inner_models():
    data = synthetic(rows=200, features=3, imbalance=4, seed=1)
    both = ("bce+threshold", "bce+threshold@metric=gmean")
    alone = pd.concat(compare(data, losses=(one,), folds=3, epochs=40).confusion for one in both)
    together = compare(data, losses=both, folds=3, epochs=40).confusion
    assert together["threshold"].nunique() > 3
    columns = ["tn", "fn", "fp", "tp", "threshold"]
    np.testing.assert_allclose(together[columns], alone[columns], atol=1e-9)
    chosen = ComparisonSettings(losses=both, folds=3)
    (assembly,) = assemble(data, chosen)
    assert sum(member.inner for member in assembly.members) == 3 * INNER_FOLDS


@pytest.mark.parametrize("metric", ["f1", "gmean", "mcc", "accuracy"])
def test_the_best_threshold_is_no_worse_than_any_other(metric):
    random = np.random.default_rng(0)
    labels = random.integers(0, 2, 60)
    probabilities = np.round(np.clip(labels * 0.2 + random.random(60) * 0.8, 0, 1), 1)  # with ties
    score = get_score(metric)

    def reached(cut):
        predicted = probabilities > cut
        counts = np.bincount(2 * predicted + labels, minlength=4).astype(float)
        return float(score(type(al.Counts(0, 0, 0, 0))(*counts)))

    best = best_threshold(labels, probabilities, score)
    assert reached(best) == pytest.approx(max(reached(cut) for cut in np.linspace(0, 1, 201)))


def test_as_released_carries_one_network_through_losses_and_folds():
    data = small()
    losses = ("bce", "anyloss:f1", "mse")
    settings = ComparisonSettings(losses, "mlp", "as_released", folds=2, epochs=4)
    comparing = Comparing(data, settings)
    starts = []
    for _ in comparing:
        study = comparing.records[-1].training.study
        if not starts or starts[-1] is not study:
            starts.append(study)
    fresh = [study.start is None for study in starts]
    assert fresh == [True, False, True, False, False, False]  # mse has a network of its own
    assert comparing.result().scores["fold"].nunique() == 2


def test_stopping_in_the_middle_keeps_what_is_trained():
    settings = ComparisonSettings(("bce", "anyloss:f1"), folds=3, epochs=100)
    comparing = Comparing(small(), settings)
    for progress in comparing:
        if progress.done >= 40:
            break
    comparing.close()
    assert progress.fraction == 0.4
    assert progress.seconds_left > 0
    found = comparing.result()
    assert found.settings["epochs_done"] == 40
    assert len(found.scores) == 2 * 3 * len(METRICS)


def test_an_exception_between_batches_ends_a_comparison_at_once():
    def stop():
        raise InterruptedError

    comparing = Comparing(small(), ComparisonSettings(("bce",), model="mlp", batch=10), stop)
    with pytest.raises(InterruptedError):
        list(comparing)
    assert comparing.result().settings["epochs_done"] == 0


def test_progress_reaches_its_total():
    seen = []
    compare(small(), losses=("bce",), folds=2, epochs=30, on_progress=seen.append)
    assert seen[-1].fraction == 1.0
    assert [p.done for p in seen] == sorted(p.done for p in seen)


def test_large_tables_are_trained_in_several_studies_with_the_same_result(monkeypatch):
    whole = compare(small(), losses=("bce", "anyloss:f1"), folds=4, epochs=15)
    monkeypatch.setattr("anyloss_core.assembly.CELLS", 2 * 120 * 3)
    parts = compare(small(), losses=("bce", "anyloss:f1"), folds=4, epochs=15)
    ours, theirs = whole.probabilities, parts.probabilities
    assert np.allclose(ours.drop(columns="fold"), theirs.drop(columns="fold"), atol=1e-10)


def test_what_is_spelled_out_wins_over_the_protocol():
    plan = FRESH.plans["slp"]
    plain = trained_as(parse_loss("anyloss:f1"), plan)
    assert (plain.L, plain.warm_up) == (plan.L, plan.warm_up[""])
    spelled = trained_as(parse_loss("anyloss:f1@L=73,warm_up=0"), plan)
    assert (spelled.L, spelled.warm_up) == (73.0, 0.0)
    assert rate_of(parse_loss("bce@lr=0.5"), PAPER, "slp", "random") == 0.5
    assert rate_of(parse_loss("anyloss:gmean"), PAPER, "slp", "random") == 0.04
    assert rate_of(parse_loss("anyloss:gmean"), PAPER, "mlp", "random") == 0.005
    assert rate_of(parse_loss("bce+smote"), PAPER, "slp", "random") == 0.2


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"model": "cnn"}, "model"),
        ({"protocol": "secret"}, "protocol"),
        ({"folds": 1}, "folds"),
        ({"losses": ()}, "losses"),
        ({"losses": "bce"}, "must be a list of spellings"),
        ({"losses": ("bce", "bce")}, "twice"),
        ({"epochs": -1}, "epochs"),
        ({"lr": -0.1}, "lr"),
        ({"lr": 0}, "lr"),
        ({"batch": -1}, "batch"),
        ({"moon": 1}, "moon"),
        ({"hidden": (0,)}, "hidden"),
    ],
)
def test_wrong_settings_are_named(settings, word):
    with pytest.raises(ValueError, match=word):
        compare(small(), **settings)


def test_a_wrong_spelling_is_refused_before_anything_is_trained():
    with pytest.raises(LossError, match="anyloss"):
        compare(small(), losses=("anylos:f1",))


def test_settings_survive_json():
    settings = ComparisonSettings(("bce",), "mlp", hidden=(3, 2), epochs=5)
    assert ComparisonSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings
    with pytest.raises(SettingsError, match="mood"):
        ComparisonSettings.from_dict({"mood": "good"})
