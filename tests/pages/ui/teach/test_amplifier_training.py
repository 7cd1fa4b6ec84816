"""Several L trained live: the settings of such a run, and what it says of dead samples."""

from pages.ui.teach.amplifier_training import settings
from tests.pages.conftest import charts


def test_each_L_is_a_loss_in_the_papers_form():
    made = settings((5.0, 100.0))
    assert made.losses == ("anyloss:f1@L=5,form=naive", "anyloss:f1@L=100,form=naive")
    assert [spec.L for spec in made.specs] == [5.0, 100.0]
    assert (made.optimiser, made.hidden) == ("gd", ())


def test_several_L_are_trained_and_the_dead_are_counted(open_page, finished):
    page = open_page("approximation", values="5;100")
    page.button(key="curves.start").click().run()
    page = finished(page)
    words = page.main.markdown[-1].value
    assert not page.exception
    assert "L = 5: F1 on held-out rows 0." in words
    assert "soft loss 0." in words.split("L = 100")[1]
    assert "no more update from epoch" in words.split("L = 100")[1]
    drawn = charts(page)
    assert {"held_out_L", "learning_curves_L", "samples_on_curve", "dead_samples_L"} <= set(drawn)
    dots = drawn["samples_on_curve"]["figure"]["data"][1::2]
    assert [len(each["marker"]["symbol"]) for each in dots] == [12, 12]
