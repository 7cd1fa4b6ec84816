"""The security headers: what a browser is told to refuse."""

import base64
import hashlib

from pages.ui.base.headers import security_headers


def directives():
    parts = security_headers()["Content-Security-Policy"].split("; ")
    return dict(part.split(" ", 1) for part in parts)


def test_only_scripts_of_this_server_run():
    scripts = directives()["script-src"].split()
    assert "'self'" in scripts
    assert not {"'unsafe-inline'", "'unsafe-eval'", "*", "https:", "data:"} & set(scripts)


def test_the_one_inline_script_of_streamlit_is_known_by_its_hash():
    script = "\n      window.prerenderReady = false\n    "
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in directives()["script-src"]


def test_no_foreign_page_frames_it_and_nothing_is_sent_elsewhere():
    found = directives()
    assert found["frame-ancestors"] == found["form-action"] == found["default-src"] == "'self'"
    assert found["object-src"] == "'none'"
    assert not any("http" in may or "ws" in may for may in found.values() if "wasm" not in may)


def test_types_are_not_guessed_and_addresses_not_told():
    headers = security_headers()
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
