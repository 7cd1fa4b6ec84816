"""What commands tell while they work."""

import pytest

from anyloss_core.cli import console


@pytest.mark.parametrize(
    ("left", "said"), [(None, ""), (8.4, ", 00:08 left"), (3690.0, ", 1:01:30 left")]
)
def test_a_line_in_a_pipe_ends_with_the_time_left(left, said, monkeypatch, capsys):
    monkeypatch.setattr(console, "SECONDS_BETWEEN_LINES", 0.0)
    with console.ProgressBar("benchmark") as progress:
        progress(0.25, "1 of 4 data sets done", left)
    assert capsys.readouterr().err == f"benchmark: 25% 1 of 4 data sets done{said}\n"


def test_a_bar_shows_the_time_left_that_it_was_told(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with console.ProgressBar("benchmark") as progress:
        progress(0.25, "1 of 4 data sets done", 90.0)
        progress._bar.refresh()
    assert "<01:30" in capsys.readouterr().err
