"""The visitor's token: what the server makes, and what it takes."""

import pytest

from pages.ui.base import visitor


def test_a_token_is_random_and_known_again():
    tokens = {visitor.new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(visitor.known_token(token) == token for token in tokens)


@pytest.mark.parametrize(
    "cookie",
    [None, "", "a" * 42, "a" * 44, "a" * 100_000, "a" * 42 + "\n", "é" * 43, "a b" * 14 + "c", 7],
)
def test_anything_else_is_no_token(cookie):
    assert visitor.known_token(cookie) is None


def test_the_cookie_is_kept_for_a_year_out_of_reach_of_scripts():
    plain = visitor.set_cookie("t", "/lab", secure=False)
    assert plain == "anyloss_browser=t; Path=/lab; Max-Age=31536000; HttpOnly; SameSite=Lax"
    assert visitor.set_cookie("t", "/", secure=True).endswith("; Secure")


def test_without_cookies_an_owner_lasts_as_long_as_the_window(open_page):
    """A page without a browser: no cookie, no login."""
    page = open_page("runs")
    token = page.session_state["browser_token"]
    assert visitor.known_token(token)
    assert page.run().session_state["browser_token"] == token
    assert open_page("runs").session_state["browser_token"] != token
