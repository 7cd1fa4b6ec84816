"""Why: a job finds which columns matter, and the mistakes are a table that can be taken away."""

import base64
import json

import pandas as pd

from anyloss_core.comparison.mistakes import COLUMNS, mistakes
from anyloss_core.store.bundle import import_bundle
from pages.ui.compare.why import with_columns
from pages.ui.data.chosen import open_dataset
from pages.ui.runs import runs
from tests.pages.conftest import DATA, all_text, charts, clean


def test_the_columns_that_matter_are_found_as_a_job(open_page, made, finished):
    page = clean(open_page("compare", run=made, view="why"))
    assert "importance" not in charts(page)
    page.button(key="why.start").click().run()
    page = clean(finished(page, "explained"))
    run = runs.store().run(page.query_params["explained"])
    assert (run.kind, run.status) == ("importance", "done")
    assert run.settings["loss"] == "anyloss:f1"
    assert "when a column is shuffled" in charts(page)["importance"]["alt"]


def test_mistakes_are_listed_with_the_cells_of_their_rows(open_page, made, comparison):
    page = clean(open_page("compare", run=made, view="why"))
    table = next(f.value for f in page.dataframe if "regret" in f.value)
    found = mistakes(comparison, "anyloss:f1", "f1")
    assert table["row"].tolist() == (found["row"] + 1).tolist()
    assert table["regret"].is_monotonic_decreasing
    assert "mean radius" in table
    words = f"{(found['mistake'] == 'false alarm').sum()} false alarms"
    assert words in all_text(page)


def test_cells_of_a_file_are_shown_to_who_brought_it_only(visit, bundle):
    """Who has the link sees what came out; the rows of the file stay its owner's."""
    visit("anna")
    file = open_dataset(DATA).to_csv()
    made = import_bundle(runs.store(), with_file(bundle, file), "anna")
    shown = {}
    for owner in ("anna", "ben"):
        page = clean(visit(owner, "compare", run=made, view="why"))
        shown[owner] = next(f.value for f in page.dataframe if "regret" in f.value)
    assert "mean radius" in shown["anna"]
    assert list(shown["ben"]) == [name for name in shown["anna"] if name in COLUMNS]
    assert len(shown["ben"]) == len(shown["anna"])


def with_file(bundle, file):
    """The comparison as one of an uploaded table."""
    content, name = json.loads(bundle), "0" * 32
    content["settings"]["data"] = f"upload:{name}?target=diagnosis&positive=malignant"
    data = base64.b64encode(file).decode()
    content["uploads"] = {name: {"meta": {"name": "table"}, "data": data}}
    return json.dumps(content).encode()


def test_another_model_has_its_own_mistakes(open_page, made, comparison):
    page = open_page("compare", run=made, view="why")
    page.selectbox(key="why.loss").set_value("bce").run()
    table = next(f.value for f in clean(page).dataframe if "regret" in f.value)
    assert len(table) == len(mistakes(comparison, "bce", "f1"))


def test_a_row_stands_beside_its_own_cells():
    found = pd.DataFrame({"row": [2, 0], "threshold": [0.5, 0.5], "beyond": [0.2, 0.1]})
    features = pd.DataFrame({"name": ["a", "b", "c"]})
    table = with_columns(found, features)
    assert table["row"].tolist() == [3, 1]
    assert table["name"].tolist() == ["c", "a"]
    assert "name" not in with_columns(found, None)
