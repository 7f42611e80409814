"""Libraries that are loaded when they are asked for, as pandas; what installs one that is missing."""

from importlib import import_module
from typing import Any

from ..errors import RecorderError
from ..extras import remedy, remedy_of
from ..texts import say


def load_library(module: str, extra: str = "") -> Any:
    """Load a library that is not needed otherwise.

    Args:
        module: Its module, as `matplotlib.pyplot`.
        extra: The extra of the program that it belongs to; empty: none.

    Raises:
        RecorderError: It is not installed; the message has the command that installs it.
    """
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        advice = remedy(extra) if extra else remedy_of((package,))
        raise RecorderError(
            say("This needs {name}, which is not installed. {remedy}", name=package, remedy=advice)
        ) from None
