"""The final model as a job: the file in the store is the model that `train_final` gives."""

from anyloss_core.data.suites.builtin import builtin
from anyloss_core.export.model_file import train_final
from anyloss_core.export.model_job import model_file, predict_head, python, sql, stored_model
from anyloss_core.jobs.jobs import run_job


def test_the_job_keeps_the_model_that_a_call_would_give(store):
    comparison = {"epochs": 5}
    settings = {"data": "builtin:moons", "loss": "anyloss:gmean", "comparison": comparison}
    run_id = store.create_run("model", settings, queue=False)
    assert model_file(store, run_id) is None
    assert stored_model(store, run_id) is None
    assert run_job(store, run_id).status == "done"
    data = builtin("moons")
    expected = train_final(data, "anyloss:gmean", comparison).predict_proba(data.frame)
    assert stored_model(store, run_id).predict_proba(data.frame).tolist() == expected.tolist()


def test_the_job_calibrates_when_asked(store):
    settings = {"data": "builtin:moons", "loss": "anyloss:gmean", "comparison": {"epochs": 5}}
    run_id = store.create_run("model", settings | {"calibrate": True}, queue=False)
    assert run_job(store, run_id).status == "done"
    assert stored_model(store, run_id).calibration.method == "isotonic"


def test_a_threshold_of_ones_own_is_kept(store):
    settings = {"data": "builtin:moons", "loss": "bce", "comparison": {"epochs": 5}}
    run_id = store.create_run("model", settings | {"threshold": 0.2}, queue=False)
    assert run_job(store, run_id).status == "done"
    assert stored_model(store, run_id).threshold == 0.2
    # What pages have another process write: without us.
    assert "score > 0.2 else" in python(str(store.home), run_id)
    assert sql(str(store.home), run_id).count("CASE WHEN") > 3


def test_the_answer_stands_first_and_the_columns_in_the_order_of_the_file(store, tmp_path):
    settings = {"data": "builtin:moons", "loss": "bce", "comparison": {"epochs": 5}}
    run_id = store.create_run("model", settings, queue=False)
    run_job(store, run_id)
    rows = builtin("moons").frame.head(5)
    rows = rows[rows.columns[::-1]].assign(note=list("edcba"))
    rows.to_csv(tmp_path / "rows.csv", index=False)
    head = predict_head(str(store.home), run_id, str(tmp_path / "rows.csv"))
    assert list(head.columns[:2]) == ["predicted target", "score in [0, 1], cut at 0.5"]
    assert list(head.columns[2:]) == list(rows.columns)
    assert head["note"].tolist() == list("edcba")
