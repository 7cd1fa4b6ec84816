"""The door to the pure functions."""

import subprocess
import sys

import anyloss_core
from anyloss_core import functional
from anyloss_core.losses.functional import any_loss


def test_it_opens_as_a_module_and_as_a_name():
    assert functional.any_loss is any_loss
    assert anyloss_core.functional is functional


def test_the_name_needs_no_import_of_its_own():
    code = "import anyloss_core as al; print(al.functional.any_loss.__name__)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "any_loss"
