"""The SLP tables of data sets 1 and 3, trained once for all tests that read them."""

import pytest

from anyloss_core.paper.parts import plan
from anyloss_core.paper.together import perform_all


def silent(share, message):
    assert 0 <= share <= 1 + 1e-9


@pytest.fixture(scope="session")
def slp_told():
    """What was told while the tables were trained, in two processes."""
    return []


@pytest.fixture(scope="session")
def slp_results(slp_told):
    def progress(share, message):
        slp_told.append((share, message))

    found = perform_all(plan(["slp"], [1, 3]), {}, progress, {}, workers=2)
    return {task.dataset: result for task, result in found}
