"""How much a visitor may have uploaded at once: Streamlit keeps every file in the server's memory.

A request is judged before its body is read, by the length that it declares, together with what the
same visitor has uploaded in all windows and is uploading now.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from streamlit.runtime import exists, get_instance

from anyloss_core.common.memory import free_bytes, size_text

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

UPLOADS = "/_stcore/upload_file/"
QUOTA_BYTES = 600_000_000  # of one visitor; the largest file that can be read has 400 MB
COPIES = 3  # that an upload takes for a moment: as received, parsed, kept

_owners: dict[str, str] = {}  # session -> whose it is
_coming: Counter[str] = Counter()  # owner -> bytes on their way


def belongs(session: str, owner: str) -> None:
    """Tell whose files those of a session are."""
    _owners[session] = owner


class UploadQuota:
    """Answers 413 to an upload that is too much for its visitor or for this machine."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what fits, and all that is no upload."""
        if scope["type"] != "http" or scope["method"] != "PUT" or UPLOADS not in scope["path"]:
            await self.app(scope, receive, send)
            return
        session = scope["path"].partition(UPLOADS)[2].partition("/")[0]
        owner, size = _owners.get(session, session), _length(scope)
        if refusal := _refusal(owner, size):
            await PlainTextResponse(refusal, 413)(scope, receive, send)
            return
        _coming[owner] += size
        try:
            await self.app(scope, receive, send)
        finally:
            _coming[owner] -= size
            _forget()


def _length(scope: Scope) -> int:
    """What a request declares; without a length it is too long."""
    given = dict(scope["headers"]).get(b"content-length", b"")
    return int(given) if given.isdigit() else QUOTA_BYTES + 1


def _refusal(owner: str, size: int) -> str:
    total = size + _coming[owner] + _held(owner)
    if total > QUOTA_BYTES:
        return f"Your files take {size_text(total)}; at most {size_text(QUOTA_BYTES)} fit."
    if COPIES * (size + _coming.total()) > free_bytes():
        return "There is not enough memory for this file now. Try again later."
    return ""


def _files() -> dict[str, dict]:
    return get_instance().uploaded_file_mgr.file_storage if exists() else {}


def _held(owner: str) -> int:
    """Bytes that the server keeps for an owner."""
    files = _files()
    sessions = [session for session in list(files) if _owners.get(session, session) == owner]
    return sum(len(file.data) for one in sessions for file in list(files.get(one, {}).values()))


def _forget() -> None:
    """Let go of owners and sessions that are over."""
    for session in [one for one in _owners if exists() and not _is_active(one)]:
        del _owners[session]
    for owner in [owner for owner, size in _coming.items() if size <= 0]:
        del _coming[owner]


def _is_active(session: str) -> bool:
    return get_instance().is_active_session(session) or session in _files()


MIDDLEWARE = Middleware(UploadQuota)
