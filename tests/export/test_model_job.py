"""The final model as a job: the file in the store is the model that `train_final` gives."""

from anyloss_core.data.suites.builtin import builtin
from anyloss_core.export.model_file import train_final
from anyloss_core.export.model_job import model_file, stored_model
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
