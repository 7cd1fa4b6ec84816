"""The JavaScript files of this folder, each beside the module that it serves."""

from pathlib import Path


def script(name: str) -> str:
    """The text of one."""
    return (Path(__file__).parent / f"{name}.js").read_text(encoding="utf-8")
