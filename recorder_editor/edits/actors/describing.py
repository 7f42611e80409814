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
from .rewrite import id_span_of, label_of, name_of, refuse_empty, refuse_other_kinds

ROLE = "role_name"
HERO = "hero"
FORMER_HERO = "autopilot"
"""The role name of a former hero, as the simulator's examples name other vehicles."""

_TYPES_BY_NAME: Mapping[str, str] = {
    ROLE: "String",
    "gender": "String",
    "age": "String",
    "object_type": "String",
    "base_type": "String",
    "special_type": "String",
    "mesh_path": "String",
    "color": "RGBColor",
    "number_of_wheels": "Int",
    "generation": "Int",
    "driver_id": "Int",
    "image_size_x": "Int",
    "image_size_y": "Int",
    "sticky_control": "Bool",
    "is_invincible": "Bool",
    "speed": "Float",
    "mass": "Float",
    "sensor_tick": "Float",
    "fov": "Float",
}
"""The types of the simulator's own attributes."""

_TYPES_BY_FORM = (
    (re.compile("true|false", re.IGNORECASE), "Bool"),
    (re.compile(r"[+-]?\d+"), "Int"),
    (re.compile(r"[+-]?(\d+\.\d*|\.?\d+)([eE][+-]?\d+)?"), "Float"),
    (re.compile(r"\d{1,3},\d{1,3},\d{1,3}"), "RGBColor"),
)
"""The types of other attributes, by the form of their value; a string without one of these."""

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
    """Return the edit that sets the blueprint of lives: its name, and its uid in the build that recorded.

    Attributes stay. If the blueprint is of another class (vehicle, walker...), the type is changed, and records are
    removed that actors of that class do not have, as the controls of a vehicle that becomes a walker.

    Args:
        recording: The recording, which is not changed.
        lives: The lives to change.
        blueprint: The name of the blueprint.
        uid: Its uid; None: that of another actor of the blueprint.
        progress: Reports progress and cancels.

    Raises:
        EditError: The uid is unknown, or actors belong to the map.
        FieldError: A value does not fit into its field.
        Cancelled: The user cancelled.
    """
    snapshot = recording.snapshot
    refuse_empty(lives)
    for life in lives:
        is_of_map = life.is_spectator or _group(life.blueprint) == "traffic" or _group(blueprint) == "traffic"
        if is_of_map:
            raise EditError(
                say(
                    "{actor} cannot become {blueprint}: traffic lights, signs and the spectator "
                    "belong to the map, and the simulator creates none.",
                    actor=name_of(life),
                    blueprint=blueprint,
                )
            )
    _refuse_long(N_("The blueprint is {length:,} bytes long; a recording holds at most {most:,}."), blueprint)
    new_uid = uid
    if new_uid is None:
        new_uid = uid_of(snapshot, blueprint)
    if new_uid is None:
        raise EditError(
            say(
                "The number (uid) of {blueprint} is not known: no actor of this recording has "
                "that blueprint. Up to CARLA 0.9.15 the number alone decides what appears, and "
                "later ones need that of an actor of its kind; give it if you know it.",
                blueprint=blueprint,
            )
        )

    def change(life: Life, record: Record) -> Record:
        actor_type = _type_for(snapshot, life, blueprint)
        return record | {"blueprint": blueprint, "uid": new_uid, "type": actor_type}

    label = say("Change {actors} to {blueprint}", actors=label_of(lives), blueprint=blueprint)
    described = Edit(label, snapshot.version, _described(snapshot, lives, change, label))
    edit, remark = without_impossible_records(snapshot, described, lives, progress)
    if remark:
        label = say("{label}, {remark}", label=label, remark=remark)
    return edit_of(snapshot, "set_blueprint", label, edit.splices, lives, blueprint=blueprint, uid=uid)


def set_attribute(recording: RecordingLike, lives: Sequence[Life], key: str, value: str | None) -> Edit:
    """Return the edit that sets an attribute of lives, adds it where it is missing, or removes it.

    A new attribute has the type that other actors use, else that of its name or value. With the role name the hero
    flags of collisions are updated.

    Args:
        recording: The recording, which is not changed.
        lives: The lives to change.
        key: The name of the attribute.
        value: Its value; None: remove it.

    Raises:
        EditError: The name is empty, or nothing would change.
        FieldError: A text is too long.
    """
    refuse_empty(lives)
    values: _Values = {life.index: (life, value) for life in lives}
    if value is None:
        template = N_("Remove {key} of {actors}")
    else:
        template = N_("Set {key} to {value} of {actors}")
    label = say(template, key=key, value=value, actors=label_of(lives))
    splices = _with_attributes(recording.snapshot, values, key, label)
    return edit_of(recording.snapshot, "set_attribute", label, splices, lives, key=key, value=value)


def set_role(recording: RecordingLike, lives: Sequence[Life], role: str) -> Edit:
    """Return the edit that sets the role name of lives; as `set_attribute`."""
    refuse_empty(lives)
    values: _Values = {life.index: (life, role) for life in lives}
    label = say("Set role name of {actors} to {role}", actors=label_of(lives), role=role)
    splices = _with_attributes(recording.snapshot, values, ROLE, label)
    return edit_of(recording.snapshot, "set_role", label, splices, lives, role=role)


def set_hero(recording: RecordingLike, life: Life) -> Edit:
    """Return the edit that makes a life the only hero; former heroes get the role name `autopilot`.

    The hero flags of collisions are updated.

    Raises:
        EditError: The life is neither a vehicle nor a walker.
        NothingToDo: It is the only hero already.
    """
    refuse_other_kinds(life)
    snapshot = recording.snapshot
    if not life.is_road_user:
        raise EditError(say("{actor} cannot be the hero: that is a vehicle or a walker.", actor=name_of(life)))
    roles: dict[int, tuple[Life, str | None]] = {}
    for other in Actors.of(snapshot):
        if other.is_hero and other.index != life.index:
            roles[other.index] = (other, FORMER_HERO)
    if not life.is_hero:
        roles[life.index] = (life, HERO)
    if not roles:
        raise NothingToDo(say("{actor} is the hero already.", actor=name_of(life)))
    label = say("Make {actor} the hero", actor=life.actor)
    return edit_of(snapshot, "set_hero", label, _with_attributes(snapshot, roles, ROLE, label), [life])


def uid_of(snapshot: Snapshot, blueprint: str) -> int | None:
    """Return the most frequent uid of a blueprint in a recording, without 0; None if there is none."""
    uids: Counter[int] = Counter()
    for life in Actors.of(snapshot):
        if life.blueprint == blueprint and life.uid:
            uids[life.uid] += 1
    return _most_common(uids)


def _most_common(numbers: Counter[int]) -> int | None:
    """Return the most frequent number, the first of several; None if there is none."""
    for number, _ in numbers.most_common(1):
        return number
    return None


def _refuse_long(template: str, text: str) -> None:
    """Raise `FieldError` for a text that does not fit into a recording."""
    # The length has two bytes, which recorders count as a signed number (format reference, section 1).
    length = len(text.encode("utf-8", "surrogatepass"))
    if length > LONGEST_STRING:
        raise FieldError(say(template, length=length, most=LONGEST_STRING))


def _group(blueprint: str) -> str:
    return blueprint.partition(".")[0]


def _type_for(snapshot: Snapshot, life: Life, blueprint: str) -> int:
    """Return the actor type (code as stored) that a life with another blueprint has."""
    if _group(life.blueprint) == _group(blueprint):
        return life.type
    for other in Actors.of(snapshot):
        if _group(other.blueprint) == _group(blueprint):
            return other.type
    choices = _event_add(snapshot).record.fields["type"].choices or {}
    type_name = TYPES.get(_group(blueprint), "Other")
    for number, name in choices.items():
        if name == type_name:
            return number
    # Early releases have no type for sensors: they are Other (format reference 4.2).
    return 0


# --- attributes -----------------------------------------------------------------------------------------


def _with_attributes(snapshot: Snapshot, values: _Values, attribute: str, label: str) -> tuple[Splice, ...]:
    """Return the splices that set an attribute to a value for each life.

    Args:
        snapshot: The recording.
        values: Each life and its value (None: remove the attribute), by index of the life.
        attribute: The name of the attribute.
        label: What the edit does, for errors.
    """
    lives: list[Life] = []
    texts: list[str] = []
    for life, value in values.values():
        lives.append(life)
        if value is not None:
            texts.append(value)
    if not attribute:
        raise EditError(say("An attribute needs a name; the simulator never writes an empty one."))
    for text in [attribute, *texts]:
        _refuse_long(N_("The text is {length:,} bytes long; a recording holds at most {most:,}."), text)
    number = attribute_type(snapshot, attribute, texts[0] if texts else "")

    def change(life: Life, record: Record) -> Record:
        _, value = values[life.index]
        return record | {"attributes": _changed_attributes(record["attributes"], attribute, number, value)}

    heroes: dict[int, bool] = {}
    if attribute == ROLE:
        for life, value in values.values():
            is_hero = value == HERO
            if life.is_hero != is_hero:
                heroes[life.index] = is_hero
    return _described(snapshot, lives, change, label, heroes)


def _changed_attributes(
    attributes: Sequence[dict[str, Value]], name: str, number: int, value: str | None
) -> list[dict[str, Value]]:
    """Return attributes of an EventAdd with one that is set, added or removed (None); `number` is its type."""
    if value is None:
        return [attribute for attribute in attributes if attribute["id"] != name]
    changed = list(attributes)
    # Of several with this name the last one is used.
    for index in reversed(range(len(changed))):
        if changed[index]["id"] == name:
            changed[index] = changed[index] | {"value": value}
            return changed
    changed.append({"type": number, "id": name, "value": value})
    return changed


def attribute_type(snapshot: Snapshot, key: str, value: str) -> int:
    """Return the number of an attribute's type in a recording.

    Args:
        snapshot: The recording.
        key: The name of the attribute.
        value: Its value, by which the type is chosen if the name is unknown.
    """
    types: Counter[int] = Counter()
    for life in Actors.of(snapshot):
        for attribute in life.attributes:
            if attribute.id == key:
                types[attribute.type] += 1
    number = _most_common(types)
    if number is not None:
        return number
    type_name = _TYPES_BY_NAME.get(key) or _type_by_form(value)
    choices = _event_add(snapshot).record.arrays["attributes"].element.fields["type"].choices or {}
    return next(number for number, name in choices.items() if name == type_name)


def _type_by_form(value: str) -> str:
    """Return the name of the type of an attribute with this value."""
    for form, type_name in _TYPES_BY_FORM:
        if form.fullmatch(value):
            return type_name
    return "String"


def _event_add(snapshot: Snapshot) -> PacketType:
    kind = snapshot.dialect.by_name("EventAdd")
    assert kind is not None
    return kind


# --- bytes ----------------------------------------------------------------------------------------------


def _described(
    snapshot: Snapshot, lives: Sequence[Life], change: Change, label: str, heroes: Mapping[int, bool] | None = None
) -> tuple[Splice, ...]:
    """Return the splices that change the EventAdd of lives.

    Args:
        snapshot: The recording.
        lives: The lives.
        change: What changes each record.
        label: What the edit does, for the error if nothing changes.
        heroes: New hero flags of collisions, by index of the life.
    """
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


def _with_records(packet: Packet, lives: Mapping[int, Life], change: Change) -> bytes:
    """Return the body of an EventAdd with changed records of lives (by ordinal)."""
    decoded = packet.decoded
    parts = [packet.body[:2]]
    for ordinal in range(len(decoded)):
        record = decoded.raw(ordinal)
        life = lives.get(ordinal)
        if life is not None:
            record = encode_record(packet.type.record, change(life, decoded.record(ordinal)))
        parts.append(record)
    parts.append(packet.body[decoded.tail[0] :])
    return b"".join(parts)


def _hero_flags(snapshot: Snapshot, heroes: Mapping[int, bool]) -> Iterator[tuple[RecordPlace, int, bytes]]:
    """Yield patches (see `patched`) for the hero flags of collisions."""
    actors = Actors.of(snapshot)
    collisions = actors.collisions
    for index, is_hero in heroes.items():
        id_span = id_span_of(snapshot, actors.lives[index])
        is_within = (collisions["row"] >= id_span.first) & (collisions["row"] <= id_span.last)
        for side, offset in (("1", 12), ("2", 13)):
            own = collisions[is_within & (collisions[f"actor{side}"] == id_span.actor)]
            changed = own[own[f"hero{side}"].astype(np.bool_) != is_hero]
            for row, packet, record in changed[["row", "packet", "record"]].tolist():
                yield RecordPlace(row, packet, record), offset, bytes([is_hero])
