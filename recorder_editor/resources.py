"""The files that travel with the program: icons, the sample recording, translations.

One idea: a name like "icons/open.svg" leads to a file on disk, whether the program runs from a checkout,
where they lie in `resources/` beside the package, or installed, where the wheel carries them inside it.
Knows nothing of what the files hold.
"""

from importlib.resources import files
from pathlib import Path


def path(name: str) -> Path:
    """The file or folder `name` among the program's own, as a path that exists.

    `name` has forward slashes ("sample/town.log").  Raises FileNotFoundError with a sentence when this
    installation lacks it.
    """
    for folder in _folders():
        if (found := folder / name).exists():
            return found
    package = _folders()[0].parent
    raise FileNotFoundError(f"The program's own file {name} is missing from {package}. Install Recorder Editor again.")


def holds(file: Path) -> bool:
    """This is one of the program's own files, which nobody's work belongs into."""
    return any(file.resolve().is_relative_to(folder.resolve()) for folder in _folders())


def _folders() -> tuple[Path, Path]:
    package = Path(str(files("recorder_editor")))
    return package / "_resources", package.parent / "resources"
