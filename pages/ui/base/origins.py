"""May a page of that origin talk to this server? Answered without asking the network.

Streamlit compares a foreign origin with the machine's address on the internet, and asks a web
service for that while every visitor waits. So the question is answered before it comes to that.
"""

from collections.abc import Mapping
from fnmatch import fnmatch
from urllib.parse import urlsplit

import streamlit as st

from pages.ui.base.local import LOCAL

HERE = ("localhost", "127.0.0.1", "0.0.0.0")


def is_expected(headers: Mapping[str, str]) -> bool:
    """Whether a request names this server as its visitors do.

    A server of this machine alone has few names; under any other a foreign page has made its own
    name point here, and would be of the same origin (DNS rebinding). Elsewhere names are free:
    `server.allowedHosts` is for those.
    """
    if st.get_option("server.address") not in LOCAL:
        return True
    name = _name(headers.get("host"))
    known = {*LOCAL, _name(st.get_option("browser.serverAddress"))} - {""}
    patterns = st.get_option("server.allowedHosts")  # such as *.example.org
    return name in known or any(fnmatch(name, pattern) for pattern in patterns if name)


def is_same(headers: Mapping[str, str]) -> bool:
    """Whether the page came from this very server; what is no browser names no origin."""
    origin = headers.get("origin")
    return origin is None or _site(origin) == headers.get("host")


def is_allowed(headers: Mapping[str, str]) -> bool:
    """Whether a page may open a websocket: of this server, this machine, or in the settings."""
    if is_same(headers) or not st.get_option("server.enableCORS"):
        return True
    settings = (st.get_option("browser.serverAddress"), *st.get_option("server.corsAllowedOrigins"))
    return _name(headers["origin"]) in {*HERE, *map(_name, settings)} - {""}


def as_same(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers of an allowed page as if it came from this server: nobody looks it up again."""
    site = _site(dict(headers)[b"origin"].decode("latin-1"))
    rest = [(name, value) for name, value in headers if name != b"host"]
    return [*rest, (b"host", site.encode("latin-1"))]


def _site(origin: str) -> str:
    """localhost:8501 of http://localhost:8501."""
    return origin.partition("://")[2].partition("/")[0]


def _name(address: str | None) -> str:
    """localhost of localhost:8501, with or without http://; '' for what is no address."""
    try:
        return urlsplit(f"//{_site(address or '') or address or ''}").hostname or ""
    except ValueError:
        return ""
