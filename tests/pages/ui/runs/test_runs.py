"""Runs as pages see them: who owns them, what an id is, what the progress line says."""

import pytest

from pages.ui.runs import runs
from pages.ui.runs.runs import RUN


@pytest.mark.parametrize("text", ["", "0123456789abcdef" * 2])
def test_an_id_is_empty_or_32_hexadecimal_digits(text):
    assert RUN.read(text) == text


@pytest.mark.parametrize("text", ["0" * 31, "g" * 32, "../" + "0" * 29, "A" * 32])
def test_anything_else_is_no_id(text):
    assert RUN.read(text) == ""


def test_the_same_token_under_another_mask_is_the_same_browser():
    token = bytes(range(16))
    cookies = []
    for mask in (b"\x01\x02\x03\x04", b"\xaa\xbb\xcc\xdd"):
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(token))
        cookies.append(f"2|{mask.hex()}|{masked.hex()}|1700000000")
    assert {runs._unmasked(cookie) for cookie in cookies} == {token}
    assert runs._unmasked("not a cookie") == b"not a cookie"


def test_a_waiting_run_says_its_position_and_a_finished_one_how_long_it_took(open_page):
    open_page("runs")
    store = runs.store()
    run = store.run(store.create_run("compare", {}, "t", queue=False))
    assert not run.active
    assert runs.find(run.id).id == run.id
    assert runs.find("0" * 32) is None
    assert runs.find("") is None


def test_the_newest_runs_come_first(open_page):
    open_page("runs")
    made = [runs.store().create_run("compare", {}, str(n), queue=False) for n in range(3)]
    assert [run.id for run in runs.store().runs("compare", 2)] == made[:0:-1]
