"""The page Many data sets: a suite is run, analysed, opened; nonsense in a link is left out."""

import pytest

from anyloss_core.store.store import Store
from pages.ui.runs import runs
from tests.pages.conftest import all_text
from tests.sample_jobs import wait_for
from tests.small_suite import BAD

VIEWS = ("verdict", "imbalance", "ranks", "datasets")


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_of_a_finished_run_is_shown(open_page, finished_run, view):
    test = open_page("many", run=finished_run, view=view)
    assert not test.exception
    text = all_text(test)
    assert not test.error, text
    assert "1 data set failed" in [box.label for box in test.expander]


def test_a_small_suite_of_uploads_runs_to_its_end_and_goes_on_when_started_again(
    open_page, suite, tmp_path
):
    store = Store(tmp_path)
    uploads = [
        store.save_upload((suite / name).read_bytes(), {"name": name})
        for name in ("t0.csv", "t1.csv", BAD)
    ]
    settings = {"suite": "upload", "files": ";".join(uploads), "losses": "bce;anyloss:f1"}
    test = open_page("many", epochs=10, folds=3, workers=1, **settings)
    test.button(key="many.start").click().run()
    assert not test.exception
    first = _setting(test, "run")
    wait_for(lambda: not runs.store().run(first).active, 120)
    test.run()
    assert runs.store().run(first).status == "done"
    assert len(runs.store().units(first, "done")) == 2
    test.button(key="many.start").click().run()
    assert _setting(test, "run") == first  # it is known already


def test_hostile_links_fall_back_to_defaults(open_page):
    test = open_page("many", suite="/etc", files="../../x", workers="1e9", rope="nan", run="zz")
    assert not test.exception
    assert "108 data sets" in all_text(test)


def _setting(test, name):
    value = test.query_params[name]
    return value if isinstance(value, str) else value[0]
