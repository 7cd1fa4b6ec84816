"""The SLP tables of data sets 1 and 3, trained once for all tests that read them."""

import pytest

from anyloss_core.published.paper_datasets import paper_dataset
from anyloss_core.published.slp import reproduce_slp


def silent(share, message):
    assert 0 <= share <= 1 + 1e-9


@pytest.fixture(scope="session")
def slp_results():
    return {number: reproduce_slp(number, paper_dataset(number), silent) for number in (1, 3)}
