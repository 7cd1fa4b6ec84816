"""The command line as a whole: help that teaches, mistakes in one line, exit codes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from anyloss_core.cli import COMMANDS, main

ROOT = Path(__file__).parents[2]


def run(*arguments, **options):
    """The real thing, in a process of its own."""
    command = [sys.executable, "-m", "anyloss_core", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, **options)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(command, capsys):
    with pytest.raises(SystemExit) as ended:
        main([command.replace("_", "-"), "--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    assert "examples:" in text
    assert len(text.splitlines()) > 15


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from anyloss_core.cli import build_parser; build_parser().format_help(); "
        "print([name for name in ('torch', 'pandas', 'sklearn', 'plotly') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


MISTAKES = [
    [],
    ["compar"],
    ["compare"],
    ["compare", "nowhere.csv", "--target", "y"],
    ["compare", "builtin:nothing"],
    ["compare", "builtin:moons", "--losses", "bce,anylos:f1"],
    ["compare", "builtin:moons", "--losses", "anyloss:f1x"],
    ["compare", "builtin:moons", "--losses", "anyloss:TP / ("],
    ["compare", "builtin:moons", "--folds", "many"],
    ["compare", "builtin:moons", "--folds", "1"],
    ["compare", "builtin:moons", "--model", "cnn"],
    ["compare", "builtin:moons", "--protocol", "secret"],
    ["compare", "builtin:moons", "--hidden", "a,b"],
    ["compare", "builtin:moons", "--baseline", "mse"],
    ["compare", "builtin:moons", "--metrics", "f1,colour"],
    ["compare", "builtin:moons", "--metrics", ""],
    ["compare", "builtin:moons", "--metrics", " , "],
    ["compare", "builtin:moons", "--losses", ""],
    ["compare", "builtin:moons", "--rope", "nan"],
    ["compare", "builtin:moons", "--rope", "inf"],
    ["compare", "builtin:moons", "--rope", "-0.1"],
    ["compare", "builtin:moons", "--rope", ""],
    ["compare", "builtin:moons", "--seeds", "0"],
    ["compare", "builtin:moons", "--seed", "-1"],
    ["compare", "builtin:moons", "--repeats", "0"],
    ["compare", "builtin:moons", "--epochs", "0"],
    ["compare", "builtin:moons", "--lr", "nan"],
    ["compare", "builtin:moons", "--lr", "inf"],
    ["compare", "builtin:moons", "--lr", "0"],
    ["compare", "builtin:moons", "--batch", "nan"],
    ["compare", "builtin:moons", "--batch", "-1"],
    ["compare", "builtin:moons", "--model", "mlp", "--hidden", "0"],
    ["compare", "builtin:moons", "--model", "mlp", "--hidden", "-4"],
    ["compare", "builtin:moons", "--model", "mlp", "--hidden", ","],
    ["compare", "builtin:moons", "--baseline", ""],
    ["compare", "builtin:moons", "--epochs", "1000000000"],
    ["compare", "README.md", "--target", "y"],
    ["compare", "builtin:moons", "--json", "nowhere/x.json"],
    ["compare", "builtin:moons", "--report", "tests"],
    ["predict", "nowhere.zip", "nowhere.csv"],
    ["predict", "nowhere.zip", "nowhere.csv", "--out", "nowhere/x.csv"],
    ["sign-test", "nowhere.csv"],
    ["sign-test", "nowhere.csv", "--rope", "wide"],
    ["valid-range", "--dtype", "float8"],
    ["sign-test", "nowhere.csv", "--rope", ""],
    ["valid-range", "--t", "0.7"],
    ["valid-range", "--t", "nan"],
    ["valid-range", "--t", "0"],
    ["valid-range", "--t", ""],
    ["valid-range", "--json", "nowhere/x.json"],
    ["reproduce", "--dataset", "7"],
    ["reproduce", "--dataset", "4"],
    ["reproduce", "--dataset", "1", "--csv", "x.csv"],
    ["reproduce", "--parts", "everything"],
    ["reproduce", "--parts", ""],
    ["reproduce", "--parts", "mlp", "--dataset", "1", "--seeds", "0"],
    ["reproduce", "--parts", "resnet", "--rows", "0"],
    ["reproduce", "--parts", "resnet", "--epochs", "-1"],
    ["reproduce", "--seeds", "nan"],
    ["benchmark", "--suite", "nowhere", "--out", "x.csv"],
    ["benchmark", "--losses", "bce"],
    ["benchmark", "--suite", "real", "--out", "x.csv", "--baseline", "mse"],
    ["benchmark", "--suite", "real", "--out", "x.csv", "--workers", "0"],
    ["benchmark", "--suite", "real", "--out", "x.csv", "--baseline", ""],
    ["benchmark", "--suite", "real", "--out", "x.csv", "--losses", ""],
    ["benchmark", "--suite", "real", "--out", "x.csv", "--losses", ","],
    ["benchmark", "--suite", "real", "--out", "x.csv", "--rope", "nan"],
    ["benchmark", "--suite", "real", "--out", "x.csv", "--seeds", "0"],
    ["benchmark", "--suite", "real", "--out", "x.csv", "--folds", "0"],
    ["benchmark", "--suite", "real", "--out", "x.csv", "--epochs", "0"],
    ["benchmark", "--suite", "real", "--out", "x.csv", "--epochs", "1000000000"],
    ["benchmark", "--suite", "real", "--out", "x.csv", "--dask", ""],
]


@pytest.fixture
def no_training(monkeypatch, tmp_path):
    """Nothing may be trained or kept."""

    def trained(*_):
        raise AssertionError("it trained")

    monkeypatch.setattr("anyloss_core.comparison.comparison.train", trained)
    monkeypatch.setenv("ANYLOSS_HOME", str(tmp_path))


@pytest.mark.parametrize("arguments", MISTAKES, ids=" ".join)
def test_a_mistake_is_answered_in_one_line_with_exit_code_2(arguments, no_training, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    heard = capsys.readouterr()
    assert ended.value.code == 2
    assert heard.out == ""
    assert heard.err.count("\n") == 1
    assert len(heard.err) > 25


def test_the_process_ends_with_the_same_code_and_line():
    done = run("valid-range", "--dtype", "float8")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_a_reader_that_leaves_early_is_no_error():
    command = f"'{sys.executable}' -m anyloss_core valid-range | head -1"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.split() == ["t", "L", "from", "L", "up", "to", "float64"]


def test_an_interrupt_ends_quietly(monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("anyloss_core.losses.approximation.valid_range", interrupted)
    assert main(["valid-range"]) == 130
    assert capsys.readouterr() == ("", "")


def test_a_terminal_gets_a_bar_and_a_pipe_does_not(capsys):
    pty = pytest.importorskip("pty")
    controller, terminal = pty.openpty()
    arguments = ["compare", "builtin:moons", "--folds", "2", "--epochs", "40"]
    command = [sys.executable, "-m", "anyloss_core", *arguments]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=terminal)
    os.close(terminal)
    seen = b""
    while True:
        try:
            piece = os.read(controller, 4096)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    printed = process.communicate()[0].decode()
    assert process.returncode == 0
    assert b"comparing 3 losses" in seen
    assert b"%|" in seen
    assert "On moons, " in printed
    assert main(arguments) == 0
    assert "\r" not in capsys.readouterr().err  # quiet lines at most, on a slow machine
