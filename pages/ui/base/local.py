"""Whether this server is the visitor's own machine, and not one that others reach.

The runs of the command line, whose settings name paths of the machine, are shown on such a server
only.
"""

from urllib.parse import urlsplit

import streamlit as st

LOCAL = ("localhost", "127.0.0.1", "::1")
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip")


def is_local() -> bool:
    """Whether only this machine can reach it, and no proxy brings others.

    A server behind a proxy or a tunnel listens on localhost, too: then browsers use another name
    (browser.serverAddress, or that of the request), or the proxy says for whom it asks.
    """
    headers = st.context.headers
    asked = urlsplit(f"//{headers.get('Host', LOCAL[0])}").hostname
    names = (st.get_option("server.address"), st.get_option("browser.serverAddress"), asked)
    return all(name in LOCAL for name in names) and not any(name in headers for name in FORWARDED)
