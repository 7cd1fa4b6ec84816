"""The examples of the room's README, run as they stand."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.metrics import f1_score

from anyloss_core.losses.counts_loss import AnyLoss

README = Path(__file__).parents[2] / "anyloss_core" / "losses" / "README.md"
SECTION = README.read_text(encoding="utf-8").split("## More examples")[1]
BLOCKS = re.findall(r"```python\n(.*?)```", SECTION, re.DOTALL)
LEARNT = {"plain loop": 0.8, "labels": 0.8, "parts": 0.9}


def _run(block, **names):
    space = {"__name__": "example", **names}
    exec(compile(block, "README", "exec"), space)
    return space


@pytest.mark.parametrize("name", LEARNT)
def test_an_example_learns_what_it_is_for(name):
    space, least = _run(BLOCKS[list(LEARNT).index(name)]), LEARNT[name]
    score = f1_score(np.asarray(space["labels"]), np.asarray(space["predicted"]), average="macro")
    assert score > least


@pytest.mark.filterwarnings("ignore")  # what transformers says of itself is not ours
def test_a_hugging_face_trainer_trains_with_it(tmp_path):
    pytest.importorskip("transformers")
    space = _run(BLOCKS[3], folder=str(tmp_path))
    assert f1_score(np.asarray(space["labels"]), np.asarray(space["predicted"])) > 0.5


@pytest.mark.filterwarnings("ignore")  # what keras says of itself is not ours
def test_the_keras_recipe_gives_our_numbers():
    os.environ["KERAS_BACKEND"] = "torch"
    pytest.importorskip("keras")
    recipe = _run(BLOCKS[4])["AnyF1"]()
    logits = torch.randn(200, 1, generator=torch.Generator().manual_seed(0))
    labels = (torch.arange(200)[:, None] % 5 == 0).float()
    ours, theirs = (logits.clone().requires_grad_() for _ in range(2))
    loss, found = AnyLoss("f1")(ours, labels), recipe(labels, theirs)
    assert found.item() == pytest.approx(loss.item(), abs=1e-6)
    loss.backward()
    found.backward()
    torch.testing.assert_close(theirs.grad, ours.grad, rtol=0, atol=1e-6)


def test_two_processes_train_one_model(tmp_path):
    script = tmp_path / "two.py"
    script.write_text(BLOCKS[5], encoding="utf-8")
    command = [sys.executable, str(script), (tmp_path / "meeting").as_uri()]
    known = os.environ | {"PYTHONPATH": str(README.parents[2])}
    run = subprocess.run(command, env=known, capture_output=True, text=True, check=True)
    said = dict(line.split(" found ") for line in run.stdout.strip().splitlines())
    assert set(said) == {"0", "1"}
    assert said["0"] == said["1"]  # they hold the same weights
    found, _, positives = said["0"].split()
    assert int(found) > 0.9 * int(positives) > 100
