"""The sentence of a benchmark: every count as counted by hand."""

import pandas as pd

from anyloss_core.statistics.bayes import sign_test
from anyloss_core.statistics.suite_sentence import suite_headline

GAPS = [0.1] * 12 + [0.0] * 3 + [-0.05] * 5  # twelve wins, three ties, five losses


def _scores(**more):
    rows = [
        (f"data {place}", loss, metric, 0.5 + (gap if loss == "anyloss:f1" else 0))
        for place, gap in enumerate(GAPS)
        for loss in ("bce", "anyloss:f1")
        for metric in ("accuracy", "f1")
    ]
    return pd.DataFrame(rows, columns=["dataset", "loss", "metric", "score"])


def test_wins_ties_and_losses_are_counted_apart():
    sentence = suite_headline(_scores())
    assert sentence.startswith(
        "On 20 data sets, AnyLoss-F1 has a higher F1 than BCE on 12, the same (within 0.01) on 3 "
        "and a lower one on 5; among all such data sets wins are the most frequent with "
    )


def test_the_probabilities_are_those_of_the_sign_test():
    scores = _scores()
    verdict = sign_test(scores[scores["metric"] == "f1"], 0.01, "bce")
    assert f"with probability {verdict.candidate_wins:.2f}, ties" in suite_headline(scores)
    assert f"losses with {verdict.baseline_wins:.2f}." in suite_headline(scores)


def test_a_difference_inside_the_rope_is_counted_as_the_same():
    sentence = suite_headline(_scores(), rope=0.05)
    assert "on 12, the same (within 0.05) on 8 and a lower one on 0" in sentence


def test_a_loss_alone_has_won_nothing():
    alone = _scores().query("loss == 'bce'")
    assert suite_headline(alone) == "BCE was trained on 20 data sets."


def test_who_chose_among_recipes_and_who_did_not_is_said():
    said = " On inner folds AnyLoss-F1 chose among recipes; BCE had one."
    assert suite_headline(_scores(), choosing=["anyloss:f1"]).endswith(f".{said}")
    for equal in ((), ("anyloss:f1", "bce")):
        assert "recipes" not in suite_headline(_scores(), choosing=equal)
    other = suite_headline(_scores(), choosing=["bce"])
    assert other.endswith(" On inner folds BCE chose among recipes; AnyLoss-F1 had one.")


def test_a_win_over_bce_is_set_beside_that_over_a_tuned_threshold():
    scores = _scores()
    tuned = scores.query("loss == 'anyloss:f1'").assign(loss="bce+threshold")
    tuned.loc[tuned["dataset"] == "data 0", "score"] -= 0.1
    both = pd.concat([scores, tuned])
    said = " Against BCE with threshold for F1: 1 won, 19 tied, 0 lost."
    assert suite_headline(both).endswith(said)
    assert said not in suite_headline(both, baseline="bce+threshold")
    assert "Against" not in suite_headline(both, candidate="bce+threshold")
    elsewhere = tuned.assign(dataset="another")
    assert "Against" not in suite_headline(pd.concat([scores, elsewhere.head(2)]))
