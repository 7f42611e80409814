"""What goes wrong in a replay, by `diagnose`, without what `structure` reports."""

from collections.abc import Iterator

from ..progress import SILENT, Progress
from ..recording.findings import Finding
from ..recording.snapshot import Snapshot
from . import fixes, times
from .replay import diagnose, severity_of
from .rule import Fix, Rule, Subject

_FOUND_BY_STRUCTURE = frozenset(("replay-no-frame-end", "replay-outside-frames", "replay-loses-place"))


def _rule(code: str, subject: Subject, title: str, why: str, fix: Fix | None = None) -> Rule:
    return Rule(code, title, why, fix, subject, severity_of(code))


RULES = (
    _rule(
        "replay-map",
        "replay",
        "The map cannot be loaded.",
        "The simulator takes a bare name such as Town01, or a path below /Game; with anything else a replay on another "
        "map fails.",
        fixes.shorten_map_name,
    ),
    _rule(
        "replay-too-large",
        "replay",
        "The file is 2 GiB long or longer.",
        "Servers freeze or crash while they replay files near 2 GiB, and reports break off. Split the recording.",
    ),
    _rule(
        "replay-starts-late",
        "time",
        "Time does not begin at 0.",
        "A replay from the start takes one frame a tick and stretches every movement far beyond the map, until the "
        "time of the first frame is reached.",
        times.start_at_zero,
    ),
    _rule(
        "replay-never-shown",
        "time",
        "A frame has no duration.",
        "The simulator looks for the frame at its time; one whose duration is 0, negative or not a number is never "
        "found. Its events are run, its positions are lost.",
        times.put_in_order,
    ),
    _rule(
        "replay-last-duration",
        "time",
        "The last frame has a duration.",
        "Recorders write -1. A replay that starts in a last frame with a duration reads nothing and creates no actors.",
        fixes.clear_last_duration,
    ),
    _rule(
        "replay-added-twice",
        "references",
        "An actor is created that exists already.",
        "Up to 0.9.15 the simulator moves the first one where the blueprint is the same. Otherwise it spawns a second "
        "one, and the first stays behind in the world.",
        fixes.separate_actors,
    ),
    _rule(
        "replay-deleted-unknown",
        "references",
        "An actor is destroyed that does not exist.",
        "The simulator only logs it; the creation may have been lost.",
        fixes.delete_found_records,
    ),
    _rule(
        "replay-parent-unknown",
        "references",
        "An actor is attached to itself or to one that does not exist.",
        "The simulator leaves the attachment out, and the child stays where it was created.",
        fixes.delete_found_records,
    ),
    _rule(
        "replay-added-and-deleted",
        "references",
        "An actor is created and destroyed in one frame.",
        "Within a frame actors are created first and destroyed afterwards, so nothing of that id is left, even where "
        "a new actor should replace the old one.",
        fixes.remove_momentary_actors,
    ),
    _rule(
        "replay-moves-unknown",
        "references",
        "A position names an actor that does not exist.",
        "The simulator takes the id for one of its own and may move an actor that has nothing to do with it.",
        fixes.delete_unknown_actors,
    ),
    _rule(
        "replay-unknown-actor",
        "references",
        "A record names an actor that does not exist.",
        "The simulator leaves such records out.",
        fixes.delete_unknown_actors,
    ),
    _rule(
        "replay-uid-0",
        "replay",
        "An actor has the blueprint uid 0.",
        "No simulator can spawn it. It only appears where an actor of that id and blueprint is there already, as the "
        "props of a level are on its own map.",
        fixes.set_uids,
    ),
)


def find(snapshot: Snapshot, progress: Progress = SILENT) -> Iterator[Finding]:
    """The findings of `diagnose`, in its order. Raises `Cancelled`."""
    return (each for each in diagnose(snapshot, progress) if each.code not in _FOUND_BY_STRUCTURE)
