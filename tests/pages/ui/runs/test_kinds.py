"""The kinds of runs: every kind has a name and a page."""

import pytest

from anyloss_core.jobs.jobs import KINDS
from pages.ui.base import navigation
from pages.ui.runs import kinds


class Run:
    id = "a" * 32

    def __init__(self, kind, **settings):
        self.kind, self.settings = kind, settings


@pytest.fixture
def links(monkeypatch):
    seen = []
    monkeypatch.setattr(navigation, "link", lambda url, label, **query: seen.append((url, query)))
    return seen


def test_every_kind_of_job_has_a_name_and_a_page(links):
    assert set(kinds.KIND_NAMES) == set(KINDS)
    for kind in KINDS:
        kinds.link(Run(kind))
    assert {url for url, _ in links} <= {info.url for info in navigation.PAGES}


def test_a_model_is_opened_beside_its_comparison(links):
    kinds.link(Run("model", of="b" * 32))
    assert links == [("compare", {"run": "b" * 32, "fitted": "a" * 32})]


def test_what_was_found_about_columns_is_opened_beside_its_comparison(links):
    kinds.link(Run("importance", of="b" * 32))
    assert links == [("compare", {"run": "b" * 32, "explained": "a" * 32})]


def test_an_unknown_kind_is_opened_in_the_list(links):
    kinds.link(Run("unheard of"))
    assert links == [("runs", {"run": "a" * 32})]
