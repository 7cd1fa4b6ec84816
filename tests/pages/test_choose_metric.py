"""The page Any metric: every metric and kind of data opens, formulas are taken or refused."""

import pytest

from anyloss_core.losses.scores import METRICS
from tests.pages.conftest import all_text


@pytest.mark.parametrize(
    "data", ["builtin:circles", "builtin:digits", "twin:3", "real:DAAG/leafshape"]
)
def test_the_page_opens_on_each_kind_of_data(data, open_page):
    page = open_page("metric", data=data)
    assert not page.exception
    assert "Soft and hard value" in all_text(page)


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_opens(metric, open_page):
    page = open_page("metric", metric=metric, data="builtin:moons")
    assert not page.exception
    assert page.latex


def test_a_formula_is_shown_and_remembered(open_page):
    page = open_page("metric", metric="formula")
    page.text_input[0].set_value("TP / (TP + 2 * FN)").run()
    assert not page.exception
    assert r"\frac" in page.latex[0].value
    assert page.query_params["formula"].split(";")[-1] == "TP / (TP + 2 * FN)"


@pytest.mark.parametrize(
    "text",
    ["__import__('os').system('x')", "TP.__class__", "9**9**9", "TP / (", "(lambda: TP)()", ""],
)
def test_a_malicious_formula_is_refused_with_words(text, open_page):
    page = open_page("metric", metric="formula", typed="TP/(TP+FN)")
    page.text_input[0].set_value(text).run()
    assert not page.exception
    assert "not a formula" in page.error[0].value
    assert not page.latex
