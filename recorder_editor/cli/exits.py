"""The exit codes, as the guide documents them."""

from enum import IntEnum


class Exit(IntEnum):
    """What happened, for whoever started the program."""

    OK = 0
    FAILED = 1
    WRONG_USAGE = 2
    LOSS = 3
