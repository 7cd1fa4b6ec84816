"""Who is at the browser? Runs and uploads belong to the answer.

A visitor is who logged in with `st.login`, where that is set up, and otherwise a browser: the
server gives it a cookie with a random token for a year. Only a hash of either is ever stored.
"""

import hashlib
import json
import re
import secrets

import streamlit as st

from pages.ui.base.buttons import quiet_button

COOKIE = "anyloss_browser"
# 256 random bits: nobody guesses another's, so a signature (and a secret to keep for it) would add
# nothing. Who makes up a token of his own only gets an owner without runs.
TOKEN = re.compile("[A-Za-z0-9_-]{43}")
YEAR = 365 * 24 * 3600  # seconds from the last visit on


def owner() -> str:
    """The stored name of this visitor: his runs are listed for him alone."""
    return hashlib.sha256(_identity().encode()).hexdigest()[:32]


def offer_login() -> None:
    """At the foot of the sidebar, where st.login is set up."""
    if "is_logged_in" not in st.user:
        return
    with st.sidebar:
        if st.user["is_logged_in"]:
            quiet_button("Log out", "logout", "log_out", st.logout)
        else:
            quiet_button("Log in", "login", "log_in", st.login)


def known_token(cookie: object) -> str | None:
    """The token in a cookie as this server makes them; anything else is none."""
    return cookie if isinstance(cookie, str) and TOKEN.fullmatch(cookie) else None


def new_token() -> str:
    """A token for a browser that has none."""
    return secrets.token_urlsafe(32)


def set_cookie(token: str, path: str, secure: bool) -> str:
    """The header that lets a browser keep its token for a year."""
    kept = f"{COOKIE}={token}; Path={path}; Max-Age={YEAR}; HttpOnly; SameSite=Lax"
    return f"{kept}; Secure" if secure else kept


def _identity() -> str:
    person = st.user.get("sub") or st.user.get("email")
    if st.user.get("is_logged_in") and person:
        return json.dumps([st.user.get("iss"), person])  # as a list: no token looks like it
    token = known_token(st.context.cookies.get(COOKIE))
    if token is None:  # cookies are refused: the runs are his as long as this window is open
        token = st.session_state.setdefault("browser_token", new_token())
    return token
