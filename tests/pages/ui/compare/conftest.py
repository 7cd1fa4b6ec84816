"""A finished comparison without a store around it."""

import pytest

from anyloss_core.comparison.job import load_comparison
from anyloss_core.store.bundle import import_bundle
from anyloss_core.store.store import Store


@pytest.fixture(scope="package")
def comparison(bundle, tmp_path_factory):
    """AnyLoss-F1, BCE and BCE with a tuned threshold, as a page reads them."""
    store = Store(tmp_path_factory.mktemp("compared"))
    found = load_comparison(store, import_bundle(store, bundle))
    store.close()
    return found
