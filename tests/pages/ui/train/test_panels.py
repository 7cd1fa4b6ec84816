"""The panels of the page Train: any epoch of a run, seen again through a link."""

import json

import pytest

from anyloss_core.store.bundle import export_bundle, import_bundle
from pages.ui.train import panels
from tests.live_runs import train_live
from tests.pages.conftest import charts, clean


def slider(app):
    return next(slider for slider in app.select_slider if slider.label.startswith("Epoch shown"))


def choice(app, label):
    return next(group for group in app.button_group if group.label == label)


def test_a_finished_run_is_scrubbed_back_to_any_epoch(train_page, store):
    run, history = train_live(store, epochs=12, hidden=(3,), losses=("bce", "anyloss:gmean"))
    app = train_page(run=run.id)
    assert "Epoch 12 from close up" in [box.value for box in app.header]
    clean(slider(app).set_value(5).run())
    assert "Epoch 5 from close up" in [box.value for box in app.header]
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


def test_an_epoch_that_was_not_trained_is_the_newest(train_page, store):
    run, _ = train_live(store, epochs=12)
    app = train_page(run=run.id, epoch=40, closely="mse", across=99)
    assert "Epoch 12 from close up" in [box.value for box in app.header]


def test_a_run_that_is_gone_is_said(train_page):
    app = train_page(run="0" * 32)
    assert "no such run" in app.info[0].value


def test_every_panel_tells_the_epoch_that_it_shows(train_page, store):
    run, history = train_live(store, epochs=12, losses=("bce", "mse"))
    app = train_page(run=run.id, epoch=5, rows="train")
    shown = {key: chart["alt"] for key, chart in charts(app).items()}
    snapshot = history.snapshot(5)
    losses, valid = snapshot.values["losses"], snapshot.scores("f1", "valid")
    words = f"Training loss at epoch 5: BCE {losses[0]:.3g}, MSE {losses[1]:.3g}"
    assert shown["train.training_loss"] == words
    words = f"F1 on the validation rows at epoch 5: BCE {valid[0]:.3g}, MSE {valid[1]:.3g}"
    assert shown["train.training_metric"] == words
    soft, hard = (snapshot.counts("train", soft=soft)[0] for soft in (True, False))
    assert f"TN {soft[0]:.1f} soft, {hard[0]:.0f} hard, FN " in shown["train.confusion"]
    assert shown["train.confusion"].endswith(f"TP {soft[3]:.1f} soft, {hard[3]:.0f} hard")
    assert hard.sum() > snapshot.counts("valid", soft=False)[0].sum()  # of the training rows


def test_a_run_with_one_epoch_has_nothing_to_scrub(train_page, store):
    run, _ = train_live(store, epochs=1)
    app = train_page(run=run.id)
    assert not app.select_slider
    assert any(caption.value.endswith(", with one epoch.") for caption in app.caption)


def test_batches_that_lack_a_class_are_told_above_the_closer_look(train_page, store):
    rare = "synthetic:rows=200,features=2,imbalance=19,seed=0"
    run, _ = train_live(store, data=rare, losses=("anyloss:f1", "bce"), epochs=2, batch=8)
    said = [warning.value for warning in train_page(run=run.id).warning]
    (words,) = (text for text in said if "hold no positive row" in text)
    assert words.startswith("`AnyLoss-F1`: ")


def test_a_run_that_was_stopped_before_it_began_says_so(train_page, store):
    settings = train_live(store, epochs=1)[0].settings
    run_id = store.create_run("train", settings)
    store.set_control(run_id, "stop")
    app = train_page(run=run_id)
    assert "Stopped before the first epoch." in [caption.value for caption in app.caption]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("F1", "**F1**"),
        ("Youden's J", "**Youden's J**"),
        ("Balanced accuracy", "**Balanced accuracy**"),
        ("TP / (TP + FP)", "`TP / (TP + FP)`"),
        ("2*TP*FN", "`2*TP*FN`"),
    ],
)
def test_a_metric_is_bold_and_a_formula_is_as_it_was_typed(name, shown):
    assert panels._bold(name) == shown


@pytest.mark.parametrize("odd", ["view", "name", "hidden"])
def test_an_imported_run_without_what_a_training_holds_is_said(train_page, store, odd):
    run, _ = train_live(store, epochs=3)
    bundle = json.loads(export_bundle(store, run.id))
    view = next(value for key, value in bundle["results"] if key == "view")
    if odd == "hidden":
        bundle["settings"]["hidden"] = 1e200
    elif odd == "name":
        del view["name"]
    else:
        bundle["results"] = [["view", 3]]
    app = train_page(run=import_bundle(store, json.dumps(bundle).encode()))
    assert "This imported run cannot be shown" in "".join(said.value for said in app.warning)
