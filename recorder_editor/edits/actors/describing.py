"""Descriptions of actors: blueprint, attributes, role name, hero.

They are in the EventAdd; only the hero flags of collisions repeat them, and are updated.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from ...errors import EditError, FieldError, NothingToDo
from ...format import LONGEST_STRING, PacketType, encode_record
from ...format.codec import Record
from ...format.schema import Value
from ...progress import SILENT, Progress
from ...reading import Actors, Life
from ...recording import Edit, Packet, RecordingLike, RecordPlace, Snapshot, Splice
from ...texts import N_, say
from ..intents import edit_of
from ..rows import patched, with_bodies
from .class_change import without_impossible_records
from .rewrite import id_span_of, label_of, name_of, refuse_empty

ROLE = "role_name"
HERO = "hero"
FORMER_HERO = "autopilot"
"""The role name of a former hero, as the simulator's examples name other vehicles."""

_NAMES = {
    "String": (ROLE, "gender", "age", "object_type", "base_type", "special_type", "mesh_path"),
    "RGBColor": ("color",),
    "Int": ("number_of_wheels", "generation", "driver_id", "image_size_x", "image_size_y"),
    "Bool": ("sticky_control", "is_invincible"),
    "Float": ("speed", "mass", "sensor_tick", "fov"),
}
_KNOWN = {name: kind for kind, names in _NAMES.items() for name in names}
_FORMS = (
    (re.compile("true|false", re.IGNORECASE), "Bool"),
    (re.compile(r"[+-]?\d+"), "Int"),
    (re.compile(r"[+-]?(\d+\.\d*|\.?\d+)([eE][+-]?\d+)?"), "Float"),
    (re.compile(r"\d{1,3},\d{1,3},\d{1,3}"), "RGBColor"),
)
TYPES = {"vehicle": "Vehicle", "walker": "Walker", "sensor": "Sensor"}

Change = Callable[[Life, Record], Record]
_Values = Mapping[int, tuple[Life, str | None]]  # life and text (or None), by index of the life


def set_blueprint(
    recording: RecordingLike,
    lives: Sequence[Life],
    blueprint: str,
    uid: int | None = None,
    *,
    progress: Progress = SILENT,
) -> Edit:
    """The edit that sets the blueprint of lives: its name, and its uid in the build that recorded.

    Without `uid` that of another actor of the blueprint is taken. Attributes stay. If the blueprint is of another class
    (vehicle, walker...), the type is changed, and records are removed that actors of that class do not have, as the
    controls of a vehicle that becomes a walker. Raises `EditError` for an unknown uid and for actors of the map,
    `FieldError` for values that do not fit, `Cancelled`.
    """
    snapshot = recording.snapshot
    refuse_empty(lives)
    for life in lives:
        if life.blueprint == "spectator" or "traffic" in (_group(life.blueprint), _group(blueprint)):
            raise EditError(
                say(
                    "{actor} cannot become {blueprint}: traffic lights, signs and the spectator "
                    "belong to the map, and the simulator creates none.",
                    actor=name_of(life),
                    blueprint=blueprint,
                )
            )
    _refuse_long(N_("The blueprint is {length:,} bytes long; a recording holds at most {most:,}."), blueprint)
    if uid is None:
        known = uid_of(snapshot, blueprint)
    else:
        known = uid
    if known is None:
        raise EditError(
            say(
                "The number (uid) of {blueprint} is not known: no actor of this recording has "
                "that blueprint. Up to CARLA 0.9.15 the number alone decides what appears, and "
                "later ones need that of an actor of its kind; give it if you know it.",
                blueprint=blueprint,
            )
        )

    def change(life: Life, record: Record) -> Record:
        return {**record, "blueprint": blueprint, "uid": known, "type": _type_for(snapshot, life, blueprint)}

    label = say("Change {actors} to {blueprint}", actors=label_of(lives), blueprint=blueprint)
    described = Edit(label, snapshot.version, _described(snapshot, lives, change, label))
    edit, removed = without_impossible_records(snapshot, described, lives, progress)
    if removed:
        label = say("{label}, {remark}", label=label, remark=removed)
    return edit_of(snapshot, "set_blueprint", label, edit.splices, lives, blueprint=blueprint, uid=uid)


def set_attribute(recording: RecordingLike, lives: Sequence[Life], key: str, value: str | None) -> Edit:
    """The edit that sets an attribute of lives, adds it where it is missing, or removes it (None).

    A new attribute has the type that other actors use, else that of its name or value. With the role name the hero
    flags of collisions are updated. Raises `EditError` for an empty name and if nothing would change, `FieldError` for
    texts that are too long.
    """
    values = {life.index: (life, value) for life in lives}
    if value is None:
        template = N_("Remove {key} of {actors}")
    else:
        template = N_("Set {key} to {value} of {actors}")
    label = say(template, key=key, value=value, actors=label_of(lives))
    return _with_attributes(recording, values, key, label, "set_attribute", lives, key=key, value=value)


def set_role(recording: RecordingLike, lives: Sequence[Life], role: str) -> Edit:
    """The edit that sets the role name of lives; as `set_attribute`."""
    values: _Values = {life.index: (life, role) for life in lives}
    label = say("Set role name of {actors} to {role}", actors=label_of(lives), role=role)
    return _with_attributes(recording, values, ROLE, label, "set_role", lives, role=role)


def set_hero(recording: RecordingLike, life: Life) -> Edit:
    """The edit that makes a life the only hero; former heroes get the role name `autopilot`.

    The hero flags of collisions are updated. Raises `EditError` if it is the only hero already, and for actors that are
    neither vehicle nor walker.
    """
    snapshot = recording.snapshot
    if not life.is_road_user:
        raise EditError(say("{actor} cannot be the hero: that is a vehicle or a walker.", actor=name_of(life)))
    roles: dict[int, tuple[Life, str | None]] = {}
    for other in Actors.of(snapshot):
        if other.is_hero and other.index != life.index:
            roles[other.index] = (other, FORMER_HERO)
    if not life.is_hero:
        roles[life.index] = life, HERO
    if not roles:
        raise NothingToDo(say("{actor} is the hero already.", actor=name_of(life)))
    return _with_attributes(snapshot, roles, ROLE, say("Make {actor} the hero", actor=life.actor), "set_hero", [life])


def uid_of(snapshot: Snapshot, blueprint: str) -> int | None:
    """The most frequent uid of a blueprint in a recording, without 0; None if there is none."""
    found = Counter(life.uid for life in Actors.of(snapshot) if life.blueprint == blueprint and life.uid)
    if found:
        return found.most_common(1)[0][0]
    return None


def _refuse_long(template: str, text: str) -> None:
    # The length has two bytes, which recorders count as a signed number (format reference, section 1).
    length = len(text.encode("utf-8", "surrogatepass"))
    if length > LONGEST_STRING:
        raise FieldError(say(template, length=length, most=LONGEST_STRING))


def _group(blueprint: str) -> str:
    return blueprint.partition(".")[0]


def _type_for(snapshot: Snapshot, life: Life, blueprint: str) -> int:
    """The actor type of a blueprint."""
    if _group(life.blueprint) == _group(blueprint):
        return life.type
    for other in Actors.of(snapshot):
        if _group(other.blueprint) == _group(blueprint):
            return other.type
    choices = _event_add(snapshot).record.fields["type"].choices or {}
    wanted = TYPES.get(_group(blueprint), "Other")
    # Early releases have no type for sensors: they are Other (format reference 4.2).
    return next((number for number, name in choices.items() if name == wanted), 0)


# --- attributes -----------------------------------------------------------------------------------------


def _with_attributes(
    recording: RecordingLike,
    values: _Values,
    attribute: str,
    label: str,
    operation: str,
    named: Sequence[Life],
    **arguments: object,
) -> Edit:
    """The edit that sets an attribute to a value for each life; `named` are the lives of the intent."""
    snapshot = recording.snapshot
    lives = [life for life, _ in values.values()]
    refuse_empty(lives)
    if not attribute:
        raise EditError(say("An attribute needs a name; the simulator never writes an empty one."))
    texts = [value for _, value in values.values() if value is not None]
    for text in (attribute, *texts):
        _refuse_long(N_("The text is {length:,} bytes long; a recording holds at most {most:,}."), text)
    number = attribute_type(snapshot, attribute, next(iter(texts), ""))

    def change(life: Life, record: Record) -> Record:
        value = values[life.index][1]
        attributes: list[dict[str, Value]] = list(record["attributes"])
        held = []
        for index, each in enumerate(attributes):
            if each["id"] == attribute:
                held.append(index)
        if value is None:
            attributes = [each for each in attributes if each["id"] != attribute]
        elif held:
            # Of several with this name the last one is used.
            attributes[held[-1]] = {**attributes[held[-1]], "value": value}
        else:
            attributes.append({"type": number, "id": attribute, "value": value})
        return {**record, "attributes": attributes}

    heroes: dict[int, bool] = {}
    if attribute == ROLE:
        heroes = {life.index: value == HERO for life, value in values.values() if life.is_hero != (value == HERO)}
    splices = _described(snapshot, lives, change, label, heroes)
    return edit_of(snapshot, operation, label, splices, named, **arguments)


def attribute_type(snapshot: Snapshot, key: str, value: str) -> int:
    """The number of an attribute's type in this recording."""
    found = Counter(each.type for life in Actors.of(snapshot) for each in life.attributes if each.id == key)
    if found:
        return found.most_common(1)[0][0]
    name = _KNOWN.get(key) or next((kind for form, kind in _FORMS if form.fullmatch(value)), "String")
    choices = _event_add(snapshot).record.arrays["attributes"].element.fields["type"].choices or {}
    return next(number for number, each in choices.items() if each == name)


def _event_add(snapshot: Snapshot) -> PacketType:
    kind = snapshot.dialect.by_name("EventAdd")
    assert kind is not None
    return kind


# --- bytes ----------------------------------------------------------------------------------------------


def _described(
    snapshot: Snapshot, lives: Sequence[Life], change: Change, label: str, heroes: Mapping[int, bool] | None = None
) -> tuple[Splice, ...]:
    """Splices that change the EventAdd of lives; `heroes` maps life indices to their new hero flag."""
    by_packet: dict[tuple[int, int], dict[int, Life]] = defaultdict(dict)
    for life in lives:
        by_packet[life.added.row, life.added.packet][life.added.record] = life
    bodies = patched(snapshot, _hero_flags(snapshot, heroes or {}))
    for (row, index), chosen in by_packet.items():
        packet = snapshot.row(row).packets[index]
        body = _with_records(packet, chosen, change)
        if body != packet.body:
            bodies[row, index] = body
    if not bodies:
        raise NothingToDo(say("{label}: it is like that already.", label=label))
    return with_bodies(snapshot, bodies)


def _with_records(packet: Packet, chosen: Mapping[int, Life], change: Change) -> bytes:
    decoded = packet.decoded
    parts = [packet.body[:2]]
    for record in range(len(decoded)):
        life = chosen.get(record)
        if life is None:
            made = None
        else:
            made = encode_record(packet.type.record, change(life, decoded.record(record)))
        parts.append(decoded.raw(record) if made is None else made)
    parts.append(packet.body[decoded.tail[0] :])
    return b"".join(parts)


def _hero_flags(snapshot: Snapshot, heroes: Mapping[int, bool]) -> Iterator[tuple[RecordPlace, int, bytes]]:
    """Patches (see `patched`) for the hero flags of collisions."""
    actors = Actors.of(snapshot)
    collisions = actors.collisions
    for index, is_hero in heroes.items():
        id_span = id_span_of(snapshot, actors.lives[index])
        within = (collisions["row"] >= id_span.first) & (collisions["row"] <= id_span.last)
        for side, at in (("1", 12), ("2", 13)):
            mine = collisions[within & (collisions[f"actor{side}"] == id_span.actor)]
            changed = mine[mine[f"hero{side}"].astype(np.bool_) != is_hero]
            for place in changed[["row", "packet", "record"]].tolist():
                yield RecordPlace(*place), at, bytes([is_hero])
