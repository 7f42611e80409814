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
    """The error for a package that cannot be imported."""
    return LibraryMissing(
        say("This needs {package}, which is not installed. {remedy}", package=package, remedy=remedy(extra))
    )


def library(name: str, extra: str = "analysis") -> Any:
    """The module of that name; raises `LibraryMissing`, which says what to install."""
    try:
        return import_module(name)
    except ImportError:
        raise library_missing(name.partition(".")[0], extra) from None
