"""Where data comes from: every source of the dialog, an upload, bad files."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.data import chosen

GOOD = b"age,city,bought\n" + b"".join(
    b"%d,%s,%s\n" % (20 + i % 40, [b"Ulm", b"Rom"][i % 2], [b"no", b"yes"][i % 5 == 0])
    for i in range(60)
)


def sources():
    """The content of the dialog, without the dialog around it."""
    import streamlit as st

    from pages.ui.data import sources as dataset_sources

    dataset_sources.show(lambda reference: st.session_state.update(chosen=reference))


@pytest.fixture
def dialog(open_page):
    return AppTest.from_function(sources, default_timeout=60).run()


def test_another_built_in_data_set_is_chosen(dialog):
    dialog.radio(key="data.builtin").set_value("circles").run()
    dialog.button(key="data.use.builtin:circles").click().run()
    assert not dialog.exception
    assert dialog.session_state["chosen"] == "builtin:circles"


def test_a_generated_data_set_is_chosen_by_its_recipe(dialog):
    dialog.segmented_control[0].set_value("Generate").run()
    dialog.slider(key="data.rows").set_value(500).run()
    use(dialog)
    assert dialog.session_state["chosen"].startswith("synthetic:rows=500")


def test_a_table_of_the_suite_is_chosen(dialog):
    dialog.segmented_control[0].set_value("Suites").run()
    names = dialog.selectbox[0].options
    wanted = next(index for index, name in enumerate(names) if name.startswith("DAAG/leafshape"))
    dialog.selectbox[0].select_index(wanted).run()
    use(dialog)
    assert dialog.session_state["chosen"] == "real:DAAG/leafshape"


def test_a_table_is_uploaded_with_target_and_class(dialog):
    dialog.segmented_control[0].set_value("Upload").run()
    dialog.file_uploader[0].upload("shop.csv", GOOD, "text/csv").run()
    assert dialog.selectbox[0].value == "bought"
    dialog.multiselect[0].set_value(["city"]).run()
    dialog.button(key="data.use.upload").click().run()
    assert not dialog.exception
    dataset = chosen.open_dataset(dialog.session_state["chosen"])
    assert (dataset.name, dataset.positive, dataset.positives) == ("shop", "yes", 12)
    assert list(dataset.frame.columns) == ["age"]


@pytest.mark.parametrize(
    "data", [b"", b"\x00\x01\x02" * 50, b"%PDF-1.4", b"a,b\n1,2\n", b"only one line"]
)
def test_a_bad_file_is_refused_and_nothing_is_chosen(data, dialog):
    dialog.segmented_control[0].set_value("Upload").run()
    dialog.file_uploader[0].upload("bad.csv", data, "text/csv").run()
    assert not dialog.exception
    assert "stays" in dialog.error[0].value
    assert "chosen" not in dialog.session_state


def use(dialog):
    next(button for button in dialog.button if button.label == "Use this data set").click().run()
    assert not dialog.exception
