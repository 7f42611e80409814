"""A frame in lines: its road users by class, the traffic events about it, what happens in it, its problems. No Qt.

What holds for many frames is sorted once for a state of the recording (`FrameIndex`, `EventIndex`); a frame itself
costs a few searches in arrays.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..format import PacketType
from ..reading import Actors, Life, short_blueprint
from ..reading.actors import EVENT_KINDS, NO_ACTOR
from ..reading.event_index import CLASS_COUNTS, CLASSES, ActorClass
from ..reading.events import KINDS, EventKind, Events
from ..recording import Finding, Frame, Place
from ..texts import N_, N_count, Plural, listed, say, value_names
from .describe import CLASS_ICONS, icon_of
from .event_signs import EVENT_SIGNS
from .event_texts import kind_text, who_text
from .frame_actors import light_states_in, positions_in

_ROAD_USERS: tuple[ActorClass, ...] = ("vehicle", "two-wheeler", "walker")
_EVENTS_ASIDE = 2  # before a frame, and after it
_MOST_EVENTS = 6  # that hold in it
_MOST_ALIKE = 5  # lines of one kind; more of them are one line
_MOST_PROBLEMS = 8


class TrafficEvent(NamedTuple):
    """A traffic event as what a line leads to.

    Attributes:
        row: Its row in `Events`.
    """

    row: int


Target = Place | Finding | TrafficEvent


class Line(NamedTuple):
    """A line of a section.

    Attributes:
        text: Its text.
        detail: A short text at its end; empty: none.
        icon: The name of its icon; empty: none.
        color: The name of the icon's colour; empty: its own.
        target: What a click leads to; None: nothing.
    """

    text: str
    detail: str = ""
    icon: str = ""
    color: str = ""
    target: Target | None = None

    @property
    def spoken(self) -> str:
        """All that it tells."""
        return listed((self.text, self.detail), "clauses")


class Section(NamedTuple):
    """Lines under a title.

    Attributes:
        title: The title.
        lines: The lines.
    """

    title: str
    lines: Sequence[Line]


class _Happening(NamedTuple):
    """How the records of a kind of event are told.

    Attributes:
        word: What happens to an actor, for the end of its line; empty for a kind that is of no actor.
        many: What is told of several.
        icon: The name of an icon; empty: that of the actor.
        title: The line of a kind that is of no actor.
    """

    word: str
    many: Plural
    icon: str = ""
    title: str = ""


_HAPPENINGS = {
    "born": _Happening(N_("spawned"), N_count("1 actor", "{count:,} actors")),
    "gone": _Happening(N_("gone"), N_count("1 actor", "{count:,} actors")),
    "parent": _Happening(N_("attached"), N_count("1 actor", "{count:,} actors"), "parent"),
    "collision": _Happening(N_("collision"), N_count("1 collision", "{count:,} collisions"), "collision"),
    "door": _Happening(N_("door"), N_count("1 actor", "{count:,} actors"), "door"),
    "physics": _Happening(N_("physics set"), N_count("1 actor", "{count:,} actors"), "settings"),
    "scene light": _Happening("", N_count("1 packet", "{count:,} packets"), "light", N_("Lights of the map set")),
    "light times": _Happening(
        "", N_count("1 packet", "{count:,} packets"), "traffic-light", N_("Times of traffic lights set")
    ),
    "weather": _Happening("", N_count("1 packet", "{count:,} packets"), "weather", N_("Weather set")),
}


class FrameIndex:
    """The actors of a state, prepared for its frames.

    Attributes:
        actors: The actors.
    """

    def __init__(self, actors: Actors) -> None:
        self.actors = actors
        # A last one for records of no life, whose index is -1.
        self._classes = np.array([*(CLASSES.index(life.class_) for life in actors), CLASSES.index("other")])
        self._rows = np.ascontiguousarray(actors.events["row"])

    def road_users(self, frame: Frame) -> Section:
        """Return the road users of a frame by class, as it has positions of them."""
        packet = positions_in(frame)
        lines = []
        if packet is not None:
            ids = packet.array["id"].astype(np.int64)
            lives = self.actors.indices_of(ids, np.full(len(ids), frame.index))
            counts = np.bincount(self._classes[lives], minlength=len(CLASSES)).tolist()
            for name in _ROAD_USERS:
                count = counts[CLASSES.index(name)]
                if count:
                    icon = CLASS_ICONS.get(name, name)
                    lines.append(Line(say(CLASS_COUNTS[name], count=count), icon=icon))
        if not lines:
            lines.append(Line(say("None")))
        return Section(say("Road users"), lines)

    def happenings(self, frame: Frame) -> Section:
        """Return what happens in a frame: actors that come and go, collisions, and what is set."""
        events = self.actors.events
        start, stop = np.searchsorted(self._rows, (frame.row, frame.row + 1)).tolist()
        places: dict[int, list[tuple[int, Place]]] = {}
        for event in events[start:stop]:
            place = Place(frame.row, int(event["packet"]), int(event["record"]))
            places.setdefault(int(event["kind"]), []).append((int(event["actor"]), place))
        lines: list[Line] = []
        for kind in sorted(places):
            lines += self._happening(frame, EVENT_KINDS[kind], places[kind])
        if not lines:
            lines.append(Line(say("No actor comes or goes, no collision")))
        return Section(say("In this frame"), lines)

    def _happening(self, frame: Frame, kind: str, records: Sequence[tuple[int, Place]]) -> list[Line]:
        """Return the lines of one kind."""
        happening = _HAPPENINGS[kind]
        _, first = records[0]
        if happening.title:
            return [Line(say(happening.title), "", happening.icon, target=Place(first.row, first.packet))]
        if len(records) > _MOST_ALIKE:
            count = say(happening.many, count=len(records))
            icon = happening.icon or "actors"
            return [Line(count, say(happening.word), icon, target=Place(first.row, first.packet))]
        lines = []
        for actor, place in records:
            life = self._life(actor, frame.index)
            icon = happening.icon
            if not icon and life is not None:
                icon = icon_of(life)
            text = str(actor)
            if kind == "collision":
                text = _collision_text(frame, place)
            elif life is not None:
                text = f"{actor} {short_blueprint(life.blueprint)}"
            lines.append(Line(text, say(happening.word), icon, target=place))
        return lines

    def _life(self, actor: int, frame: int) -> Life | None:
        """Return the life of an actor that is in a frame, or ends in it."""
        life = self.actors.at(actor, frame)
        if life is None and frame:
            life = self.actors.at(actor, frame - 1)
        return life


def traffic_lights(frame: Frame) -> Section | None:
    """Return how many traffic lights have which state in a frame; None where none has one."""
    packet = light_states_in(frame)
    if packet is None:
        return None
    names = _state_names(packet.type)
    counts = Counter(packet.array["state"].tolist())
    states = [say("{count:,} {state}", count=counts[state], state=names.get(state, state)) for state in sorted(counts)]
    return Section(say("Traffic lights"), (Line(listed(states), icon="traffic-light"),))


def _state_names(kind: PacketType) -> dict[int, str]:
    return dict(value_names(kind.record.fields["state"].choices or {}))


def _collision_text(frame: Frame, place: Place) -> str:
    """Return the two of a collision; the second one may be no actor."""
    assert place.packet is not None
    record = frame.packets[place.packet].array[place.record]
    other = int(record["actor2"])
    if other == NO_ACTOR:
        return say("{actor} and an object of the map", actor=int(record["actor1"]))
    return say("{actor} and {other}", actor=int(record["actor1"]), other=other)


class EventIndex:
    """The traffic events that are shown, in order of their worst moments.

    Attributes:
        events: All events.
    """

    def __init__(self, events: Events, shows: Callable[[EventKind], bool]) -> None:
        """Prepare events.

        Args:
            events: The events.
            shows: Returns whether a kind is shown.
        """
        self.events = events
        shown = np.array([shows(kind) for kind in KINDS], np.bool_)
        rows = np.flatnonzero(shown[events.table["kind"]])
        self._rows = rows[np.argsort(events.table["worst"][rows], kind="stable")]
        self._first = events.table["first"][self._rows]
        self._last = events.table["last"][self._rows]

    def about(self, frame: int, elapsed: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Section:
        """Return the events before a frame, in it and after it, in order of time.

        Args:
            frame: Index of the frame.
            elapsed: Time of each frame, s, float64[n].
        """
        holds = (self._first <= frame) & (self._last >= frame)
        before = np.flatnonzero(self._last < frame)[-_EVENTS_ASIDE:]
        here = np.flatnonzero(holds)[:_MOST_EVENTS]
        after = np.flatnonzero(self._first > frame)[:_EVENTS_ASIDE]
        lines = []
        for number in (*before.tolist(), *here.tolist(), *after.tolist()):
            row = int(self._rows[number])
            detail = say("now")
            if not holds[number]:
                seconds = float(elapsed[int(self.events.table["worst"][row])] - elapsed[frame])
                detail = f"{seconds:+.2f} s"
            sign = EVENT_SIGNS[self.events.kind(row).name]
            text = say("{kind}: {actors}", kind=kind_text(self.events, row), actors=who_text(self.events, row))
            lines.append(Line(text, detail, sign.icon, sign.color, TrafficEvent(row)))
        if not lines and len(self.events):
            lines.append(Line(say("None of the kinds that are shown")))
        elif not lines:
            lines.append(Line(say("None in this recording")))
        return Section(say("Traffic events"), lines)


def problems_of(findings: Sequence[Finding]) -> Section:
    """Return the problems of a frame as a section."""
    lines = [Line(finding.message, "", finding.severity, target=finding) for finding in findings[:_MOST_PROBLEMS]]
    if len(findings) > _MOST_PROBLEMS:
        lines.append(Line(say("and {many:,} more", many=len(findings) - _MOST_PROBLEMS)))
    return Section(say("Problems here"), lines)
