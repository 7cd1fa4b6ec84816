"""A model as bare numbers: they give the outputs of the network."""

import numpy as np
import pytest
from scipy.special import expit

from anyloss_core.engine.models import predict
from anyloss_core.export.model_file import train_final
from anyloss_core.export.standalone import standalone
from tests.export import models


@pytest.mark.parametrize("protocol", ["fresh", "paper"])  # the second one has batch norm
def test_layers_with_their_norm_folded_in_give_the_same_outputs(protocol):
    model = train_final(
        models.dataset(), "bce", {"epochs": 5, "model": "mlp", "protocol": protocol}
    )
    bare, features = standalone(model), model.preparation.transform(models.new_rows())
    order = [name for name in model.preparation.feature_names if "=" not in name]
    order += [name for name in model.preparation.feature_names if "=" in name]
    values = features[:, [model.preparation.feature_names.index(name) for name in order]].T
    for number, (weights, biases) in enumerate(bare.layers):
        act = {"tanh": np.tanh, "sigmoid": expit}
        act["relu"] = lambda v: np.maximum(v, 0)
        values = act[bare.activation](values) if number else values
        values = weights @ values + biases[:, None]
    expected = predict(model.parameters, features)[0].numpy()
    np.testing.assert_allclose(values[0], expected, rtol=1e-9, atol=1e-9)


def test_inputs_are_numbers_first_and_tell_what_a_gap_becomes():
    bare = standalone(train_final(models.dataset(), "bce", {"epochs": 1}))
    parts = [number.part for number in bare.numbers]
    assert parts == ["number", "number", "year", "month", "day", "weekday"]
    extreme = next(n for n in bare.numbers if n.column == "huge")
    assert extreme.factors[0] * extreme.factors[1] != 1
    colour = next(c for c in bare.categories if c.column == models.CATEGORY)
    assert set(colour.slots) == set(models.LEVELS)
    assert colour.unseen == colour.slots[models.LEVELS[3]]  # the rare one
    smokes = next(c for c in bare.categories if c.column == "smokes")
    assert None in smokes.slots


def test_linear_outputs_name_their_targets():
    model = train_final(models.dataset(), "mse", {"epochs": 1, "protocol": "paper"})
    assert standalone(model).targets is not None
    assert standalone(train_final(models.dataset(), "mse", {"epochs": 1})).targets is None
