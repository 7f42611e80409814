"""What a rule is, what a finding is about, and findings about lives over many frames.

The rules themselves are in the modules of this package, each beside what finds it.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ..arrays import FloatArray, Int32Array
from ..errors import EditError
from ..format import PacketType
from ..progress import Progress
from ..reading import Actors, Life
from ..recording import START_SIZE, Edit, Finding, Packet, Place, RecordPlace, Snapshot
from ..recording.findings import Severity
from ..texts import N_, say

Subject = Literal["structure", "references", "time", "physics", "roads", "replay"]
"""The sections of the guide's page of rules."""

MAX_PER_CODE = 1_000
"""Maximum number of findings of one code that are listed."""


@dataclass(frozen=True, slots=True)
class MoreFindings:
    """Findings of one code that are counted alone, where there are more than are listed.

    Attributes:
        code: The code.
        number: Their number.
        is_least: There may be more.
    """

    code: str
    number: int
    is_least: bool = False


@dataclass(frozen=True, slots=True)
class DeferredFinding:
    """A finding that is made only if it is listed: there may be a hundred thousand of its code.

    Attributes:
        code: The code.
        make: The function that makes it.
    """

    code: str
    make: Callable[[], Finding]


Found = Finding | DeferredFinding | MoreFindings
"""What rules yield."""

Find = Callable[[Snapshot, Progress], Iterator[Found]]
"""What yields findings of a recording, and the number of those that it does not make.

Raises `Cancelled`, and errors of reading as `Store.read`.
"""

Make = Callable[[Snapshot, Sequence[Finding]], Edit]
"""The edit that fixes findings of one rule. Raises `EditError`."""

Applies = Callable[[Snapshot, Finding], bool]
"""Whether a finding can be fixed. Raises `EditError` if its data no longer exists."""


@dataclass(frozen=True, slots=True)
class Fix:
    """How findings of one rule are fixed.

    Attributes:
        title: A command, marked by `N_`.
        make: The function that returns the edit.
        applies: The function that says whether a finding can be fixed; None where all can.
    """

    title: str
    make: Make
    applies: Applies | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Rule:
    """One kind of problem.

    Attributes:
        code: The code of its findings, which is in scripts and in the addresses of the guide.
        subject: The section of the guide's page.
        severity: The severity of its findings.
        title: What is wrong: a sentence, marked by `N_`.
        why: The consequence: sentences, marked by `N_`.
        fix: How its findings are fixed; None where only a person can.
        numbers: The values of the placeholders in `title` and `why`.
    """

    code: str
    subject: Subject
    severity: Severity
    title: str
    why: str
    fix: Fix | None = None
    numbers: Mapping[str, float] = field(default_factory=dict)

    def shown_title(self) -> str:
        """Return what is wrong, in the language that is set."""
        return say(self.title, **self.numbers)

    def shown_why(self) -> str:
        """Return the consequence, in the language that is set."""
        return say(self.why, **self.numbers)


@dataclass(frozen=True)
class RuleSet:
    """Rules that are found together, as an installed package adds them.

    Attributes:
        rules: The rules, in the order in which their findings are fixed.
        find: The function that yields findings of these rules; `new_finding` makes one. It is called for recordings
            that have a header and frames.
    """

    rules: tuple[Rule, ...]
    find: Find


EXTENSION_FAILED = Rule(
    "extension-failed",
    subject="structure",
    severity="info",
    title=N_("Rules of an installed package could not run."),
    why=N_("What they would find is not known; Help > About names the packages."),
)
"""The finding that stands for rules that raised; it is about the program, not about the recording."""


def new_finding(
    rule: Rule, message: str, offset: int | None = None, frame: int | None = None, row: int | None = None, size: int = 0
) -> Finding:
    """Return a finding of a rule.

    Args:
        rule: The rule.
        message: What is wrong: a sentence.
        offset: The first byte that it is about; None: no byte.
        frame: Index of the frame; None: it is in none.
        row: The row; None: it is in none.
        size: The number of bytes.
    """
    return Finding(
        code=rule.code, severity=rule.severity, message=message, offset=offset, frame_index=frame, row=row, size=size
    )


def place_of(snapshot: Snapshot, finding: Finding) -> Place:
    """Return the packet, and the record if the offset is in one, that a finding is about.

    Raises:
        EditError: Its data no longer exists, or it is in no packet.
    """
    row, packet, record = _packet_of(snapshot, finding)
    return Place(row, packet.index, record)


def _packet_of(snapshot: Snapshot, finding: Finding) -> tuple[int, Packet, int | None]:
    """Return the row, the packet and the record (None: in none) that a finding is about; raises as `place_of`."""
    row = None
    if finding.offset is not None:
        row = snapshot.row_at(finding.offset)
    if row is None or finding.offset is None:
        raise EditError(say("The data of this finding no longer exists."))
    packets = snapshot.row(row).packets
    # The first packet that ends after the offset; that of a finding about an empty body is the end of its packet.
    index = bisect_right(packets, finding.offset, key=lambda packet: packet.offset + 5 + max(packet.size, 1))
    for packet in packets[index : index + 1]:
        within = finding.offset - packet.offset - 5
        if within >= -5:
            record = None
            if within >= 0:
                record, _ = packet.decoded.find_field(within)
            return row, packet, record
    raise EditError(say("This finding is in no packet that can be changed."), offset=finding.offset)


def record_of(snapshot: Snapshot, finding: Finding) -> tuple[PacketType, RecordPlace, int]:
    """Return packet type, place and actor id of the record of a finding.

    Raises:
        EditError: Its data no longer exists, or it is about no record of an actor.
    """
    row, packet, record = _packet_of(snapshot, finding)
    if record is None:
        raise EditError(say("This finding is not about a record."), offset=finding.offset)
    if not packet.type.actor_offsets:
        raise EditError(say("This finding is not about a record of an actor."), offset=finding.offset)
    actor = packet.type.actor_in(packet.decoded.raw(record))
    return packet.type, RecordPlace(row, packet.index, record), actor


# --- findings about lives ----------------------------------------------------------------------------


class LifeProblems:
    """Collects frames in which something is wrong with lives."""

    def __init__(self, number: int) -> None:
        """Make it for a recording with so many lives."""
        self._first = np.full(number, np.iinfo(np.int32).max, np.int32)
        self._count = np.zeros(number, np.int64)
        self._worst = np.zeros(number)

    def add(self, lives: Int32Array, frames: Int32Array, values: FloatArray) -> None:
        """Add records in which something is wrong.

        Args:
            lives: Index of the life of each, int32[n]; -1: it has none, and is left out.
            frames: Index of the frame of each, int32[n].
            values: How bad each is, float64[n]; larger ones are worse.
        """
        is_known = lives >= 0
        lives = lives[is_known]
        frames = frames[is_known]
        values = values[is_known]
        if len(lives):
            np.minimum.at(self._first, lives, frames)
            with np.errstate(invalid="ignore"):
                np.fmax.at(self._worst, lives, values)
            self._count += np.bincount(lives, minlength=len(self._count))

    def lives(self, actors: Actors) -> Iterator[tuple[Life, int, int, float]]:
        """Yield life, first frame (index), number of records and worst value, in the order of the EventAdds."""
        for index in np.flatnonzero(self._count).tolist():
            life = actors.lives[index]
            yield life, int(self._first[index]), int(self._count[index]), float(self._worst[index])


def frames_text(first: int, number: int) -> str:
    """Return the text for `number` frames, of which the first has the index `first`: `frame 5 and 11 more`."""
    if number == 1:
        return say("frame {frame:,}", frame=first + 1)
    return say("frame {frame:,} and {more:,} more", frame=first + 1, more=number - 1)


def actor_text(life: Life) -> str:
    """Return the text for a life: `vehicle.tesla.model3 12`."""
    return say("{blueprint} {actor}", blueprint=life.blueprint, actor=life.actor)


def finding_of(snapshot: Snapshot, rule: Rule, life: Life, packet: str, frame: int, message: str) -> Finding:
    """Return a finding at a record of a life; at the FrameStart if there is none.

    Args:
        snapshot: The state of the recording.
        rule: The rule.
        life: The life.
        packet: The name of the packet of the record.
        frame: Index of the frame.
        message: What is wrong: a sentence.
    """
    frame_data = snapshot.frame(frame)
    offset = frame_data.offset
    size = START_SIZE
    for candidate in frame_data.packets:
        if candidate.name != packet:
            continue
        record = candidate.decoded.find_actor(life.actor)
        if record is not None:
            offset, size = candidate.record_span(record)
            break
    return new_finding(rule, message, offset=offset, frame=frame, row=frame_data.row, size=size)


def kind_and_life(snapshot: Snapshot, finding: Finding) -> tuple[PacketType, Life]:
    """Return the packet type and the life of the record of a finding.

    Raises:
        EditError: Its data no longer exists, or it is about no record of an actor.
    """
    kind, place, actor = record_of(snapshot, finding)
    life = Actors.of(snapshot).at(actor, snapshot.table.frame_of_row(place.row))
    if life is None:
        raise EditError(say("The data of this finding no longer exists."), offset=finding.offset)
    return kind, life
