"""The page L sweep: a real sweep names the best L, and a link brings it back."""

from pages.ui.runs import runs
from tests.pages.conftest import DATA, shown


def test_a_sweep_is_started_and_names_the_best(open_page, finished):
    page = open_page("sweep", data=DATA, L="5 73 5..73 auto", epochs=10, folds=3)
    page.button(key="sweep.start").click().run()
    page = finished(page)
    assert not page.exception
    assert "F1 is highest with" in shown(page)
    assert "automatic chose " in shown(page)
    assert set(page.dataframe[0].value["L"]) == {"5", "73", "5..73", "automatic"}
    again = open_page("sweep", run=runs.store().runs("sweep")[0].id)
    assert again.text_input(key="sweep.L").value == "5 73 5..73 auto"
    said, before = ([part.proto.body for part in each.get("html")] for each in (again, page))
    assert said == before
