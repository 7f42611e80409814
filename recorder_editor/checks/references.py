"""What the simulator would complain about, as the replay model says, less what `structure` tells in its own words."""

from collections.abc import Iterator

from ..progress import SILENT, Progress
from ..recording.findings import Finding
from ..recording.snapshot import Snapshot
from . import fixes, times
from .replay.diagnostics import CODES, findings
from .rule import Mend, Rule, Subject

_TOLD_BY_STRUCTURE = frozenset(("replay-no-frame-end", "replay-outside-frames", "replay-loses-place"))


def _rule(code: str, title: str, why: str, subject: Subject, mend: Mend | None = None, fix: str = "") -> Rule:
    return Rule(code, CODES[code], title, why, subject, mend, fix)


RULES = (
    Rule(
        "replay-map",
        CODES["replay-map"],
        "The map cannot be loaded.",
        "The simulator takes a bare name such as Town01, or a path below /Game; with anything else a replay on another "
        "map fails.",
        "replay",
        fixes.bare_map,
        "Leave the last part of the path",
        fixes.has_bare_map,
    ),
    _rule(
        "replay-too-large",
        "The file is 2 GiB long or longer.",
        "Servers freeze or crash while they replay files near 2 GiB, and reports break off. Split the recording.",
        "replay",
    ),
    _rule(
        "replay-starts-late",
        "Time does not begin at 0.",
        "A replay from the start takes one frame a tick and stretches every movement far beyond the map, until the "
        "time of the first frame is reached.",
        "time",
        times.to_zero,
        "Let time begin at 0",
    ),
    _rule(
        "replay-never-shown",
        "A frame lasts no time.",
        "The simulator looks for the frame whose time it is; one that lasts nothing, a negative time or no number is "
        "never found. Its events are run, its positions are lost.",
        "time",
        times.in_order,
        "Put ids and times in order",
    ),
    _rule(
        "replay-last-duration",
        "The last frame has a duration.",
        "Recorders leave -1 there. A replay that starts in a last frame with a duration reads nothing and creates no "
        "actors.",
        "time",
        fixes.never_ending,
        "Set the last duration to -1",
    ),
    _rule(
        "replay-added-twice",
        "An actor is created that exists already.",
        "Up to 0.9.15 the simulator moves the first one where the blueprint is the same. Otherwise it spawns a second "
        "one, and the first stays behind in the world.",
        "references",
        fixes.added_once,
        "Remove the second one, or give it an id of its own",
    ),
    _rule(
        "replay-deleted-unknown",
        "An actor is destroyed that does not exist.",
        "The simulator only logs it; the creation may have been lost.",
        "references",
        fixes.without_records,
        "Delete the record",
    ),
    _rule(
        "replay-parent-unknown",
        "An actor is attached to itself or to one that does not exist.",
        "The simulator leaves the attachment out, and the child stays where it was created.",
        "references",
        fixes.without_records,
        "Delete the record",
    ),
    Rule(
        "replay-added-and-deleted",
        CODES["replay-added-and-deleted"],
        "An actor is created and destroyed in one frame.",
        "Within a frame actors are created first and destroyed afterwards, so nothing of that id is left, even where "
        "the old one was meant to go and a new one to come.",
        "references",
        fixes.came_and_went,
        "Remove the actor",
        fixes.is_of_one_frame,
    ),
    _rule(
        "replay-moves-unknown",
        "A position is told of an actor that does not exist.",
        "The simulator takes the id for one of its own and may move an actor that has nothing to do with it.",
        "references",
        fixes.without_strangers,
        "Delete the records of that actor",
    ),
    _rule(
        "replay-unknown-actor",
        "Something is told of an actor that does not exist.",
        "The simulator leaves such records out.",
        "references",
        fixes.without_strangers,
        "Delete the records of that actor",
    ),
    Rule(
        "replay-uid-0",
        CODES["replay-uid-0"],
        "An actor has the blueprint uid 0.",
        "No simulator can spawn it. It only appears where an actor of that id and blueprint is there already, as the "
        "props of a level are on its own map.",
        "replay",
        fixes.numbered,
        "Take the uid of another actor",
        fixes.has_uid,
    ),
)


def found(snapshot: Snapshot, progress: Progress = SILENT) -> Iterator[Finding]:
    """What the replay model says, in its order. Raises `Cancelled`."""
    return (each for each in findings(snapshot, progress) if each.code not in _TOLD_BY_STRUCTURE)
