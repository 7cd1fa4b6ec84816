"""What every request passes before Streamlit sees it, and every answer before it leaves.

Foreign pages get no websocket, foreign names no answer and nobody the server's figures; a browser
gets its cookie with the page, so that it is there when the websocket opens; all answers carry the
security headers.
"""

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.ui.base import origins, visitor
from pages.ui.base.headers import security_headers

CLOSED = "/_stcore/metrics"  # Streamlit tells everybody how many visitors and how much memory
MISDIRECTED = (
    "This server is for this machine only and does not go by that name. To serve others, start it "
    "with --browser.serverAddress NAME (see .streamlit/README.md)."
)
POLICY_VIOLATION = 1008  # closes a websocket; before it is open the answer is 403


class Door:
    """The ASGI middleware of the app."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._open_socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _open_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if not (origins.is_expected(headers) and origins.is_allowed(headers)):
            await receive()
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
            return
        if not origins.is_same(headers):
            scope = {**scope, "headers": origins.as_same(scope["headers"])}
        await self.app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                _complete(MutableHeaders(scope=message), scope)
            await send(message)

        await self._choose(scope)(scope, receive, send_with_headers)

    def _choose(self, scope: Scope) -> ASGIApp:
        """Who answers: Streamlit, or a refusal."""
        if not origins.is_expected(Headers(scope=scope)):
            return PlainTextResponse(MISDIRECTED, 421)
        closed = scope["path"].endswith(CLOSED)
        return PlainTextResponse("Not Found", 404) if closed else self.app


def _complete(headers: MutableHeaders, scope: Scope) -> None:
    """Add what belongs to every answer, and the cookie to a page."""
    headers.update(security_headers())
    request = HTTPConnection(scope)
    if "text/html" not in request.headers.get("accept", ""):
        return  # scripts and styles may be kept by caches that serve many
    token = visitor.known_token(request.cookies.get(visitor.COOKIE)) or visitor.new_token()
    headers.append("Set-Cookie", visitor.set_cookie(token, _base(), _is_encrypted(request)))
    headers["Cache-Control"] = "private, no-cache"


def _base() -> str:
    """Where the app lives on its server: / or /lab."""
    return f"/{st.get_option('server.baseUrlPath').strip('/')}"


def _is_encrypted(request: HTTPConnection) -> bool:
    """Whether the browser came by https, to this server or to a proxy in front of it."""
    forwarded = request.headers.get("x-forwarded-proto", "").partition(",")[0].strip()
    return "https" in (request.url.scheme, forwarded)
