"""The form of the page Train: from a link, from a run, and refused with what is possible."""

import json

from anyloss_core.comparison.protocols import FRESH
from anyloss_core.live.settings import LiveSettings
from pages.ui.train import form
from tests.live_runs import DATA, live_settings, train_live
from tests.pages.conftest import button, clean, drawn


def test_settings_of_a_link_are_taken_clamped_or_left_out(train_page):
    app = train_page(
        losses="sol:gmean;bce+smote;nonsense;focal", L="9999", epochs="-4", lr="abc", metric="2+"
    )
    assert list(app.multiselect[0].value) == ["sol:gmean", "focal"]
    assert next(box for box in app.slider if box.label == "L of AnyLoss").value == 150
    values = {box.label: (box.value, box.placeholder) for box in app.number_input}
    assert values["Epochs"] == (None, "600 (default)")
    assert values["Learning rate"] == (None, "0.2 (default)")
    assert app.button_group(key="train.recipe").value == "own"  # the link tells an L
    assert app.selectbox[0].value == "f1"


def test_nonsense_is_answered_with_what_is_possible_and_cannot_start(train_page):
    app = train_page(model="mlp")
    hidden = next(box for box in app.text_input if box.label.startswith("Hidden"))
    clean(hidden.set_value("16, many").run())
    assert "such as '16, 8'" in app.warning[0].value
    assert button(app, "Start").disabled
    clean(hidden.set_value("16, 8").run())
    assert not app.warning
    assert not button(app, "Start").disabled


def test_no_loss_at_all_is_refused(train_page):
    app = train_page()
    clean(app.multiselect[0].set_value([]).run())
    assert "choose one to 6 losses" in app.warning[0].value
    assert button(app, "Start").disabled


def test_a_link_with_nothing_but_the_run_brings_its_settings_and_data(train_page, store):
    run, _ = train_live(store, losses=("mse",), epochs=12, hidden=(3, 2), lr=0.2, batch=32)
    app = train_page(run=run.id)
    assert list(app.multiselect[0].value) == ["mse"]
    values = {box.label: box.value for box in app.number_input}
    assert (values["Epochs"], values["Learning rate"], values["Rows in a batch"]) == (
        *(12, 0.2, 32),
    )
    assert next(box for box in app.text_input if box.label.startswith("Hidden")).value == "3, 2"
    assert app.query_params["data"] == [DATA] or app.query_params["data"] == DATA


def run_with(store, **changes):
    settings = live_settings(**changes).to_dict()
    return store.run(store.create_run("train", settings, queue=False))


def test_a_stored_run_fills_the_form(store):
    run = run_with(store, hidden=(3, 2), valid_share=0.2, pace=5.0, optimiser="gd")
    values = form.settings_of(run)
    assert (values["model"], values["hidden"]) == ("mlp", "3, 2")
    assert (values["valid"], values["pace"]) == (0.2, "slow")
    assert (values["optimiser"], values["lr"]) == ("gd", 0.1)


def test_a_run_without_hidden_layers_is_an_slp_at_full_speed(store):
    values = form.settings_of(run_with(store, pace=17.0))  # a pace that no button has
    assert (values["model"], values["pace"]) == ("slp", "full")
    assert "hidden" not in values


def test_a_run_that_makes_no_sense_leaves_the_form_alone(store):
    odd = store.run(store.create_run("train", {"epochs": "many", "who": 1}, queue=False))
    assert form.settings_of(odd) == {}


def current(**chosen):
    import json

    import streamlit as st

    from pages.ui.train import form

    form.BOARD.open()
    for name, value in chosen.items():
        form.BOARD.set(name, value)
    st.text(json.dumps(form.current_settings().to_dict()))
    st.caption(form._summary())
    st.markdown(";".join(loss for group in form._losses_by_group().values() for loss in group))


def test_widgets_become_the_settings_of_a_job():
    page = drawn(current, model="mlp", hidden="16, 8", pace="slow", valid=0.2, batch=32, seed=7)
    made = json.loads(page.text[0].value)
    assert (made["hidden"], made["pace"], made["valid_share"]) == ([16, 8], 5.0, 0.2)
    assert (made["batch"], made["seed"]) == (32, 7)
    assert page.caption[0].value == "MLP, 8,000 rows: batches of 32, 200 epochs, Adam 0.03, seed 7"


def test_hidden_layers_are_nothing_to_an_slp():
    page = drawn(current, hidden="16, 8")
    assert json.loads(page.text[0].value)["hidden"] == []
    assert (
        page.caption[0].value == "SLP, 7,000 rows: all rows at once, 600 epochs, Adam 0.2, seed 0"
    )


def made_with(**chosen):
    return LiveSettings(**json.loads(drawn(current, **chosen).text[0].value))


def test_training_starts_with_the_recipe_of_comparisons():
    usual, made = FRESH.plans["slp"], made_with()
    assert made.automatic
    assert (made.epochs, made.lr, made.schedule) == (usual.epochs, usual.lr, usual.schedule)
    anyloss, _ = made.specs  # until automatic has chosen: the default recipe
    assert (anyloss.L, anyloss.warm_up) == (usual.L, usual.warm_up[""])
    made = made_with(model="mlp")
    assert (made.hidden, made.weight_decay) == (FRESH.plans["mlp"].network.hidden, 1e-3)


def test_the_recipe_of_the_paper_is_a_preset_and_ones_own_is_kept():
    paper = made_with(recipe="paper", L=20.0, warm_up=0.3).specs[0]
    assert (paper.L, paper.warm_up) == (73.0, 0.0)
    own = made_with(recipe="own", L=20.0, warm_up=0.3).specs[0]
    assert (own.L, own.warm_up) == (20.0, 0.3)


def test_methods_around_bce_are_not_on_offer():
    offered = drawn(current).markdown[0].value.split(";")
    assert {"bce", "anyloss:f1", "sol:gmean"} < set(offered)
    assert not [loss for loss in offered if loss.startswith("bce+")]
    assert len(set(offered)) == len(offered)
