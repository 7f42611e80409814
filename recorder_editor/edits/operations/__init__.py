"""The table of operations: arguments, options, menus and forms.

Scripts can run these operations and nothing else; options, forms, menus, the guide and the random drivers of the tests
are derived from the table.
"""

from collections.abc import Mapping
from typing import Any

from ...texts import N_, listed, say
from . import actors, fields, paths, states, times
from .schema import Argument, Operation, OperationCall, OperationResult, Option

EVERY: Mapping[str, Operation] = {
    each.name: each for table in (fields, actors, paths, times, states) for each in table.OPERATIONS
}
"""All operations by name."""

OPERATIONS: Mapping[str, Operation] = {name: each for name, each in EVERY.items() if each.in_scripts}
"""The operations that scripts may use, by name."""


def argument_error(operation: str, arguments: Mapping[str, Any]) -> str | None:
    """What is wrong with an operation and its arguments on any recording: a sentence, or None."""
    known = OPERATIONS.get(operation)
    if known is None:
        return say("There is no operation “{operation}”.", operation=operation)
    for name in arguments:
        if name not in known.arguments:
            template = (
                N_("{operation} has no argument “{name}”; it takes {names}.")
                if known.arguments
                else N_("{operation} has no argument “{name}”; it takes no arguments.")
            )
            return say(template, operation=operation, name=name, names=listed(known.arguments))
    for name, argument in known.arguments.items():
        if name not in arguments and argument.needed:
            return say("{operation} needs “{name}”: {takes}.", operation=operation, name=name, takes=argument.takes)
        if name in arguments and not argument.fits(arguments[name]):
            return say("{operation}: “{name}” is {takes}.", operation=operation, name=name, takes=argument.takes)
    return None
