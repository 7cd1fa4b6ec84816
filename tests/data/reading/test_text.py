"""Bytes of a text file as UTF-8, whatever they were written in."""

import codecs
import io

import numpy as np
import pytest

from anyloss_core.data.errors import DataError
from anyloss_core.data.reading.text import as_utf8

TEXT = "name,größe\nÅsa,1.5\nŻółć,2\n" * 20
WESTERN = "name,größe\nÅsa,1.5\nété – naïve,2\n" * 20


def read(data):
    with as_utf8(io.BytesIO(data)) as file:
        return file.read().decode("utf-8")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_comes_back_to_the_letter(encoding):
    assert read(TEXT.encode(encoding)) == TEXT


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_BE, codecs.BOM_UTF16_LE])
def test_the_order_of_bytes_follows_the_mark(mark):
    encoding = "utf-16-be" if mark == codecs.BOM_UTF16_BE else "utf-16-le"
    assert read(mark + TEXT.encode(encoding)) == TEXT


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_western_text_in_utf_16_needs_no_mark(encoding):
    assert read(WESTERN.encode(encoding)) == WESTERN


def test_what_is_not_utf_8_is_read_in_the_windows_code_page():
    assert read(WESTERN.encode("cp1252")) == WESTERN


def test_a_wrong_byte_far_down_decides_too():
    data = b"x,y\n" + b"1,2\n" * 50_000 + "ä,3\n".encode("cp1252")
    assert read(data).endswith("1,2\nä,3\n")


def test_what_is_no_text_is_refused():
    noise = np.random.default_rng(0).integers(128, 256, 5000, dtype=np.uint8).tobytes()
    controls = np.random.default_rng(1).integers(0, 256, 5000, dtype=np.uint8).tobytes()
    with pytest.raises(DataError):
        read(controls + noise)
