"""The table of operations: arguments, options, menus and forms.

Scripts can run these operations and nothing else; options, forms, menus, the guide and the random drivers of the tests
are derived from the table.
"""

from collections.abc import Mapping

from ...texts import listed, say
from . import actors, fields, new_actors, paths, states, times
from .schema import Argument, Arguments, Operation, OperationCall, OperationResult, Option

_IN_ORDER = (
    fields.OPERATIONS
    + new_actors.OPERATIONS
    + actors.OPERATIONS
    + paths.OPERATIONS
    + times.OPERATIONS
    + states.OPERATIONS
)

EVERY: Mapping[str, Operation] = {operation.name: operation for operation in _IN_ORDER}
"""All operations by name, in the order of the guide and of the options of `edit`."""

OPERATIONS: Mapping[str, Operation] = {name: operation for name, operation in EVERY.items() if operation.in_scripts}
"""The operations that scripts may use, by name."""


def argument_error(operation: str, arguments: Arguments) -> str | None:
    """Return what is wrong with an operation and its arguments on any recording.

    Args:
        operation: The name of the operation.
        arguments: Its arguments, as a script has them.

    Returns:
        A sentence; None if nothing is wrong.
    """
    declared = OPERATIONS.get(operation)
    if declared is None:
        return say("There is no operation “{operation}”.", operation=operation)
    for name in arguments:
        if name not in declared.arguments:
            return _unknown_argument(declared, name)
    for name, argument in declared.arguments.items():
        if name not in arguments:
            if argument.needed:
                return say("{operation} needs “{name}”: {takes}.", operation=operation, name=name, takes=argument.takes)
        elif not argument.fits(arguments[name]):
            return say("{operation}: “{name}” is {takes}.", operation=operation, name=name, takes=argument.takes)
    return None


def _unknown_argument(operation: Operation, name: str) -> str:
    if not operation.arguments:
        return say("{operation} has no argument “{name}”; it takes no arguments.", operation=operation.name, name=name)
    return say(
        "{operation} has no argument “{name}”; it takes {names}.",
        operation=operation.name,
        name=name,
        names=listed(operation.arguments),
    )
