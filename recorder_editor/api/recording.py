"""An open recording, for programs: the document, what is read of its present state, and edits by selectors."""

import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Self
from xml.etree.ElementTree import Element, SubElement, tostring

import numpy as np

from .. import edits
from ..errors import RecorderError
from ..format import DEFAULT_DIALECT, Dialect, FileHeader, dialect_named
from ..format.detection import force
from ..format.packet_files import read_packet_file
from ..formats.tables import find_table
from ..progress import SILENT, Progress
from ..reading import Actors, Life, SelectorError, Tracks
from ..reading.events import KINDS, STANDARD, EventName, Thresholds, find_events
from ..reading.trajectories import SIDE, find_trajectories, thumbnail_lines
from ..recording import Edit, Frame, Snapshot, atomic_write
from ..recording import Recording as Document
from ..recording.packet_search import using
from ..recording.recording import open_as
from ..suggestions import did_you_mean
from ..texts import say
from .selection import ActorsLike, MomentLike, find_lives, frames_between, subset_of
from .signal import Signal, read_signals
from .table import Table

_PICTURE = 160  # px: width and height of the picture of paths in a notebook


@dataclass(frozen=True)
class Contact:
    """Two actors that collide in consecutive frames, as the recording has it.

    Attributes:
        start: Seconds of its first frame.
        end: Seconds of its last frame.
        frame: Index of its first frame.
        actor: The life of the first actor; None: the id is unknown.
        other: That of the other one; None: an object that is no actor, or an unknown id.
    """

    start: float
    end: float
    frame: int
    actor: Life | None
    other: Life | None

    def __repr__(self) -> str:
        return f"<Contact {self.start:.3f} to {self.end:.3f} s: {_named(self.actor)} and {_named(self.other)}>"


@dataclass(frozen=True)
class Event:
    """A traffic event, as a near miss or hard braking.

    Attributes:
        kind: Its kind, as `near-miss`.
        start: Seconds at which it begins.
        end: Seconds at which it ends.
        frame: Index of its worst frame.
        actor: The life that it is about.
        other: The other one; None without one.
        value: How bad it is, in `unit`: of a near miss the least 2D-TTC.
        unit: The unit of the value; empty without one.
        severity: 0 to 1.
    """

    kind: EventName
    start: float
    end: float
    frame: int
    actor: Life
    other: Life | None
    value: float
    unit: str
    severity: float

    def __repr__(self) -> str:
        other = "" if self.other is None else f" and {_named(self.other)}"
        value = f", {self.value:.3g} {self.unit}".rstrip()
        return f"<Event {self.kind} {self.start:.3f} to {self.end:.3f} s: {_named(self.actor)}{other}{value}>"


@dataclass(frozen=True)
class Moment:
    """A frame with the actors that are alive in it.

    Attributes:
        frame: The frame.
        actors: The lives, in order of birth.
    """

    frame: Frame
    actors: tuple[Life, ...]

    @property
    def time(self) -> float:
        """Seconds of the frame."""
        return self.frame.elapsed

    def __repr__(self) -> str:
        return f"<Moment {self.time:.3f} s, frame {self.frame.index + 1}: {len(self.actors):,} actors>"


class Recording(Document):
    """An open recording: a sequence of frames that edits are applied to, undone and saved.

    It has what the document has, as `path`, `snapshot`, `header`, `dialect` and `findings`, and what is read of it.
    Times are seconds, positions metres in the recorded, left-handed axes (z up), angles degrees.
    """

    def __repr__(self) -> str:
        seconds = float(self.snapshot[-1].elapsed) if len(self) else 0.0
        return f"<Recording {self.path.name}: {len(self):,} frames, {seconds:,.3f} s, {self.dialect.name}>"

    def _repr_html_(self) -> str:
        actors = self.actors
        counts: dict[str, int] = {}
        for life in actors:
            counts[life.class_] = counts.get(life.class_, 0) + 1
        header = self.header
        map_name = "" if header is None else str(header.map_name)
        rows = [("map", map_name), ("dialect", self.dialect.name), ("frames", f"{len(self):,}")]
        if len(self):
            rows.append(("length", f"{self.snapshot[-1].elapsed:,.3f} s"))
        rows += [(name, f"{count:,}") for name, count in counts.items()]
        rows.append(("collisions", f"{len(actors.contacts):,}"))
        body = "".join(f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in rows)
        caption = f"<caption>{escape(self.path.name)}</caption>"
        return f"<table>{caption}{body}</table>{_paths_picture(self.snapshot)}"

    # --- what is read of it -----------------------------------------------------------------------------

    @property
    def actors(self) -> Actors:
        """The actors: lives, descriptions, parents. Read once per snapshot."""
        return Actors.of(self.snapshot)

    @property
    def tracks(self) -> Tracks:
        """Packet types as columns over frames in the file's units (cm): positions, velocities, controls, lights."""
        return Tracks(self.snapshot)

    def lives(self, actors: ActorsLike) -> list[Life]:
        """Return the lives that selectors, ids or lives name, as `hero`, `25` or `type:vehicle.*`.

        Raises:
            SelectorError: An actor is not there.
            TypeError: It is nothing that names actors.
        """
        return find_lives(self.snapshot, actors)

    def table(
        self,
        name: str,
        *,
        actors: ActorsLike | None = None,
        start: MomentLike = None,
        stop: MomentLike = None,
        step: int = 1,
    ) -> Table:
        """Return a table of `export`: `positions` (m, m/s, recorded left-handed axes), or the records of a packet.

        Args:
            name: Its name, or that or the id of a packet.
            actors: The actors that have rows; None for all.
            start: The first moment; None for the beginning.
            stop: The moment behind the last one; None for the end.
            step: Every step-th frame.

        Raises:
            SelectorError: There is no such table, actor or moment.
            TypeError: It is nothing that names actors or a moment.
        """
        _refuse_other(name, "positions")
        snapshot = self.snapshot
        return Table(find_table(snapshot, name), subset_of(snapshot, actors, start, stop, step))

    def signals(
        self, name: str, actors: ActorsLike | None = None, *, start: MomentLike = None, stop: MomentLike = None
    ) -> list[Signal]:
        """Return a number over time of several actors, of the heroes by default; units are those of each signal.

        Args:
            name: `speed` (m/s), `throttle`, `steering`, `brake`, `gear`, `x`, `y`, `z` (m), `heading` (degrees), an
                expression as `Kinematics: linear_velocity.x`, or a measure of two actors as `ttc2d(25, 31)`.
            actors: The actors.
            start: The first moment.
            stop: The moment behind the last one.

        Raises:
            SelectorError: There is no such signal, actor or moment.
            TypeError: It is nothing that names actors or a moment.
        """
        _refuse_other(name, "speed")
        return read_signals(self.snapshot, name, subset_of(self.snapshot, actors, start, stop))

    def signal(
        self, name: str, actor: ActorsLike = "hero", *, start: MomentLike = None, stop: MomentLike = None
    ) -> Signal:
        """Return a number over time of one actor, in the unit that it names; arguments and errors as `signals`.

        Raises:
            SelectorError: There is none, or there are several actors.
        """
        found = self.signals(name, actor, start=start, stop=stop)
        if len(found) != 1:
            raise SelectorError(
                say("{count} actors have the signal {name}; signals() returns all.", count=len(found), name=name)
            )
        return found[0]

    @property
    def collisions(self) -> tuple[Contact, ...]:
        """The recorded collisions: a contact for each two actors in consecutive frames, in order of time (s)."""
        actors = self.actors
        elapsed = self.snapshot.elapsed
        contacts = []
        for contact in np.sort(actors.contacts, order=("first", "last")):
            first = int(contact["first"])
            last = min(int(contact["last"]), len(elapsed) - 1)
            if first < len(elapsed):
                contacts.append(
                    Contact(
                        start=float(elapsed[first]),
                        end=float(elapsed[last]),
                        frame=first,
                        actor=actors.at(int(contact["actor1"]), first),
                        other=actors.at(int(contact["actor2"]), first),
                    )
                )
        return tuple(contacts)

    def events(self, *kinds: EventName, thresholds: Thresholds | None = None) -> list[Event]:
        """Return the traffic events (near misses, hard braking, ...) in order of time, in seconds and SI units.

        Args:
            kinds: The kinds, as `near-miss`; none for all.
            thresholds: From when on something is an event; None for the usual ones.

        Raises:
            SelectorError: There is no such kind.
        """
        names = [kind.name for kind in KINDS]
        for name in kinds:
            if name not in names:
                raise SelectorError(
                    say("“{name}” is no kind of event.{meant}", name=name, meant=did_you_mean(name, names))
                )
        found = find_events(self.snapshot, thresholds or STANDARD, kinds or None)
        elapsed = self.snapshot.elapsed
        events = []
        for row, record in enumerate(found.table):
            kind = found.kind(row)
            events.append(
                Event(
                    kind=kind.name,
                    start=float(elapsed[record["first"]]),
                    end=float(elapsed[record["last"]]),
                    frame=int(record["worst"]),
                    actor=found.life(row),
                    other=found.other(row),
                    value=float(record["value"]),
                    unit=kind.unit,
                    severity=float(record["severity"]),
                )
            )
        return events

    def at(self, moment: MomentLike) -> Moment:
        """Return the frame at a moment, seconds (12.5, "0:12.5") or a frame ("f250"), with its actors.

        Raises:
            SelectorError: There is no such moment.
            TypeError: It is none.
        """
        frames = frames_between(self.snapshot, moment, None)
        if isinstance(moment, float | int):
            index = self.snapshot.frame_at_time(float(moment))
        else:
            index = frames.start
        return Moment(self.snapshot.frame(index), tuple(life for life in self.actors if life.is_alive(index)))

    # --- edits ------------------------------------------------------------------------------------------

    def _apply(self, edit: Edit) -> Self:
        self.apply(edit)
        return self

    def trim(self, start: MomentLike = None, stop: MomentLike = None) -> Self:
        """Keep the frames from one moment up to another, which is exclusive; can be undone, as every edit.

        Raises:
            SelectorError: There is no such moment.
            EditError: It cannot be done.
        """
        return self._apply(edits.trim(self, frames_between(self.snapshot, start, stop)))

    def cut(self, start: MomentLike = None, stop: MomentLike = None) -> Self:
        """Remove the frames from one moment up to another, and close the gap; errors as `trim`."""
        return self._apply(edits.cut(self, frames_between(self.snapshot, start, stop)))

    def remove_actors(self, actors: ActorsLike) -> Self:
        """Remove all records of actors, and those attached to them; errors as `lives` and `trim`."""
        return self._apply(edits.remove_actors(self, self.lives(actors)))

    def keep_actors(self, actors: ActorsLike) -> Self:
        """Remove all actors but these, their parents and those attached; errors as `lives` and `trim`."""
        return self._apply(edits.keep_only_actors(self, self.lives(actors)))

    def add_actor(self, blueprint: str, **wanted: Any) -> Self:
        """Add an actor with all that the simulator would have written of it.

        Args:
            blueprint: Its blueprint.
            wanted: How it moves and what it is, as `edits.add_actor` takes it: `path` (points of x and y, or x, y and
                z, in m, recorded left-handed axes) with `speed` (m/s), `follow`, `copy`, `yaw`, `role`, `color`, ...

        Raises:
            EditError: It cannot be as it is wanted.
        """
        return self._apply(edits.add_actor(self, blueprint, **wanted))

    def append_frames(self, count: int, step: float = 0.05) -> Self:
        """Append frames without actors and events, `step` seconds apart; raises `EditError`."""
        return self._apply(edits.append_frames(self, count, step))

    def move_actors(
        self,
        actors: ActorsLike,
        offset: tuple[float, float, float] = (0.0, 0.0, 0.0),
        *,
        turn: float = 0.0,
        start: MomentLike = None,
        stop: MomentLike = None,
    ) -> Self:
        """Shift paths by an offset (m, recorded left-handed axes) and turn them (degrees, clockwise from above).

        Args:
            actors: The actors.
            offset: Shift along x, y and z.
            turn: The turn about the place of each actor in the first frame.
            start: The first moment; None for the beginning.
            stop: The moment behind the last one; None for the end.

        Raises:
            SelectorError: There is no such actor or moment.
            EditError: It cannot be done.
            TypeError: It is nothing that names actors or a moment.
        """
        frames = None
        if start is not None or stop is not None:
            frames = frames_between(self.snapshot, start, stop)
        return self._apply(edits.move_actors(self, self.lives(actors), offset, turn, frames))

    def set_blueprint(self, actors: ActorsLike, blueprint: str) -> Self:
        """Give actors another blueprint; errors as `lives` and `trim`."""
        return self._apply(edits.set_blueprint(self, self.lives(actors), blueprint))

    def set_role(self, actors: ActorsLike, role: str) -> Self:
        """Give actors another role name; errors as `lives` and `trim`."""
        return self._apply(edits.set_role(self, self.lives(actors), role))

    def set_map(self, name: str) -> Self:
        """Name another map in the header; raises `EditError`."""
        return self._apply(edits.set_header(self, map_name=name))


def _refuse_other(name: object, example: str) -> None:
    """Refuse a name that is no text; raises `TypeError`."""
    if not isinstance(name, str):
        raise TypeError(say("{value} is no name: give a text, as '{example}'.", value=repr(name)[:60], example=example))


def _named(life: Life | None) -> str:
    """Its id and blueprint, for a line."""
    if life is None:
        return "something else"
    return f"{life.actor} {life.blueprint}"


def _paths_picture(snapshot: Snapshot) -> str:
    """Return the paths of what moved as an SVG picture; empty where nothing did."""
    try:
        lines = thumbnail_lines(find_trajectories(snapshot))
    except (RecorderError, OSError):
        return ""
    if not lines:
        return ""
    picture = Element("svg", width=str(_PICTURE), height=str(_PICTURE), viewBox=f"0 0 {SIDE} {SIDE}")
    group = SubElement(picture, "g", {"fill": "none", "stroke": "currentColor", "stroke-width": "6"})
    for line in lines:
        SubElement(group, "polyline", points=" ".join(f"{x:.0f},{y:.0f}" for x, y in line))
    return tostring(picture, encoding="unicode")


def create_recording(
    path: str | os.PathLike[str], *, dialect: str = DEFAULT_DIALECT, town: str = "Town01", overwrite: bool = False
) -> Recording:
    """Create a recording without frames as a file, and open it; frames and actors are appended, then it is saved.

    Args:
        path: The file.
        dialect: The name of a dialect, or a release of one.
        town: The name of the map.
        overwrite: Replace a file that exists.

    Raises:
        KeyError: There is no such dialect.
        FieldError: The name of the map cannot be stored.
        WouldReplace: The file exists, is not empty, and `overwrite` is False.
        OSError: The file cannot be written.
    """
    chosen = dialect_named(dialect)
    header = FileHeader(version=chosen.header_version, date=int(time.time()), map_name=town)
    with atomic_write(Path(path), overwrite=overwrite, is_recording=True) as file:
        file.write(header.encode())
    return open_recording(path, dialect=chosen)


def open_recording(
    path: str | os.PathLike[str],
    progress: Progress = SILENT,
    *,
    dialect: str | Dialect | None = None,
    packets: Iterable[str | os.PathLike[str]] = (),
    first: Callable[[Snapshot], None] | None = None,
) -> Recording:
    """Open a file, however damaged.

    Args:
        path: The file.
        progress: Of the scan.
        dialect: Forces a dialect, or by its name or release one of `recorder_editor.format.dialects.DIALECTS`.
        packets: Files that describe packets of users (`*.packets.json`); those in the folder of the preferences, and
            accepted ones beside the recording, are used, too.
        first: Is called with a snapshot of the first block as soon as it is scanned.

    Raises:
        PacketFileError: A file of packets is not valid (`recorder_editor.format.packet_files`).
        OSError: The file is missing, unreadable or not a file.
        KeyError: There is no such dialect.
        Cancelled: The user cancelled it.
    """
    detection = None
    if dialect is not None:
        detection = force(dialect)
    files = [read_packet_file(Path(file).absolute()) for file in packets]
    with using(files):
        return open_as(Recording, Path(path), detection, progress, first=first)
