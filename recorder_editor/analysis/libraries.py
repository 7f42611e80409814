"""What of the optional libraries is missing, as a sentence; the one place that knows the extra's name.

Knows nothing of what the libraries are used for.
"""

from importlib import import_module
from typing import Any

from ..errors import RecorderError


class AnalysisError(RecorderError):
    """An analysis cannot be made, for the reason given."""


class LibraryMissing(AnalysisError):
    """An optional library is not installed."""


def library_missing(package: str, extra: str = "analysis") -> LibraryMissing:
    """What to say where a package cannot be imported."""
    return LibraryMissing(f"This needs {package}, which is not installed: pip install 'recorder-editor[{extra}]'.")


def library(name: str, extra: str = "analysis") -> Any:
    """The module of that name; raises `LibraryMissing`, which says what to install."""
    try:
        return import_module(name)
    except ImportError:
        raise library_missing(name.partition(".")[0], extra) from None
