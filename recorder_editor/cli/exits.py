"""The exit codes, as the guide documents them."""

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of verbs."""

    OK = 0
    FAILED = 1
    WRONG_USAGE = 2
    LOSS = 3
