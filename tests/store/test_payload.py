"""Values survive the way through JSON; hostile text only ever gives a PayloadError."""

import json
import math
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from anyloss_core.store.payload import PayloadError, from_bytes, from_text, to_bytes, to_text

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(), max_size=8)
    | st.binary(max_size=8)
)
keys = st.text(max_size=4) | st.sampled_from(["$array", "$float", "$", "$dict"])
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


@given(values)
@settings(max_examples=300, deadline=None)
def test_plain_values_come_back_equal_and_of_the_same_type(value):
    back = from_bytes(to_bytes(value))
    assert back == value
    assert repr(back) == repr(value)  # 1 == 1.0 == True would hide a change of type


@given(
    st.sampled_from(["f8", "f4", "f2", "i8", "i4", "u1", "i2", "?", ">f8"]).flatmap(
        lambda dtype: arrays(dtype, array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
    )
)
@settings(max_examples=150, deadline=None)
def test_arrays_come_back_bit_for_bit(array):
    back = from_bytes(to_bytes({"a": array}))["a"]
    assert back.dtype == array.dtype.newbyteorder("<")
    assert back.shape == array.shape
    assert back.tobytes() == array.astype(back.dtype).tobytes()
    assert back.flags.writeable


def test_a_transposed_array_keeps_its_places():
    array = np.arange(6).reshape(2, 3).T
    assert from_text(to_text(array)).tolist() == [[0, 3], [1, 4], [2, 5]]


def test_not_finite_numbers_come_back_and_the_text_is_strict_json():
    text = to_text([math.nan, math.inf, -math.inf, np.float32("nan")])
    assert json.loads(text, parse_constant=lambda token: pytest.fail(token))
    back = from_text(text)
    assert math.isnan(back[0])
    assert back[1:3] == [math.inf, -math.inf]
    assert math.isnan(back[3])


def test_tensors_come_back_as_arrays_and_named_tuples_with_their_names():
    class Point(NamedTuple):
        x: float
        y: torch.Tensor

    back = from_text(to_text(Point(1.5, torch.tensor([[2.0, 3.0]], requires_grad=True))))
    assert back["x"] == 1.5
    assert back["y"].tolist() == [[2.0, 3.0]]
    assert back["y"].dtype == np.float32


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"loss": ["bce", "f1", None], "fold": [0, 1, 2], "score": [0.5, np.nan, 1]}),
        pd.DataFrame({"a": [True, False]}, index=pd.Index(["x", "y"], name="name")),
        pd.DataFrame({"a": [1.0, 2.0]}, index=pd.Index([5, 3])),
        pd.DataFrame(
            {"f1": [0.1, 0.2]},
            index=pd.MultiIndex.from_tuples([("bce", 0), ("mse", 1)], names=["loss", "fold"]),
        ),
        pd.DataFrame({"mixed": pd.Series(["a", 1, None], dtype=object), 3: [1, 2, 3]}),
        pd.DataFrame([[1, 2.5]], columns=["same", "same"]),
        pd.DataFrame({"empty": []}),
        pd.DataFrame(index=range(3)),
        pd.DataFrame({"odd": [1, 2]}, index=pd.RangeIndex(1, 3)),
    ],
    ids=lambda frame: "-".join(map(str, frame.columns)) or "no columns",
)
def test_tables_come_back_equal(frame):
    back = from_bytes(to_bytes(frame))
    pd.testing.assert_frame_equal(back, frame, check_index_type=False, check_column_type=False)


def test_categories_come_back_as_text():
    frame = pd.DataFrame({"c": pd.Categorical(["b", "a", None], categories=["b", "a"])})
    back = from_bytes(to_bytes(frame))
    assert back["c"].tolist()[:2] == ["b", "a"]
    assert pd.isna(back["c"][2])


@pytest.mark.parametrize(
    "value",
    [object(), {1, 2}, np.array([{}], dtype=object), pd.DataFrame({"t": pd.to_datetime(["2020"])})],
    ids=["object", "set", "object array", "dates"],
)
def test_what_cannot_be_kept_is_refused_with_a_way_out(value):
    with pytest.raises(PayloadError, match="cannot be stored"):
        to_text({"deep": [value]})


HOSTILE = [
    "",
    "{",
    "NaN",
    "[Infinity]",
    "[" * 100_000,
    '{"$array": ' * 2000 + "1" + "}" * 2000,
    "9" * 5000,
    '{"$pickle": "gASVAAAA"}',
    '{"$float": "1e9"}',
    '{"$float": []}',
    '{"$dict": [[[], 1]]}',
    '{"$dict": [[1]]}',
    '{"$dict": 5}',
    '{"$bytes": "?"}',
    '{"$bytes": 7}',
    '{"$array": ["|O", [1], "AAAAAAAAAAA="]}',
    '{"$array": ["<f8", [2], "AAAAAAAAAAA="]}',
    '{"$array": ["<f8", [-1], "AAAAAAAAAAA="]}',
    '{"$array": ["<f8", [1, true], "AAAAAAAAAAA="]}',
    '{"$array": ["<f8", [1e9], "AAAAAAAAAAA="]}',
    '{"$array": ["<f8", [1000000000000000000000], ""]}',
    '{"$array": ["<f8", [2147483648, 0], ""]}',  # to walk along it takes 20 GB
    '{"$array": ["<f8", [10000, 10000, 0], ""]}',
    '{"$array": ["str", [2147483648, 0], []]}',
    '{"$array": ["<f8", [1,1,1,1,1,1,1,1,1], "AAAAAAAAAAA="]}',
    '{"$array": ["<U900000000", [1], ""]}',
    '{"$array": ["str", [1], [{"a": 1}]]}',
    '{"$array": ["str", [2], ["a"]]}',
    '{"$array": null}',
    '{"$frame": {}}',
    '{"$frame": {"columns": ["a"], "data": [["array", ["<f8", [1], "AA"]]], "rows": 1}}',
    '{"$frame": {"columns": ["a"], "data": [["object", [1, 2]]], "rows": 1}}',
    '{"$frame": {"columns": ["a", "b"], "data": [["object", [1]]], "rows": 1}}',
    '{"$frame": {"columns": [], "data": [], "rows": "many"}}',
    '{"$frame": {"columns": [], "data": [], "rows": 900000000000000000000}}',
    '{"$frame": {"columns": [], "data": [], "rows": 1000000000000}}',
    '{"$frame": {"columns": [{"a": 1}], "data": [["object", [1]]], "rows": 1}}',
    '{"$frame": {"columns": [["a"]], "data": [["object", [1]]], "rows": 1}}',
    '{"$array": ["<f8", [0, 4000000000000000000], ""]}',
    '{"$frame": {"columns": ["a"], "data": [["datetime", [1]]], "rows": 1}}',
    '{"$frame": {"columns": ["a"], "data": [["object", [1]]], "rows": 1, "index": [["object", []]],'
    ' "names": []}}',
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:50] or "nothing")
def test_hostile_text_is_refused(text):
    with pytest.raises(PayloadError):
        from_text(text)


def test_damaged_bytes_are_refused():
    with pytest.raises(PayloadError, match="damaged"):
        from_bytes(to_bytes([1, 2, 3])[:-4])
    with pytest.raises(PayloadError, match="damaged"):
        from_bytes(b"\x80\x04K\x01.")  # a pickle


@pytest.mark.parametrize("text", ["1e999", "[-1e999]", '{"lr": 1E+400}', '{"a": [{"b": 1e309}]}'])
def test_a_number_that_could_not_be_written_again_is_not_read(text):
    with pytest.raises(PayloadError, match="too large for a number"):
        from_text(text)
    assert from_text("[1e308, -0.5e-400]") == [1e308, -0.0]
