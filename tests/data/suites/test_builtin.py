"""Built-in data: names, sizes and classes."""

import pytest

from anyloss_core.data.errors import DataError
from anyloss_core.data.suites.builtin import BUILTIN, builtin


@pytest.mark.parametrize(
    ("name", "rows", "positives"),
    [
        ("random", 10000, 1047),
        ("breast_cancer_imbalanced", 393, 36),
        ("breast_cancer", 569, 212),
        ("moons", 1000, 150),
        ("circles", 1000, 150),
        ("digits", 1797, 174),
    ],
)
def test_every_built_in_data_set_has_its_size(name, rows, positives):
    dataset = builtin(name)
    assert (dataset.name, dataset.rows, dataset.positives) == (name, rows, positives)
    assert dataset.source == BUILTIN[name]


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(DataError, match=r"no built-in data set 'iris'.*random, breast_cancer"):
        builtin("iris")
