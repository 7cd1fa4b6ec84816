"""The frame: formulas that were typed once are offered everywhere."""

from streamlit.testing.v1 import AppTest


def remembering():
    import streamlit as st

    from pages.ui.base import frame

    for number in range(7):
        frame.remember_formula(f"TP / (TP + {number})")
    frame.remember_formula("TP / (TP + 4)")
    st.text(";".join(frame.formulas()))


def broken():
    import streamlit as st

    from pages.ui.base import frame

    frame.FRAME.set("formula", ("TP / (TP + FP)", "__import__('os')", "TP +"))
    st.text(";".join(frame.formulas()))


def renaming():
    import streamlit as st

    from pages.ui.base import frame

    for text in ("TP / P", "Hits: TP/P", "Hits: TP / N", "Rest: TN / N"):
        frame.remember_formula(text)
    frame.forget_formula("Rest: TN / N")
    st.text(";".join(frame.formulas()))


def test_a_name_takes_the_place_of_its_formula_and_of_its_namesake():
    page = AppTest.from_function(renaming, default_timeout=60).run()
    assert page.text[0].value == "Hits: TP / N"


def test_the_newest_formulas_are_kept_each_once():
    page = AppTest.from_function(remembering, default_timeout=60).run()
    kept = page.text[0].value.split(";")
    assert kept == [f"TP / (TP + {number})" for number in (2, 3, 5, 6, 4)]


def test_what_is_no_formula_is_not_offered():
    page = AppTest.from_function(broken, default_timeout=60).run()
    assert page.text[0].value == "TP / (TP + FP)"
