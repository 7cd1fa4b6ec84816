"""A model to keep: trained on all rows, saved as a file, used on new rows."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.export import model_job
from anyloss_core.export.model_file import save_model, train_final
from anyloss_core.export.model_job import stored_model
from pages.ui.compare import final_model
from pages.ui.runs import runs
from tests.pages.conftest import all_text, drawn


def test_the_final_model_is_trained_and_offered(open_page, made, finished):
    page = open_page("compare", run=made)
    page.button(key="model.start").click().run()
    page = finished(page, "fitted")
    assert not page.exception
    assert "Model file" in [button.label for button in page.get("download_button")]


def test_one_switch_calibrates_it(open_page, made, finished):
    page = open_page("compare", run=made)
    page.toggle(key="model.calibrate").set_value(True).run()
    page.button(key="model.start").click().run()
    page = finished(page, "fitted")
    assert not page.exception
    assert final_model.MEANING[True] in all_text(page)
    model = stored_model(runs.store(), page.query_params["fitted"])
    assert model.calibration.method == "sigmoid"  # 393 rows


def test_a_threshold_chosen_in_predictions_is_kept(open_page, made, finished):
    page = open_page("compare", run=made, cut="bce", threshold=0.125)
    page.selectbox(key="model.loss").set_value("bce").run()
    page.button(key="model.start").click().run()
    page = finished(page, "fitted")
    assert stored_model(runs.store(), page.query_params["fitted"]).threshold == 0.125
    page.toggle(key="model.threshold").set_value(False).run()
    page.button(key="model.start").click().run()
    page = finished(page, "fitted")
    assert stored_model(runs.store(), page.query_params["fitted"]).threshold == 0.5


@pytest.fixture(scope="module")
def content():
    """Rows with a large size are ill."""
    size = np.linspace(-3, 3, 120)
    ill = np.where(size > 1.5, "ill", "well")
    data = dataset_from_frame(pd.DataFrame({"size": size, "ill": ill}), "ill", "ill", name="x")
    return save_model(train_final(data, "anyloss:f1", {"epochs": 150}))


@pytest.fixture
def model(open_page, content):
    """The id of a run that trained it."""
    return runs.store().keep_finished("model", {}, {model_job.RESULT: content}, "model")


def predicting(model):
    from pages.ui.compare import final_model
    from pages.ui.runs import runs

    final_model._predict(runs.find(model))


def upload(model, content):
    page = drawn(predicting, model=model)
    return page.file_uploader[0].upload("new.csv", content, "text/csv").run()


def test_new_rows_are_predicted_with_the_answer_first(model):
    page = upload(model, b"size\n-2.5\n2.9\n")
    table = page.dataframe[0].value
    assert list(table.columns) == ["predicted ill", "score in [0, 1], cut at 0.5", "size"]
    assert table["predicted ill"].tolist() == ["well", "ill"]
    assert "Predictions (CSV)" in [button.label for button in page.get("download_button")]


def test_a_long_file_is_shown_in_part(model):
    rows = "\n".join(str(number / 100) for number in range(model_job.MOST_SHOWN + 50))
    page = upload(model, f"size\n{rows}\n".encode())
    assert len(page.dataframe[0].value) == model_job.MOST_SHOWN


def test_rows_without_the_columns_are_refused_in_words(model):
    page = upload(model, b"weight\n1\n2\n")
    assert not page.exception
    assert "size" in page.warning[0].value
    assert not page.dataframe


def test_a_model_file_that_is_damaged_is_refused_in_words(open_page, content):
    damaged = content[:200] + bytes(50) + content[250:]
    run_id = runs.store().keep_finished("model", {}, {model_job.RESULT: damaged}, "model")
    page = upload(run_id, b"size\n1\n2\n")
    assert not page.exception
    assert "no model file of the Lab" in page.warning[0].value


def leaving(model):
    from pages.ui.compare import final_model
    from pages.ui.runs import runs

    final_model._without_us(runs.find(model))


def test_the_model_leaves_as_python_and_as_sql(model):
    page = drawn(leaving, model=model)
    python, sql = (code.value for code in page.code)
    assert "def predict(row):" in python
    assert "CASE WHEN" in sql
    assert "THEN 'ill' ELSE 'well' END" in sql
    saved = [button.label for button in page.get("download_button")]
    assert saved == ["predict.py", "predict.sql"]


def test_a_model_with_hidden_layers_has_no_sql_and_says_so(open_page):
    size = np.linspace(-3, 3, 60)
    frame = pd.DataFrame({"size": size, "ill": np.where(size > 1.5, "ill", "well")})
    data = dataset_from_frame(frame, "ill", "ill", name="x")
    content = save_model(train_final(data, "bce", {"epochs": 2, "model": "mlp"}))
    run_id = runs.store().keep_finished("model", {}, {model_job.RESULT: content}, "model")
    page = drawn(leaving, model=run_id)
    assert len(page.code) == 1
    assert "take the Python function" in all_text(page)
