"""Work that cannot fit is refused on the page, with the figure, before it is queued."""

from pages.ui.runs import runs
from tests.pages.conftest import all_text

NETWORK = {"model": "mlp", "hidden": "256 256 256"}


def button(page, label):
    return next(button for button in page.button if button.label == label)


def test_a_comparison_that_would_take_days_is_not_queued(open_page):
    page = open_page("compare", **NETWORK, epochs=5000, folds=20, repeats=10)
    button(page, "Compare").click()
    page.run()
    assert "hours of the 2 that a run may work" in all_text(page)
    assert "use fewer epochs" in all_text(page)
    assert runs.store().runs() == []


def test_a_sweep_that_would_take_days_is_not_queued(open_page):
    values = " ".join(str(L) for L in range(1, 21))
    page = open_page("sweep", model="mlp", L=values, epochs=5000, folds=20, seeds=10)
    button(page, "Sweep").click()
    page.run()
    assert "hours of the 2 that a run may work" in all_text(page)
    assert runs.store().runs() == []


def test_a_live_training_that_would_take_hours_cannot_be_started(open_page):
    page = open_page("train", **NETWORK | {"batch": 1, "epochs": 5000})
    assert "hours of the 2 that a run may work" in all_text(page)
    assert button(page, "Start").disabled
    small = open_page("train", epochs=50)
    assert not button(small, "Start").disabled
