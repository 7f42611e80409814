"""A rule: the name of the map begins or ends with a blank."""

from collections.abc import Iterator, Sequence

from recorder_editor.checks.rule import Fix, Rule, RuleSet, new_finding
from recorder_editor.edits.header import set_header
from recorder_editor.progress import Progress
from recorder_editor.recording import Edit, Finding, Snapshot


def find(snapshot: Snapshot, progress: Progress) -> Iterator[Finding]:
    """Yield a finding if the name has blanks around it."""
    header = snapshot.header
    if header is not None and header.map_name != header.map_name.strip():
        yield new_finding(BLANKS, f"The map is called {header.map_name!r}.", offset=0)


def strip_name(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that removes the blanks."""
    header = snapshot.header
    return set_header(snapshot, map_name="" if header is None else header.map_name.strip())


BLANKS = Rule(
    "example-map-blanks",
    subject="replay",
    severity="warning",
    title="The name of the map has blanks around it.",
    why="The simulator looks for a map of exactly this name.",
    fix=Fix("Remove the blanks", strip_name),
)

RULES = RuleSet(rules=(BLANKS,), find=find)
