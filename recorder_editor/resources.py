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
    package = Path(str(files("recorder_editor")))
    for folder in (package / "_resources", package.parent / "resources"):
        if (found := folder / name).exists():
            return found
    raise FileNotFoundError(f"The program's own file {name} is missing from {package}. Install Recorder Editor again.")
