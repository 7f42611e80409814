"""Paths of the program's own files: icons, the sample recording, the guide, translations.

They are in `resources/` beside the package in a checkout, and inside the package in an installed wheel.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any


def path(name: str) -> Path:
    """The path of a file or folder of the program's own.

    Args:
        name: Its path in the resources, with forward slashes ("sample/town.log").

    Raises:
        FileNotFoundError: It is missing.
    """
    installed, checkout = _folders()
    for folder in (installed, checkout):
        place = folder / name
        if place.exists():
            return place
    package = installed.parent
    raise FileNotFoundError(f"The program's own file {name} is missing from {package}. Install Recorder Editor again.")


@cache
def table(name: str) -> dict[str, Any]:
    """The program's own table `name`.json ("packets"), which is read once and must not be changed."""
    content: dict[str, Any] = json.loads(path(f"{name}.json").read_text("utf-8"))
    return content


def is_own_file(file: Path) -> bool:
    """Whether a file is one of the program's own, which must not be overwritten."""
    place = file.resolve()
    return any(place.is_relative_to(folder.resolve()) for folder in _folders())


def _folders() -> tuple[Path, Path]:
    package = Path(__file__).parent
    return package / "_resources", package.parent / "resources"
