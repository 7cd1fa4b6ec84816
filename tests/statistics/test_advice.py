"""Every rule of the advice, on counts made for it; the figures are worked out by hand."""

import numpy as np
import pandas as pd

from anyloss_core.losses.confusion import Counts
from anyloss_core.statistics.advice import advise, rows_needed
from anyloss_core.statistics.goal import parse_goal
from anyloss_core.statistics.verdict_sentence import fold_verdict, headline

FOLDS = 10


def table(**losses) -> pd.DataFrame:
    """Counts from (tp, fp) of each fold with 100 positives and 900 negatives."""
    rows = [
        (loss.replace("__", ":").replace("_plus_", "+"), fold, 900 - fp, 100 - tp, fp, tp, cut)
        for loss, (cut, cells) in losses.items()
        for fold, (tp, fp) in enumerate(cells)
    ]
    return pd.DataFrame(rows, columns=["loss", "fold", *Counts._fields, "threshold"])


def folds(tp: int, fp: int, noise: int = 0) -> list[tuple[int, int]]:
    """The same counts on every fold, shaken by some positives."""
    shaken = np.random.default_rng(tp + fp).integers(-noise, noise + 1, FOLDS)
    return [(tp + int(step), fp) for step in shaken]


def advice(found: pd.DataFrame, goal: str = "f1", **more):
    candidate, baseline = more.pop("pair", ("anyloss:f1", "bce"))
    settings = {"folds": FOLDS, "rows": 10_000, "positives": 1_000}
    names = {"candidate": candidate, "baseline": baseline}
    return advise(found, parse_goal(goal), settings | more.pop("settings", {}), **names, **more)


def test_a_better_loss_is_told_in_cases_per_hundred():
    found = advice(table(anyloss__f1=(0.5, folds(65, 35)), bce=(0.5, folds(52, 28))))
    assert (found.kind, found.use, found.decided) == ("better", "anyloss:f1", True)
    assert found.text == (
        "Use AnyLoss-F1: it finds 65 of 100 positives where BCE finds 52, at the same precision "
        "(better with probability above 0.99)."
    )


def test_another_precision_is_told_too():
    found = advice(table(anyloss__f1=(0.5, folds(65, 10)), bce=(0.5, folds(65, 65))))
    assert "65 of 100 positives, as many as BCE, and of 100 alarms 87 are right instead of 50" in (
        found.text
    )


def test_a_draw_goes_to_the_simpler_one_and_names_its_threshold():
    pair = ("anyloss:f1", "bce+threshold")
    found = advice(
        table(anyloss__f1=(0.5, folds(60, 30)), bce_plus_threshold=(0.417, folds(60, 30))),
        pair=pair,
    )
    assert (found.kind, found.use, found.threshold) == ("not better", "bce+threshold", 0.417)
    assert found.text == (
        "Use BCE with a threshold of 0.42: AnyLoss-F1 gains nothing that matters here (probability "
        "above 0.99), and BCE's probabilities stay usable."
    )


def test_the_simpler_one_is_advised_whichever_way_round_it_is_asked():
    found = table(anyloss__f1=(0.5, folds(60, 30)), bce=(0.5, folds(60, 30)))
    assert advice(found).text == advice(found, pair=("bce", "anyloss:f1")).text


def test_a_defeat_says_what_the_simpler_one_does_better():
    found = advice(table(anyloss__f1=(0.5, folds(40, 30)), bce=(0.5, folds(60, 30))))
    assert (found.kind, found.use) == ("not better", "bce")
    assert found.text.startswith("Use BCE: it finds 60 of 100 positives where AnyLoss-F1 finds 40")


def test_what_is_not_decided_says_how_many_rows_would_tell():
    found = advice(table(anyloss__f1=(0.5, folds(64, 30, 12)), bce=(0.5, folds(60, 31, 12))))
    assert (found.kind, found.use, found.decided) == ("undecided", "bce", False)
    assert found.needed > 1000
    assert (
        "1,000 positives are too few to say whether AnyLoss-F1 is better than BCE (" in found.text
    )
    assert f"about {found.needed:,} would tell. Until then BCE." in found.text


def test_with_the_rows_needed_the_posterior_decides():
    found = table(anyloss__f1=(0.5, folds(64, 30, 12)), bce=(0.5, folds(60, 31, 12)))
    verdict = advice(found).verdict
    needed = rows_needed(verdict, 40)
    from scipy import stats

    def win(rows):
        scale = verdict.scale / np.sqrt(rows / 40)
        return stats.t.sf(verdict.rope, verdict.degrees, verdict.difference, scale)

    before = win(needed * 0.8)
    assert 0.05 < before < 0.95
    assert win(needed * 1.05) >= 0.95 or win(needed * 1.05) <= 0.05


def test_a_difference_at_the_edge_of_the_rope_needs_more_than_anybody_has():
    found = table(anyloss__f1=(0.5, folds(64, 30, 12)), bce=(0.5, folds(60, 31, 12)))
    size = advice(found).verdict.difference
    said = advice(found, rope=abs(size))
    assert said.needed is None
    assert "at the edge of what matters" in said.text


def test_repeats_do_not_make_more_rows():
    once = table(anyloss__f1=(0.5, folds(64, 30, 12)), bce=(0.5, folds(60, 31, 12)))
    again = pd.concat([once, once.assign(fold=once["fold"] + FOLDS)], ignore_index=True)
    assert "1,000 positives" in advice(again, settings={"repeats": 2}).text


def test_rows_that_were_looked_at_are_counted_whatever_share_is_asked_about():
    found = table(anyloss__f1=(0.5, folds(64, 30, 12)), bce=(0.5, folds(60, 31, 12)))
    said = advice(found, settings={"rarer": (135, "positives")}).text
    assert said.startswith("Not decided: 135 positives are too few")


def test_money_is_told_in_its_currency():
    goal = "cost: miss=10, alarm=1, hit=0, in=EUR"
    ours = parse_goal(goal).loss
    found = table(ours=(0.5, folds(80, 100)), bce=(0.5, folds(60, 30))).replace({"ours": ours})
    said = advice(found, goal, pair=(ours, "bce"))
    # 1,000 rows: 20 misses and 100 alarms cost 300, 40 misses and 30 alarms cost 430
    assert "it is worth 130 EUR more per 1,000 rows than BCE" in said.text


FLOOR = "precision at recall >= 0.6"


def test_a_floor_that_only_one_holds_decides():
    ours = parse_goal(FLOOR).loss
    found = table(ours=(0.5, folds(70, 60)), bce=(0.5, folds(50, 10))).replace({"ours": ours})
    said = advice(found, FLOOR, pair=(ours, "bce"))
    assert (said.kind, said.use) == ("floor", ours)
    assert "it holds a recall of at least 0.6 on new rows with probability above 0.99" in said.text
    assert "BCE only with below 0.01" in said.text


def test_a_floor_that_nobody_holds_is_said():
    ours = parse_goal(FLOOR).loss
    found = table(ours=(0.5, folds(55, 60)), bce=(0.5, folds(50, 10))).replace({"ours": ours})
    said = advice(found, FLOOR, pair=(ours, "bce"))
    assert said.text.startswith("No loss here holds a recall of at least 0.6 on new rows")
    assert said.use == ours


def test_a_floor_that_both_hold_is_named_with_its_probability():
    ours = parse_goal(FLOOR).loss
    found = table(ours=(0.5, folds(62, 20)), bce=(0.5, folds(62, 60))).replace({"ours": ours})
    said = advice(found, FLOOR, pair=(ours, "bce"))
    assert said.kind == "better"
    assert "recall ≥ 0.6 holds on new rows with probability 0.9" in said.text


def test_a_floor_is_told_of_a_lone_loss_and_of_the_threshold_that_was_chosen_for_it():
    ours = parse_goal(FLOOR).loss
    found = table(ours=(0.5, folds(62, 20))).replace({"ours": ours})
    found["threshold"] = np.linspace(0.3, 0.4, len(found))
    said = advice(found, FLOOR, pair=(ours, None))
    assert said.text == (
        "There is nothing to compare AnyLoss-precision at recall ≥ 0.6 with a threshold of 0.35 "
        "with; recall ≥ 0.6 holds on new rows with probability 0.90."
    )


def test_trees_that_are_clearly_better_name_the_limit():
    found = table(
        anyloss__f1=(0.5, folds(65, 35)),
        bce=(0.5, folds(52, 28)),
        boosted_trees=(0.3, folds(85, 20)),
    )
    assert advice(found).text.endswith(
        " Gradient boosting reaches F1 0.83 here: the network is the limit, not the loss."
    )
    equal = table(
        anyloss__f1=(0.5, folds(65, 35)),
        bce=(0.5, folds(52, 28)),
        boosted_trees=(0.3, folds(65, 35)),
    )
    assert "Gradient" not in advice(equal).text


def test_a_lone_loss_has_nothing_to_be_held_against():
    found = advice(table(bce=(0.5, folds(60, 30))), pair=("bce", None))
    assert found.kind == "alone"
    assert "nothing to compare BCE with" in found.text


def test_advice_and_headline_speak_of_the_same_two_losses():
    found = table(anyloss__f1=(0.5, folds(65, 35)), bce=(0.5, folds(52, 28)))
    said, settings = advice(found), {"folds": FOLDS, "rows": 10_000, "positives": 1_000}
    score = 2 * found["tp"] / (2 * found["tp"] + found["fp"] + found["fn"])
    scores = found[["loss", "fold"]].assign(metric="f1", score=score)
    words = headline(scores, "it", settings)
    assert "AnyLoss-F1 beats BCE" in words
    verdict = fold_verdict(scores, "anyloss:f1", "bce", "f1", settings)
    assert verdict.candidate_wins == said.verdict.candidate_wins
