"""The form of the page Many data sets: what a link may name, what a run was made with."""

import pytest

from anyloss_core.benchmark.settings import BenchmarkSettings, Item, comparison_settings
from anyloss_core.losses.spelling import parse_loss
from pages.ui.many import controls, panels
from tests.pages.conftest import all_text


def test_the_first_visit_says_what_a_start_would_cost(open_page):
    test = open_page("many")
    assert not test.exception
    assert "108 data sets, 5,400 models: about" in all_text(test)


def test_the_eight_losses_of_the_paper_are_one_click_away(open_page):
    page = open_page("many", largest=100)
    page.button(key="many.preset:The paper's eight losses").click().run()
    chosen = page.multiselect(key="many.losses").value
    assert len(chosen) == 8
    assert chosen[:2] == ("mse", "bce")
    assert not page.warning  # each can be spelled


@pytest.mark.parametrize("losses", controls.PRESETS.values(), ids=controls.PRESETS)
def test_the_losses_of_a_preset_are_known_and_fit_into_a_link(losses):
    assert [parse_loss(loss).spelling for loss in losses] == list(losses)
    setting = next(each for each in controls.EXPERIMENT if each.name == "losses")
    assert setting.read(setting.write(losses)) == tuple(losses)


@pytest.mark.parametrize(
    ("text", "fits"), [("", True), ("0" * 32, True), ("0" * 31, False), ("../" + "0" * 29, False)]
)
def test_a_link_names_a_kept_file_or_none(text, fits):
    assert controls.is_upload(text) is fits


def test_a_link_may_open_every_view_there_is():
    assert set(controls.VIEWS) == set(panels.SECTIONS) == set(panels.SECTION_NAMES)


def test_a_stored_run_fills_the_form(store):
    compared = comparison_settings(losses=("bce", "mse"), model="mlp", folds=4, seeds=2)
    settings = BenchmarkSettings("one", (Item("moons", "builtin:moons"),), compared)
    run = store.run(store.create_run("benchmark", settings.to_dict(), queue=False))
    values = controls.settings_of(run)
    assert tuple(values.pop("losses")) == ("bce", "mse")
    assert values == {
        "model": "mlp",
        "protocol": "fresh",
        "folds": 4,
        "seeds": 2,
        "seed": 0,
        "epochs": 0,
        "schedule": "",
    }
