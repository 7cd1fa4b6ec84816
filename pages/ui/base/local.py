"""Whether this server is the visitor's own machine, and not one that others reach.

The runs of the command line, whose settings name paths of the machine, are shown on such a server
only.
"""

import streamlit as st

LOCAL = ("localhost", "127.0.0.1", "::1")
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip")


def is_local() -> bool:
    """Whether only this machine can reach it, and no proxy brings others.

    A server behind a proxy listens on localhost, too: then the name that browsers use is another
    one (browser.serverAddress), or the proxy says for whom it asks.
    """
    names = (st.get_option("server.address"), st.get_option("browser.serverAddress"))
    return all(name in LOCAL for name in names) and not _forwarded()


def _forwarded() -> bool:
    headers = st.context.headers
    return any(name in headers for name in FORWARDED)
