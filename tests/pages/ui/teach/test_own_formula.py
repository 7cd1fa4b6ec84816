"""A formula of one's own on the page Any metric: named, kept, deleted, a cost made a score."""

import pytest

from tests.pages.conftest import all_text, button


def field(page, label):
    return next(box for box in page.text_input if box.label == label)


def kept(page):
    """The formulas that links carry."""
    texts = page.query_params.get("formula", "")
    return [text for text in (texts[0] if isinstance(texts, list) else texts).split(";") if text]


@pytest.fixture
def page(open_page):
    return open_page("metric", metric="formula", typed="TP / (TP + 2*FN)")


def test_a_formula_gets_a_name_and_is_offered_by_it(page):
    assert kept(page) == ["TP / (TP + 2*FN)"]
    field(page, "Name (optional)").set_value("Net value").run()
    assert not page.exception
    assert kept(page) == ["Net value: TP / (TP + 2*FN)"]  # in the place of the nameless one
    assert "**Net value**" in all_text(page)


def test_a_named_formula_is_a_metric_on_other_pages(open_page):
    page = open_page("compare", formula="Net value: TP / (TP + 2*FN)")
    assert not page.exception
    losses = next(box for box in page.multiselect if box.label == "Losses and methods")
    assert "AnyLoss-Net value" in losses.options


@pytest.mark.parametrize("name", ["a:b", "1st", "<b>", "f1"])
def test_a_name_that_cannot_be_used_is_explained(page, name):
    field(page, "Name (optional)").set_value(name).run()
    assert not page.exception
    assert "not a formula" in page.error[0].value


def test_a_deleted_formula_stays_away(page):
    button(page, "Delete").click().run()
    assert kept(page) == []
    page.run()
    assert kept(page) == []
    assert not page.exception


def test_a_kept_formula_is_opened_again(page):
    field(page, "Name (optional)").set_value("First").run()
    field(page, "Formula").set_value("TN / N").run()
    field(page, "Name (optional)").set_value("Second").run()
    assert kept(page) == ["First: TP / (TP + 2*FN)", "Second: TN / N"]
    [button for button in page.button if button.label == "Open"][-1].click().run()
    assert field(page, "Formula").value == "TP / (TP + 2*FN)"
    assert field(page, "Name (optional)").value == "First"


def test_a_cost_is_turned_into_a_score_with_one_click(open_page):
    page = open_page("metric", metric="formula", typed="5*FN + FP", called="Harm")
    assert "it falls as predictions improve" in page.warning[0].value
    button(page, "Turn it into a score").click().run()
    assert not page.exception
    assert field(page, "Formula").value == "1 - (5 * FN + FP) / (5 * P + NEG)"
    assert kept(page) == ["Harm: 1 - (5 * FN + FP) / (5 * P + NEG)"]
    assert not page.warning


def test_a_gain_beyond_1_is_offered_to_be_scaled(open_page):
    page = open_page("metric", metric="formula", typed="5*TP - FP")
    assert "rises beyond 0 to 1" in page.warning[0].value
    assert "(5 * TP - FP + NEG) / (5 * P + NEG)" in page.warning[0].value
