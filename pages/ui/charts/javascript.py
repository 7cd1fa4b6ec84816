"""The JavaScript files of this folder, each beside the module that it serves."""

from pathlib import Path

FOLDER = Path(__file__).parent


def script(*names: str) -> str:
    """The text of one, or of several that make one module of the browser."""
    return "\n".join((FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in names)
