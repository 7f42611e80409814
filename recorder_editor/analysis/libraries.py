"""Imports of optional libraries, and the errors if they are missing."""

from importlib import import_module
from typing import Any

from ..errors import RecorderError
from ..extras import remedy
from ..texts import say


class AnalysisError(RecorderError):
    """An analysis cannot be made."""


class LibraryMissing(AnalysisError):
    """An optional library is not installed."""


def library_missing(package: str, extra: str = "analysis") -> LibraryMissing:
    """Return the error for a package that cannot be imported.

    Args:
        package: Its name.
        extra: The extra of this package that installs it.
    """
    return LibraryMissing(
        say("This needs {package}, which is not installed. {remedy}", package=package, remedy=remedy(extra))
    )


def library(name: str, extra: str = "analysis") -> Any:
    """Import a module of an optional library.

    Args:
        name: Of the module.
        extra: The extra of this package that installs it.

    Raises:
        LibraryMissing: It is not installed; the error says what to install.
    """
    try:
        return import_module(name)
    except ImportError:
        raise library_missing(name.partition(".")[0], extra) from None
