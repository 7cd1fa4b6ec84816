"""The examples of the README's section 'Use it in your code' run as they stand there."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.metrics import balanced_accuracy_score

README = Path(__file__).parents[2] / "README.md"
PACKAGES = {"lightning": "lightning", "skorch": "skorch"}


def _blocks():
    section = README.read_text(encoding="utf-8").partition("## Use it in your code")[2]
    section = re.split(r"^## ", section, flags=re.MULTILINE)[0]
    return re.findall(r"```python\n(.*?)```", section, flags=re.DOTALL)


def _name(block):
    return next((p for p in ("lightning", "skorch", "AnyLossClassifier") if p in block), "torch")


def test_the_section_shows_torch_lightning_skorch_and_scikit_learn():
    assert sorted(map(_name, _blocks())) == ["AnyLossClassifier", "lightning", "skorch", "torch"]


@pytest.mark.parametrize("block", _blocks(), ids=_name)
def test_the_example_runs_and_learns(block):
    if _name(block) in PACKAGES:
        pytest.importorskip(PACKAGES[_name(block)])
    torch.manual_seed(0)
    space = {"__name__": "example"}
    with warnings.catch_warnings():
        if _name(block) in PACKAGES:  # what these packages say about themselves is not ours
            warnings.simplefilter("ignore")
        exec(compile(block, f"README, {_name(block)}", "exec"), space)
    actual = np.asarray(space.get("test_labels", space["labels"]))
    assert balanced_accuracy_score(actual, np.asarray(space["predicted"])) > 0.75
