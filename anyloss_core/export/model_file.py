"""A trained model to take away: weights as safetensors, everything else as JSON, no pickle.

A model file is a zip with `model.safetensors` and `model.json` (the network, the loss, the
threshold, and the preparation with its columns, types, means and levels). `train_final` trains on
all rows what a comparison found best, `save_model` writes it, `load_model` reads it, from anywhere,
and predicts on new tables.
"""

from __future__ import annotations

import io
import json
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
from anyloss_core.data.cells.spreadsheet import harmless_csv
from anyloss_core.data.dataset import Dataset
from anyloss_core.data.preparation import Preparation, prepare_fresh
from anyloss_core.data.reading.table import read_table
from anyloss_core.engine.models import Network, Parameters, predict
from anyloss_core.losses.outputs import probabilities
from anyloss_core.losses.spelling import LossSpec, Ramp, parse_loss

if TYPE_CHECKING:
    from anyloss_core.comparison.settings import ComparisonSettings

FORMAT, VERSION = "anyloss-model", 1
WEIGHTS, STORY = "model.safetensors", "model.json"
CLASSES = ("target", "positive", "negative")  # fields that name what is predicted
MAX_BYTES = 50_000_000  # of either part; our networks have far fewer weights


class ModelFileError(ValueError):
    """A file that is no model of ours; the message says what is wrong with it."""


@dataclass(frozen=True, eq=False)
class TrainedModel:
    """A network with all it needs to read a table and to name the classes."""

    parameters: Parameters  # of one model
    loss: LossSpec
    threshold: float  # P(positive) above it means positive
    preparation: Preparation
    target: str
    positive: str
    negative: str
    story: dict[str, Any]  # data set, settings, versions: for the reader, not needed to predict

    def predict_proba(self, rows: pd.DataFrame | str | Path | bytes | IO) -> np.ndarray:
        """P(positive) of every row of a frame or a file, shape (rows,)."""
        features = torch.from_numpy(self.preparation.transform(_as_frame(rows)))
        return probabilities(self.loss, predict(self.parameters, features)[0]).double().numpy()

    def predict(self, rows: pd.DataFrame | str | Path | bytes | IO) -> np.ndarray:
        """The class of every row, as it was written in the training data."""
        return self._classes(self.predict_proba(rows))

    def predict_table(self, rows: pd.DataFrame | str | Path | bytes | IO) -> pd.DataFrame:
        """The rows with the predicted class and its probability beside them."""
        frame = _as_frame(rows)
        p = self.predict_proba(frame)
        predicted, share = f"predicted {self.target}", f"P({self.target} = {self.positive})"
        return frame.assign(**{predicted: self._classes(p), share: p})

    def predict_csv(self, rows: pd.DataFrame | str | Path | bytes | IO) -> bytes:
        """`predict_table` as CSV, with texts that no spreadsheet runs as formulas."""
        return harmless_csv(self.predict_table(rows), "\r\n")

    def _classes(self, p: np.ndarray) -> np.ndarray:
        return np.where(p > self.threshold, self.positive, self.negative).astype(object)


def train_final(
    dataset: Dataset,
    loss: str,
    settings: ComparisonSettings | Mapping[str, Any] | None = None,
    on_batch: Callable[[], None] | None = None,
) -> TrainedModel:
    """One model on all rows, with the settings of a comparison.

    The preparation is fitted on all rows as in the 'fresh' protocol, whatever the protocol.
    `on_batch` is called after every batch and may raise to end the training.
    """
    from anyloss_core.comparison.assembly import assemble_whole
    from anyloss_core.comparison.estimates import check_fits, estimate_final
    from anyloss_core.comparison.results import Record, tabulate
    from anyloss_core.engine.loop import train

    chosen = _one_loss(settings, loss)
    check_fits(estimate_final(dataset, chosen), "this model")
    assembly = assemble_whole(dataset, chosen)
    record, training = Record(assembly), train(assembly.study, on_batch)
    for event in training:
        record.add(event)
    parameters = training.parameters()
    whole = next(i for i, member in enumerate(assembly.members) if not member.inner)
    record.finish(training)
    result = tabulate(dataset, chosen, [record], 0.0)
    return TrainedModel(
        parameters.one(whole),
        assembly.study.models[whole].loss,
        float(result.confusion["threshold"].iloc[0]),
        prepare_fresh(dataset, np.arange(dataset.rows)),
        *(dataset.target, dataset.positive, dataset.negative),
        {"settings": result.settings, "versions": versions()},
    )


def save_model(model: TrainedModel, path: str | Path | None = None) -> bytes:
    """The model file as bytes, also written to `path` if there is one."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        tensors = {k: v.detach().cpu().contiguous() for k, v in model.parameters.tensors.items()}
        archive.writestr(WEIGHTS, safetensors.torch.save(tensors))
        archive.writestr(STORY, json.dumps(_described(model), indent=1, allow_nan=False))
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
    except ModelFileError:
        raise
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise ModelFileError(f"the model file {source!s:.200} cannot be opened: {reason}") from None
    except (zipfile.BadZipFile, safetensors.SafetensorError, KeyError, TypeError) as error:
        raise ModelFileError(f"this is no model file of the Lab ({error})") from None
    except (ValueError, RecursionError, NotImplementedError, AttributeError) as error:
        raise ModelFileError(f"this model file cannot be used: {error}") from None


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
        **model.story,
    }


def _built(tensors: dict[str, Tensor], stored: dict[str, Any]) -> TrainedModel:
    if stored.get("format") != FORMAT or stored.get("version") != VERSION:
        raise ModelFileError("this is no model file of the Lab, or one of another version")
    network = Network(**stored["network"] | {"hidden": tuple(stored["network"]["hidden"])})
    preparation = Preparation.from_dict(stored["preparation"])
    _check_tensors(tensors, network, len(preparation.feature_names))
    spec = replace(parse_loss(stored["loss"]["spelling"]), family=stored["loss"]["family"])
    return TrainedModel(
        parameters=Parameters(network, tensors),
        loss=spec,
        threshold=float(stored["threshold"]),
        preparation=preparation,
        **{name: str(stored["classes"][name]) for name in CLASSES},
        story={key: stored.get(key, {}) for key in ("settings", "versions")},
    )


def _check_tensors(tensors: dict[str, Tensor], network: Network, features: int) -> None:
    wanted = network.shapes(features)
    if network.batch_norm:
        wanted |= {f"{n}{i}": (w,) for i, w in enumerate(network.hidden) for n in ("mean", "var")}
    for name, shape in wanted.items():
        if name not in tensors or tuple(tensors[name].shape) != (1, *shape):
            raise ModelFileError(f"the weights {name!r} are missing or of the wrong size")
        if not (tensors[name].is_floating_point() and bool(tensors[name].isfinite().all())):
            raise ModelFileError(f"the weights {name!r} hold values that are no numbers")


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
