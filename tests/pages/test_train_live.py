"""The page Train without a browser: it opens on any data, and shows runs of its own kind."""

import pytest

from tests.live_runs import DATA
from tests.pages.conftest import button


@pytest.mark.parametrize(
    "data",
    ["builtin:random", "builtin:breast_cancer_imbalanced", "real:DAAG/leafshape", "twin:7", DATA],
)
def test_it_opens_clean_on_each_kind_of_data(train_page, data):
    app = train_page(data=data)
    assert app.title[0].value == "Train"
    assert not app.warning
    assert not button(app, "Start").disabled
    assert button(app, "Pause").disabled
    assert button(app, "Reset").disabled


def test_data_that_is_gone_is_said_and_cannot_be_trained(train_page):
    app = train_page(data="upload:" + "0" * 32)
    assert "no longer there" in app.warning[0].value
    assert button(app, "Start").disabled  # it would be trained on data that is gone


def test_a_run_of_another_kind_is_not_shown(train_page, store):
    other = store.create_run("compare", {"data": DATA}, queue=False)
    app = train_page(run=other)
    assert not app.select_slider
