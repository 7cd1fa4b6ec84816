"""Background runs as pages see them: start one, find it by the id in the URL, follow it, stop it.

Workers never call streamlit; pages poll the store. A run belongs to its id: a reload, a second
tab or another page neither loses nor restarts it. Who has the link sees what came out; to steer,
resume and delete a run, and to take its data away, is its owner's. Runs of the command line are the
local user's, and do not exist for visitors from elsewhere.
"""

import functools
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import streamlit as st

from anyloss_core.jobs.jobs import KINDS
from anyloss_core.jobs.server import JobServer
from anyloss_core.store.store import Run, Store, StoreError, UnknownRun
from pages.ui.base import local
from pages.ui.base.buttons import button
from pages.ui.base.copy_link import copy_link
from pages.ui.base.errors import guarded
from pages.ui.base.settings import Text
from pages.ui.base.text import STATUS_NAMES, duration, literal
from pages.ui.base.visitor import owner

DAMAGED = (
    "This imported run cannot be shown: it does not hold what a run of its kind holds. "
    "Delete it on the page Runs."
)
# What a page meets where something else lies than it wrote.
ODD = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError)
POLL_SECONDS = 0.4
MOST_WORKERS = 4  # each is a process with torch in it
SOON_SECONDS = 5.0  # what starts sooner is starting
COMMAND_LINE = ""  # the owner of the runs that were made there
NOT_YOURS = "Somebody else's run: you see what came out, and only its owner can change it."

RUN = Text("run", "", longest=80)  # any text: one that names no run is told so


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


def owners() -> tuple[str, ...]:
    """For whom this visitor acts: the browser, and on the user's own machine its command line."""
    return (owner(), COMMAND_LINE) if local.is_local() else (owner(),)


def is_mine(run: Run) -> bool:
    """Whether this visitor may steer, resume, delete and export with data."""
    return run.owner in owners()


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
    """The run with this id, or None; those of the command line have paths and stay at home."""
    if not run_id:
        return None
    try:
        run = store().run(run_id)
    except UnknownRun:
        return None
    if run.owner == COMMAND_LINE and not local.is_local():
        return None
    if run.active:
        server()  # after a restart nobody else would look after it
    return run


def recent(limit: int = 5, kind: str | None = None, offset: int = 0) -> list[Run]:
    """The newest runs of this visitor."""
    return store().runs(kind, limit, offset, owner=owners())


def follow(
    run_id: str, show: Callable[[Run], None], key: str, buttons: tuple[str, ...] = ("stop",)
) -> None:
    """Progress, buttons and `show(run)`, redrawn while the run is active and no longer.

    `buttons` are any of pause and stop. `show` must not write outside of it.
    """
    run = find(run_id)
    if run is None:
        say_unknown(run_id)
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
        with readable(current):
            show(current)

    panel()


def say_unknown(run_id: str) -> None:
    """A link names a run that is not here."""
    st.info(
        f"There is no such run here: {literal(run_id, 40)}. It may have been deleted, or the link "
        "is not whole. Your own runs are on the page Runs.",
        icon=":material/info:",
    )


@contextmanager
def readable(run: Run) -> Iterator[None]:
    """Around what a page reads of a run: what an imported one holds may be anything.

    That is a mistake of its file, and said as one; in a run of our own it would be a fault.
    """
    try:
        yield
    except ODD as fault:
        if not run.imported:
            raise
        raise ValueError(DAMAGED) from fault


def of_run(show: Callable) -> Callable:
    """Decorator for what shows a run, its first argument: `readable` around it."""

    @functools.wraps(show)
    def wrapper(run: Run, *arguments: Any) -> Any:
        with readable(run):
            return show(run, *arguments)

    return wrapper


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
        return _waiting_text(run)
    return status_text(run, literal(run.message, 120) if run.message else "")


def _waiting_text(run: Run) -> str:
    """'waiting, place 2 in the queue, starts in about 20 s'."""
    seconds, position = server().waiting_seconds(run.id), server().queue_position(run.id)
    if seconds is None or position is None or seconds < SOON_SECONDS:
        return "starting"
    return f"waiting, place {position} in the queue, starts in about {duration(round(seconds, -1))}"


def status_text(run: Run, *parts: str) -> str:
    """The state of a run at work, these parts of a sentence, and the time left."""
    state = "stopping" if run.wanted == "stop" else STATUS_NAMES[run.status]
    parts = (state, *parts)
    if run.eta is not None and run.status == "running":
        parts = (*parts, f"{duration(run.eta)} left")
    return " · ".join(part for part in parts if part)


def controls(run: Run, key: str, buttons: tuple[str, ...]) -> None:
    """Buttons that fit the run's state, for its owner."""
    if not is_mine(run):
        st.caption(NOT_YOURS)
        copy_link(key)
        return
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
        copy_link(key)


@guarded
def ask(run_id: str, wanted: str) -> None:
    """Tell a run of this visitor to pause, step, go on or stop; its worker reads it."""
    store().set_control(run_id, wanted, owners())


@guarded
def resume(run_id: str) -> None:
    """Take up a run of this visitor that was interrupted."""
    server().resume(run_id, owners())


@guarded
def rename(run_id: str, title: str) -> None:
    """Give a run of this visitor another name; an empty one changes nothing."""
    if title.strip():
        store().rename_run(run_id, title.strip(), owners())


@guarded
def delete(run_id: str) -> None:
    """Remove a run of this visitor with all that belongs to it."""
    store().delete_run(run_id, owners())
