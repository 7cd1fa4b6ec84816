"""What a visitor uploads is bounded before its body is read, in all his windows together."""

import asyncio

import pytest
from starlette.responses import PlainTextResponse

from pages.ui.base import upload_quota
from tests.support.own_loop import run


@pytest.fixture(autouse=True)
def quota(monkeypatch):
    monkeypatch.setattr(upload_quota, "QUOTA_BYTES", 1_000)
    monkeypatch.setattr(upload_quota, "_owners", {})
    upload_quota._coming.clear()


async def taking(scope, receive, send):
    """The app behind it."""
    await PlainTextResponse("taken")(scope, receive, send)


def ask(session, size, method="PUT"):
    """Status and text of the answer to an upload of this size, or of none that it tells."""
    said = []

    async def send(message):
        said.append(message)

    headers = [] if size is None else [(b"content-length", str(size).encode())]
    path = f"/_stcore/upload_file/{session}/file"
    scope = {"type": "http", "method": method, "path": path, "headers": headers}
    run(upload_quota.UploadQuota(taking)(scope, None, send))
    return said[0]["status"], said[1]["body"].decode()


def test_a_file_that_fits_is_taken_and_a_larger_one_is_not():
    assert ask("s1", 900) == (200, "taken")
    status, text = ask("s1", 1_100)
    assert status == 413
    assert "at most" in text
    assert ask("s1", 1_100, "DELETE") == (200, "taken")


def test_a_file_without_a_length_is_not_taken():
    assert ask("s1", None)[0] == 413


def test_all_windows_of_a_visitor_count_together(monkeypatch):
    class File:
        data = b"x" * 600

    monkeypatch.setattr(upload_quota, "_files", lambda: {"s1": {"f": File}, "s9": {"f": File}})
    upload_quota.belongs("s1", "me")
    upload_quota.belongs("s2", "me")
    assert ask("s2", 600)[0] == 413
    assert ask("s3", 600) == (200, "taken")


def test_what_is_on_its_way_counts_too():
    """8 x 200 MB at once: none of them is there when the others are judged."""
    began, done = asyncio.Event(), asyncio.Event()
    answers = []

    async def slow(scope, receive, send):
        began.set()
        await done.wait()
        answers.append(200)

    async def send(message):
        answers.append(message.get("status"))

    async def upload(app):
        headers = [(b"content-length", b"600")]
        path = "/_stcore/upload_file/s1/file"
        await app({"type": "http", "method": "PUT", "path": path, "headers": headers}, None, send)

    async def both():
        app = upload_quota.UploadQuota(slow)
        first = asyncio.create_task(upload(app))
        await began.wait()
        await upload(app)
        done.set()
        await first
        await upload(app)  # after the first is over there is room again

    run(both())
    assert answers == [413, None, 200, 200]


def test_a_file_that_does_not_fit_into_memory_is_not_taken(monkeypatch):
    monkeypatch.setattr(upload_quota, "free_bytes", lambda: 1_000)
    assert "memory" in ask("s1", 900)[1]
    assert ask("s1", 200) == (200, "taken")
