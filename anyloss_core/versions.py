"""Which versions of Python and of the packages a result was made with."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

PACKAGES = ("torch", "numpy", "pandas", "scikit-learn", "scipy", "baycomp", "imbalanced-learn")


def versions() -> dict[str, str]:
    """Package -> version; packages that are not installed are left out."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
