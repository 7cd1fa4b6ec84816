"""What leaves the Lab with a run: a report, and a bundle that brings data along when asked to."""

import json

import pytest

from anyloss_core.store.bundle import import_bundle
from anyloss_core.store.store import Store
from pages.ui.runs import export, runs
from tests.pages.conftest import drawn

TABLE = b"age,ill\n1,0\n2,1\n"


@pytest.fixture
def saved(monkeypatch):
    """Files that the buttons offer: name -> content."""
    files = {}

    def keep(label, content, filename, key, **more):
        files[filename] = content()

    monkeypatch.setattr(export, "download", keep)
    return files


@pytest.fixture
def run(store):
    upload = store.save_upload(TABLE, {"name": "of mine.csv"})
    settings = {"data": f"upload:{upload}", "comparison": {"folds": 3}}
    return store.run(store.create_run("compare", settings, "of mine", queue=False))


def bundle(run):
    from pages.ui.runs import export

    export.bundle(run)


def opened(run, with_data=None):
    page = drawn(bundle, run=run)
    page.session_state[f"bundle:{run.id}"] = True
    page.run()
    if with_data is not None:
        page.checkbox(key=f"bundle.data:{run.id}").set_value(with_data).run()
    assert not page.exception
    return page


def test_a_report_is_called_by_what_it_reports(saved):
    export.report(lambda: "<p>Größe</p>", "sweep")
    assert saved == {"sweep_report.html": "<p>Größe</p>".encode()}


def test_a_bundle_leaves_uploaded_data_at_home_unless_asked(saved, run, tmp_path):
    name = f"anyloss-compare-{run.id[:8]}.json"
    opened(run)
    alone = saved[name]
    opened(run, with_data=True)
    assert len(saved[name]) > len(alone)
    for content, there in ((alone, False), (saved[name], True)):
        other = Store(tmp_path / f"other {there}")
        brought = other.run(import_bundle(other, content))
        assert brought.settings["comparison"] == {"folds": 3}
        assert bool(list((other.home / "uploads").glob("*"))) is there
        other.close()


def test_a_run_on_built_in_data_has_nothing_to_ask(saved, store):
    run_id = store.create_run("sweep", {"data": "builtin:moons"}, "moons", queue=False)
    page = opened(store.run(run_id))
    assert not page.checkbox
    assert json.loads(saved[f"anyloss-sweep-{run_id[:8]}.json"])


def test_the_data_is_offered_to_those_who_brought_it(saved, store, monkeypatch):
    upload = store.save_upload(TABLE, {"name": "of anna.csv"}, "anna")
    settings = {"data": f"upload:{upload}", "comparison": {"folds": 3}}
    name = "anyloss-compare-{}.json"
    for run_owner, visitor, offered in (("anna", "anna", 1), ("anna", "ben", 0), ("ben", "ben", 0)):
        run = store.run(store.create_run("compare", settings, "t", run_owner, queue=False))
        monkeypatch.setattr(runs, "owner", lambda visitor=visitor: visitor)
        page = opened(run, with_data=True if offered else None)
        assert len(page.checkbox) == offered
        assert (b"uploads" in saved[name.format(run.id[:8])]) == bool(offered)
    store.delete_upload(upload)
    monkeypatch.setattr(runs, "owner", lambda: "anna")
    assert not opened(run).checkbox  # it is gone
