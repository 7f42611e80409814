"""A Python that has packages which do not go together with those of the project.

`packaging/test --long` makes `.venv-recipes` of `packaging/recipes.txt`; omega-prime wants an older polars than the
project is tested with.
"""

import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from .real_recordings import PROJECT, missing

_FOLDER = ".venv-recipes"
_ASK = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"


@cache
def _found(package: str) -> Path | None:
    if find_spec(package) is not None:
        return Path(sys.executable)
    others = [*PROJECT.glob(f"{_FOLDER}*/bin/python"), *PROJECT.glob(f"{_FOLDER}*/Scripts/python.exe")]
    for other in sorted(others):
        if subprocess.run([other, "-c", _ASK, package], check=False).returncode == 0:
            return other
    return None


def python_with(package: str) -> Path:
    """Return the Python that has a package; without one the test is skipped, or fails where CI is set."""
    python = _found(package)
    if python is None:
        missing(f"{package}: packaging/recipes.txt and what it says of {_FOLDER}", may_be=package == "py123d")
    assert python is not None
    return python
