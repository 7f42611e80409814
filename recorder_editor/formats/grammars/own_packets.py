"""Packets of users (`format.packet_files`) as layouts of a grammar.

Their names, meanings and units come from a file that may be hostile, and end up in grammars and in the readers that are
made of them. So every name becomes an identifier that stands once in its place, and every text loses what would end a
comment or a string, before any line is written. What is a fit name stays as it is.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...format.dialects import DIALECTS, LARGEST_KNOWN_ID
from ...format.packet_file import PacketFile
from ...format.packets import CHOICES, FORK_PACKETS, TABLE, packet_type
from ...format.schema import INTEGER_RANGES, PacketType
from .layouts import LAYOUT_NUMBERS, NEWEST, UNREAL_5, Layout, packet_numbering
from .names import Scope, family, identifier, key_of, plain_text, snake

NAMES_OF_TYPES = ("carla_recorder", "header", "packet", "span", "text", *TABLE["axes"])
"""The types of a grammar beside the bodies of packets; that of the file as a whole is the first one."""

NAMES_OF_ENUMS = ("dialect", "packet_kind", *(snake(family(name)) for name in CHOICES))
"""The enumerations of a grammar without packets of users."""

_FIRST_NUMBER = 0x300
"""The first number of packets without an id of their own, behind the numbers of CARLA's packets (`layouts`)."""

_DIALECT_OPTIONS = ("since", "until")
_LARGEST_VERSION = INTEGER_RANGES["u16"][1]
_LEAST_CHOICE = INTEGER_RANGES["i64"][0]
_LARGEST_CHOICE = INTEGER_RANGES["u64"][1]


@dataclass(frozen=True, slots=True)
class OwnId:
    """An id of a packet of users, and where it means this packet.

    Attributes:
        number: The id. One that CARLA does not use means the packet everywhere.
        header_versions: The versions of the header with which it means the packet.
        free_in: The dialects in which it means the packet, since CARLA has none there.
        is_of_fork: It means the packet where the user of the grammar says that a fork has written the recording.
    """

    number: int
    header_versions: tuple[int, ...] = ()
    free_in: tuple[str, ...] = ()
    is_of_fork: bool = False

    @property
    def is_unconditional(self) -> bool:
        """CARLA does not use it."""
        return self.number > LARGEST_KNOWN_ID


@dataclass(frozen=True, slots=True)
class OwnPacket:
    """A packet of a file.

    Attributes:
        number: Its number among the kinds of packets.
        layout: Its members.
        ids: The ids that it has.
    """

    number: int
    layout: Layout
    ids: tuple[OwnId, ...]


@dataclass(frozen=True)
class OwnPackets:
    """The packets of users in a grammar.

    Attributes:
        files: The names of their files.
        packets: The packets, in the order of the files.
        choices: Their enumerations and bit masks: identifiers by number, by an identifier.
        texts: The same as they stand in the file.
        forks: The names of forks that use ids of CARLA for packets of their own.
    """

    files: tuple[str, ...] = ()
    packets: tuple[OwnPacket, ...] = ()
    choices: Mapping[str, Mapping[int, str]] = field(default_factory=dict, repr=False)
    texts: Mapping[str, Mapping[int, str]] = field(default_factory=dict, repr=False)
    forks: tuple[str, ...] = ()

    def group_of(self, names: Mapping[int, str]) -> str:
        """The identifier of an enumeration or a bit mask of the files, or an empty string for one of CARLA."""
        for group, own in self.choices.items():
            if own is names:
                return group
        return ""

    def kinds(self) -> Mapping[int, str]:
        """The kinds of packets by their numbers; packets of forks that the files describe are theirs."""
        own = {packet.number: packet.layout.name for packet in self.packets}
        keys = set(map(key_of, own.values()))
        kinds = {}
        for number, name in {**packet_numbering().names, **LAYOUT_NUMBERS}.items():
            if key_of(name) not in keys:
                kinds[number] = name
        kinds.update(own)
        return kinds


def own_packets(files: Iterable[PacketFile]) -> OwnPackets:
    """Make layouts of the packets of files, of which the first one counts that has an id."""
    reader = _Reader()
    for file in dict.fromkeys(files):
        reader.add(file)
    return OwnPackets(
        files=tuple(reader.files),
        packets=tuple(reader.packets),
        choices=reader.choices,
        texts=reader.texts,
        forks=tuple(dict.fromkeys(reader.forks)),
    )


class _Reader:
    """Makes layouts of files, one after another."""

    def __init__(self) -> None:
        self.files: list[str] = []
        self.packets: list[OwnPacket] = []
        self.choices: dict[str, Mapping[int, str]] = {}
        self.texts: dict[str, Mapping[int, str]] = {}
        self.forks: list[str] = []
        self._ids: set[int] = set()  # those that mean the same everywhere
        self._groups = Scope([*NAMES_OF_TYPES, *NAMES_OF_ENUMS])
        self._groups_of_carla: dict[str, str] = {}
        self._names = Scope(_names_of_carla())

    def add(self, file: PacketFile) -> None:
        """Add the packets of a file."""
        self.files.append(plain_text(file.path.name))
        groups = {name: self._add_group(name, words) for name, words in file.choices.items()}
        ids: dict[int, list[int]] = {}  # by the identity of the entry, which several ids may have
        entries = {}
        for number, entry in file.packets.items():
            ids.setdefault(id(entry), []).append(number)
            entries[id(entry)] = entry
        for key, numbers in ids.items():
            own_ids = list(self._ids_of(file, numbers))
            if own_ids:
                self._add_packet(entries[key], own_ids, groups)

    def _ids_of(self, file: PacketFile, numbers: Iterable[int]) -> Iterator[OwnId]:
        versions = tuple(version for version in file.header_versions if 0 <= version <= _LARGEST_VERSION)
        for number in numbers:
            if number > LARGEST_KNOWN_ID:
                if number not in self._ids:
                    self._ids.add(number)
                    yield OwnId(number)
            elif file.fork:
                self.forks.append(plain_text(file.fork))
                yield OwnId(number, header_versions=versions, free_in=_free_in(number), is_of_fork=True)
            elif versions:
                yield OwnId(number, header_versions=versions)

    def _add_packet(self, entry: Mapping[str, Any], ids: Sequence[OwnId], groups: Mapping[str, str]) -> None:
        own_numbers = [own.number for own in ids if own.is_unconditional]
        if own_numbers:
            number = own_numbers[0]
        else:
            number = _FIRST_NUMBER + len(self.packets)
        taken = ["tail"] if entry["body"] == "single" else []
        tidy = {
            "name": self._names.add(identifier(entry["name"], "packet")),
            "meaning": plain_text(entry["meaning"]),
            "record": identifier(entry["record"], "record"),
            "body": entry["body"],
            "members": list(self._members(entry["members"], groups, taken)),
        }
        by_dialect = {}
        for name, dialect in DIALECTS.items():
            by_dialect[name] = packet_type(tidy, dialect.real, dialect=name, choices=self._all_choices())
        layout = Layout(tidy["name"], self._with_all_members(tidy), by_dialect)
        self.packets.append(OwnPacket(number, layout, tuple(ids)))

    def _all_choices(self) -> Mapping[str, Mapping[int, str]]:
        return {**CHOICES, **self.choices}

    def _with_all_members(self, entry: Mapping[str, Any]) -> PacketType:
        members = list(_of_all_dialects(entry["members"]))
        return packet_type({**entry, "members": members}, NEWEST.real, dialect=NEWEST.name, choices=self._all_choices())

    # --- enumerations -----------------------------------------------------------------------------------------

    def _add_group(self, name: str, words: Mapping[int, str]) -> str:
        """Add an enumeration or a bit mask; returns its identifier."""
        group = snake(identifier(name, "choices"))
        if group.endswith("body"):  # as the types of the bodies of packets
            group = f"{group}_choices"
        group = self._groups.add(group)
        scope = Scope()
        identifiers = {}
        texts = {}
        for number, text in words.items():
            if _LEAST_CHOICE <= number <= _LARGEST_CHOICE:
                identifiers[number] = scope.add(_word(number, text))
                texts[number] = plain_text(text)
        self.choices[group] = identifiers
        self.texts[group] = texts
        return group

    def _group(self, name: str, groups: Mapping[str, str]) -> str:
        """The identifier of a group that a member names, of the file or of CARLA.

        One of CARLA for certain releases gets a copy: a grammar has those of all releases in one.
        """
        if name in groups:
            return groups[name]
        if family(name) == name:
            return name
        if name not in self._groups_of_carla:
            self._groups_of_carla[name] = self._add_group(name, CHOICES[name])
        return self._groups_of_carla[name]

    # --- members ----------------------------------------------------------------------------------------------

    def _members(self, members: Iterable[Any], groups: Mapping[str, str], taken: Iterable[str]) -> Iterator[Any]:
        """Members of a record or an element like those of the table, with fit names and texts.

        Args:
            members: The members.
            groups: The identifiers of enumerations and bit masks of the file by name.
            taken: Names that no member may have.
        """
        scope = Scope(taken)
        parts = Scope()
        prefix = ""  # that of the dotted members before this one, which are one group
        group = ""
        for member in members:
            if isinstance(member, dict):
                prefix = ""
                yield self._array(member, groups, scope)
                continue
            options, beside = self._options(member, groups)
            path, kind, meaning = member[:3]
            unit = member[3] if len(member) > 3 and isinstance(member[3], str) else ""
            before, dot, name = path.rpartition(".")
            if not dot:
                prefix = ""
                path = scope.add(identifier(name, "value"), beside)
            else:
                if before != prefix:
                    prefix = before
                    group = scope.add(identifier(before, "value"))
                    parts = Scope()
                path = f"{group}.{parts.add(identifier(name, 'value'), beside)}"
            yield [path, kind, plain_text(meaning), plain_text(unit), options]

    def _array(self, member: Mapping[str, Any], groups: Mapping[str, str], scope: Scope) -> dict[str, Any]:
        array = {
            "path": scope.add(identifier(member["path"], "value"), _count_of),
            "count": member["count"],
            "element": identifier(member["element"], "element"),
            "meaning": plain_text(member["meaning"]),
            "members": list(self._members(member["members"], groups, ())),
        }
        array.update(_dialect_options(member))
        return array

    def _options(
        self, row: Sequence[Any], groups: Mapping[str, str]
    ) -> tuple[dict[str, Any], Callable[[str], Iterable[str]]]:
        """The options of a row that decide what its bytes are, and the names that stand beside its own."""
        given: Mapping[str, Any] = row[-1] if isinstance(row[-1], dict) else {}
        options = _dialect_options(given)
        if given.get("choices") is not None:
            options["choices"] = self._group(given["choices"], groups)
        elif given.get("flags") is not None:
            options["flags"] = self._group(given["flags"], groups)
            words = list(self._all_choices()[options["flags"]].values())
            return options, lambda name: [flag_name(name, word) for word in words]
        return options, lambda _name: ()


def flag_name(path: str, word: str) -> str:
    """The name of a flag of a member beside the member itself."""
    return f"{path}_{snake(word)}"


def _count_of(path: str) -> Iterable[str]:
    return (f"num_{path}",)


def _word(number: int, text: str) -> str:
    """The identifier of a choice or a flag."""
    word = identifier(text, "value")
    if word == "value":
        return f"value_{number}".replace("-", "minus_")
    if snake(word) == "name":  # enumerations of Python have it
        return "name_value"
    return word


def _free_in(number: int) -> tuple[str, ...]:
    """The dialects in which CARLA has no packet of an id."""
    names = []
    for name, dialect in DIALECTS.items():
        kind = dialect.packets.get(number)
        if kind is None or kind.body == "opaque":
            names.append(name)
    return tuple(names)


def _names_of_carla() -> Iterator[str]:
    """The names that no packet of users can have: those of CARLA, without forks, which the files may describe."""
    of_forks = {kind.name for kind in FORK_PACKETS.values()}
    for name in (*packet_numbering().names.values(), *UNREAL_5):
        if name not in of_forks:
            yield name


def _dialect_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that say which dialects have a member."""
    return {name: options[name] for name in _DIALECT_OPTIONS if options.get(name) is not None}


def _of_all_dialects(members: Iterable[Any]) -> Iterator[Any]:
    """The members without what says which dialects have them."""
    for member in members:
        if isinstance(member, dict):
            array = {name: value for name, value in member.items() if name not in _DIALECT_OPTIONS}
            array["members"] = list(_of_all_dialects(member["members"]))
            yield array
        else:
            *row, options = member
            yield [*row, {name: value for name, value in options.items() if name not in _DIALECT_OPTIONS}]
