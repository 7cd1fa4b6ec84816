"""The sidebar: the chosen data set with its facts; its profile and another one a click away."""

from pages.ui.runs import runs
from tests.pages.conftest import all_text

TABLE = b"a,note,y\n" + b"".join(
    b"%d,SECRET%d,%d\n" % (n * 7 % 13, n, n % 3 == 0) for n in range(40)
)
ABOUT = {"name": "t", "file": "t.csv", "kind": "table"}


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


def test_the_columns_of_a_file_are_chosen_by_who_brought_it(visit):
    visit("anna")
    upload = runs.store().save_upload(TABLE, ABOUT, "anna")
    link = {"data": f"upload:{upload}?target=y&positive=1&drop=note"}
    page = visit("anna", "metric", **link)
    page.button(key="data.edit").click().run()
    assert "SECRET1" in str([table.value for table in page.dataframe])
    # The form shows rows as they are, of all columns: not to who only has the link.
    page = visit("bob", "metric", **link)
    assert not page.exception
    assert "data.edit" not in [button.key for button in page.button]


def test_a_deleted_file_is_not_shown_from_memory(visit):
    visit("anna")
    upload = runs.store().save_upload(TABLE, ABOUT, "anna")
    link = {"data": f"upload:{upload}?target=y&positive=1"}
    assert not visit("anna", "metric", **link).warning
    runs.store().delete_upload(upload)
    assert "cannot be opened" in visit("anna", "metric", **link).warning[0].value
