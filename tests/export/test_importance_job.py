"""Permutation importance as a job keeps the table that a call would give."""

import pandas as pd

from anyloss_core.data.suites.builtin import builtin
from anyloss_core.export.importance import importance
from anyloss_core.export.importance_job import kept_importance
from anyloss_core.jobs.jobs import run_job


def test_the_job_keeps_the_table_that_a_call_would_give(store):
    comparison = {"epochs": 5}
    settings = {"data": "builtin:moons", "loss": "bce", "comparison": comparison, "metric": "f1"}
    run_id = store.create_run("importance", settings, queue=False)
    assert kept_importance(store, run_id) is None
    run = run_job(store, run_id)
    assert run.status == "done"
    assert run.done == run.total
    expected = importance(builtin("moons"), "bce", comparison, "f1")
    pd.testing.assert_frame_equal(kept_importance(store, run_id), expected)
