"""A trained model to take away: weights as safetensors, everything else as JSON, no pickle.

A model file is a zip with `model.safetensors`, `model.json` (the network, the loss, the threshold,
the calibration if there is one, and the preparation with its columns, types, means and levels) and
a README for whoever finds it. `train_final` trains on
all rows what a comparison found best, `save_model` writes it, `load_model` reads it, from anywhere,
and predicts on new tables.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import safetensors.torch
import torch
from torch import Tensor

from anyloss_core.common.versions import versions
from anyloss_core.comparison.calibration import Calibration, fit_calibration
from anyloss_core.data.cells.spreadsheet import harmless_csv
from anyloss_core.data.dataset import Dataset
from anyloss_core.data.preparation import Preparation, prepare_fresh
from anyloss_core.data.reading.table import read_table
from anyloss_core.engine.models import Network, Parameters, predict
from anyloss_core.export.model_readme import NAME as README
from anyloss_core.export.model_readme import model_readme
from anyloss_core.losses.outputs import probabilities
from anyloss_core.losses.spelling import FAMILIES, LossSpec, Ramp, parse_loss

if TYPE_CHECKING:
    from anyloss_core.comparison.settings import ComparisonSettings

FORMAT, VERSION = "anyloss-model", 1
WEIGHTS, STORY = "model.safetensors", "model.json"
CALIBRATION_FOLDS = 5
CLASSES = ("target", "positive", "negative")  # fields that name what is predicted
MAX_BYTES = 50_000_000  # of either part; our networks have far fewer weights


class ModelFileError(ValueError):
    """A file that is no model of ours; the message says what is wrong with it."""


@dataclass(frozen=True, eq=False)
class TrainedModel:
    """A network with all it needs to read a table and to name the classes."""

    parameters: Parameters  # of one model
    loss: LossSpec
    threshold: float  # a score above it means positive
    preparation: Preparation
    target: str
    positive: str
    negative: str
    story: dict[str, Any]  # data set, settings, versions: for the reader, not needed to predict
    calibration: Calibration | None = None  # makes probabilities of the scores

    def predict_proba(self, rows: pd.DataFrame | str | Path | bytes | IO) -> np.ndarray:
        """P(positive) of every row of a frame or a file, shape (rows,), if it is calibrated.

        Without a calibration these are the `scores`: in [0, 1], but no probabilities.
        """
        scores = self.scores(rows)
        return scores if self.calibration is None else self.calibration(scores)

    def scores(self, rows: pd.DataFrame | str | Path | bytes | IO) -> np.ndarray:
        """A score in [0, 1] of every row, shape (rows,); above `threshold` it means positive."""
        features = torch.from_numpy(self.preparation.transform(_as_frame(rows)))
        return probabilities(self.loss, predict(self.parameters, features)[0]).double().numpy()

    def predict(self, rows: pd.DataFrame | str | Path | bytes | IO) -> np.ndarray:
        """The class of every row, as it was written in the training data."""
        return self._classes(self.scores(rows))

    def predict_table(self, rows: pd.DataFrame | str | Path | bytes | IO) -> pd.DataFrame:
        """The rows with the predicted class and its score beside them, and P if calibrated."""
        frame = _as_frame(rows)
        return frame.assign(**self.predictions(frame))

    def predictions(self, rows: pd.DataFrame | str | Path | bytes | IO) -> dict[str, np.ndarray]:
        """What `predict_table` puts beside the rows: a name and values (rows,) for each column."""
        scores = self.scores(rows)
        found = {
            f"predicted {self.target}": self._classes(scores),
            f"score in [0, 1], cut at {self.threshold:.4g}": scores,
        }
        if self.calibration is not None:
            found[f"P({self.target} = {self.positive})"] = self.calibration(scores)
        return found

    def predict_csv(self, rows: pd.DataFrame | str | Path | bytes | IO) -> bytes:
        """`predict_table` as CSV, with texts that no spreadsheet runs as formulas."""
        return harmless_csv(self.predict_table(rows), "\r\n")

    def _classes(self, scores: np.ndarray) -> np.ndarray:
        return np.where(scores > self.threshold, self.positive, self.negative).astype(object)


def train_final(
    dataset: Dataset,
    loss: str,
    settings: ComparisonSettings | Mapping[str, Any] | None = None,
    on_batch: Callable[[], None] | None = None,
    metric: str | None = None,
    calibrate: bool = False,
    threshold: float | None = None,
) -> TrainedModel:
    """One model on all rows, with the settings of a comparison; its recipe is chosen as there.

    `metric` is what the threshold of 'bce+threshold' is tuned for, unless its spelling says it;
    None is F1.
    The preparation is fitted on all rows as in the 'fresh' protocol, whatever the protocol.
    `threshold` is kept instead of that of the loss; it may have been chosen by what it costs.
    `calibrate` trains on inner folds too and learns from their held-out scores what a score means.
    `on_batch` is called after every batch and may raise to end the training.
    """
    from anyloss_core.comparison.assembly import assemble_whole
    from anyloss_core.comparison.estimates import check_fits, estimate_final
    from anyloss_core.comparison.outcomes import TUNED_FOR, Record, fold_results
    from anyloss_core.comparison.results import tabulate
    from anyloss_core.engine.loop import train

    if parse_loss(loss).is_reference:
        raise ValueError(
            f"{loss!r} is trained by scikit-learn and has no model file; choose another loss, or "
            "fit and keep it with scikit-learn"
        )
    chosen = replace(_one_loss(settings, loss), training_rows=dataset.rows)
    check_fits(estimate_final(dataset, chosen), "this model")
    assembly = assemble_whole(dataset, chosen)
    record, training = Record(assembly), train(assembly.study, on_batch)
    for event in training:
        record.add(event)
    parameters = training.parameters()
    record.finish(training)
    (taken,) = fold_results(record, dataset, chosen, metric or TUNED_FOR)
    assert taken.trained is not None  # by our engine
    result = tabulate(dataset, chosen, [record], 0.0)
    return TrainedModel(
        parameters.one(taken.model),
        taken.trained.loss,
        taken.threshold if threshold is None else threshold,
        prepare_fresh(dataset, np.arange(dataset.rows)),
        *(dataset.target, dataset.positive, dataset.negative),
        {
            "settings": result.settings,
            "tuned_for": (metric or TUNED_FOR) if len(result.cuts) and threshold is None else None,
            "versions": versions(),
        },
        _calibration(dataset, chosen, on_batch) if calibrate else None,
    )


def _calibration(
    dataset: Dataset, settings: ComparisonSettings, on_batch: Callable[[], None] | None
) -> Calibration:
    """What the scores of this loss mean, learned on rows that inner models have not seen."""
    from anyloss_core.comparison.comparison import Comparing

    inner = replace(settings, folds=min(CALIBRATION_FOLDS, dataset.minority), repeats=1, seeds=1)
    if settings.chosen_protocol.carried:  # its networks have seen the held-out rows
        inner = replace(inner, protocol="paper")
    comparing = Comparing(dataset, inner, on_batch)
    for _ in comparing:
        pass
    table = comparing.result().probabilities
    return fit_calibration(table["label"].to_numpy(), table[inner.names[0]].to_numpy())


def save_model(model: TrainedModel, path: str | Path | None = None) -> bytes:
    """The model file as bytes, also written to `path` if there is one."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        tensors = {k: v.detach().cpu().contiguous() for k, v in model.parameters.tensors.items()}
        archive.writestr(WEIGHTS, safetensors.torch.save(tensors))
        archive.writestr(STORY, json.dumps(_described(model), indent=1, allow_nan=False))
        archive.writestr(README, model_readme(model))
    if path is not None:
        Path(path).write_bytes(content.getvalue())
    return content.getvalue()


def load_model(source: str | Path | bytes | IO) -> TrainedModel:
    """Read a model file: a path, its bytes or an open file."""
    try:
        file = io.BytesIO(source) if isinstance(source, bytes) else source
        with zipfile.ZipFile(file) as archive:
            weights, text = (_member(archive, name) for name in (WEIGHTS, STORY))
        return _built(safetensors.torch.load(weights), json.loads(text))
    except (ModelFileError, MemoryError):
        raise
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise ModelFileError(f"the model file {source!s:.200} cannot be opened: {reason}") from None
    except Exception as error:  # a damaged zip makes the standard library raise a dozen types
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise ModelFileError(
            f"this is no model file of the Lab, or it is damaged ({reason}); save the model again"
        ) from None


def _described(model: TrainedModel) -> dict[str, Any]:
    spec = model.loss
    amplifier = asdict(spec.L) if isinstance(spec.L, Ramp) else spec.L
    return {
        "format": FORMAT,
        "version": VERSION,
        "network": asdict(model.parameters.network),
        "loss": {"spelling": spec.spelling, "family": spec.family, "L": amplifier},
        "threshold": model.threshold,
        "classes": {name: getattr(model, name) for name in CLASSES},
        "features": list(model.preparation.feature_names),
        "preparation": model.preparation.to_dict(),
        **({"calibration": asdict(model.calibration)} if model.calibration else {}),
        **model.story,
    }


def _built(tensors: dict[str, Tensor], stored: dict[str, Any]) -> TrainedModel:
    if stored.get("format") != FORMAT or stored.get("version") != VERSION:
        raise ModelFileError("this is no model file of the Lab, or one of another version")
    network = _network(stored["network"])
    preparation = Preparation.from_dict(stored["preparation"])
    _check_tensors(tensors, network, len(preparation.feature_names))
    spec = _loss(stored["loss"])
    return TrainedModel(
        parameters=Parameters(network, tensors),
        loss=spec,
        threshold=_number(stored["threshold"], "threshold"),
        preparation=preparation,
        **{name: _text(stored["classes"][name], name) for name in CLASSES},
        story={key: stored.get(key, {}) for key in ("settings", "tuned_for", "versions")},
        calibration=_calibration_in(stored),
    )


def _network(stored: dict[str, Any]) -> Network:
    numbers = {name: _number(stored[name], name) for name in ("momentum", "epsilon")}
    if type(stored["batch_norm"]) is not bool or any(type(n) is not int for n in stored["hidden"]):
        raise ModelFileError("the network of the model file is described by wrong types")
    return Network(**stored | numbers | {"hidden": tuple(stored["hidden"])})


def _loss(stored: dict[str, Any]) -> LossSpec:
    """The loss of its spelling; a formula may have become a family of its own by training."""
    spec = parse_loss(_text(stored["spelling"], "loss"))
    family = _text(stored["family"], "family")
    if family not in FAMILIES:
        raise ModelFileError(f"the model file names a loss {family[:40]!r} that is not known here")
    return replace(spec, family=family)


def _calibration_in(stored: dict[str, Any]) -> Calibration | None:
    """None in files of earlier versions, and where nobody asked for one."""
    return Calibration.from_dict(stored["calibration"]) if "calibration" in stored else None


def _number(value: Any, name: str) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):  # not isinstance: True is none
        raise ModelFileError(f"{name} in the model file must be a number, got {value!r:.40}")
    return float(value)


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise ModelFileError(f"{name} in the model file must be a text, got {value!r:.40}")
    return value


def _check_tensors(tensors: dict[str, Tensor], network: Network, features: int) -> None:
    wanted = network.shapes(features)
    if network.batch_norm:
        wanted |= {f"{n}{i}": (w,) for i, w in enumerate(network.hidden) for n in ("mean", "var")}
    kinds = {tensor.dtype for tensor in tensors.values()}
    if set(tensors) != set(wanted) or len(kinds) != 1:
        raise ModelFileError("the weights of the model file are not those of its network")
    for name, shape in wanted.items():
        if tuple(tensors[name].shape) != (1, *shape):
            raise ModelFileError(f"the weights {name!r} are of the wrong size")
        if not (tensors[name].is_floating_point() and bool(tensors[name].isfinite().all())):
            raise ModelFileError(f"the weights {name!r} hold values that are no numbers")
        if name.startswith("var") and bool((tensors[name] < 0).any()):
            raise ModelFileError(f"the weights {name!r} hold a negative variance")


def _one_loss(settings: Any, loss: str) -> ComparisonSettings:
    from anyloss_core.comparison.settings import ComparisonSettings

    if isinstance(settings, Mapping):
        return ComparisonSettings.among({**settings, "losses": (loss,)})
    return replace(settings or ComparisonSettings(), losses=(loss,))


def _as_frame(rows: pd.DataFrame | str | Path | bytes | IO) -> pd.DataFrame:
    return rows if isinstance(rows, pd.DataFrame) else read_table(rows, least_columns=1)


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    """A part of the file, never more of it than a model can need."""
    with archive.open(name) as part:
        content = part.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ModelFileError(f"{name} in the model file is larger than any model of the Lab")
    return content
