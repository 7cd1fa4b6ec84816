"""Classes: codes nobody guesses, one guess each, revealed and closed by the owner alone."""

import sqlite3
import threading

import pytest

from anyloss_core.store import classes as room
from anyloss_core.store.classes import CODE, Classes, UnknownClass, read_code
from anyloss_core.store.database import SCHEMA_VERSION
from anyloss_core.store.store import Store, StoreError

TEACHER, ANNA, BEN = "teacher", "anna", "ben"


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "home")
    yield store
    store.close()


@pytest.fixture
def classes(store):
    return Classes(store.database)


@pytest.fixture
def code(classes):
    return classes.open(TEACHER)


def test_codes_are_random_and_can_be_typed(classes, code):
    codes = {classes.open(f"teacher {number}") for number in range(20)} | {code}
    assert len(codes) == 21
    assert all(CODE.fullmatch(code) for code in codes)
    assert len(room.LETTERS) ** room.CODE_LENGTH > 8e11
    assert not set("01ilo") & set(room.LETTERS)


@pytest.mark.parametrize("typed", ["abcd2345", " ABCD 2345 ", "abcd-2345"])
def test_a_code_may_be_typed_as_people_do(typed):
    assert read_code(typed) == "abcd2345"


@pytest.mark.parametrize(
    "typed", ["", "abcd234", "abcd23456", "abcd234o", "'; DROP TABLE x", "é" * 8]
)
def test_anything_else_is_no_code(typed):
    assert read_code(typed) == ""


def test_guesses_are_counted_and_shown_to_the_owner_alone(classes, code):
    assert classes.guess(code, "one", ANNA, "1")
    assert classes.guess(code, "one", BEN, "2")
    assert classes.guess(code, "two", BEN, "3")
    assert sorted(classes.guesses(code, "one", TEACHER)) == ["1", "2"]
    assert classes.guesses(code, "one", ANNA) == []
    seen = classes.look(code, "one", ANNA)
    assert (seen.revealed, seen.guesses, seen.own, seen.mine) == (False, 2, "1", False)
    assert classes.look(code, "one", TEACHER).mine


def test_a_visitor_guesses_once(classes, code):
    assert classes.guess(code, "one", ANNA, "1")
    assert not classes.guess(code, "one", ANNA, "2")
    assert classes.guesses(code, "one", TEACHER) == ["1"]


def test_what_is_revealed_is_seen_by_all_and_guessed_no_more(classes, code):
    classes.guess(code, "one", ANNA, "1")
    classes.reveal(code, "one", TEACHER)
    classes.reveal(code, "one", TEACHER)  # a second click
    assert classes.look(code, "one", BEN).revealed
    assert not classes.look(code, "two", BEN).revealed
    assert classes.guesses(code, "one", BEN) == ["1"]
    assert not classes.guess(code, "one", BEN, "2")


def test_only_the_owner_reveals_and_closes(classes, code):
    for act in (lambda: classes.reveal(code, "one", ANNA), lambda: classes.close(code, ANNA)):
        with pytest.raises(StoreError, match="somebody else's"):
            act()
    assert not classes.look(code, "one", ANNA).revealed


def test_guesses_vanish_with_the_class(classes, code, store):
    classes.guess(code, "one", ANNA, "1")
    classes.reveal(code, "one", TEACHER)
    classes.close(code, TEACHER)
    assert rows(store) == []
    for act in (classes.look, classes.guesses):
        with pytest.raises(UnknownClass, match="may be over"):
            act(code, "one", ANNA)
    with pytest.raises(UnknownClass):
        classes.guess(code, "one", ANNA, "1")


def test_an_unused_class_is_over_after_a_day(classes, code, store, monkeypatch):
    classes.guess(code, "one", ANNA, "1")
    now = room.time.time()
    monkeypatch.setattr(room.time, "time", lambda: now + room.UNUSED_SECONDS + 1)
    with pytest.raises(UnknownClass):
        classes.look(code, "one", ANNA)
    assert classes.forget_unused() == 1
    assert rows(store) == []


def test_a_class_in_use_stays(classes, code, monkeypatch):
    begin = room.time.time()
    for hours in (20, 40, 60):
        now = begin + 3600 * hours
        monkeypatch.setattr(room.time, "time", lambda now=now: now)
        classes.guess(code, "one", f"visitor {hours}", "1")
    assert classes.look(code, "one", ANNA).guesses == 3


def test_nothing_kept_names_a_visitor(classes, code, store):
    other = classes.open(TEACHER)
    for each in (code, other):
        classes.guess(each, "one", ANNA, "1")
    visitors = [row["visitor"] for row in rows(store)]
    assert len(set(visitors)) == 2  # one visitor in two classes cannot be told
    assert ANNA not in "".join(visitors)


def test_there_is_a_limit_to_everything(classes, code, monkeypatch):
    with pytest.raises(StoreError, match="too long"):
        classes.guess(code, "one", ANNA, "1" * (room.LONGEST_GUESS + 1))
    with pytest.raises(StoreError, match="too long"):
        classes.guess(code, "x" * 41, ANNA, "1")
    monkeypatch.setattr(room, "MOST_GUESSES", 2)
    classes.guess(code, "one", ANNA, "1")
    classes.guess(code, "two", ANNA, "1")
    with pytest.raises(StoreError, match="can hold"):
        classes.guess(code, "one", BEN, "1")
    for _ in range(room.MOST_OWNED - 1):
        classes.open(TEACHER)
    with pytest.raises(StoreError, match="close one"):
        classes.open(TEACHER)
    monkeypatch.setattr(room, "MOST_CLASSES", room.MOST_OWNED)
    with pytest.raises(StoreError, match="too many classes"):
        classes.open(ANNA)


def test_forty_students_guess_in_the_same_moment(classes, code):
    kept = []
    students = [
        threading.Thread(target=lambda n=n: kept.append(classes.guess(code, "one", f"s{n}", "1")))
        for n in range(40)
    ]
    for student in students:
        student.start()
    for student in students:
        student.join()
    assert kept == [True] * 40
    assert classes.look(code, "one", TEACHER).guesses == 40


def test_a_store_of_before_learns_of_classes(tmp_path):
    home = tmp_path / "home"
    Store(home).close()
    file = sqlite3.connect(home / "lab.sqlite3")
    file.executescript(
        "DROP TABLE guesses; DROP TABLE revealed; DROP TABLE classes; PRAGMA user_version = 1;"
    )
    file.close()
    store = Store(home)
    assert CODE.fullmatch(Classes(store.database).open(TEACHER))
    with store.database.read() as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION
    store.close()


def rows(store):
    with store.database.read() as connection:
        return connection.execute("SELECT * FROM guesses").fetchall()
