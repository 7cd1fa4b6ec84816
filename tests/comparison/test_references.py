"""Scikit-learn's classifiers beside the losses: their numbers, their thresholds, the refusals."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import TunedThresholdClassifierCV

from anyloss_core.common.settings import SettingsError
from anyloss_core.comparison.assembly import draw_folds
from anyloss_core.comparison.comparison import Comparing, compare
from anyloss_core.comparison.estimates import unit_seconds
from anyloss_core.comparison.references import fitted, reference_seconds
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.data.preparation import prepare_fresh
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.export.model_file import train_final
from anyloss_core.live.settings import LiveSettings
from anyloss_core.losses.spelling import LossError, get_loss, parse_loss

LOSSES = ("bce", "logistic_regression", "boosted_trees")
SHORT = {"folds": 3, "repeats": 1, "epochs": 5}


@pytest.fixture(scope="module")
def data():
    return builtin("breast_cancer")


@pytest.fixture(scope="module")
def found(data):
    return compare(data, LOSSES, **SHORT)


def test_they_are_in_every_table_but_the_learning_curves(found):
    for table in (found.scores, found.confusion):
        assert list(table["loss"].unique()) == list(LOSSES)
    assert set(LOSSES) < set(found.probabilities)
    assert list(found.seconds) == list(LOSSES)
    assert found.curves["loss"].unique().tolist() == ["bce"]
    assert found.settings["trained"]["boosted_trees"]["lr"] is None


def test_probabilities_are_those_of_scikit_learn_on_the_same_fold(data, found):
    fold = draw_folds(data, ComparisonSettings(LOSSES, **SHORT))[1]
    features = prepare_fresh(data, fold.train).transform(data.frame)
    model = LogisticRegression(max_iter=1000).fit(features[fold.train], data.labels[fold.train])
    ours = found.probabilities.query("fold == 1").set_index("row")["logistic_regression"]
    theirs = model.predict_proba(features[fold.valid])[:, 1]
    np.testing.assert_allclose(ours[fold.valid], theirs, rtol=1e-9)


def test_the_threshold_is_tuned_for_the_metric_that_is_asked_about(data, found):
    table = found.confusion_for("recall").set_index(["loss", "fold"])
    for_f1 = found.confusion_for("f1").set_index(["loss", "fold"])
    for loss in LOSSES[1:]:
        assert (table.loc[loss, "threshold"] <= for_f1.loc[loss, "threshold"]).all()
        assert (table.loc[loss, "fn"] <= for_f1.loc[loss, "fn"]).all()
    fixed = compare(data, ["bce", "logistic_regression@metric=recall"], **SHORT)
    own = fixed.confusion_for("f1").query("loss != 'bce'")["threshold"].tolist()
    assert own == table.loc["logistic_regression", "threshold"].tolist()


def test_tuned_it_scores_as_scikit_learns_own_tuning(data, found):
    scores = []
    for fold in draw_folds(data, ComparisonSettings(LOSSES, **SHORT)):
        features = prepare_fresh(data, fold.train).transform(data.frame)
        model = TunedThresholdClassifierCV(LogisticRegression(max_iter=1000), scoring="f1", cv=5)
        model.fit(features[fold.train], data.labels[fold.train])
        scores.append(f1_score(data.labels[fold.valid], model.predict(features[fold.valid])))
    ours = found.summary()["f1"]["logistic_regression"]
    assert ours == pytest.approx(np.mean(scores), abs=0.01)


def test_a_seed_gives_the_same_trees(data):
    rows = data.frame.to_numpy(np.float64)
    first, second = (fitted("boosted_trees", rows, data.labels, 7)(rows) for _ in range(2))
    assert np.array_equal(first, second)


def test_progress_counts_them_and_one_that_is_stopped_is_left_out(data):
    comparing = Comparing(data, ComparisonSettings(LOSSES, **SHORT))
    for progress in comparing:
        if "fold 2 of 3" in progress.what:
            break
    comparing.close()
    assert 0 < progress.fraction < 1
    result = comparing.result()
    assert list(result.seconds) == ["bce"]
    assert list(result.summary().index) == ["bce"]
    *_, last = Comparing(data, ComparisonSettings(LOSSES, **SHORT))
    assert last.done == last.total
    assert last.what == "boosted trees (scikit-learn), fold 3 of 3"


def test_their_cost_is_in_the_estimate():
    plain, more = ComparisonSettings(("bce",)), ComparisonSettings(LOSSES)
    gap = unit_seconds(more, 5000, 20) - unit_seconds(plain, 5000, 20)
    assert gap == pytest.approx(reference_seconds(more, 5000, 20))
    assert gap > 0


def test_where_they_make_no_sense_they_are_refused_in_words(data):
    with pytest.raises(SettingsError, match="add a loss such as bce"):
        ComparisonSettings(("boosted_trees",))
    with pytest.raises(SettingsError, match="use protocol 'fresh'"):
        ComparisonSettings(LOSSES, protocol="paper")
    with pytest.raises(SettingsError, match="the page Compare"):
        LiveSettings(data="builtin:moons", losses=("boosted_trees",))
    with pytest.raises(LossError, match="trained by scikit-learn"):
        get_loss("boosted_trees")
    with pytest.raises(LossError, match="did you mean 'boosted_trees'"):
        parse_loss("boosted_tree")
    with pytest.raises(ValueError, match="no model file"):
        train_final(data, "logistic_regression")
