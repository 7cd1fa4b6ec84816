"""Background runs as pages see them: start one, find it by the id in the URL, follow it, stop it.

Workers never call streamlit; pages poll the store. A run belongs to its id: a reload, a second
tab or another page neither loses nor restarts it.
"""

import hashlib
import os
import re
import secrets
from collections.abc import Callable

import streamlit as st

from anyloss_core.jobs.jobs import KINDS
from anyloss_core.jobs.server import JobServer
from anyloss_core.store.store import Run, Store, StoreError, UnknownRun
from pages.ui.base.buttons import button
from pages.ui.base.errors import guarded
from pages.ui.base.settings import Text
from pages.ui.base.text import STATUS_NAMES, duration, literal

POLL_SECONDS = 0.4
MOST_WORKERS = 4  # each is a process with torch in it
RUN_ID = re.compile("([0-9a-f]{32})?")  # or none yet
BROWSER_COOKIE = "_streamlit_xsrf"

RUN = Text("run", "", valid=lambda text: bool(RUN_ID.fullmatch(text)))


def cores() -> int:
    """How many workers this machine gets."""
    return min(os.cpu_count() or 1, MOST_WORKERS)


@st.cache_resource(show_spinner=False)
def store() -> Store:
    """The one store of this server (ANYLOSS_HOME or the user's data folder)."""
    return Store()


@st.cache_resource(show_spinner=False, on_release=lambda server: server.stop())
def server() -> JobServer:
    """The job server, started when a page first needs it."""
    return JobServer(store(), workers=cores()).start()


def owner() -> str:
    """A token of this browser: its runs are listed for it alone.

    Streamlit's anti-forgery cookie is random, one per browser, and survives a reload; only its
    hash is stored.
    """
    if "owner" not in st.session_state:
        cookie = st.context.cookies.get(BROWSER_COOKIE)
        if not isinstance(cookie, str) or not cookie:  # none yet, or a test's stand-in
            cookie = secrets.token_hex(16)
        st.session_state["owner"] = hashlib.sha256(_unmasked(cookie)).hexdigest()[:32]
    return st.session_state["owner"]


def _unmasked(cookie: str) -> bytes:
    """The token inside 2|mask|token|time: every page load masks it anew, by exclusive or."""
    try:
        _, mask, token, _ = cookie.split("|")
        key, masked = bytes.fromhex(mask), bytes.fromhex(token)
    except ValueError:
        return cookie.encode()
    if not key:
        return masked
    return bytes(byte ^ key[index % len(key)] for index, byte in enumerate(masked))


def start(kind: str, settings: dict, title: str) -> str | None:
    """Queue a run and return its id; a refusal is shown and gives None."""
    try:
        return server().submit(kind, settings, title=title, owner=owner())
    except StoreError as refusal:
        st.warning(literal(refusal, 300))
        return None


def seconds_allowed(kind: str) -> float:
    """How long a run of this kind may take; what is estimated to take longer is refused."""
    return KINDS[kind].limit_seconds


def find(run_id: str) -> Run | None:
    """The run with this id, or None."""
    if not run_id:
        return None
    try:
        run = store().run(run_id)
    except UnknownRun:
        return None
    if run.active:
        server()  # after a restart nobody else would look after it
    return run


def recent(limit: int = 5, kind: str | None = None) -> list[Run]:
    """The newest runs of this browser, and those made on the command line."""
    listed = store().runs
    both = [*listed(kind, limit, owner=owner()), *listed(kind, limit, owner="")]
    return sorted(both, key=lambda run: run.created, reverse=True)[:limit]


def follow(
    run_id: str, show: Callable[[Run], None], key: str, buttons: tuple[str, ...] = ("stop",)
) -> None:
    """Progress, buttons and `show(run)`, redrawn while the run is active and no longer.

    `buttons` are any of pause and stop. `show` must not write outside of it.
    """
    run = find(run_id)
    if run is None:
        st.info("There is no such run any more. Start a new one.", icon=":material/info:")
        return
    every = POLL_SECONDS if run.active else None

    @st.fragment(run_every=every, key=f"follow:{key}")
    @guarded
    def panel() -> None:
        current = find(run_id)
        if current is None or (every and not current.active):
            st.rerun()  # it is over: the whole page learns of it, and the polling ends
        progress(current)
        controls(current, key, buttons)
        show(current)

    panel()


def progress(run: Run) -> None:
    """One line on how far a run is."""
    if run.status == "failed":
        st.error(literal(run.error, 500), icon=":material/error:")
    elif run.status == "interrupted":
        reason = literal(run.error or "The server was stopped.", 500)
        st.warning(f"Interrupted. {reason}", icon=":material/warning:")
    elif run.active:
        st.progress(run.share, text=progress_text(run))
    else:
        st.caption(f"{STATUS_NAMES[run.status].capitalize()} after {duration(run.seconds)}.")


def progress_text(run: Run) -> str:
    """'running · fold 3 of 10 · 12 s left'."""
    if run.status == "queued":
        position = server().queue_position(run.id)
        return f"waiting, place {position} in the queue" if position else "starting"
    return status_text(run, literal(run.message, 120) if run.message else "")


def status_text(run: Run, *parts: str) -> str:
    """The state of a run at work, these parts of a sentence, and the time left."""
    state = "stopping" if run.wanted == "stop" else STATUS_NAMES[run.status]
    parts = (state, *parts)
    if run.eta is not None and run.status == "running":
        parts = (*parts, f"{duration(run.eta)} left")
    return " · ".join(part for part in parts if part)


def controls(run: Run, key: str, buttons: tuple[str, ...]) -> None:
    """Buttons that fit the run's state."""
    held = run.wanted == "pause"
    offered = {
        "pause": ("Go on", "play_arrow", "run") if held else ("Pause", "pause", "pause"),
        "stop": ("Stop", "stop", "stop"),
    }
    with st.container(horizontal=True, key=f"controls:{key}"):
        for label, icon, wanted in (offered[name] for name in buttons if run.active):
            ending = run.wanted == "stop"
            button(label, icon, f"{wanted}:{key}", ask, run.id, wanted, disabled=ending)
        if run.resumable:
            button("Resume", "restart_alt", f"resume:{key}", resume, run.id)


@guarded
def ask(run_id: str, wanted: str) -> None:
    """Tell a run to pause, step, go on or stop; its worker reads it."""
    store().set_control(run_id, wanted)


@guarded
def resume(run_id: str) -> None:
    """Take up a run that was interrupted."""
    store().requeue(run_id)
    server()
