"""Lessons 6 and 7: four losses side by side, and whether a difference is real."""

from anyloss_core.live.settings import LiveSettings
from anyloss_core.teaching.lessons import LESSONS
from anyloss_core.teaching.take_home import FOUR
from pages.ui.runs import runs
from tests.live_runs import train_live
from tests.pages.conftest import all_text, charts, drawn

BY_NAME = {lesson.name: lesson for lesson in LESSONS}


def test_four_losses_are_trained_side_by_side(open_page, finished):
    page = open_page("lessons", step=6, imbalance=9)
    page.button(key="lesson6.train").click().run()
    page = finished(page)
    assert not page.exception
    assert "AnyLoss-F1" in all_text(page).split("Now, on validation rows")[1]


def test_a_comparison_answers_whether_the_difference_is_real(open_page, finished):
    page = open_page("lessons", step=7, hide="guess")
    page.button(key="lesson7.compare").click().run()
    page = finished(page)
    assert not page.exception
    assert "no difference that matters 0.92, BCE with a tuned threshold" in all_text(page)
    assert "a probability of 92 %" in BY_NAME["real"].guess.because
    page.slider[0].set_value(0.1).run()
    assert page.query_params["rope"] == "0.1"


def curves(run, metric):
    from pages.ui.teach import lessons_training as lessons  # the script has imports of its own

    lessons._curves(run, metric)


def test_what_each_loss_reached_is_told_in_the_chosen_metric(store):
    run, history = train_live(store, epochs=6, losses=("bce", "mse"))
    page = drawn(curves, run=run, metric="accuracy")
    bce, mse = history.scores("accuracy", "valid")[-1]
    assert f"Now, on validation rows: BCE {bce:.3f}, MSE {mse:.3f}. " in all_text(page)
    assert charts(page)["four_losses"]["alt"].startswith("accuracy on validation rows")


def test_a_run_of_another_kind_is_not_drawn(store):
    run = store.run(store.create_run("compare", {}, queue=False))
    assert not charts(drawn(curves, run=run, metric="f1"))


def test_the_imbalance_of_the_slider_is_that_of_the_data(open_page):
    page = open_page("lessons", step=6, imbalance=9)
    page.button(key="lesson6.train").click().run()
    (run,) = runs.store().runs("train")
    runs.store().set_control(run.id, "stop")
    settings = LiveSettings.from_dict(run.settings)
    assert run.title == "Lesson 6: four losses, 9:1"
    assert settings.losses == FOUR
    assert settings.data.startswith("synthetic:rows=4000,features=5,imbalance=9.0,")
