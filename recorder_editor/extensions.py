"""Extensions: what installed packages add to the program, by entry points.

A package names an object, or a class that makes one without arguments, in one of `GROUPS`. `extensions_of` loads those
of a group once, and `offer_extensions` hands them over. One that cannot be loaded, or is not what its group
holds, is left out and named where the program lists them (*Help > About*, `--version --verbose`). Nothing can be
installed beside a bundle of the program.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal, get_args

from .texts import say

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Group = Literal["recorder_editor.formats", "recorder_editor.rules", "recorder_editor.signals"]
"""Export formats (`formats.export_format.ExportFormat`), rules of the checks with what finds their findings
(`checks.rule.RuleSet`), and computed signals (`reading.computed_signals.ComputedSignal`)."""

GROUPS: tuple[Group, ...] = get_args(Group)


class NotTaken(Exception):
    """An object is not what its group holds; the message is a sentence."""


@dataclass
class Extension:
    """An object that an installed package adds.

    Attributes:
        group: What it is.
        name: Its name in the package.
        package: The package, with its version.
        error: Why it was left out; empty if it was not.
        value: The object, or None if it was left out.
    """

    group: Group
    name: str
    package: str
    error: str = ""
    value: object = None

    def refuse(self, reason: str) -> None:
        """Leave it out for a reason, a sentence."""
        self.error = reason
        self.value = None


@cache
def extensions_of(group: Group) -> tuple[Extension, ...]:
    """Load the extensions of a group, by name; those that raise are there with their error."""
    if is_bundle():
        return ()
    from importlib.metadata import entry_points  # takes longer to load than the rest of the command line

    entries = sorted(entry_points(group=group), key=lambda entry: entry.name)
    return tuple(_load(group, entry) for entry in entries)


def offer_extensions(group: Group, take: Callable[[object], None]) -> None:
    """Offer the objects of a group one after another; one that is not taken is left out.

    Args:
        group: The group.
        take: Takes an object. It raises `NotTaken` with a sentence; any other exception is the object's own.
    """
    for extension in extensions_of(group):
        if extension.error:
            continue
        try:
            take(extension.value)
        except NotTaken as error:
            extension.refuse(str(error))
        except Exception as error:  # noqa: BLE001 - what a package hands over may be anything
            extension.refuse(reason_of_exception(error))


def require_texts(value: object, *names: str) -> None:
    """Check that attributes of an object are texts.

    Args:
        value: The object.
        names: The names of the attributes.

    Raises:
        NotTaken: An attribute is no text.
        AttributeError: The object lacks an attribute.
    """
    for name in names:
        if not isinstance(getattr(value, name), str):
            raise NotTaken(say("Its {name} is no text.", name=name))


def reason_of_exception(error: Exception) -> str:
    """Return the kind and the message of an exception that code of a package raised."""
    return f"{type(error).__name__}: {error}"


def is_bundle() -> bool:
    """Return whether this program is a bundle, in which nothing can be installed."""
    return bool(getattr(sys, "frozen", False))


def _load(group: Group, entry: "EntryPoint") -> Extension:
    package = ""
    if entry.dist is not None:
        package = f"{entry.dist.name} {entry.dist.version}"
    extension = Extension(group=group, name=entry.name, package=package)
    try:
        value = entry.load()
        if isinstance(value, type):
            extension.value = value()
        else:
            extension.value = value
    except Exception as error:  # noqa: BLE001 - code of a package, which must not end the program
        extension.refuse(reason_of_exception(error))
    return extension
