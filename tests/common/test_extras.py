"""How to get what only a part of the users needs."""

import tomllib
from pathlib import Path

import pytest

from anyloss_core.common.extras import EXTRAS, how_to_install

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]


@pytest.mark.parametrize("extra", EXTRAS)
def test_every_extra_is_one_that_the_project_offers(extra):
    assert extra in PROJECT["optional-dependencies"]
    assert f"the extra '{extra}' of {PROJECT['name']}" in how_to_install(extra)


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_named_packages_are_those_of_the_extra(extra):
    offered = " ".join(PROJECT["optional-dependencies"][extra])
    for package in EXTRAS[extra].replace("'", "").split():
        assert package.split("[")[0] in offered


def test_the_command_can_be_typed():
    assert how_to_install("onnx").startswith("pip install onnx onnxscript (")
