"""What the MLP's figures say: every sentence follows from figures that are given here."""

import re

import pytest

from anyloss_core.paper.cells import Cell, Result
from anyloss_core.paper.mlp_findings import what_holds_up
from anyloss_core.paper.names import ANYLOSSES
from anyloss_core.paper.shipped import shipped_results
from anyloss_core.paper.tasks.mlp import TABLE, aims_at


def found(published, lead, **protocols):
    """All losses alike: protocol -> (mean score, lead over BCE per seed)."""
    cells = [
        Cell(f"{TABLE} ({name})", 3, loss, aims_at(loss), published, score, "different")
        for name, (score, _) in protocols.items()
        for loss in ANYLOSSES
    ]
    gains = {name: dict.fromkeys(ANYLOSSES, own) for name, (_, own) in protocols.items()}
    gains["published"] = {loss: [lead] for loss in ANYLOSSES}
    return what_holds_up(Result(cells, {}, {"advantage": gains}))


def test_scores_and_leads_open_the_list():
    lines = found(0.9, 0.05, paper=(0.8, [0.02, 0.03]))
    assert "score 0.900 on average" in lines[0]
    assert "+0.050 against BCE" in lines[0]
    assert "0.800, +0.025 against BCE; 6 of 6 losses lead" in lines[1]


def test_carrying_on_is_weighed_for_anyloss_and_for_bce():
    """AnyLoss 0.80 -> 0.95 and BCE 0.75 -> 0.97: what is carried on helps BCE more."""
    lines = found(1.0, 0.05, paper=(0.8, [0.04, 0.06]), as_released=(0.95, [-0.02, -0.02]))
    assert "worth +0.150 of score to AnyLoss and +0.220 to BCE" in lines[-1]
    assert "published scores are 0.050 higher still" in lines[-1]


def test_carry_over_that_reaches_the_published_scores_leaves_nothing_open():
    lines = found(0.95, 0.05, paper=(0.8, [0.05]), as_released=(0.949, [0.05]))
    assert "higher still" not in lines[-1]


@pytest.mark.parametrize(
    ("score", "words"), [(0.748, r"they hold up \(\+0.003\)"), (0.7, "stay 0.045 below")]
)
def test_published_scores_hold_up_if_fresh_networks_reach_them(score, words):
    assert re.search(words, found(0.745, 0.05, fresh=(score, [0.05]))[-1])


@pytest.mark.parametrize(
    ("paper", "fresh", "ending"),
    [
        ([0.02, 0.03], [0.01, 0.02], ": it holds up."),
        ([0.02, 0.03], [-0.01, 0.02], "only with the published settings."),
        ([-0.02, 0.03], [0.01, 0.02], "only with our settings."),
        ([-0.02, 0.03], [-0.01, 0.02], "it does not hold up."),
    ],
)
def test_the_advantage_holds_up_where_it_exceeds_its_spread(paper, fresh, ending):
    line = found(0.9, 0.05, paper=(0.8, paper), fresh=(0.85, fresh))[-1]
    assert line.startswith("Advantage over BCE: published +0.050")
    assert line.endswith(ending)
    assert f"BCE scores {0.85 - sum(fresh) / 2:.3f}" in line


@pytest.mark.parametrize("number", [1, 3])
def test_the_shipped_figures_are_summed_up(number):
    result = shipped_results()[f"mlp {number}"].result
    own = [
        cell
        for cell in result.cells
        if cell.table == f"{TABLE} (fresh)"
        and cell.loss in ANYLOSSES
        and cell.metric == aims_at(cell.loss)
    ]
    lines = what_holds_up(result)
    assert len(lines) == 7
    assert f"{sum(cell.published for cell in own) / 6:.3f}" in lines[0]
    assert f"{sum(cell.ours for cell in own) / 6:.3f}, " in lines[3]
