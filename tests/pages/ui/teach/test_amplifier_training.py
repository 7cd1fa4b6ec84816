"""Several L trained live: the settings of such a run."""

from pages.ui.teach.amplifier_training import settings


def test_each_L_is_a_loss_in_the_papers_form():
    made = settings((5.0, 100.0))
    assert made.losses == ("anyloss:f1@L=5,form=naive", "anyloss:f1@L=100,form=naive")
    assert [spec.L for spec in made.specs] == [5.0, 100.0]
    assert (made.optimiser, made.hidden) == ("gd", ())
