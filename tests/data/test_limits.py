"""Limits: one place decides, and the upload widget says the same."""

import tomllib
from pathlib import Path

from anyloss_core.data import limits


def test_the_upload_widget_allows_what_the_reader_reads():
    config = Path(__file__).parents[2] / ".streamlit" / "config.toml"
    server = tomllib.loads(config.read_text(encoding="utf-8"))["server"]
    assert server["maxUploadSize"] * limits.MEGABYTE == limits.FILE_BYTES


def test_the_largest_table_of_the_paper_fits():
    assert limits.ROWS > 799_603
    assert limits.CELLS > 568_630 * 31
