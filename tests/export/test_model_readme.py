"""The README in a model file says what the model is, whatever the names are."""

import io
import zipfile

from anyloss_core.export.model_file import save_model, train_final
from tests.export import models


def _readme(loss, **more):
    model = train_final(models.dataset(), loss, {"epochs": 2, **more.pop("settings", {})}, **more)
    with zipfile.ZipFile(io.BytesIO(save_model(model))) as archive:
        return archive.read("README.md").decode()


def test_it_names_question_loss_threshold_and_columns():
    text = _readme("anyloss:f1@L=20", settings={"model": "mlp", "hidden": [3]})
    assert "AnyLoss-F1 (L=20" in text
    assert "hidden layers of 3 units, trained on all 300 rows of patients" in text
    assert "above the threshold 0.5." in text
    assert "The score is no probability" in text
    assert "smokes, day" in text


def test_it_says_what_a_score_means():
    assert "estimate of the probability" in _readme("bce")
    assert "predict_proba" in _readme("bce", calibrate=True)


def test_a_tuned_threshold_says_for_what():
    assert "tuned for recall" in _readme("bce+threshold", metric="recall")
    assert "tuned for" not in _readme("bce+threshold", threshold=0.3)


def test_names_from_outside_stay_on_their_line():
    text = _readme("bce")
    assert not any(line.startswith('"""') for line in text.splitlines())
    assert text.splitlines()[0].startswith("# answer: i'll")
    assert text.splitlines()[0].endswith("?")
