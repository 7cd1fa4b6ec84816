"""Choosing losses and metrics: what is on offer, and what a link may name."""

import pytest
from streamlit.testing.v1 import AppTest

from anyloss_core.losses.spelling import parse_loss
from pages.ui.choice import losses
from tests.pages.conftest import DATA, all_text


def offered():
    import streamlit as st

    from pages.ui.base.frame import remember_formula
    from pages.ui.choice import losses

    remember_formula("TP / (TP + FP + FN)")
    groups = losses.losses_by_group().values()
    st.text(";".join(loss for group in groups for loss in group))
    st.text(";".join(losses.metrics_on_offer()))


def test_every_loss_on_offer_can_be_spelled_and_formulas_are_among_them():
    page = AppTest.from_function(offered, default_timeout=60).run()
    spelled = page.text[0].value.split(";")
    assert [parse_loss(loss).spelling for loss in spelled]
    assert len(set(spelled)) == len(spelled)
    assert "anyloss:TP / (TP + FP + FN)" in spelled
    assert page.text[1].value.endswith("TP / (TP + FP + FN)")


@pytest.mark.parametrize(("text", "known"), [("gmean", True), ("f0.5", True), ("TP;TN", False)])
def test_a_link_names_metrics(text, known):
    assert losses.is_metric(text) is known


def test_what_is_no_metric_is_refused():
    with pytest.raises(ValueError, match="nothing"):
        losses.is_metric("nothing")


def test_names_in_lists_begin_with_a_capital():
    assert losses.metric_option("balanced_accuracy") == "Balanced accuracy"
    assert losses.metric_option("gmean") == "G-mean"
    assert losses.loss_option("sol:f1") == "SOL-F1"


def test_a_spelling_that_means_nothing_is_explained(open_page):
    page = open_page("compare", data=DATA)
    page.multiselect(key="compare.losses").set_value(["bce", "anylos:f1"]).run()
    assert "did you mean 'anyloss'" in all_text(page)
    assert not page.exception


def test_references_of_scikit_learn_have_no_model_file():
    known = ["boosted_trees@metric=f1", "bce", "logistic_regression", "forest <b>"]
    assert losses.trained_by_us(known) == ["bce", "forest <b>"]
