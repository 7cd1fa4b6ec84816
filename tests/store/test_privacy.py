"""What is kept belongs to the user alone: rights of all files, ids nobody can guess, one folder."""

import os
import secrets
import stat
import string
from pathlib import Path

import pytest

from anyloss_core.jobs import queue, worker_process
from anyloss_core.jobs.server import JobServer
from anyloss_core.store import rows, uploads
from anyloss_core.store.bundle import export_bundle, import_bundle
from anyloss_core.store.database import home_folder
from anyloss_core.store.store import Store, StoreError, UnknownRun
from tests.sample_jobs import SAMPLE_KINDS, add_events, wait_for


@pytest.fixture
def kept(tmp_path):
    store = Store(tmp_path / "home")
    yield store
    store.close()


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777], ids=oct)
def test_everything_a_run_writes_is_for_the_user_alone(umask, tmp_path):
    previous = os.umask(umask)
    try:
        home = _work(tmp_path / "new" / "home")
    finally:
        os.umask(previous)
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in [home, *home.rglob("*")]}
    names = {path.name for path in modes}
    assert {
        "lab.sqlite3",
        "lab.sqlite3-wal",
        "workers.log",
        "workers",
        "data",
        "meta.json",
    } <= names
    assert len([path for path in modes if path.parent.name == "workers"]) == 1  # its lock
    wrong = {str(p): oct(m) for p, m in modes.items() if m != (0o700 if p.is_dir() else 0o600)}
    assert not wrong


def _work(home: Path) -> Path:
    """A server, a worker in its own process, a run, an import and uploads; all still at work."""
    home.parent.mkdir(exist_ok=True)
    home.parent.chmod(0o755)
    kept = Store(home)
    server = JobServer(kept, 1, SAMPLE_KINDS).start()
    try:
        run_id = server.submit("units", {"units": 2, "data": "upload:x"})
        wait_for(lambda: kept.run(run_id).status == "done", 60)
        kept.save_upload(b"x,y\n", {"name": "a.csv"})
        import_bundle(kept, export_bundle(kept, run_id))
        server.submit("count", {"epochs": 10_000, "nap": 0.01})
        wait_for(lambda: queue.beats(kept), 60)
        copy = home.with_name("seen")
        _mirror(home, copy)
        return copy
    finally:
        server.stop()
        kept.close()


def _mirror(home: Path, copy: Path) -> None:
    """Names and rights as they are now: locks and logs of SQLite go when the work ends."""
    for path in [home, *sorted(home.rglob("*"))]:
        twin = copy / path.relative_to(home)
        twin.mkdir(parents=True) if path.is_dir() else twin.touch()
        twin.chmod(stat.S_IMODE(path.stat().st_mode))


def test_everything_lies_under_one_setting(tmp_path, monkeypatch):
    monkeypatch.setenv("ANYLOSS_HOME", str(tmp_path / "chosen"))
    kept = Store()
    kept.save_upload(b"x", {})
    kept.close()
    assert kept.home == tmp_path / "chosen"
    assert [path.name for path in tmp_path.iterdir()] == ["chosen"]


def test_without_the_setting_it_is_the_data_folder_of_the_user(tmp_path, monkeypatch):
    monkeypatch.delenv("ANYLOSS_HOME", raising=False)
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "data"))
    assert home_folder().is_relative_to(tmp_path / "data")
    assert stat.S_IMODE(home_folder().stat().st_mode) == 0o700


def test_every_id_is_drawn_from_128_bits_of_the_system(kept, monkeypatch):
    drawn = []

    def draw(size):
        drawn.append(size)
        return os.urandom(size).hex()

    for module in (rows, uploads, worker_process):
        assert module.secrets is secrets
    monkeypatch.setattr(secrets, "token_hex", draw)
    run_id = kept.create_run("train", {})
    ids = [run_id, kept.save_upload(b"x", {}), import_bundle(kept, export_bundle(kept, run_id))]
    assert drawn == [16, 16, 16]
    assert len({*ids}) == 3
    assert all(len(one) == 32 and set(one) <= set(string.hexdigits.lower()) for one in ids)


def guesses(true_id):
    """What somebody might try who knows how ids look, or nearly knows one."""
    near = [true_id[:-1] + ("0" if true_id[-1] != "0" else "1"), true_id[:-1], true_id + "0"]
    odd = [true_id.upper() + " ", f" {true_id}", f"{true_id}\n", f"{true_id}\0", f"{true_id}/"]
    wild = [
        "%",
        "_" * 32,
        "*",
        true_id[:8] + "%",
        "' OR '1'='1",
        "1",
        "",
        "0" * 32,
        "../" + true_id,
    ]
    sql = [f"{true_id}' --", f"x' UNION SELECT * FROM runs WHERE id='{true_id}", "id", "NULL"]
    return [*near, *odd, *wild, *sql, *(secrets.token_hex(16) for _ in range(200))]


def test_no_guess_opens_the_run_of_another(kept):
    true_id = kept.create_run("train", {"secret": 1}, owner="anna")
    kept.put_result(true_id, "scores", [1.0])
    add_events(kept, true_id, (1, {"loss": 1.0}))
    kept.put_unit(true_id, "wine", 1)
    for guess in guesses(true_id):
        calls = (kept.run, kept.delete_run, kept.requeue, lambda g: kept.set_control(g, "stop"))
        for call in (*calls, lambda g: export_bundle(kept, g)):
            with pytest.raises(UnknownRun):
                call(guess)
        assert kept.get_result(guess, "scores") is None
        assert not kept.events(guess) + kept.units(guess)
    assert kept.run(true_id).status == "queued"
    assert kept.runs(owner="ben") == kept.runs(owner="' OR 1=1 --") == kept.runs(owner="%") == []


def test_no_guess_opens_the_data_of_another(kept):
    true_id = kept.save_upload(b"secret", {"name": "a.csv"})
    for guess in guesses(true_id):
        for call in (kept.open_upload, kept.delete_upload):
            if call == kept.delete_upload and uploads.UPLOAD_ID.fullmatch(guess):
                call(guess)  # nothing there, nothing done
                continue
            with pytest.raises(StoreError, match="no upload"):
                call(guess)
    assert kept.open_upload(true_id).read() == b"secret"
