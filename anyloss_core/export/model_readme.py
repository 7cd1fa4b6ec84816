"""The README inside a model file: what the model is, what it wants, and how to use it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anyloss_core.common.text import visible
from anyloss_core.common.wording import loss_words, metric_words

if TYPE_CHECKING:
    from anyloss_core.export.model_file import TrainedModel

NAME = "README.md"
LONGEST = 200  # characters of a name from a file
TEXT = """\
# {target}: {positive} or {negative}?

A classifier made by AnyLoss Lab with {loss}{network}, trained on all {rows} rows of {dataset}.

- A row is called {positive} when its score in [0, 1] is above the threshold {threshold:.6g}{tuned}.
- {meaning}
- It wants these columns, by name: {columns}.

## Use it

With the package anyloss_core (its folder: `pip install .`):

    import anyloss_core as al
    model = al.load_model("model.zip")
    model.predict("new_rows.csv")             # the class of every row
    model.scores("new_rows.csv")              # its score
    model.predict_table("new_rows.csv")       # the rows with both beside them

Without the package, the Lab writes the same model as one Python function, as SQL (without hidden
layers) and as ONNX.

## What lies in this file

- `model.safetensors`: the weights (https://github.com/huggingface/safetensors), no pickle.
- `model.json`: network, loss, threshold, classes, the preparation with its columns, means and
  levels, the settings of the training, and the versions it was made with.
"""
SCORES = "The score is no probability: the loss pushes it towards 0 and 1."
PROBABILITIES = "The score is no probability; a calibration beside it makes one (`predict_proba`)."
LIKELY = "The score of this loss is an estimate of the probability, and is not calibrated."


def model_readme(model: TrainedModel) -> str:
    """The text of the file; names from outside are spelled out on one line."""
    settings = model.story.get("settings") or {}
    hidden = model.parameters.network.hidden
    tuned = model.story.get("tuned_for")
    return TEXT.format(
        target=_name(model.target),
        positive=_name(model.positive),
        negative=_name(model.negative),
        loss=_name(loss_words(model.loss.spelling)),
        network=f" and hidden layers of {', '.join(map(str, hidden))} units" if hidden else "",
        rows=settings.get("rows", "its"),
        dataset=_name(settings.get("dataset", "its table")),
        threshold=model.threshold,
        tuned=f", tuned for {_name(metric_words(tuned))}" if tuned else "",
        meaning=_meaning(model),
        columns=", ".join(_name(field.name) for field in model.preparation.fields),
    )


def _meaning(model: TrainedModel) -> str:
    if model.calibration is not None:
        return PROBABILITIES
    return SCORES if model.loss.score is not None else LIKELY


def _name(text: object) -> str:
    return visible(str(text), LONGEST)
