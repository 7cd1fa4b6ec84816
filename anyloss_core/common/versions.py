"""Which versions of Python, of the packages and of this program a result was made with."""

import hashlib
import json
import platform
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("torch", "numpy", "pandas", "scikit-learn", "scipy", "baycomp", "imbalanced-learn")


def versions() -> dict[str, str]:
    """Package -> version; packages that are not installed are left out."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


@cache
def program() -> str:
    """A digest of this package's code and of the versions: if equal, so are results."""
    digest = hashlib.sha256(json.dumps(versions(), sort_keys=True).encode())
    root = Path(__file__).parents[1]
    for path in sorted(root.rglob("*.py")):
        digest.update(str(path.relative_to(root)).encode() + path.read_bytes())
    return digest.hexdigest()[:16]
