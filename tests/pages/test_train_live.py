"""The page Train without a browser: it opens on any data, refuses nonsense, scrubs a run."""

import pytest

from anyloss_core.store.store import Store
from tests.live_runs import DATA, train_live


@pytest.fixture
def train_page(open_page):
    return lambda **query: clean(open_page("train", **query))


@pytest.fixture
def store(tmp_path, open_page):
    """The store that the page sees."""
    return Store(tmp_path)


def clean(app):
    assert not app.exception
    assert not app.error, [box.value for box in app.error]
    return app


def button(app, label):
    return next(button for button in app.button if button.label == label)


def slider(app):
    return next(slider for slider in app.select_slider if slider.label.startswith("Epoch shown"))


def choice(app, label):
    return next(group for group in app.button_group if group.label == label)


@pytest.mark.parametrize(
    "data",
    ["builtin:random", "builtin:breast_cancer_imbalanced", "real:DAAG/leafshape", "twin:7", DATA],
)
def test_it_opens_clean_on_each_kind_of_data(train_page, data):
    app = train_page(data=data)
    assert app.title[0].value == "Train"
    assert not app.warning
    assert not button(app, "Start").disabled
    assert button(app, "Pause").disabled
    assert button(app, "Reset").disabled


def test_data_that_is_gone_is_said_and_cannot_be_trained(train_page):
    app = train_page(data="upload:" + "0" * 32)
    assert "no longer there" in app.warning[0].value
    assert button(app, "Start").disabled  # it would be trained on data that is gone


def test_settings_of_a_link_are_taken_clamped_or_left_out(train_page):
    app = train_page(
        losses="sol:gmean;bce+smote;nonsense;focal", L="9999", epochs="-4", lr="abc", metric="2+"
    )
    assert list(app.multiselect[0].value) == ["sol:gmean", "focal"]
    assert next(box for box in app.slider if box.label == "L of AnyLoss").value == 150
    values = {box.label: box.value for box in app.number_input}
    assert (values["Epochs"], values["Learning rate"]) == (1, 0.03)
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


def test_a_finished_run_is_scrubbed_back_to_any_epoch(train_page, store):
    run, history = train_live(store, epochs=12, hidden=(3,), losses=("bce", "anyloss:gmean"))
    app = train_page(run=run.id)
    assert "Epoch 12 from close up" in [box.value for box in app.subheader]
    clean(slider(app).set_value(5).run())
    assert "Epoch 5 from close up" in [box.value for box in app.subheader]
    shown = app.dataframe[0].value
    assert shown["loss"].tolist() == pytest.approx(history.snapshot(5).values["losses"].tolist())
    rows = history.snapshot(5).scores("f1", "valid").tolist()
    assert shown["F1 hard"].tolist() == pytest.approx(rows)


def test_a_link_shows_the_same_epoch_loss_rows_and_plane(train_page, store):
    run, _ = train_live(store, epochs=12, losses=("bce", "anyloss:gmean"))
    app = train_page(run=run.id)
    assert "epoch" not in app.query_params  # the newest, nothing to tell
    clean(slider(app).set_value(5).run())
    clean(choice(app, "Loss").set_value("anyloss:gmean").run())
    clean(choice(app, "Rows").set_value("train").run())
    clean(choice(app, "Drawn over").set_value("features").run())
    across = next(box for box in app.selectbox if box.label == "Across")
    clean(across.select_index(1).run())  # the feature that stood on the other axis until now
    link = {name: app.query_params[name] for name in app.query_params}
    assert len(set(link) & {"epoch", "closely", "rows", "plane", "across", "up"}) == 6

    other = train_page(**{name: "".join(value) for name, value in link.items()})
    assert slider(other).value == 5
    for label, value in (("Loss", "anyloss:gmean"), ("Rows", "train"), ("Drawn over", "features")):
        assert choice(other, label).value == value
    axes = {box.label: box.value for box in app.selectbox}
    again = {box.label: box.value for box in other.selectbox}
    assert (again["Across"], again["Up"]) == (axes["Across"], axes["Up"])
    assert again["Across"] != again["Up"]


def test_a_new_run_is_watched_at_its_newest_epoch(train_page, store):
    run, _ = train_live(store, epochs=12)
    app = train_page(run=run.id, epoch=5)
    assert "Epoch 5 from close up" in [box.value for box in app.subheader]
    clean(button(app, "Reset").click().run())
    assert "epoch" not in app.query_params


def test_an_epoch_that_was_not_trained_is_the_newest(train_page, store):
    run, _ = train_live(store, epochs=12)
    app = train_page(run=run.id, epoch=40, closely="mse", across=99)
    assert "Epoch 12 from close up" in [box.value for box in app.subheader]


def test_a_link_with_nothing_but_the_run_brings_its_settings_and_data(train_page, store):
    run, _ = train_live(store, losses=("mse",), epochs=12, hidden=(3, 2), lr=0.2, batch=32)
    app = train_page(run=run.id)
    assert list(app.multiselect[0].value) == ["mse"]
    values = {box.label: box.value for box in app.number_input}
    assert (values["Epochs"], values["Learning rate"], values["Rows in a batch (0: all)"]) == (
        *(12, 0.2, 32),
    )
    assert next(box for box in app.text_input if box.label.startswith("Hidden")).value == "3, 2"
    assert app.query_params["data"] == [DATA] or app.query_params["data"] == DATA


def test_a_run_that_is_gone_is_said(train_page):
    app = train_page(run="0" * 32)
    assert "no such run" in app.info[0].value


def test_a_run_of_another_kind_is_not_shown(train_page, store):
    other = store.create_run("compare", {"data": DATA}, queue=False)
    app = train_page(run=other)
    assert not app.select_slider


def test_a_changed_setting_is_told_apart_from_the_run_shown(train_page, store):
    run, _ = train_live(store, epochs=3)
    app = train_page(run=run.id)
    told = "The settings have changed since this run."
    assert told not in [box.value for box in app.caption]
    clean(next(box for box in app.slider if box.label == "L of AnyLoss").set_value(20.0).run())
    assert told in [box.value for box in app.caption]


def test_reset_leaves_the_run_and_its_address(train_page, store):
    run, _ = train_live(store, epochs=3)
    app = train_page(run=run.id)
    clean(button(app, "Reset").click().run())
    assert "run" not in app.query_params
    assert "Press Start" in app.info[0].value
    assert store.run(run.id).status == "done"


def test_a_collapse_is_explained_on_the_page(train_page, store):
    data = "synthetic:rows=200,features=2,imbalance=9,separation=0.01,noise=0,seed=0"
    run, _ = train_live(store, data=data, losses=("bce",), epochs=100)
    app = train_page(run=run.id)
    (warning,) = (box.value for box in app.warning)
    assert "has collapsed" in warning
    assert "What to try" in warning
