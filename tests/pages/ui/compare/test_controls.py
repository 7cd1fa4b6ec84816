"""The form of the page Compare: from the link, from a stored run, and back to the core."""

from pages.ui.compare import controls
from pages.ui.runs import runs
from tests.pages.conftest import COMPARED, DATA, all_text


def test_a_link_with_the_run_alone_brings_its_settings(open_page, made):
    page = open_page("compare", run=made)
    assert page.number_input(key="compare.folds").value == 3
    assert tuple(page.multiselect(key="compare.losses").value) == COMPARED.losses
    assert DATA in page.query_params["data"]
    assert "have changed" not in all_text(page)


def test_a_changed_setting_is_said_to_differ_from_the_run(open_page, made):
    page = open_page("compare", run=made)
    page.number_input(key="compare.seed").set_value(5).run()
    assert "have changed since this run" in all_text(page)


def test_more_folds_than_rare_rows_are_refused_with_a_way_out(open_page):
    page = open_page("compare", data="synthetic:rows=100,features=3,imbalance=9", folds=20)
    page.button(key="compare.start").click().run()
    assert "folds" in page.warning[0].value
    assert not runs.store().runs("compare")


def test_a_run_without_settings_leaves_the_defaults(store):
    run = store.run(store.create_run("compare", {"data": DATA}, queue=False))
    assert controls.settings_of(run) == {
        setting.name: setting.default for setting in controls.EXPERIMENT
    }
    assert controls.settings_of(run)["losses"] == ("anyloss:f1", "bce", "bce+threshold")
