"""What the panels say about their numbers: soft labels by their name, mishaps with advice."""

import inspect
import re

import pytest

from anyloss_core.live.findings import Finding
from pages.ui.train import panels, words
from tests.live_runs import train_live


def test_a_collapse_is_explained_on_the_page(train_page, store):
    data = "synthetic:rows=200,features=2,imbalance=9,separation=0.01,noise=0,seed=0"
    run, _ = train_live(store, data=data, losses=("bce",), epochs=100)
    app = train_page(run=run.id)
    (warning,) = (box.value for box in app.warning)
    assert "has collapsed" in warning
    assert "What to try" in warning


def test_every_panel_has_a_formula_and_no_formula_is_left_over():
    source = inspect.getsource(panels)
    named = re.findall(r'_panel\(\s*run, "(\w+)"', source)
    named += re.findall(r'FORMULAS\["(\w+)"\]', source)
    assert sorted(named) == sorted(words.FORMULAS)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("collapsed", "has collapsed: since epoch 7 it calls every training row `**no**`"),
        ("frozen", "updates no more: since epoch 7 nearly all rows (96.5 % now) have a slope"),
        ("diverged", "has diverged: since epoch 7 its loss is no longer a number."),
    ],
)
def test_what_went_wrong_is_told_with_what_to_try(kind, sentence):
    finding = Finding("sol:f1", kind, 7, ("a smaller L", "more epochs"), "**no**", 0.965)
    told = words.explain(finding)
    assert told.startswith(f"`SOL-F1` {sentence}")
    assert told.endswith(" **What to try:** a smaller L; more epochs.")


def test_a_soft_label_is_called_by_what_the_loss_makes_of_p(store):
    losses = ("bce", "sol:f1", "anyloss:f1@L=20", "anyloss:f1@warm_up=0.5", "anyloss:f1@L=5..80")
    _, history = train_live(store, epochs=5, losses=losses)
    first, last = history.snapshot(1), history.snapshot(5)
    titles = [words.soft_title(first, model) for model in range(5)]
    assert titles == [
        "soft label = p",
        "soft label F(p)",
        "A(p), L = 20",
        "p (BCE warm-up)",
        "A(p), L = 5",
    ]
    assert words.soft_title(last, 3) == "A(p), L = 73"
    assert words.soft_title(last, 4) == "A(p), L = 80"
