"""What browsers are told to refuse: foreign scripts, foreign frames, guessed types of files."""

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

import streamlit as st

INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)  # those of Streamlit's one page
POLICY = {
    "default-src": "'self'",
    # Our components come as blob: modules, and Streamlit brings WebAssembly of its own.
    "script-src": "'self' blob: 'wasm-unsafe-eval'",
    "style-src": "'self' 'unsafe-inline'",  # Streamlit and plotly write their styles as they go
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self' data: blob:",  # the websocket of this server is 'self'
    "worker-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'self'",
}


@cache
def security_headers() -> dict[str, str]:
    """Sent with every answer."""
    policy = POLICY | {"script-src": " ".join([POLICY["script-src"], *_inline_scripts()])}
    return {
        "Content-Security-Policy": "; ".join(f"{part} {may}" for part, may in policy.items()),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
    }


def _inline_scripts() -> list[str]:
    """The hash of each script inside Streamlit's page: no other inline script may run."""
    page = Path(st.__file__).parent / "static" / "index.html"
    scripts = INLINE.findall(page.read_text(encoding="utf-8"))
    hashes = [hashlib.sha256(script.encode()).digest() for script in scripts]
    return [f"'sha256-{base64.b64encode(value).decode()}'" for value in hashes]
