"""A visitor without a browser: Streamlit's own websocket messages, sent and read in Python.

It does what the frontend does for the pages of this app: it runs the script of a page, remembers
the elements on it, presses buttons, sets widgets, uploads files, and reruns fragments as often as
the server asks. Twenty of them are lighter than one chromium, so that a load test measures the
server.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any
from urllib.parse import parse_qsl, urlencode

import requests
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileUploaderState, UploadedFileInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.util import calc_hash
from websockets.sync.client import connect

PATIENCE = 120.0  # seconds for one run of a script, or for a ping; the machine may be busy
COOKIE = "_streamlit_xsrf"
EARLY = ForwardMsg.FINISHED_EARLY_FOR_RERUN
OF_FRAGMENT = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY


class Session:
    """One visitor; `clicks` and `redraws` are the seconds until the page, or a part, is done."""

    def __init__(self, address: str, **cookies: str) -> None:
        self.address = address
        self.clicks: list[float] = []
        self.redraws: list[float] = []  # of fragments that the page itself asks for
        self.exceptions: list[str] = []
        self.query = self.page = self.session_id = ""
        self._http = requests.Session()
        self._http.headers["Connection"] = "close"  # the server ends idle ones, at any moment
        self._http.get(address, headers={"Accept": "text/html"}, timeout=30)  # brings our cookie
        self._token = self._http.get(f"{address}/_stcore/health", timeout=30).cookies[COOKIE]
        self.cookies = self._http.cookies.get_dict() | cookies
        self._open = ExitStack()
        self._socket = self._open.enter_context(
            connect(
                f"{address.replace('http', 'ws', 1)}/_stcore/stream",
                origin=address,
                subprotocols=["streamlit", self._token],
                additional_headers={"Cookie": "; ".join(map("=".join, self.cookies.items()))},
                max_size=None,
                open_timeout=PATIENCE,
                ping_timeout=PATIENCE,
            )
        )
        self._elements: dict[tuple[int, ...], tuple[Any, str, str]] = {}  # it, run, fragment
        self._values: dict[str, WidgetState] = {}
        self._timers: dict[str, list[float]] = {}  # fragment -> [due, interval]
        self._run = ""
        self._answer: Any = None

    # What a visitor does

    def open(self, url: str = "", **query: object) -> Session:
        """Open a page with settings in the link."""
        self.page = calc_hash(url) if url else ""
        self.query = urlencode(query)
        self._values.clear()
        return self._rerun()

    def press(self, label: str) -> Session:
        """Click a button and wait for the page."""
        button, fragment = self._widget("button", label)
        return self._rerun(WidgetState(id=button.id, trigger_value=True), fragment)

    def choose(self, label: str, option: str) -> Session:
        """Click an option of a segmented control."""
        group, fragment = self._widget("button_group", label)
        state = WidgetState(id=group.id)
        state.string_array_value.data.append(option)
        self._values[group.id] = state
        return self._rerun(fragment=fragment)

    def upload(self, label: str, name: str, content: bytes) -> Session:
        """Hand a file to an upload widget."""
        widget, fragment = self._widget("file_uploader", label)
        message = BackMsg()
        message.file_urls_request.request_id = "one"
        message.file_urls_request.file_names.append(name)
        message.file_urls_request.session_id = self.session_id
        self._socket.send(message.SerializeToString())
        self._read(lambda: self._answer is not None)
        urls, self._answer = self._answer, None
        reply = self._http.put(
            self.address + urls.upload_url,
            files={"file": (name, content)},
            headers={"X-Xsrftoken": self._token},
            timeout=PATIENCE,
        )
        reply.raise_for_status()
        info = UploadedFileInfo(name=name, size=len(content), file_id=urls.file_id)
        info.file_urls.CopyFrom(urls)
        state = FileUploaderState(uploaded_file_info=[info])
        self._values[widget.id] = WidgetState(id=widget.id, file_uploader_state_value=state)
        return self._rerun(fragment=fragment)

    def follow(self, enough: Callable[[Session], bool], seconds: float = PATIENCE) -> Session:
        """Let fragments redraw themselves until the page shows what is awaited."""
        deadline = time.monotonic() + seconds
        while not enough(self):
            assert time.monotonic() < deadline, f"not within {seconds} s: {self.text()[-2000:]}"
            now = time.monotonic()
            late = [name for name, (due, _) in self._timers.items() if due <= now]
            for fragment in late:
                if fragment in self._timers:  # a rerun of the whole page may have ended it
                    self._timers[fragment][0] = now + self._timers[fragment][1]
                    self._rerun(fragment=fragment, automatic=True)
            if not late:
                self._read(lambda: False, 0.05)
        return self

    def leave(self) -> None:
        """Close the connection, as a closed browser does."""
        self._open.close()
        self._http.close()

    # What a visitor sees

    def setting(self, name: str) -> str:
        """A setting in the address bar."""
        return dict(parse_qsl(self.query)).get(name, "")

    def has(self, label: str) -> bool:
        """Whether there is a button that can be pressed."""
        return any(
            e.button.label == label and not e.button.disabled for e, *_ in self._of("button")
        )

    @property
    def alive(self) -> bool:
        """Whether a part of the page redraws itself, as it does while a run works."""
        return bool(self._timers)

    def text(self) -> str:
        """All that is written on the page."""
        parts = []
        for element, *_ in self._elements.values():
            kind = element.WhichOneof("type")
            body = getattr(element, kind)
            parts += [getattr(body, name, "") for name in ("body", "text", "label")]
        return "\n".join(str(part) for part in parts if part)

    # How it is done

    def _widget(self, kind: str, label: str) -> tuple[Any, str]:
        for element, _, fragment in self._of(kind):
            if getattr(element, kind).label == label:
                return getattr(element, kind), fragment
        known = [getattr(element, kind).label for element, *_ in self._of(kind)]
        raise AssertionError(f"no {kind} {label!r} among {known}: {self.text()[-1500:]}")

    def _of(self, kind: str) -> list[tuple[Any, str, str]]:
        return [kept for kept in self._elements.values() if kept[0].WhichOneof("type") == kind]

    def _rerun(
        self, pressed: WidgetState | None = None, fragment: str = "", automatic: bool = False
    ) -> Session:
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_script_hash = self.query, self.page
        state.fragment_id, state.is_auto_rerun = fragment, automatic
        state.widget_states.widgets.extend(self._values.values())
        if pressed is not None:
            state.widget_states.widgets.append(pressed)
        begun = time.monotonic()
        self._finished = False
        self._socket.send(message.SerializeToString())
        if not self._read(lambda: self._finished):
            raise AssertionError(f"no answer within {PATIENCE} s: {self.text()[-1000:]}")
        (self.redraws if automatic else self.clicks).append(time.monotonic() - begun)
        return self

    def _read(self, enough: Callable[[], bool], seconds: float = PATIENCE) -> bool:
        deadline = time.monotonic() + seconds
        while not enough():
            try:
                raw = self._socket.recv(timeout=max(deadline - time.monotonic(), 0.001))
            except TimeoutError:
                return False
            message = ForwardMsg()
            message.ParseFromString(raw)
            self._take(message)
        return True

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        body = getattr(message, kind)
        if kind == "new_session":
            run = message.metadata.run
            self._run, self.session_id = run.script_run_id, body.initialize.session_id
            self.page = body.page_script_hash
            if not run.fragment_ids:
                self._timers.clear()
        elif kind == "delta":
            self._place(tuple(message.metadata.delta_path), body)
        elif kind == "page_info_changed":
            self.query = body.query_string
        elif kind == "auto_rerun":
            due = time.monotonic() + body.interval
            self._timers[body.fragment_id] = [due, body.interval]
        elif kind == "stop_auto_rerun":
            for fragment in body.fragment_ids:
                self._timers.pop(fragment, None)
        elif kind == "file_urls_response":
            self._answer = body.file_urls[0]
        elif kind == "script_finished":
            self._finished = body != EARLY
            if body not in (EARLY, OF_FRAGMENT):
                stale = [path for path, kept in self._elements.items() if kept[1] != self._run]
                for path in stale:
                    del self._elements[path]

    def _place(self, path: tuple[int, ...], delta: Any) -> None:
        if delta.WhichOneof("type") != "new_element":
            return
        element = delta.new_element
        if element.WhichOneof("type") == "exception":
            self.exceptions.append(f"{element.exception.type}: {element.exception.message}")
        self._elements[path] = (element, self._run, delta.fragment_id)
