"""Files of the visitor: brought, listed for their owner alone, their columns chosen anew."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.data import chosen, uploads
from pages.ui.runs import runs
from tests.nasty_files import excel_book
from tests.pages.ui.data.test_sources import GOOD

ROWS = [[n, n % 7, "yes" if n % 3 else "no"] for n in range(30)]


def brought(name="shop", owner=None, **about):
    return runs.store().save_upload(GOOD, {"name": name, **about}, owner or runs.owner())


def choice():
    """The dialogs without the dialog around them, which AppTest closes at every step."""
    import streamlit as st

    from pages.ui.base.frame import FRAME
    from pages.ui.data import chosen, sources, uploads

    FRAME.open()
    if "edit" in st.query_params:
        uploads.edit(chosen.upload_of(chosen.reference()), chosen.choose, "edit")
    else:
        sources.show(chosen.choose)


@pytest.fixture
def change(open_page, monkeypatch):
    """change("anna", data=...) is what this visitor sees who chooses the data."""

    def open_one(owner, **query):
        monkeypatch.setattr(runs, "owner", lambda: owner)
        page = AppTest.from_function(choice, default_timeout=60)
        for name, value in query.items():
            page.query_params[name] = value
        page.run()
        assert not page.exception
        return page

    return open_one


def test_a_table_is_found_again_by_its_owner_alone(change):
    kept = brought(owner="anna", file="shop.csv")
    brought("scores", owner="anna", kind="scores")
    page = change("anna")
    page.segmented_control(key="data.source").set_value("Your tables").run()
    assert [name.split(" · ")[0] for name in page.selectbox(key="data.yours").options] == ["shop"]
    page.button(key="data.use.kept").click().run()
    assert not page.exception
    assert page.query_params["data"] == f"upload:{kept}?target=bought&positive=yes"
    assert "Your tables" not in change("ben").segmented_control(key="data.source").options


def test_what_was_chosen_of_a_table_last_time_is_chosen_again(change):
    kept = brought(owner="anna")
    used = f"upload:{kept}?target=city&positive=Ulm&drop=age"
    runs.store().note_upload(kept, reference=used)
    page = change("anna")
    page.segmented_control(key="data.source").set_value("Your tables").run()
    place = f"data.kept.{kept}"
    assert page.selectbox(key=f"{place}.target").value == "city"
    assert page.selectbox(key=f"{place}.positive.city").value == "Ulm"
    assert page.multiselect(key=f"{place}.drop.city").value == ["age"]


def test_the_choice_opens_where_one_was(change):
    page = change("anna", data="synthetic:rows=400,features=7,seed=3")
    assert page.segmented_control(key="data.source").value == "Generate"
    assert page.slider(key="data.features").value == 7
    assert change("anna", data="builtin:moons").radio(key="data.builtin").value == "moons"
    assert change("anna", data="openml:31").text_input(key="data.openml").value == "31"
    twin = change("anna", data="twin:17")
    assert twin.selectbox(key="data.entry.Twins of the paper's 102").value == "twin:17"
    kept = brought(owner="anna")
    own = change("anna", data=f"upload:{kept}?target=city&positive=Ulm")
    assert own.segmented_control(key="data.source").value == "Your tables"
    own.segmented_control(key="data.source").set_value("OpenML").run()
    assert own.run().segmented_control(key="data.source").value == "OpenML"


def test_columns_are_edited_without_bringing_the_file_again(change):
    kept = brought(owner="anna", file="shop.csv")
    page = change("anna", edit="1", data=f"upload:{kept}?target=bought&positive=yes")
    page.multiselect[0].set_value(["city"]).run()
    page.button(key="edit.use.kept").click().run()
    assert not page.exception
    assert page.query_params["data"] == f"upload:{kept}?target=bought&positive=yes&drop=city"
    about = runs.store().open_upload(kept).meta
    assert about["reference"] == page.query_params["data"]


def form(content, name):
    import streamlit as st

    from pages.ui.data import uploads
    from pages.ui.data.table_form import Table

    uploads._form_of_new(
        Table("1", name, lambda: content),
        lambda reference: st.session_state.update(chosen=reference),
        "data",
        at_once=True,
    )


def filled(content, name):
    page = AppTest.from_function(
        form, default_timeout=60, kwargs={"content": content, "name": name}
    )
    return page.run()


def test_a_plain_table_is_used_without_a_question(open_page):
    page = filled(GOOD, "shop.csv")
    assert not page.exception
    dataset = chosen.open_dataset(page.session_state["chosen"])
    assert (dataset.name, dataset.target, dataset.positive) == ("shop", "bought", "yes")


def test_a_sheet_is_picked_and_stands_in_the_reference(open_page):
    notes = [["about", "this"], ["made", "by hand"]]
    book = excel_book({"Notes": notes, "2024": [["a", "b", "paid"], *ROWS]})
    page = filled(book, "shop.xlsx")
    assert not page.exception
    page.selectbox[0].set_value("2024").run()
    page.button(key="data.use.upload").click().run()
    assert not page.exception
    reference = page.session_state["chosen"]
    assert "#2024?target=paid" in reference
    assert chosen.open_dataset(reference).rows == 30


def test_a_target_that_is_none_gets_a_sentence_and_no_button(open_page):
    lines = [f"{n / 7:.3f},{['a', 'b', 'c'][n % 3]},same" for n in range(40)]
    page = filled("\n".join(["price,y,one", *lines]).encode(), "prices.csv")
    assert page.selectbox(key="data.target").value == "y"
    page.selectbox(key="data.target").set_value("price").run()
    assert "40 different numbers: an amount, not a class" in page.error[0].value
    assert not [button for button in page.button if button.key == "data.use.upload"]
    page.selectbox(key="data.target").set_value("one").run()
    assert "holds one class only" in page.error[0].value
    assert not page.exception


def test_tables_that_are_gone_are_not_listed(open_page, monkeypatch):
    monkeypatch.setattr(runs, "owner", lambda: "anna")
    kept = [brought(name) for name in ("old", "new")]
    runs.store().open_upload(kept[0]).path.unlink()
    assert [upload.name for upload in uploads.tables()] == ["new"]
