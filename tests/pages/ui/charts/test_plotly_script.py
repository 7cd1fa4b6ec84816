"""plotly.js is a file of the server, packed, and below the address that the Lab is reached at."""

import gzip

import pytest
from plotly.offline import get_plotlyjs

from pages.ui.charts import plotly_script


def test_the_browser_gets_the_script_of_plotlys_wheel_and_keeps_it():
    answer = plotly_script._send(None)
    assert gzip.decompress(answer.body).decode() == get_plotlyjs()
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize(("base", "folder"), [("", "/"), ("lab", "/lab/"), ("/of/us/", "/of/us/")])
def test_it_lies_below_the_base_of_all_addresses(monkeypatch, base, folder):
    monkeypatch.setattr(plotly_script.st, "get_option", lambda name: base)
    assert plotly_script.route().path == folder + plotly_script.PATH
