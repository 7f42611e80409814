"""Texts about installed packages and what they add, for About and `--version --verbose`."""

from ..checks.checking import rule_sets
from ..extensions import GROUPS, Extension, Group, extensions_of, is_bundle
from ..formats.export import export_formats
from ..reading.computed_signals import computed_signals
from ..texts import N_, listed, say

_KINDS: dict[Group, str] = {
    "recorder_editor.formats": N_("format {name}"),
    "recorder_editor.rules": N_("rules {name}"),
    "recorder_editor.signals": N_("signal {name}"),
}


def extension_lines() -> list[str]:
    """Load all extensions and return a line for each package that adds something, and one for each that failed."""
    if is_bundle():
        return [say("Nothing can be installed beside this program, so no package extends it.")]
    export_formats()
    rule_sets()
    computed_signals()
    failures: list[str] = []
    by_package: dict[str, list[str]] = {}
    for group in GROUPS:
        for extension in extensions_of(group):
            if extension.error:
                failures.append(
                    say(
                        "{package}, {extension}: left out. {reason}",
                        package=extension.package,
                        extension=_name_of(extension),
                        reason=extension.error,
                    )
                )
            else:
                by_package.setdefault(extension.package, []).append(_name_of(extension))
    lines = []
    for package, names in by_package.items():
        lines.append(say("{package}: {extensions}", package=package, extensions=listed(names)))
    return lines + failures


def _name_of(extension: Extension) -> str:
    return say(_KINDS[extension.group], name=extension.name)
