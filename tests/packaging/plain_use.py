"""What a plain install can do, and what it says where an extra is missing, as JSON.

test_wheel.py runs this file in an environment that has no extra, and `plain_uses` in its own.
"""

import importlib
import json
import sys
from pathlib import Path

import torch

import anyloss_core as al


def plain_uses(csv):
    """Losses, estimator, comparison, sign test and model file: the numbers that they give."""
    data = al.load_csv(csv)
    loss = al.AnyLoss("f1")(torch.tensor([2.0, -1.0, 0.5]), torch.tensor([1.0, 0.0, 1.0]))
    comparison = al.compare(data, losses=["bce", "bce+smote", "anyloss:f1"], folds=3, epochs=20)
    scores = comparison.scores.rename(columns={"fold": "dataset"})
    verdict = al.sign_test(scores[scores["metric"] == "f1"], rope=0.01)[0]
    classifier = al.AnyLossClassifier("f1", random_state=0).fit(data.frame, data.labels)
    return {
        "loss": loss.item(),
        "compare": comparison.summary().to_dict(),
        "sign_test": [verdict.candidate, verdict.candidate_wins],
        "classifier": classifier.predict_proba(data.frame)[:, 1].tolist(),
    }


def missing_extras(csv, workbook):
    """Extra -> what is said where it is needed and missing."""
    from anyloss_core.benchmark.benchmark import run_benchmark
    from anyloss_core.data.suites.references import open_reference
    from anyloss_core.export.model_file import train_final
    from anyloss_core.export.onnx import to_onnx

    data = al.load_csv(csv)
    needs = {
        "app": lambda: importlib.import_module("anyloss_core.export.report_content"),
        "data": lambda: open_reference("real:MASS/biopsy"),
        "dask": lambda: run_benchmark(Path(csv).parent, ["bce"], dask="tcp://127.0.0.1:9"),
        "excel": lambda: al.load_csv(workbook),
        "onnx": lambda: to_onnx(train_final(data, "bce")),
    }
    return {extra: _complaint(use) for extra, use in needs.items()}


def _complaint(use):
    try:
        use()
    except (ValueError, ModuleNotFoundError) as error:
        return str(error)
    return "nothing is missing"


if __name__ == "__main__":
    found = {"file": al.__file__, "uses": plain_uses(sys.argv[1])}
    print(json.dumps(found | {"missing": missing_extras(*sys.argv[1:])}))
