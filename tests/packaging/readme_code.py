"""The examples of the READMEs, and a script that runs them one after the other as they stand.

Started as a script, it reads the examples as JSON, runs each and prints how well it has learned.
"""

import json
import re
import sys
import warnings
from pathlib import Path

ROOT = Path(__file__).parents[2]
READMES = (ROOT / "README.md", ROOT / "anyloss_core" / "losses" / "README.md")
SECTION = re.compile(r"^## Use it in your code$(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"```python\n(.*?)```", re.DOTALL)
PACKAGES = ("lightning", "skorch")  # what they say of themselves is not ours


def examples():
    """Name -> code of every example in the sections 'Use it in your code'."""
    text = "\n## \n".join(readme.read_text(encoding="utf-8") for readme in READMES)
    sections = SECTION.findall(text)
    assert len(sections) == len(READMES)
    blocks = [block for section in sections for block in CODE.findall(section)]
    return {_name(block): block for block in blocks}


def _name(block):
    return next((p for p in (*PACKAGES, "AnyLossClassifier") if p in block), "torch")


def run(name, code):
    """Balanced accuracy of what the example predicts; a warning of our own is an error."""
    import numpy as np
    import torch
    from sklearn.metrics import balanced_accuracy_score

    torch.manual_seed(0)
    space = {"__name__": "example"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if name in PACKAGES else "error")
        exec(compile(code, f"README, {name}", "exec"), space)
    actual = np.asarray(space.get("test_labels", space["labels"]))
    return balanced_accuracy_score(actual, np.asarray(space["predicted"]))


if __name__ == "__main__":
    import anyloss_core

    found = {name: run(name, code) for name, code in json.load(sys.stdin).items()}
    print(json.dumps(found | {"file": anyloss_core.__file__}))
