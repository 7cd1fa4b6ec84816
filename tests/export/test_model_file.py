"""Model files: what is saved comes back, predicts on new tables, and cannot do anything else."""

import io
import json
import random
import zipfile

import numpy as np
import pandas as pd
import pytest
import safetensors.torch
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import anyloss_core as al
from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.errors import DataError
from anyloss_core.data.suites.real_suite import load_real
from anyloss_core.export.model_file import ModelFileError, load_model, save_model, train_final

SCORE = "score in [0, 1], cut at 0.5"
ODD = b'"calibration": {"method": "isotonic", "pairs": [[0.1, 7], [0.2, 0.3]]}'
QUICK = {"epochs": 120, "model": "mlp"}


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    size = random.normal(50, 20, 300)
    colour = random.choice(["red", "green", "blue"], 300)
    day = pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 300, 300), "D")
    score = (size - 50) / 20 + (colour == "red") * 1.5 + random.normal(0, 0.5, 300)
    ill = np.where(score > 1.4, "ill", "well")
    frame = pd.DataFrame({"size": size, "colour": colour, "day": day, "ill": ill})
    frame.loc[::17, "size"] = np.nan
    return frame


@pytest.fixture(scope="module")
def dataset(table):
    return dataset_from_frame(table, "ill", "ill", name="patients")


@pytest.fixture(scope="module")
def model(dataset):
    return train_final(dataset, "anyloss:f1", QUICK)


def test_a_saved_model_predicts_the_same_on_a_new_csv(model, table, tmp_path):
    new = tmp_path / "new.csv"
    table.drop(columns="ill").iloc[:50].to_csv(new, index=False)
    save_model(model, tmp_path / "model.zip")
    again = al.load_model(tmp_path / "model.zip")
    np.testing.assert_array_equal(again.predict_proba(new), model.predict_proba(table.iloc[:50]))
    assert set(again.predict(new)) == {"ill", "well"}


def test_the_predictions_are_worth_something(model, table):
    assert (model.predict(table) == table["ill"]).mean() > 0.9


def test_predictions_stand_beside_the_rows(model, table):
    out = pd.read_csv(io.BytesIO(model.predict_csv(table.drop(columns="ill"))))
    assert list(out.columns) == ["size", "colour", "day", "predicted ill", SCORE]
    above = out[SCORE] > 0.5
    np.testing.assert_array_equal(out["predicted ill"], np.where(above, "ill", "well"))


def test_a_calibrated_model_gives_probabilities_and_decides_as_before():
    data = load_real("Ecdat/Mathlevel")
    table = data.frame.assign(low=data.labels)
    learned, new = table.iloc[::2], table.iloc[1::2]
    half = dataset_from_frame(learned, "low", 1)
    plain, model = (train_final(half, "anyloss:f1", calibrate=word) for word in (False, True))
    again = al.load_model(save_model(model))
    np.testing.assert_array_equal(again.predict(new), plain.predict(new))
    np.testing.assert_array_equal(again.scores(new), plain.predict_proba(new))
    before, after = (log_loss(new["low"], m.predict_proba(new)) for m in (plain, again))
    assert after < 0.57 < 0.9 < before
    out = again.predict_table(new)
    assert list(out.columns[-3:]) == ["predicted low", SCORE, "P(low = 1)"]
    np.testing.assert_array_equal(out["P(low = 1)"], again.predict_proba(new))


def test_levels_never_seen_and_gaps_are_no_obstacle(model, table):
    odd = table.drop(columns="ill").assign(colour="violet", size=np.nan, day="")
    p = model.predict_proba(odd.head())
    assert ((p > 0) & (p < 1)).all()
    np.testing.assert_array_equal(p, p[0])  # they differ in nothing that the model knows


def test_a_missing_column_is_named(model, table):
    with pytest.raises(DataError, match="lacks the columns 'colour'"):
        model.predict(table.drop(columns="colour"))


def test_one_feature_needs_one_column_only(table):
    narrow = dataset_from_frame(table[["size", "ill"]], "ill", "ill")
    model = train_final(narrow, "bce", {"epochs": 20})
    assert len(model.predict(b"size\n10\n90\n")) == 2


def test_bce_on_all_rows_comes_to_logistic_regression():
    data = al.load_csv(
        b"x,y,c\n" + b"\n".join(b"%d,%d,%d" % (i % 7, i % 5, (i * i) % 3 == 1) for i in range(60)),
        target="c",
    )
    # Not longer: once the gradient has vanished, Adam divides rounding errors by themselves.
    model = train_final(data, "bce", {"epochs": 700, "lr": 0.1})
    oracle = make_pipeline(
        StandardScaler(), LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-12)
    )
    oracle.fit(data.frame, data.labels)
    expected = oracle.predict_proba(data.frame)[:, 1]
    np.testing.assert_allclose(model.predict_proba(data.frame), expected, atol=1e-6)


def test_a_threshold_is_tuned_for_the_metric_that_was_chosen(dataset):
    careful, eager = (
        train_final(dataset, "bce+threshold", QUICK, metric=metric)
        for metric in ("precision", "recall")
    )
    assert careful.threshold > eager.threshold
    assert load_model(save_model(eager)).story["tuned_for"] == "recall"
    assert train_final(dataset, "bce", QUICK).story["tuned_for"] is None


def test_a_threshold_of_ones_own_is_kept_instead(dataset):
    model = train_final(dataset, "bce+threshold", QUICK, threshold=0.125)
    assert model.story["tuned_for"] is None
    again = load_model(save_model(model))
    assert again.threshold == 0.125
    above = again.scores(dataset.frame) > 0.125
    np.testing.assert_array_equal(again.predict(dataset.frame) == "ill", above)


def test_a_tuned_threshold_travels_with_the_model(dataset):
    model = train_final(dataset, "bce+threshold", QUICK)
    assert model.threshold != 0.5
    again = al.load_model(save_model(model))
    assert again.threshold == model.threshold
    above = again.predict_proba(dataset.frame) > model.threshold
    np.testing.assert_array_equal(again.predict(dataset.frame) == "ill", above)


@pytest.mark.parametrize(
    ("loss", "protocol"),
    [
        ("bce+smote", "fresh"),
        ("bce+undersample", "fresh"),
        ("sol:gmean", "fresh"),
        ("anyloss:TP / (TP + FP + FN)@L=5..73", "fresh"),
        ("mse", "paper"),  # a linear output behind batch norm
        ("anyloss:f2", "as_released"),  # in float32
    ],
)
def test_every_kind_of_loss_can_be_saved(dataset, loss, protocol):
    settings = {"epochs": 3, "model": "mlp", "protocol": protocol}
    model = train_final(dataset, loss, settings)
    again = al.load_model(save_model(model))
    np.testing.assert_array_equal(
        again.predict_proba(dataset.frame), model.predict_proba(dataset.frame)
    )


def test_the_file_holds_no_pickle_and_tells_its_story(model):
    with zipfile.ZipFile(io.BytesIO(save_model(model))) as archive:
        assert sorted(archive.namelist()) == ["README.md", "model.json", "model.safetensors"]
        story = json.loads(archive.read("model.json"))
    assert story["settings"]["fingerprint"] == model.story["settings"]["fingerprint"]
    assert story["classes"] == {"target": "ill", "positive": "ill", "negative": "well"}
    assert "torch" in story["versions"]
    assert "colour=red" in story["features"]


def _changed(content, name, change):
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        for part in old.namelist():
            data = old.read(part)
            new.writestr(part, change(data) if part == name else data)
    return out.getvalue()


def _retyped(weights):
    """The bias in another precision than the rest."""
    tensors = safetensors.torch.load(weights)
    return safetensors.torch.save(tensors | {"bias0": tensors["bias0"].half()})


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("model.json", lambda data: b"{}"),
        ("model.json", lambda data: b"[1, 2"),
        ("model.json", lambda data: b"[" * 100_000),
        ("model.json", lambda data: data.replace(b'"version": 1', b'"version": 99')),
        ("model.json", lambda data: data.replace(b'"hidden": [', b'"hidden": [9, ')),
        ("model.json", lambda data: data.replace(b'"anyloss:f1@', b'"nonsense@')),
        ("model.json", lambda data: data.replace(b'"threshold": 0.5', b'"threshold": "x"')),
        ("model.json", lambda data: data.replace(b'"threshold": 0.5', b'"threshold": NaN')),
        ("model.json", lambda data: data.replace(b'"threshold": 0.5', b'"threshold": 1e999')),
        ("model.json", lambda data: data.replace(b'"threshold": 0.5', b'"threshold": true')),
        ("model.json", lambda data: data.replace(b'"family": "', b'"family": "odd')),
        ("model.json", lambda data: data.replace(b'"family": "', b'"family": 3, "x": "')),
        ("model.json", lambda data: data.replace(b'"positive": "ill"', b'"positive": ["ill"]')),
        ("model.json", lambda data: data.replace(b'"batch_norm": false', b'"batch_norm": "no"')),
        ("model.json", lambda data: data.replace(b'"epsilon": 1e-05', b'"epsilon": NaN')),
        ("model.json", lambda data: data.replace(b'"features"', b'"calibration": {}, "features"')),
        ("model.json", lambda data: data.replace(b'"features"', ODD + b', "features"')),
        ("model.safetensors", lambda data: data[:-20]),
        ("model.safetensors", lambda data: _retyped(data)),
        ("model.safetensors", lambda data: b"\xff" * 200),
    ],
)
def test_a_damaged_file_is_refused_with_one_kind_of_error(model, name, change):
    with pytest.raises(ModelFileError):
        al.load_model(_changed(save_model(model), name, change))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 not really", b"a,b\n1,2\n"])
def test_something_else_is_no_model_file(content):
    with pytest.raises(ModelFileError, match="no model file"):
        al.load_model(content)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ModelFileError, match=r"nowhere\.zip cannot be opened"):
        al.load_model(tmp_path / "nowhere.zip")


def test_a_file_with_flipped_bits_is_read_or_refused_with_one_kind_of_error(model):
    content, chance, refused = save_model(model), random.Random(0), 0
    for _ in range(3_000):
        flipped = bytearray(content)
        for _ in range(chance.randint(1, 4)):
            flipped[chance.randrange(len(flipped))] ^= 1 << chance.randrange(8)
        try:
            al.load_model(bytes(flipped))
        except ModelFileError:
            refused += 1
    assert refused > 1_000
