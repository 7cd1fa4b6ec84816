"""What is a good L over many tables: the answer changes with the network and with the start."""

import pytest

from anyloss_core.common.wording import metric_words
from anyloss_core.sweep import good_amplifier as study
from anyloss_core.sweep.words import setting_words
from pages.ui.sweep import good_amplifier
from tests.pages.conftest import charts, shown


def test_the_question_for_a_good_L_is_in_the_link(open_page):
    page = open_page("sweep", good_model="mlp", good_start="fresh")
    said = shown(page)
    assert page.query_params["good_start"] == "fresh"
    assert said != shown(open_page("sweep"))


def test_both_charts_show_the_judgement_that_the_sentence_tells(open_page):
    page = open_page("sweep", good_model="mlp")
    rows = study.load_study("mlp", 0.7)
    assert study.answer(rows) in shown(page)
    best = study.judge(rows).sort_values("rank").iloc[0]
    alt = charts(page)["good_L_rank"]["alt"]
    winner = f"{setting_words(best['setting'])} for {metric_words(best['metric'])}"
    assert alt == f"Mean rank of each L; the best is {winner}."


@pytest.mark.parametrize("start", good_amplifier.STARTS)
def test_each_start_has_a_study_of_both_networks(start):
    warm_up, _ = good_amplifier.STARTS[start]
    for model in ("slp", "mlp"):
        sentence, judged = good_amplifier._outcome(model, warm_up)
        assert sentence.startswith("Over ")
        assert judged["will_do"].between(0, 1).all()
        assert set(judged["metric"]) == {"f1", "gmean", "balanced_accuracy"}
