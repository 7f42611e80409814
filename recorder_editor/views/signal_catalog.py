"""The signals that can be plotted: numbers of records and frames and what is computed of them, and their titles.

Knows recordings, no widget, and nothing of how the values are read.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..format import Dialect, Field, Leaf
from ..reading import Actors, Life, short_blueprint
from ..reading.computed_signals import computed_signals
from ..reading.pair_signals import PAIR_MEASURES
from ..recording import Packet, Place, Snapshot
from ..texts import N_, field_title, say, value_names
from .selection import look_up
from .signal_expressions import name_and_unit
from .signal_key import Key

_MOST_LEAVES = 400
_MOST_LIVES = 8
_MOST_PAIRS = 3  # so that the list stays short while many actors are selected
_KNOWN_BY_FIELD = ("Position", "Kinematics", "AnimVehicle")
"""Packets whose fields need no further name."""


class SignalTexts(NamedTuple):
    """The texts about a signal.

    Attributes:
        title: Title, without the actor.
        unit: Unit; empty for none.
        meaning: A line of meaning.
        is_stepped: Whether its values hold until the next one.
        choices: Names of values; None or empty where they have none.
    """

    title: str
    unit: str
    meaning: str
    is_stepped: bool = False
    choices: Mapping[int, str] | None = None


LANES = {"lane offset": "m", "heading error": "°", "border distance": "m"}
"""Units of what is computed of one actor where a road map is known, by name."""

MOTIONS = {"speed": "m/s", "acceleration": "m/s²", "jerk": "m/s³", "yaw rate": "°/s", "distance": "m"} | LANES
"""Units of what is computed of one actor, by name."""

FRAMES = {"step": "s", "duration": "s", "size": "B", "frame_id": ""}
"""Units of what every frame has, by name."""

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
"""Titles of signals of the analysis that would have the title of another signal, by name."""


def field_of(key: Key, dialect: Dialect) -> Field | None:
    """Return the field that a signal of a packet shows, also inside arrays (`wheels[2].angle`); None without one."""
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


def texts_of(key: Key, dialect: Dialect) -> SignalTexts:
    """Return the texts about a signal of a recording of a dialect."""
    if key.kind == "field":
        return _words_of_field(key, dialect)
    if key.kind == "motion":
        return _words_of_motion(key, MOTIONS[key.name])
    if key.kind == "frame":
        return _words_of_motion(key, FRAMES[key.name])
    if key.kind == "expression":
        title, unit = name_and_unit(key)
        return SignalTexts(title, unit, meaning=key.path)
    if key.kind == "computed":
        return _words_of_computed(key)
    if key.kind == "pair":
        return _words_of_pair(key)
    return _words_of_traffic(key)


def _words_of_field(key: Key, dialect: Dialect) -> SignalTexts:
    field = field_of(key, dialect)
    title = field_title(key.path)
    if field is None:
        return SignalTexts(title, "", meaning=key.name)
    if key.name not in _KNOWN_BY_FIELD:
        title = say("{name} {title}", name=say(key.name), title=title)
    return SignalTexts(
        title,
        field.unit,
        meaning=say("{name}: {meaning}", name=say(key.name), meaning=say(field.meaning)),
        is_stepped=field.type not in ("f32", "f64"),
        choices=value_names(field.choices or {}),
    )


def _words_of_motion(key: Key, unit: str) -> SignalTexts:
    """Return the texts about a signal of positions or frames."""
    title, meaning = _TEXTS[key.name]
    if key.other is None:
        title = say(title)
    else:
        title = say("distance to {actor}", actor=key.other)
    return SignalTexts(title, unit, meaning=say(meaning), is_stepped=key.name in ("size", "frame_id"))


def _words_of_traffic(key: Key) -> SignalTexts:
    from ..analysis import SIGNALS

    signal = SIGNALS[key.name]
    if key.name in _SMOOTH:
        title = say(_SMOOTH[key.name])
    elif signal.title.isupper():
        title = signal.title
    else:
        title = signal.title.lower()
    return SignalTexts(title, signal.unit, meaning=signal.meaning, is_stepped=key.name == "risk")


def _words_of_computed(key: Key) -> SignalTexts:
    """Return the texts about a signal of an installed package; one that is not installed has its name only."""
    signal = computed_signals().get(key.name)
    if signal is None:
        return SignalTexts(key.name, "", meaning="")
    return SignalTexts(title=signal.title, unit=signal.unit, meaning=signal.meaning, is_stepped=signal.is_stepped)


def _words_of_pair(key: Key) -> SignalTexts:
    """Return the texts about a measure of two road users; its title is the one that was given to it, if any."""
    measure = PAIR_MEASURES[key.name]
    title = key.path
    if not title:
        title = say("{measure} to {actor}", measure=say(measure.title_text), actor=key.other)
    return SignalTexts(title, measure.unit, meaning=say(measure.meaning_text))


def title_of(key: Key, dialect: Dialect) -> str:
    """Return the title with the actor, `3932 location x`; without an actor with the packet."""
    title = texts_of(key, dialect).title
    if key.actor is not None:
        return f"{key.actor} {title}"
    if key.kind in ("frame", "expression") or title.startswith(say(key.name)):
        return title
    return say("{name} {title}", name=say(key.name), title=title)


# --- the signals of a place, an actor, a frame ------------------------------------------------------------


def key_of(packet: Packet, record: int, leaf: Leaf) -> Key | None:
    """Return the signal of a field.

    Args:
        packet: Packet that holds it.
        record: Index of the record in that packet.
        leaf: The field.

    Returns:
        The signal; None for texts, raw bytes and ids, and for FrameStart and FrameEnd.
    """
    is_number = leaf.field.type != "str" and not leaf.field.is_raw and not leaf.field.actor
    if not is_number or packet.id in (0, 1):
        return None
    actor = None
    if packet.type.actor_field is not None:
        actor = packet.decoded.get(record, "id")
    return Key("field", packet.name, leaf.path, actor if isinstance(actor, int) else None)


def keys_at(snapshot: Snapshot, place: Place) -> tuple[Key, ...]:
    """Return the signal of a place: that of a field, or the speed of a record's actor; none for other places."""
    parts = look_up(snapshot, place)
    if parts.packet is None or parts.record is None:
        return ()
    if parts.leaf is not None:
        key = key_of(parts.packet, parts.record, parts.leaf)
        if key is not None:
            return (key,)
        return ()
    if parts.actor is not None:
        return (Key("motion", "speed", actor=parts.actor),)
    return ()


def signals_of_actor(
    snapshot: Snapshot, actors: Actors, actor: int, frame_index: int, others: Iterable[int] = ()
) -> list[Key]:
    """Return the signals of an actor: the computed ones first, then every number of the packets about it.

    Args:
        snapshot: State of the recording.
        actors: Actors of that state.
        actor: Id of the actor.
        frame_index: The current frame.
        others: Ids of actors to which distances are offered, and to the first of them measures of pairs.
    """
    lives = actors.of_id(actor)
    fields = list(_fields_of(snapshot, lives, actor, frame_index))
    keys: list[Key] = []
    if any(key.name in ("Position", "Kinematics") for key in fields):
        left_out = {"distance"}
        if snapshot.roads is None:
            left_out.update(LANES)
        keys += [Key("motion", name, actor=actor) for name in MOTIONS if name not in left_out]
        keys += [Key("computed", name, actor=actor) for name in computed_signals()]
        targets = [other for other in dict.fromkeys(others) if other != actor]
        keys += [Key("motion", "distance", actor=actor, other=target) for target in targets]
        keys += _pairs_of(actors, actor, targets)
    if any(life.class_ in ("vehicle", "two-wheeler") for life in lives):
        from ..analysis import SIGNALS

        keys += [Key("traffic", name, actor=actor) for name in SIGNALS]
    return keys + fields


def _pairs_of(actors: Actors, actor: int, others: Iterable[int]) -> Iterator[Key]:
    """Yield the measures of a road user and some others."""
    if not _is_road_user(actors, actor):
        return
    users = [other for other in others if _is_road_user(actors, other)]
    for other in users[:_MOST_PAIRS]:
        for name in PAIR_MEASURES:
            yield Key("pair", name, actor=actor, other=other)


def _is_road_user(actors: Actors, actor: int) -> bool:
    return any(life.is_road_user for life in actors.of_id(actor))


def _fields_of(snapshot: Snapshot, lives: tuple[Life, ...], actor: int, frame_index: int) -> Iterator[Key]:
    """Yield the fields of packets in the current frame, and in the first and middle frame of up to eight lives."""
    frames = [frame_index]
    for life in lives[:_MOST_LIVES]:
        end = life.gone if life.gone is not None else len(snapshot)
        frames += [(life.born + end - 1) // 2, life.born]
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
    for leaf in packet.decoded.leaves(record)[:_MOST_LEAVES]:
        key = key_of(packet, record, leaf)
        if key is not None:
            yield key


def signals_of_frames(snapshot: Snapshot, frame_index: int) -> list[Key]:
    """Return the signals that belong to no actor: of frames, and of the packets of a frame that name no actor.

    Args:
        snapshot: State of the recording.
        frame_index: The frame; outside of the recording only signals of frames are returned.
    """
    keys = [Key("frame", name) for name in FRAMES]
    if 0 <= frame_index < len(snapshot):
        for packet in snapshot.frame(frame_index).packets:
            if packet.type.actor_field is None and packet.type.body in ("list", "single") and len(packet.decoded):
                keys += _keys_in(packet, 0)
    return keys


def name_of(life: Life) -> str:
    """Return the name of an actor in the list: `3932 chevrolet.impala`, with its role if it has one."""
    name = f"{life.actor} {short_blueprint(life.blueprint)}"
    if life.role_name:
        name = f"{name} {life.role_name}"
    return name
