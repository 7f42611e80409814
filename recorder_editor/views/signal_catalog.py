"""What can be plotted: the numbers of records and frames, what follows from them, and the words for it.

Knows recordings, no widget, and nothing of how the values are read.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..format import Dialect, Field, Leaf
from ..reading import Actors, Life, short_blueprint
from ..reading.computed_signals import computed_signals
from ..recording import Packet, Place, Snapshot
from ..texts import N_, field_title, say, value_names
from .selection import look_up
from .signal_expressions import name_and_unit
from .signal_key import Key

_MOST_LEAVES = 400
_KNOWN_BY_FIELD = ("Position", "Kinematics", "AnimVehicle")
"""Packets whose fields need no further name."""


class Words(NamedTuple):
    """What a signal is called, without the actor; its unit; a line of meaning; whether its values are steps; the names
    that values have."""

    title: str
    unit: str
    meaning: str
    is_stepped: bool = False
    choices: Mapping[int, str] | None = None


LANES = {"lane offset": "m", "heading error": "°", "border distance": "m"}
"""What is computed of one actor where a road map is known, by name: the units."""

MOTIONS = {"speed": "m/s", "acceleration": "m/s²", "jerk": "m/s³", "yaw rate": "°/s", "distance": "m", **LANES}
"""What is computed of one actor, by name."""

FRAMES = {"step": "s", "duration": "s", "size": "B", "frame_id": ""}
"""What every frame has."""

_TEXTS: Mapping[str, tuple[str, str]] = {
    "acceleration": (N_("acceleration"), N_("Slope of the speed from the previous to the next frame")),
    "border distance": (N_("border distance"), N_("To the nearest border of the lane, negative outside of it")),
    "distance": (N_("distance"), N_("Between the positions of two actors")),
    "duration": (N_("duration"), N_("As stored in FrameStart")),
    "frame_id": (N_("frame id"), N_("The number of the frame in the file")),
    "heading error": (N_("heading error"), N_("Heading minus that of the lane, clockwise")),
    "jerk": (N_("jerk"), N_("Slope of the acceleration")),
    "lane offset": (N_("lane offset"), N_("From the middle of the lane, to the right in driving direction positive")),
    "size": (N_("frame size"), N_("Bytes of the frame's packets")),
    "speed": (N_("speed"), N_("Speed from Kinematics where recorded, else from positions")),
    "step": (N_("time step"), N_("Elapsed time since the previous frame")),
    "yaw rate": (N_("yaw rate"), N_("Slope of the yaw of Position")),
}
"""The title and the meaning of what is computed of positions and frames, by name."""

_SMOOTH = {"speed": N_("smooth speed"), "acceleration": N_("smooth acceleration")}
"""Those of the analysis that are called as others are."""


def field_of(key: Key, dialect: Dialect) -> Field | None:
    """The field that a signal of a packet shows, also inside arrays (`wheels[2].angle`); None where there is none."""
    kind = dialect.by_name(key.name)
    if kind is None:
        return None
    record = kind.record
    path = key.path
    while "[" in path:
        array, _, path = path.partition("[")
        path = path.partition("].")[2]
        if array not in record.arrays:
            return None
        record = record.arrays[array].element
    return record.fields.get(path)


def words_of(key: Key, dialect: Dialect) -> Words:
    """What a signal is called."""
    if key.kind in ("motion", "frame"):
        unit = (MOTIONS if key.kind == "motion" else FRAMES)[key.name]
        title, meaning = _TEXTS[key.name]
        if key.other is None:
            called = say(title)
        else:
            called = say("distance to {actor}", actor=key.other)
        return Words(called, unit, say(meaning), key.name in ("size", "frame_id"))
    if key.kind == "expression":
        return Words(*name_and_unit(key), key.path)
    if key.kind == "computed":
        return _words_of_computed(key)
    if key.kind == "traffic":
        from ..analysis import SIGNALS

        kind = SIGNALS[key.name]
        if kind.title.isupper():
            title = kind.title
        else:
            title = kind.title.lower()
        if key.name in _SMOOTH:
            title = say(_SMOOTH[key.name])
        return Words(title, kind.unit, kind.meaning, key.name == "risk")
    field = field_of(key, dialect)
    title = field_title(key.path)
    if field is None:
        return Words(title, "", key.name)
    stepped = field.type not in ("f32", "f64")
    if key.name not in _KNOWN_BY_FIELD:
        title = say("{name} {title}", name=say(key.name), title=title)
    meaning = say("{name}: {meaning}", name=say(key.name), meaning=say(field.meaning))
    return Words(title, field.unit, meaning, stepped, value_names(field.choices or {}))


def _words_of_computed(key: Key) -> Words:
    """What a signal of an installed package is called; one that is no longer installed has its name only."""
    signal = computed_signals().get(key.name)
    if signal is None:
        return Words(key.name, "", "")
    return Words(title=signal.title, unit=signal.unit, meaning=signal.meaning, is_stepped=signal.is_stepped)


def title_of(key: Key, dialect: Dialect) -> str:
    """With the actor: `3932 location x`; what is nobody's with its packet."""
    title = words_of(key, dialect).title
    if key.actor is not None:
        return f"{key.actor} {title}"
    is_whole = key.kind in ("frame", "expression") or title.startswith(say(key.name))
    if is_whole:
        return title
    return say("{name} {title}", name=say(key.name), title=title)


# --- what there is ----------------------------------------------------------------------------------------


def key_of(packet: Packet, record: int, leaf: Leaf) -> Key | None:
    """The signal of a field of a record; None for texts, raw bytes and ids."""
    if leaf.field.type == "str" or leaf.field.is_raw or leaf.field.actor or packet.id in (0, 1):
        return None
    owner = None
    if packet.type.actor_field is not None:
        owner = packet.decoded.get(record, "id")
    return Key("field", packet.name, leaf.path, owner if isinstance(owner, int) else None)


def keys_at(snapshot: Snapshot, place: Place) -> tuple[Key, ...]:
    """What a place stands for over time: a field, or the speed of whose record it is; nothing for other places."""
    found = look_up(snapshot, place)
    if found.packet is None or found.record is None:
        return ()
    if found.leaf is not None:
        key = key_of(found.packet, found.record, found.leaf)
        if key is not None:
            return (key,)
        return ()
    if found.actor is not None:
        return (Key("motion", "speed", "", found.actor),)
    return ()


def offered(snapshot: Snapshot, actors: Actors, actor: int, frame_index: int, others: Iterable[int] = ()) -> list[Key]:
    """What there is of an actor: computed first, with how far it is from others, then every number of the packets that
    tell of it."""
    lives = actors.of_id(actor)
    fields = list(_fields_of(snapshot, lives, actor, frame_index))
    keys: list[Key] = []
    if any(key.name in ("Position", "Kinematics") for key in fields):
        left_out = ("distance",) if snapshot.roads is not None else ("distance", *LANES)
        keys += [Key("motion", name, "", actor) for name in MOTIONS if name not in left_out]
        keys += [Key("computed", name, "", actor) for name in computed_signals()]
        keys += [Key("motion", "distance", "", actor, other) for other in dict.fromkeys(others) if other != actor]
    if any(life.class_ in ("vehicle", "two-wheeler") for life in lives):
        from ..analysis import SIGNALS

        keys += [Key("traffic", name, "", actor) for name in SIGNALS]
    return [*keys, *fields]


def _fields_of(snapshot: Snapshot, lives: tuple[Life, ...], actor: int, frame_index: int) -> Iterator[Key]:
    """Of the packets in the current frame, and in the first and the middle one of each life (eight of them)."""
    frames = [frame_index]
    for life in lives[:8]:
        last = (life.gone if life.gone is not None else len(snapshot)) - 1
        frames += [(life.born + last) // 2, life.born]
    seen: set[str] = set()
    for frame in dict.fromkeys(frames):
        if not 0 <= frame < len(snapshot):
            continue
        for packet in snapshot.frame(frame).packets:
            if packet.name in seen or packet.type.actor_field is None or packet.name in ("EventAdd", "EventDel"):
                continue
            record = packet.decoded.find_actor(actor)
            if record is not None:
                seen.add(packet.name)
                yield from _keys_in(packet, record)


def _keys_in(packet: Packet, record: int) -> Iterator[Key]:
    yield from filter(None, (key_of(packet, record, leaf) for leaf in packet.decoded.leaves(record)[:_MOST_LEAVES]))


def offered_of_frames(snapshot: Snapshot, frame_index: int) -> list[Key]:
    """What is nobody's: of the frames, and of the packets of this one that name no actor."""
    keys = [Key("frame", name) for name in FRAMES]
    if 0 <= frame_index < len(snapshot):
        for packet in snapshot.frame(frame_index).packets:
            if packet.type.actor_field is None and packet.type.body in ("list", "single") and len(packet.decoded):
                keys += _keys_in(packet, 0)
    return keys


def name_of(life: Life) -> str:
    """An actor in the list: `3932 chevrolet.impala`."""
    if life.role_name:
        role = f" {life.role_name}"
    else:
        role = ""
    return f"{life.actor} {short_blueprint(life.blueprint)}{role}"
