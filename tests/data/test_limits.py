"""Limits: one place decides, and the upload widget says the same."""

import tomllib
from pathlib import Path

from anyloss_core.datasets import limits


def test_the_upload_widget_allows_what_the_reader_reads():
    config = Path(__file__).parents[2] / ".streamlit" / "config.toml"
    server = tomllib.loads(config.read_text(encoding="utf-8"))["server"]
    assert server["maxUploadSize"] * limits.MEGABYTE == limits.FILE_BYTES


def test_the_largest_table_of_the_paper_fits():
    assert limits.ROWS > 799_603
    assert limits.CELLS > 568_630 * 31


def test_several_names_are_shown_in_one_short_line():
    assert limits.display_names("abc") == "'a', 'b', 'c'"
    assert limits.display_names(range(20), most=2) == "'0', '1' and 18 more"
