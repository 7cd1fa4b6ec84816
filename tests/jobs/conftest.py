"""A store that does not wait long for a lock."""

import pytest

from anyloss_core.store.store import Store


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "home", busy_seconds=0.2)
    yield store
    store.close()
