"""What commands tell while they work."""

import io

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


@pytest.mark.parametrize(
    ("encoding", "written"),
    [
        ("ascii", "0.91 +- 0.02 * ~ Sch\\xe4den \\u0416"),
        ("latin-1", "0.91 ± 0.02 * ~ Schäden \\u0416"),
        ("cp1252", "0.91 ± 0.02 * ~ Schäden \\u0416"),
        ("utf-8", "0.91 ± 0.02 ★ ≈ Schäden Ж"),
    ],
)
def test_what_an_encoding_lacks_is_written_in_its_letters(encoding, written, monkeypatch):
    output = io.TextIOWrapper(io.BytesIO(), encoding)
    monkeypatch.setattr("sys.stdout", output)
    console.print_always()
    print("0.91 ± 0.02 ★ ≈ Schäden Ж", flush=True)
    assert output.buffer.getvalue().decode(encoding).rstrip() == written


def test_an_hour_needs_no_word_and_more_asks_for_yes(capsys):
    console.check_patience(3600.0, yes=False)
    assert capsys.readouterr() == ("", "")
    with pytest.raises(ValueError, match=r"about 38\.0 hours .* begin it with --yes"):
        console.check_patience(38 * 3600, yes=False)
    console.check_patience(38 * 3600, yes=True)
    assert "about 38.0 hours" in capsys.readouterr().err
