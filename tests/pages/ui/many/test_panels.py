"""Who wins on many data sets: verdicts, imbalance, ranks and every data set, each in words too."""

import pandas as pd
import pytest

from anyloss_core.benchmark.evidence import Evidence
from pages.ui.many import panels
from tests.pages.conftest import charts, contests, drawn

GAINS = {"bce": 0.0, "mse": -0.02, "anyloss:f1": 0.04}
CLOSE = (2, 5)  # data sets on which AnyLoss is the worst


def test_the_rope_changes_the_verdict(open_page, finished_run):
    test = open_page("many", run=finished_run)
    before = contests(test)
    test.button(key="many.rope:0.05").click().run()
    after = contests(test)
    assert test.query_params["rope"] == "0.05"
    assert (after["draw"] >= before["draw"]).all()
    assert after["draw"].sum() > before["draw"].sum()
    assert (after["wins"] <= before["wins"]).all()  # a win inside the rope is a tie
    assert after["ties"].sum() > before["ties"].sum()


def test_the_missing_test_is_explained(open_page):
    test = open_page("many", source="kept")
    (tests,) = [group for group in test.button_group if group.label == "Test"]
    assert "the scores of every fold" in tests.help


def evidence(losses=tuple(GAINS), tables=8, ratios=None):
    rows = [
        (f"t{place}", loss, "f1", 0.5 + 0.03 * place + (-0.1 if ours and place in CLOSE else gain))
        for place in range(tables)
        for loss, gain in GAINS.items()
        if loss in losses
        for ours in [loss.startswith("anyloss")]
    ]
    scores = pd.DataFrame(rows, columns=["dataset", "loss", "metric", "score"])
    return Evidence(scores, None, ratios or {})


def everything(evidence, view):
    from pages.ui.base.state import Board
    from pages.ui.many import controls, panels

    board = Board("many", *controls.VIEW).open()
    board.set("view", view)
    panels.show(evidence, f"{view}.{len(evidence.scores)}.{len(evidence.ratios)}", board, None)


def look(view, **given):
    return drawn(everything, evidence=evidence(**given), view=view)


def test_wins_ties_and_losses_are_counted_for_each_loss():
    page = look("verdict")
    alt = charts(page)["many.wins_ties_losses"]["alt"]
    assert alt == (
        "F1 of each loss against BCE. MSE: 0 won, 0 tied, 8 lost. "
        "AnyLoss-F1: 6 won, 0 tied, 2 lost."
    )
    assert "On 8 data sets, AnyLoss-F1" in "".join(part.proto.body for part in page.get("html"))


def test_the_test_is_named_with_its_rope():
    chart = charts(look("verdict"))["many_verdicts"]
    assert chart["alt"].startswith("Sign test on F1 against BCE, rope 0.01. MSE: wins 0.000")
    assert chart["filename"] == "sign_test"


def test_the_difference_is_told_for_each_group_of_imbalance():
    ratios = dict.fromkeys(("t0", "t1", "t2"), 19.0) | dict.fromkeys(("t3", "t5"), 1.0)
    page = look("imbalance", ratios=ratios)
    whole, groups = (
        charts(page)[key]["alt"]
        for key in ("many.difference_by_imbalance", "many.imbalance_groups")
    )
    assert "5 data sets, mean difference -0.0160." in whole  # three of 0.04, two of -0.1
    assert "above 90:10: -0.0067 on 3 data sets." in groups
    assert "below 60:40: -0.0300 on 2 data sets." in groups


def test_imbalance_that_is_not_known_is_asked_for():
    page = look("imbalance")
    assert "Add a column positive_share" in page.info[0].value
    assert not charts(page)


def test_ranks_are_told_best_first():
    page = look("ranks")
    alt = charts(page)["many.ranks"]["alt"]
    # AnyLoss is first on six tables and last on two; BCE second and then first; MSE third, second.
    assert "best first: AnyLoss-F1 1.50, BCE 1.75, MSE 2.75." in alt
    assert page.header[0].value == "Average ranks on 8 data sets"


def test_one_data_set_has_no_ranks():
    page = look("ranks", tables=1)
    assert page.info[0].value == "Ranks need two data sets."


def test_every_data_set_has_a_line_and_a_place_in_the_heatmap():
    page = look("datasets")
    lines = page.dataframe[0].value.set_index("dataset")
    assert len(lines) == 8
    assert lines.loc["t2", "difference"] == pytest.approx(-0.1)
    alt = charts(page)["many.heatmap"]["alt"]
    assert "8 data sets by 3 losses" in alt
    assert "Means: BCE 0.605, MSE 0.585, AnyLoss-F1 0.610" in alt


def test_one_loss_has_nothing_to_be_compared_with():
    page = look("verdict", losses=("bce",))
    assert "Add another." in page.info[0].value
    assert not page.selectbox


def test_folds_allow_the_hierarchical_test_if_its_program_is_there(monkeypatch):
    folds = evidence().scores.assign(fold=0)
    known = Evidence(evidence().scores, folds, {})
    assert "these are means" in panels._missing_test(evidence())
    monkeypatch.setattr(panels, "has_hierarchical", lambda: False)
    assert "pystan" in panels._missing_test(known)
    monkeypatch.setattr(panels, "has_hierarchical", lambda: True)
    assert panels._missing_test(known) is None
