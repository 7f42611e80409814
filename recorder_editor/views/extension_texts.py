"""What installed packages add, as About and `--version --verbose` list it."""

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
    """Return a line for each package that adds something, and one for each thing that was left out; loads them all."""
    if is_bundle():
        return [say("Nothing can be installed beside this program, so no package extends it.")]
    export_formats()
    rule_sets()
    computed_signals()
    lines: list[str] = []
    by_package: dict[str, list[str]] = {}
    for group in GROUPS:
        for extension in extensions_of(group):
            if extension.error:
                lines.append(
                    say(
                        "{package}, {extension}: left out. {reason}",
                        package=extension.package,
                        extension=_named(extension),
                        reason=extension.error,
                    )
                )
            else:
                by_package.setdefault(extension.package, []).append(_named(extension))
    added = []
    for package, names in by_package.items():
        added.append(say("{package}: {extensions}", package=package, extensions=listed(names)))
    return added + lines


def _named(extension: Extension) -> str:
    return say(_KINDS[extension.group], name=extension.name)
