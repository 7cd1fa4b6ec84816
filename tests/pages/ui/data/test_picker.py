"""The sidebar: the chosen data set with its facts; its profile and another one a click away."""

from tests.pages.conftest import all_text


def test_the_profile_is_one_click_away(open_page):
    page = open_page("metric", data="builtin:breast_cancer_imbalanced")
    page.button(key="data.profile").click().run()
    assert not page.exception
    figures = {metric.label: metric.value for metric in page.metric}
    assert figures["Rows"] == "393"
    assert figures["Imbalance"] == "9.9 : 1"


def test_the_sidebar_says_what_the_page_has_opened(open_page):
    page = open_page("metric", data="builtin:breast_cancer_imbalanced")
    assert "393 rows · 30 features · 9.2 % positive" in all_text(page)


def test_the_dialog_offers_every_source(open_page):
    page = open_page("metric", data="builtin:moons")
    page.button(key="data.change").click().run()
    assert not page.exception
    (sources,) = [group for group in page.segmented_control if group.label == "Source"]
    assert list(sources.options) == ["Built-in", "Upload", "Generate", "Suites", "OpenML"]
