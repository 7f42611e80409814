"""What `argparse` says of wrong arguments, in the language that is set."""

import re

from .texts import ENGLISH, N_, Text, language, say

_TEMPLATES = (
    N_("the following arguments are required: {names}"),
    N_("one of the arguments {names} is required"),
    N_("unrecognized arguments: {words}"),
    N_("ambiguous option: {option} could match {matches}"),
    N_("not allowed with argument {argument}"),
    N_("invalid choice: {value} (choose from {choices})"),
    N_("invalid {kind} value: {value}"),
    N_("ignored explicit argument {value}"),
    N_("expected one argument"),
    N_("expected at most one argument"),
    N_("expected at least one argument"),
    N_("expected {count} argument"),
    N_("expected {count} arguments"),
    N_("argument {argument}: {reason}"),
)
"""The sentences of `argparse`; the last one holds another one."""


def sentence_of(message: str) -> str:
    """Return a message of `argparse` in the language that is set.

    Args:
        message: The message; one that is none of its own is returned as it is.
    """
    if language() == ENGLISH or isinstance(message, Text):
        return message
    for template in _TEMPLATES:
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(template))
        match = re.fullmatch(pattern, message, re.DOTALL)
        if match is not None:
            values: dict[str, object] = dict(match.groupdict())
            if "reason" in values:
                values["reason"] = sentence_of(match["reason"])
            return say(template, **values)
    return message
