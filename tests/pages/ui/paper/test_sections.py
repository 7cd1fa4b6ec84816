"""The sections of the page Paper: how a recomputation is started, and which section shows it."""

import pytest

from anyloss_core.paper.parts import PARTS
from pages.ui.paper import sections
from pages.ui.runs import runs


def test_a_link_to_a_run_opens_its_section(open_page):
    open_page("paper")
    run_id = runs.store().create_run("paper", {"parts": ["titanic"]}, queue=False)
    page = open_page("paper", run=run_id)
    assert not page.exception
    assert "titanic" in page.query_params["show"]


def test_a_brought_file_becomes_a_run_on_its_data_set(open_page):
    page = open_page("paper", show="sol")
    rows = "".join(f"{i % 7},{i * i % 11},{int(i % 5 == 0)}\n" for i in range(60))
    content = f"age,bmi,diabetes\n{rows}".encode()
    page.file_uploader(key="paper.file_4").set_value(("d.csv", content, "text/csv")).run()
    page.button(key="paper.start_file").click().run()
    assert not page.exception
    (run,) = runs.store().runs("paper")
    assert run.settings["datasets"] == [4]
    upload = runs.store().open_upload(run.settings["csv"]["4"])
    assert (upload.read(), upload.meta["name"]) == (content, "d.csv")
    runs.store().set_control(run.id, "stop")


def test_every_part_of_the_paper_has_one_section():
    named = [part for section in sections.SECTIONS.values() for part in section.parts]
    assert sorted(named) == sorted(PARTS)


@pytest.mark.parametrize(
    ("parts", "section"),
    [(["slp"], "tables"), (["sweep"], "amplifier"), (["time"], "time"), (["unheard of"], "tables")],
)
def test_a_run_belongs_to_the_section_of_its_parts(store, parts, section):
    run = store.run(store.create_run("paper", {"parts": parts}, queue=False))
    assert sections.section_of(run) == {"show": section}


def test_the_deep_network_is_told_which_images_and_how_many(open_page):
    page = open_page("paper", show="resnet", images=500)
    page.button(key="paper.start").click().run()
    (run,) = runs.store().runs("paper")
    runs.store().set_control(run.id, "stop")
    assert run.settings["parts"] == ["resnet"]
    assert run.settings["options"] == {"source": "digits", "rows": 500}
    assert run.settings["datasets"] == []


def test_starts_are_asked_for_where_they_count(open_page):
    page = open_page("paper", show="mlp", seeds=2)
    assert page.number_input(key="paper.seeds").value == 2
    page.button(key="paper.start").click().run()
    (run,) = runs.store().runs("paper")
    runs.store().set_control(run.id, "stop")
    assert run.settings["options"] == {"seeds": 2}
    assert run.settings["datasets"] == [1, 3]
    assert not open_page("paper", show="sol").number_input
