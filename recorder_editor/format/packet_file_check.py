"""The check of a file of packets (`packet_files`): a sentence for each fault, and its packets if there is none."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any, get_args

from ..texts import listed, say
from .dialects import DIALECTS, LARGEST_KNOWN_ID
from .json_text import JsonLines, shown
from .packet_file import LARGEST_ID
from .packets import CHOICES, TABLE
from .schema import CODES, INTEGER_RANGES, RAW_CODES, Lifetime, Ray, World

_MOST_PACKETS = 100
_MOST_MEMBERS = 400
"""Members of a packet, those of its arrays included."""
_DEEPEST = 4
"""Arrays within one another."""
_MOST_CHOICES = 1000
_MOST_FAULTS = 20
_LONGEST_TEXT = 200
_LARGEST_FLOAT = 3.4e38
"""It still is a number as f32."""

_NAME = re.compile("[A-Za-z][A-Za-z0-9_]{0,39}")
_PART = "[a-z][a-z0-9_]{0,39}"
_PATH = re.compile(rf"{_PART}(\.{_PART})?")

_TOP = ("packets", "choices", "flags", "fork", "header_versions", "source")
_PACKET = ("id", "name", "meaning", "record", "body", "members", "key", "lifetime", "motion", "rays", "source")
_BODIES = ("list", "single")
_LIFETIMES: tuple[Lifetime, ...] = ("shown", "event", "lasting")
_ARRAY = ("path", "count", "meaning", "element", "members", "since", "until")
_COUNTS = ("u16", "u32")
_OPTIONS = (
    "actor", "angle", "choices", "clock", "default", "every", "flags", "high", "low", "since", "step", "until", "world",
)  # fmt: skip
_RAY = {"origin": "vector", "direction": "vector", "rotation": "rotation", "valid": "number"}
"""What the members of a ray are."""
_FIRST_AXIS = {"vector": ".x", "rotation": ".roll", "number": ""}
_OPTIONAL_IN_RAY = ("rotation", "valid")

_KINDS: Mapping[str, Mapping[str, Any]] = TABLE["kinds"]
_AXES: Mapping[str, Mapping[str, str]] = TABLE["axes"]


class _Enough(Exception):
    """There are so many faults that no more are looked for."""


@dataclass
class _Members:
    """The members of one packet that were met.

    Attributes:
        number: So many members, those of arrays included.
        fields: The options of each field of the record by path, complete with those of its kind.
        in_head: The paths before the first text or array of the record.
        is_fixed: The record has neither texts nor arrays.
    """

    number: int = 0
    fields: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    in_head: set[str] = field(default_factory=set)
    is_fixed: bool = True


class Checker:
    """Checks the value of a file, and gathers what it says."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.faults: list[str] = []
        self.lines: JsonLines | None = None
        self.choices: dict[str, dict[int, str]] = {}
        self.fork = ""
        self.header_versions: tuple[int, ...] = ()

    # --- faults ---------------------------------------------------------------------------------------------

    def sentence(self, line: int | None, what: str) -> str:
        """A fault as a sentence."""
        if line is None:
            return say("{file}: {what}.", file=self.name, what=what)
        return say("{file}, line {line}: {what}.", file=self.name, line=line, what=what)

    def fault(self, place: object, what: str) -> None:
        """Note a fault.

        Args:
            place: The object or the list that it is in; None: the file as a whole.
            what: What is wrong and why, without a full stop.
        """
        line = None
        if self.lines is not None and place is not None:
            line = self.lines.line_of(place)
        self.faults.append(self.sentence(line, what))
        if len(self.faults) == _MOST_FAULTS:
            raise _Enough

    def only(self, value: Mapping[str, Any], names: Iterable[str]) -> None:
        """Note the names that stand in an object and mean nothing there."""
        names = tuple(names)
        for name in value:
            if name not in names:
                self.fault(
                    value, say("“{name}” means nothing here; there are {names}", name=name[:40], names=listed(names))
                )

    def text(self, place: object, name: str, value: object, *, is_needed: bool = True) -> str:
        """A text of one line that is not long."""
        if value is None and not is_needed:
            return ""
        if not isinstance(value, str) or len(value) > _LONGEST_TEXT or not value.isprintable():
            self.fault(
                place,
                say(
                    "{name} is not a text of one line of at most {most} characters: {value}",
                    name=name,
                    most=_LONGEST_TEXT,
                    value=shown(value),
                ),
            )
            return ""
        if is_needed and not value:
            self.fault(place, say("{name} is empty", name=name))
        return value

    # --- the file -------------------------------------------------------------------------------------------

    def file(self, value: object) -> dict[int, Mapping[str, Any]]:
        """Check all of the file; returns the entries of its packets by id."""
        packets: dict[int, Mapping[str, Any]] = {}
        with suppress(_Enough):
            self._file(value, packets)
        return packets

    def _file(self, value: object, packets: dict[int, Mapping[str, Any]]) -> None:
        if not isinstance(value, dict):
            self.fault(None, say("it holds no object with “packets”"))
            return
        self.only(value, _TOP)
        self.fork = self.text(value, "fork", value.get("fork"), is_needed=False)
        self.text(value, "source", value.get("source"), is_needed=False)
        self._header_versions(value)
        self._choices(value)
        entries = value.get("packets")
        if not isinstance(entries, list) or not entries:
            self.fault(value, say("“packets” is not a list of packets"))
            return
        if len(entries) > _MOST_PACKETS:
            self.fault(entries, say("there are more than {most} packets", most=_MOST_PACKETS))
            return
        names: set[str] = set()
        for entry in entries:
            if not isinstance(entry, dict):
                self.fault(entries, say("{value} is not a packet: an object", value=shown(entry)))
                continue
            packet = self._packet(entry, names)
            names.add(packet["name"])
            for number in self._ids(entry):
                if number in packets:
                    self.fault(entry, say("packet {number} is described twice", number=number))
                packets[number] = packet

    def _header_versions(self, value: Mapping[str, Any]) -> None:
        versions = value.get("header_versions", [])
        if not isinstance(versions, list) or not all(type(version) is int for version in versions):
            self.fault(value, say("“header_versions” is not a list of whole numbers"))
            return
        self.header_versions = tuple(versions)

    def _choices(self, value: Mapping[str, Any]) -> None:
        for kind in ("choices", "flags"):
            groups = value.get(kind, {})
            if not isinstance(groups, dict):
                self.fault(value, say("“{kind}” is not an object of lists of names", kind=kind))
                continue
            for name, names in groups.items():
                if name in self.choices or name in CHOICES:
                    self.fault(groups, say("“{name}” is taken already; give it another name", name=name[:40]))
                    continue
                self.choices[name] = self._numbered(groups, name, names, is_flags=kind == "flags")

    def _numbered(self, place: object, name: str, names: object, *, is_flags: bool) -> dict[int, str]:
        """The names of values by their numbers, of a list or of an object of names by number."""
        pairs: list[tuple[object, object]] = []
        if isinstance(names, list):
            pairs = list(enumerate(names))
        elif isinstance(names, dict):
            pairs = list(names.items())
        if not pairs or len(pairs) > _MOST_CHOICES:
            self.fault(place, say("“{name}” is not a list of 1 to {most:,} names", name=name[:40], most=_MOST_CHOICES))
            return {}
        numbered: dict[int, str] = {}
        for number, text in pairs:
            if isinstance(number, str) and re.fullmatch("-?[0-9]{1,19}", number):
                number = int(number)
            if not isinstance(number, int):
                self.fault(names, say("{number} is not a whole number", number=shown(number)))
                continue
            if is_flags and not 0 <= number < 64:
                self.fault(names, say("there is no bit {number}", number=number))
                continue
            if is_flags:
                number = 1 << number
            numbered[number] = self.text(names, say("the name of {number}", number=number), text)
        return numbered

    # --- a packet -------------------------------------------------------------------------------------------

    def _ids(self, entry: Mapping[str, Any]) -> list[int]:
        """The ids of a packet: one, or several of which a recording has one."""
        given = entry.get("id")
        numbers = given if isinstance(given, list) else [given]
        valid = []
        if not numbers:
            self.fault(entry, say("the packet has no id"))
        for number in numbers:
            if type(number) is not int or not 0 <= number <= LARGEST_ID:
                self.fault(
                    entry,
                    say("{id} is not an id: a whole number from 0 to {largest}", id=shown(number), largest=LARGEST_ID),
                )
            elif number <= LARGEST_KNOWN_ID and not self.fork and not self.header_versions:
                self.fault(
                    entry,
                    say(
                        "{number} is an id of CARLA's own; take one above 100, or say with “header_versions” or "
                        "“fork” where it holds",
                        number=number,
                    ),
                )
            elif number in (0, 1):
                self.fault(entry, say("{number} begins or ends a frame in every recording", number=number))
            else:
                valid.append(number)
        return valid

    def _packet(self, entry: Mapping[str, Any], names: set[str]) -> Mapping[str, Any]:
        """Check a packet; returns its entry as `packet_type` takes it."""
        self.only(entry, _PACKET)
        name = entry.get("name")
        if not isinstance(name, str) or _NAME.fullmatch(name) is None:
            self.fault(
                entry, say("{name} is not a name of a packet: letters, digits and _, a letter first", name=shown(name))
            )
        elif name in names:
            self.fault(entry, say("{name} is described twice", name=name))
        elif name.lower() in _names_of_carla():
            self.fault(entry, say("{name} is a packet of CARLA; give it another name", name=name))
        meaning = self.text(entry, "meaning", entry.get("meaning"), is_needed=False)
        record = self.text(entry, "record", entry.get("record"), is_needed=False)
        self.text(entry, "source", entry.get("source"), is_needed=False)
        body = self._one_of(entry, "body", _BODIES)
        lifetime = self._one_of(entry, "lifetime", _LIFETIMES)
        members = _Members()
        self._members(entry, entry.get("members"), members, depth=0)
        if body == "single" and not members.is_fixed:
            self.fault(entry, say("a single record has no texts and arrays; as a list it may have them"))
        key = self._key(entry, members, is_list=body == "list")
        return {
            "name": str(name),
            "meaning": meaning or say("Packet of {file}", file=self.name),
            "record": record or str(name),
            "body": body,
            "lifetime": lifetime,
            "members": entry.get("members"),
            "key": key,
            "motion": self._motion(entry, key, members),
            "rays": self._rays(entry, members),
            "presence": "filled",
            "reported": False,
        }

    def _one_of(self, entry: Mapping[str, Any], name: str, values: Sequence[str]) -> str:
        value = entry.get(name, values[0])
        if value not in values:
            self.fault(
                entry,
                say("{value} is no {name}; there are {values}", value=shown(value), name=name, values=listed(values)),
            )
            return values[0]
        return str(value)

    def _key(self, entry: Mapping[str, Any], members: _Members, *, is_list: bool) -> list[str]:
        key = entry.get("key")
        if key is None:
            if is_list and members.fields.get("id", {}).get("actor"):
                return ["id"]
            return []
        if not isinstance(key, list) or not all(isinstance(path, str) for path in key):
            self.fault(entry, say("“key” is not a list of members"))
            return []
        for path in key:
            if path not in members.in_head:
                self.fault(
                    entry,
                    say(
                        "“{path}” cannot be in the key: it is no member before the first text or array", path=path[:40]
                    ),
                )
        return [path for path in key if path in members.in_head]

    def _motion(self, entry: Mapping[str, Any], key: Sequence[str], members: _Members) -> bool:
        motion = entry.get("motion", False)
        if type(motion) is not bool:
            self.fault(entry, say("“motion” is not true or false"))
            return False
        if motion and (list(key) != ["id"] or not members.fields.get("id", {}).get("actor")):
            self.fault(entry, say("“motion” is for a list with one record for each actor, a member “id” that is one"))
            return False
        return motion

    def _rays(self, entry: Mapping[str, Any], members: _Members) -> tuple[Ray, ...]:
        rays = entry.get("rays", [])
        if not isinstance(rays, list) or len(rays) > _MOST_MEMBERS:
            self.fault(entry, say("“rays” is not a list"))
            return ()
        result = []
        for ray in rays:
            if not isinstance(ray, dict):
                self.fault(rays, say("{value} is not a ray: an object", value=shown(ray)))
                continue
            self.only(ray, _RAY)
            for name, kind in _RAY.items():
                path = ray.get(name)
                if path is None and name in _OPTIONAL_IN_RAY:
                    continue
                if not isinstance(path, str) or path + _FIRST_AXIS[kind] not in members.in_head:
                    self.fault(
                        ray,
                        say(
                            "{name} of a ray is not a {kind} before the first text or array: {path}",
                            name=name,
                            kind=kind,
                            path=shown(path),
                        ),
                    )
                    break
            else:
                result.append(Ray(**{name: ray[name] for name in _RAY if ray.get(name) is not None}))
        return tuple(result)

    # --- members --------------------------------------------------------------------------------------------

    def _members(self, place: Mapping[str, Any], value: object, members: _Members, *, depth: int) -> None:
        """Check the members of a record, or of the element of an array (`depth` is not 0)."""
        if not isinstance(value, list) or not value:
            self.fault(place, say("“members” is not a list of members"))
            return
        if all(map(_is_of_some_dialects, value)):
            self.fault(place, say("one member at least has neither “since” nor “until”"))
        paths: set[str] = set()
        groups: set[str] = set()
        is_head = depth == 0
        for member in value:
            members.number += 1
            if members.number > _MOST_MEMBERS:
                self.fault(place, say("a packet has at most {most} members", most=_MOST_MEMBERS))
                raise _Enough
            if isinstance(member, dict):
                path = self._array(member, members, depth=depth)
                is_head = False
                members.is_fixed = False
                added = [path]
            elif isinstance(member, list):
                spec = self._field(value, member, is_head=is_head)
                if spec is None:
                    continue
                if spec["type"] == "str":
                    is_head = False
                    members.is_fixed = False
                added = [spec["path"] + axis for axis in _AXES.get(spec["kind"], {"": ""})]
                if depth == 0:
                    members.fields.update(dict.fromkeys(added, spec))
                if is_head:
                    members.in_head.update(added)
            else:
                self.fault(value, say("{value} is not a member: a list or an object", value=shown(member)))
                continue
            self._add(member, added, paths, groups)

    def _add(self, member: object, added: Iterable[str], paths: set[str], groups: set[str]) -> None:
        """Add the paths of a member to those that were met, and their groups."""
        for path in added:
            group = path.rpartition(".")[0]
            if path in paths or path in groups or group in paths:
                self.fault(member, say("“{path}” is there already", path=path[:80]))
            paths.add(path)
            if group:
                groups.add(group)

    def _array(self, member: Mapping[str, Any], members: _Members, *, depth: int) -> str:
        self.only(member, _ARRAY)
        path = member.get("path")
        if not isinstance(path, str) or _PATH.fullmatch(path) is None or "." in path:
            self.fault(member, say("{path} is not a name of an array: small letters, digits and _", path=shown(path)))
            path = "array"
        if member.get("count") not in _COUNTS:
            self.fault(member, say("the count of {path} is not u16 or u32", path=path))
        self.text(member, "meaning", member.get("meaning"))
        self.text(member, "element", member.get("element"))
        self._dialects(member, member)
        if depth == _DEEPEST:
            self.fault(member, say("arrays are nested more than {deepest} deep", deepest=_DEEPEST))
            raise _Enough
        self._members(member, member.get("members"), members, depth=depth + 1)
        return path

    def _field(self, place: object, row: Sequence[Any], *, is_head: bool) -> dict[str, Any] | None:
        """Check the row of a field; returns its path, type, kind and options, or None if they cannot be told."""
        before = len(self.faults)
        if not 3 <= len(row) <= 5:
            self.fault(row, say("a member has a path, a type, a meaning, and maybe a unit and options"))
            return None
        path, kind, meaning = row[:3]
        if not isinstance(path, str) or _PATH.fullmatch(path) is None:
            self.fault(
                row,
                say(
                    "{path} is not a path of a member: small letters, digits and _, with at most one dot",
                    path=shown(path),
                ),
            )
        if not isinstance(kind, str) or (kind not in CODES and kind != "str" and kind not in _KINDS):
            types = [name for name in CODES if name not in RAW_CODES]
            self.fault(
                row,
                say(
                    "{kind} is not a type; there are {types}",
                    kind=shown(kind),
                    types=listed([*types, "str", "bytes1", *_KINDS]),
                ),
            )
        self.text(row, "meaning", meaning)
        rest = list(row[3:])
        options: Mapping[str, Any] = {}
        if rest and isinstance(rest[0], str):
            self.text(row, "unit", rest.pop(0), is_needed=False)
        if rest and isinstance(rest[0], dict):
            options = rest.pop(0)
        if rest:
            self.fault(row, say("{value} is neither a unit nor options", value=shown(rest[0])))
        if len(self.faults) > before:
            return None
        spec: dict[str, Any] = {"type": kind, **_KINDS.get(kind, {}), **options, "path": path, "kind": kind}
        if kind in _AXES and "." in path:
            self.fault(row, say("{kind} “{path}” has a dot; its axes are behind one", kind=kind, path=path))
        if spec["type"] == "str" and "." in path:
            self.fault(row, say("text “{path}” has a dot, which only numbers may have", path=path))
        self._options(row, options, spec, is_head=is_head)
        if len(self.faults) > before:
            return None
        return spec

    def _options(self, row: object, options: Mapping[str, Any], spec: Mapping[str, Any], *, is_head: bool) -> None:
        self.only(options, _OPTIONS)
        self._dialects(row, options)
        self._numbers(row, options, spec)
        self._names_of_values(row, options, spec)
        for name in ("actor", "angle", "clock"):
            if type(options.get(name, False)) is not bool:
                self.fault(row, say("“{name}” is not true or false", name=name))
        if spec.get("actor") and (spec["type"] != "u32" or not is_head):
            self.fault(row, say("an actor is an u32, and stands before the first text or array of the record"))
        if spec.get("clock") and spec["type"] != "f64":
            self.fault(row, say("a clock is an f64"))
        world = options.get("world")
        if world is not None and (world not in get_args(World) or spec["kind"] not in _AXES):
            self.fault(
                row, say("“world” is for a vector or a rotation, and one of {worlds}", worlds=listed(get_args(World)))
            )
        if "default" in options and not _fits(options["default"], spec["type"]):
            self.fault(
                row, say("the default {value} does not fit {type}", value=shown(options["default"]), type=spec["type"])
            )

    def _numbers(self, row: object, options: Mapping[str, Any], spec: Mapping[str, Any]) -> None:
        is_number = spec["type"] != "str" and spec["type"] not in RAW_CODES
        for name in ("low", "high", "step"):
            value = options.get(name)
            if value is not None and (type(value) not in (int, float) or not is_number):
                self.fault(row, say("“{name}” is not a number, or not that of one", name=name))
        every = options.get("every")
        if every is not None and (spec["type"] not in ("u8", "u16", "u32") or not _fits(every, spec["type"])):
            self.fault(row, say("“every” is not a value of an unsigned type of at most 32 bits"))

    def _names_of_values(self, row: object, options: Mapping[str, Any], spec: Mapping[str, Any]) -> None:
        for name in ("choices", "flags"):
            if name not in options:
                continue
            group = options[name]
            if not isinstance(group, str) or (group not in self.choices and group not in CHOICES):
                self.fault(row, say("there are no {name} {group} in this file", name=name, group=shown(group)))
            elif spec["type"] not in INTEGER_RANGES:
                self.fault(row, say("only whole numbers have “{name}”", name=name))

    def _dialects(self, row: object, options: Mapping[str, Any]) -> None:
        for name in ("since", "until"):
            dialect = options.get(name)
            if dialect is not None and dialect not in tuple(DIALECTS):  # it may be anything, also a list
                self.fault(
                    row,
                    say(
                        "“{name}” names no dialect: {value}; there are {names}",
                        name=name,
                        value=shown(dialect),
                        names=listed(DIALECTS),
                    ),
                )


def _is_of_some_dialects(member: object) -> bool:
    """Whether a member has a first or a last dialect, so that others may lack it."""
    parts = member if isinstance(member, list) else [member]
    return any(isinstance(part, dict) and ("since" in part or "until" in part) for part in parts)


def _fits(value: object, kind: str) -> bool:
    """Whether a value of JSON is one of a type."""
    if kind == "str":
        return isinstance(value, str) and len(value) <= _LONGEST_TEXT
    if kind == "bool":
        return isinstance(value, bool)
    if kind in INTEGER_RANGES:
        low, high = INTEGER_RANGES[kind]
        return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
    if kind in ("f32", "f64", "real"):
        return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LARGEST_FLOAT
    return False


@cache
def _names_of_carla() -> frozenset[str]:
    return frozenset(entry["name"].lower() for entry in TABLE["packets"])
