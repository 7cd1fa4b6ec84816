"""The command line: one parser, one module per command, mistakes answered in one line.

A user's mistake ends with exit code 2 and one line on stderr. Heavy packages are imported by the
command that needs them, so that --help answers at once.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from anyloss_core import __version__
from anyloss_core.cli.console import print_always
from anyloss_core.common.memory import ran_out

COMMANDS = ("compare", "predict", "reproduce", "benchmark", "sign_test", "valid_range")
MISTAKE, INTERRUPTED = 2, 130  # exit codes; 128 + SIGINT is the shell's habit

DESCRIPTION = """\
AnyLoss Lab on the command line: train on the metric you care about, and see whether it helps.

  which loss is best on my data?     compare my.csv --target churned --losses bce,anyloss:f1
  is the paper right?                reproduce
  and on a hundred data sets?        benchmark --suite real --losses bce,anyloss:f1 --out s.csv
  is the difference real?            sign-test s.csv --baseline bce --rope 0.01,0.05
  which L may I use in float32?      valid-range --dtype float32
  what does my model say?            predict model.zip new.csv
"""
EPILOG = """\
'COMMAND --help' explains a command with examples.
The dashboard, in the folder of the project: streamlit run app.py"""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        fail(f"{self.prog}: {message}; see {self.prog} --help")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    print_always()
    try:
        chosen = build_parser().parse_args(arguments)
        chosen.run(chosen)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has left, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (ValueError, OSError, ModuleNotFoundError) as error:
        fail(f"anyloss_core: {error}")
    except (MemoryError, RuntimeError) as error:
        if not ran_out(error):
            raise
        fail("anyloss_core: there was not enough memory; use fewer rows, folds or losses")
    return 0


def build_parser() -> Parser:
    """The parser of all commands."""
    called = "anyloss" if Path(sys.argv[0]).stem == "anyloss" else "python -m anyloss_core"
    parser = Parser(called, description=DESCRIPTION, epilog=EPILOG, formatter_class=Plain)
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, parser_class=Parser
    )
    for name in COMMANDS:
        module = importlib.import_module(f"{__name__}.{name}")
        command = commands.add_parser(
            name.replace("_", "-"),
            help=module.SUMMARY,
            description=module.__doc__,
            epilog=module.EXAMPLES,
            formatter_class=Plain,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


class Plain(argparse.RawDescriptionHelpFormatter):
    """Descriptions as they are written, wide enough for the examples."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=96)


def fail(message: str) -> NoReturn:
    """One line on stderr and exit code 2."""
    print(" ".join(message.split()), file=sys.stderr)
    raise SystemExit(MISTAKE)
