"""Kept results: computed once by the same program, from the same file, with the same options."""

import pytest

from anyloss_core.paper import keeping
from anyloss_core.paper.cells import EQUAL, Cell, Result
from anyloss_core.paper.keeping import keep_reproduction
from anyloss_core.paper.parts import PARTS, Part
from anyloss_core.store.store import Store

CALLS = []


def counted(number, dataset, progress, seeds=1):
    CALLS.append((number, seeds, dataset.rows))
    progress(1.0, "counted")
    return Result([Cell("t", number, "bce", "f1", 1.0, 1.0, EQUAL)], {"seeds": seeds})


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setitem(PARTS, "counted", Part("counted", "slp:counted", options=("seeds",)))
    monkeypatch.setattr("anyloss_core.paper.tasks.slp.counted", counted, raising=False)
    CALLS.clear()
    store = Store(tmp_path / "home")
    yield store
    store.close()


def rows_of(count):
    lines = "".join(f"{i % 7},{i * i % 11},{int(i % 5 == 0)}\n" for i in range(count))
    return f"age,bmi,diabetes\n{lines}"


def test_the_second_time_nothing_is_computed(store):
    found, since = keep_reproduction(store, ["counted"], [3])
    assert (since, len(CALLS)) == (None, 1)
    again, since = keep_reproduction(store, ["counted"], [3])
    assert since > 0
    assert len(CALLS) == 1
    assert again.cells == found.cells
    assert again.seconds == store.runs("paper")[0].seconds
    keep_reproduction(store, ["counted"], [3], again=True)
    assert len(CALLS) == 2


def test_other_options_another_file_and_another_program_are_computed_anew(
    store, tmp_path, monkeypatch
):
    path = tmp_path / "d.csv"
    path.write_text(rows_of(60))
    keep_reproduction(store, ["counted"], [4], {4: path}, {"seeds": 2})
    keep_reproduction(store, ["counted"], [4], {4: path}, {"seeds": 3})
    path.write_text(rows_of(70))
    keep_reproduction(store, ["counted"], [4], {4: path}, {"seeds": 3})
    monkeypatch.setattr(keeping, "program", lambda: "another")
    keep_reproduction(store, ["counted"], [4], {4: path}, {"seeds": 3, "rows": 9})
    assert CALLS == [(4, 2, 60), (4, 3, 60), (4, 3, 70), (4, 3, 70)]


def test_only_what_is_missing_is_computed_and_all_stands_in_one_run(store):
    keep_reproduction(store, ["counted"], [3])
    found, since = keep_reproduction(store, ["valid_range", "counted"], [3])
    assert (since, len(CALLS)) == (None, 1)
    assert list(found.results) == ["valid_range", "counted 3"]
    newest = store.runs("paper")[0]
    assert {unit.key for unit in store.units(newest.id)} == {"valid_range", "counted 3"}


def test_a_missing_file_and_a_wrong_one_are_told_in_words(store, tmp_path):
    with pytest.raises(ValueError, match=r"nowhere\.csv' cannot be read"):
        keep_reproduction(store, ["counted"], [4], {4: tmp_path / "nowhere.csv"})
    (tmp_path / "d.csv").write_text("a\n1\n")
    with pytest.raises(ValueError, match="needs the column 'diabetes'"):
        keep_reproduction(store, ["counted"], [4], {4: tmp_path / "d.csv"})
    with pytest.raises(ValueError, match="download https"):
        keep_reproduction(store, ["counted"], [4])
    assert store.runs("paper") == []
