"""The question put to a result: choices that are left to the page, and verdicts in words."""

import pandas as pd
from streamlit.testing.v1 import AppTest

from anyloss_core.statistics.verdict_sentence import fold_verdict
from pages.ui.choice import question


def asking():
    import streamlit as st

    from pages.ui.base.state import Board
    from pages.ui.choice import question

    board = Board("asked", *question.SETTINGS).open()
    losses = ["mse", "bce", "anyloss:f1"]
    candidate = question.pick(board, "candidate", losses, "anyloss:f1")
    st.text(f"{candidate} {question.pick_baseline(board, losses, candidate)}")
    st.text(str(question.pick_baseline(board, ["bce"], "bce")))


def test_what_is_not_chosen_is_the_usual_one():
    page = AppTest.from_function(asking, default_timeout=60).run()
    assert page.text[0].value == "anyloss:f1 bce"
    assert page.selectbox(key="asked.candidate").options[0] == "AnyLoss-F1 (automatic)"
    assert page.text[1].value == "None"  # one loss has no rival


def test_a_rival_is_never_the_candidate_itself():
    page = AppTest.from_function(asking, default_timeout=60).run()
    page.selectbox(key="asked.candidate").select("bce").run()
    assert page.text[0].value == "bce mse"


def test_a_choice_that_is_gone_is_left_to_the_page():
    page = AppTest.from_function(asking, default_timeout=60)
    page.query_params["candidate"] = "focal"
    assert page.run().text[0].value == "anyloss:f1 bce"
    assert "candidate" not in page.query_params


def test_verdicts_and_values_are_told_in_words():
    rows = [(loss, fold, "f1", 0.5 + gain) for loss, gain in (("bce", 0), ("mse", 0.2))
            for fold in range(5)]  # fmt: skip
    scores = pd.DataFrame(rows, columns=["loss", "fold", "metric", "score"])
    verdict = fold_verdict(scores, "mse", "bce", "f1")
    assert question.verdict_words(verdict) == (
        "MSE: wins 1.000, draws 0.000, loses 0.000; 5 / 0 / 0 folds won, tied and lost."
    )
    assert question.loss_values({"bce": 0.5, "anyloss:f1": 1}, ".1f") == "BCE 0.5, AnyLoss-F1 1.0"
