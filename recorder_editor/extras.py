"""Optional libraries: what can be done where one of them is missing."""

import shlex
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from platform import machine

from .texts import say

PACKAGES = {
    "parquet": ("pyarrow>=17",),
    "analysis": ("polars>=1.30", "pyarrow>=17", "scipy>=1.13"),
    "dask": ("distributed>=2024.8",),
    "mcap": ("foxglove-schemas-protobuf>=0.3", "mcap>=1.2", "mcap-protobuf-support>=0.5", "zstandard>=0.22"),
    "osi": ("betterosi>=0.9,<1", "mcap>=1.2", "mcap-protobuf-support>=0.5", "zstandard>=0.22"),
    "report": ("jinja2>=3.1", "scipy>=1.13"),
    "carla": ("carla>=0.9.13",),
    "video": ("av>=14",),
}
"""The packages of each extra, as `pyproject.toml` names them."""

_PIPX_FILE = "pipx_metadata.json"
"""A file in each environment of pipx, whose folder has the name by which pipx knows it."""

_PROCESSORS = ("x86_64", "amd64")
_FIRST_WITHOUT_CARLA = (3, 13)
_python = sys.version_info[:2]


def remedy(extra: str) -> str:
    """Say how the packages of an extra are installed where this program runs, or why they cannot be.

    The program is on no index, and pip may belong to another environment: so the command names the environment of pipx,
    or else the Python that runs, and the packages themselves.

    Args:
        extra: A name of `PACKAGES`.
    """
    if getattr(sys, "frozen", False):
        return say(
            "Nothing can be added to this package of the program. Installed with pip it "
            "has all that it needs: `pip install '.[{extra}]'` in a copy of the project.",
            extra=extra,
        )
    if extra == "carla":
        reason = _why_no_carla()
        if reason is not None:
            return reason
    return remedy_of(PACKAGES[extra])


def remedy_of(packages: Sequence[str]) -> str:
    """Say how packages are installed where this program runs, which pip or pipx has installed."""
    return say("`{command}` installs what is missing.", command=_install_command(packages))


def install_command(extra: str) -> str:
    """The command that installs the packages of an extra into the environment of this program, as a shell takes it."""
    return _install_command(PACKAGES[extra])


def _install_command(packages: Sequence[str]) -> str:
    environment = Path(sys.prefix)
    if (environment / _PIPX_FILE).is_file():
        words = ["pipx", "inject", environment.name, *packages]
        return _command(words)
    if _has_pip():
        words = [sys.executable, "-m", "pip"]
    else:
        words = ["pip", "--python", sys.executable]
    words.append("install")
    words.extend(packages)
    return _command(words)


def _command(words: Sequence[str]) -> str:
    """Return words as a shell takes them."""
    if sys.platform == "win32":
        return " ".join(_quote_for_windows(word) for word in words)
    return shlex.join(words)


def _why_no_carla() -> str | None:
    """The reason why the package of the simulator cannot be installed here; None where it can be."""
    if sys.platform == "darwin":
        return say("There is no package of it for macOS: run the program on Linux or Windows for this.")
    processor = machine()
    if processor.lower() not in _PROCESSORS:
        return say(
            "There is no package of it for processors of the kind {processor}: run the "
            "program on a machine with x86-64 for this.",
            processor=processor,
        )
    if _python >= _FIRST_WITHOUT_CARLA:
        return say(
            "There is no package of it for Python {version}: install the program with Python 3.12 or 3.11 for this.",
            version=".".join(map(str, _python)),
        )
    return None


def _has_pip() -> bool:
    return find_spec("pip") is not None


def _quote_for_windows(word: str) -> str:
    is_plain = all(sign.isalnum() or sign in "-_.\\/:" for sign in word)
    if is_plain:
        return word
    return f'"{word}"'
