"""Loaded by every Python process that has this folder on its path: the network is out of bounds.

Each attempt to reach anything but this machine is written to the file $NETWORK_LOG and refused.
"""

import os
import sys

HERE = {"", "localhost", "127.0.0.1", "::1", "0.0.0.0", "::"}
LOOKUPS = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyname_ex")
TALKS = ("socket.connect", "socket.sendto")


def refuse_network(event: str, arguments: tuple) -> None:
    if event in LOOKUPS:
        host = arguments[0]
    elif event in TALKS and isinstance(arguments[-1], tuple):
        host = arguments[-1][0]
    else:
        return
    host = host.decode() if isinstance(host, bytes) else host
    if host is None or host in HERE or host.startswith("127."):
        return
    with open(os.environ["NETWORK_LOG"], "a", encoding="utf-8") as log:
        log.write(f"{os.getpid()} {event} {host}\n")
    raise OSError(101, "Network is unreachable")


if "NETWORK_LOG" in os.environ:
    sys.addaudithook(refuse_network)
