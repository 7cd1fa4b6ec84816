"""The network outside of this package: plain torch and ONNX give the same probabilities."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from anyloss_core.comparison.calibration import Calibration
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.export.model_file import train_final
from anyloss_core.export.onnx import to_onnx, to_torch

SETTINGS = {
    "slp": {"model": "slp"},
    "mlp": {"model": "mlp", "hidden": (5, 3), "activation": "relu"},
    "batch norm, linear output": {"model": "mlp", "protocol": "paper"},
}


@pytest.fixture(scope="module", params=SETTINGS)
def trained(request):
    data = builtin("breast_cancer_imbalanced")
    loss = "mse" if "linear" in request.param else "anyloss:f1"
    model = train_final(data, loss, {"epochs": 2, **SETTINGS[request.param]})
    return model, model.preparation.transform(data.frame), model.predict_proba(data.frame)


def test_plain_torch_layers_give_the_same_probabilities(trained):
    model, features, expected = trained
    with torch.no_grad():
        ours = to_torch(model)(torch.from_numpy(features)).numpy()
    np.testing.assert_allclose(ours, expected, atol=1e-12)


def test_onnx_runtime_gives_the_same_probabilities(trained):
    runtime = pytest.importorskip("onnxruntime")
    model, features, expected = trained
    session = runtime.InferenceSession(to_onnx(model))
    for rows in (1, len(features)):  # the number of rows is free
        (found,) = session.run(None, {"features": features[:rows].astype(np.float32)})
        np.testing.assert_allclose(found, expected[:rows], atol=1e-5)
    facts = session.get_modelmeta().custom_metadata_map
    assert facts["features"].split("\n") == list(model.preparation.feature_names)
    assert facts["positive"] == "malignant"
    assert [output.name for output in session.get_outputs()] == ["score"]


def test_the_calibration_is_told_in_the_metadata(trained):
    onnx = pytest.importorskip("onnx")
    model = replace(trained[0], calibration=Calibration("sigmoid", ((0.5, -1.0),)))
    facts = {p.key: p.value for p in onnx.load_from_string(to_onnx(model)).metadata_props}
    assert Calibration.from_dict(json.loads(facts["calibration"])) == model.calibration


def test_without_onnx_the_message_says_what_to_install(trained, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match="pip install onnx onnxscript"):
        to_onnx(trained[0])
