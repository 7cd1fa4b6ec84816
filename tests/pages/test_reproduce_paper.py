"""The page Paper: opens on every section, recomputes, keeps what was computed."""

from dataclasses import replace

import pytest

from pages.ui.paper import sections
from pages.ui.runs import runs
from tests.pages.conftest import all_text


@pytest.mark.parametrize("show", list(sections.SECTIONS))
def test_every_section_opens_clean_before_anything_is_computed(open_page, show):
    page = open_page("paper", show=show)
    assert not page.exception
    assert page.title[0].value == "Paper"
    assert sections.SECTIONS[show].text in all_text(page)


def test_table_1_is_recomputed_and_kept_for_the_next_visit(open_page, finished, monkeypatch):
    short = replace(sections.SECTIONS["tables"], parts=("valid_range",))
    monkeypatch.setitem(sections.SECTIONS, "tables", short)
    page = open_page("paper")
    page.button(key="paper.start").click().run()
    page = finished(page)
    assert not page.exception
    assert "All 12 published figures are equal" in all_text(page)
    table = page.dataframe[0].value
    assert {"Published L_min", "Ours L_min", "Difference", "Mark"} <= set(table.columns)
    assert {"float32", "float16", "bfloat16"} <= set(table.columns)
    assert set(table["Mark"]) == {"✓ equal"}
    again = open_page("paper")
    assert "All 12 published figures are equal" in all_text(again)


@pytest.mark.parametrize("show", ["tables", "mlp", "amplifier", "sol", "titanic"])
def test_what_takes_long_opens_at_once_with_date_and_machine(open_page, show):
    text = all_text(open_page("paper", show=show))
    assert "Nothing is computed yet" not in text
    assert "by the Lab's authors" in text


def test_nothing_is_asked_for_that_is_being_computed(open_page):
    assert "Nothing is computed yet" in all_text(open_page("paper", show="time"))
    run_id = runs.store().create_run("paper", {"parts": ["time"]}, queue=False)
    page = open_page("paper", show="time", run=run_id)
    assert not page.exception
    assert "Nothing is computed yet" not in all_text(page)
