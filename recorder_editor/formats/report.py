"""Import of CARLA's text report of all packets (`show_recorder_file_info` with `show_all`), as far as it tells.

What the text does not have is what a recorder writes where nothing is known, or is known of it elsewhere: uids and
types of attributes by the catalogue, rotations of new actors by their positions. `ReportImport.make` counts it.
"""

import calendar
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..arrays import StructuredArray
from ..edits.blueprints import Release, attribute_type
from ..edits.rows import insertion_index, packet_ids
from ..errors import FieldError
from ..format import DIALECTS, Dialect, FileHeader, PacketType, packet_bytes
from ..format.codec import encode, encode_array
from ..format.schema import INTEGER_RANGES, Struct
from ..option_specs import OptionSpec, option
from ..progress import SILENT, Progress
from ..recording import atomic_write
from ..reports.info_reader import InfoReader, ReportError, ReportFrame, ReportPacket, ReportTraits, read_traits
from ..texts import N_, say, say_count
from .import_format import ImportFormat

_BETWEEN_UPDATES = 64  # frames
_WHEEL_FIELDS = 9  # of a wheel before 0.9.12, all of which the text has


@dataclass(frozen=True)
class ReportOptions:
    """What may be chosen of a recording that is made of a text report.

    Attributes:
        utc: The date of the text is in UTC.
        dialect: The name of the dialect to write; None: that of the release that the text is of.
    """

    utc: bool = option(
        False,
        OptionSpec(
            flag="--utc",
            kind="switch",
            label=N_("Date in UTC"),
            help=N_("the date in the text is in UTC, not in local time"),
        ),
    )
    dialect: str | None = option(
        None,
        OptionSpec(
            flag="--write-as",
            kind="dialect",
            metavar="NAME",
            label=N_("Release"),
            hint=N_("by the text"),
            help=N_("the release to write (default: the one whose lines the text has)"),
        ),
    )


class ReportImport(ImportFormat[ReportOptions]):
    """The text report of CARLA."""

    name = "report"
    title = N_("Text report of CARLA")
    options = ReportOptions

    def pieces(self, source: Path, options: ReportOptions, progress: Progress) -> Iterator[bytes]:
        """Yield the bytes of the recording; see `ImportFormat.pieces`."""
        return _Conversion(source, options).pieces(progress)

    def make(
        self,
        source: Path,
        options: ReportOptions,
        target: Path,
        progress: Progress = SILENT,
        *,
        overwrite: bool = False,
    ) -> list[str]:
        """Write the recording as `write` does, and return sentences on what the text does not tell."""
        conversion = _Conversion(source, options)
        with atomic_write(target, overwrite=overwrite, is_recording=True) as file:
            file.writelines(conversion.pieces(progress))
        return conversion.remarks()


class _Conversion:
    """Makes a recording of a report, and counts what the text does not tell."""

    def __init__(self, source: Path, options: ReportOptions) -> None:
        """Read what the text shows of its release. Raises `ReportError`, `OSError`."""
        self._source = source
        with source.open("rb") as stream:
            self._traits = read_traits(stream)
        self._dialect = _dialect(self._traits, options)
        self._header = _header(self._traits, options)
        self._release = Release.of(self._dialect)
        self._always = [kind for kind in self._dialect.kinds() if _is_unprinted(kind)]
        self._types = _numbers(self._dialect.event_add.record.arrays["attributes"].element)
        self._counts: Counter[str] = Counter()
        self._unknown: Counter[str] = Counter()
        self._has_stiffness = False
        self._is_cut = False

    def pieces(self, progress: Progress) -> Iterator[bytes]:
        """Yield the bytes of the recording. Raises `ReportError`, `Cancelled`, `OSError`."""
        yield self._header
        with self._source.open("rb") as stream:
            reader = InfoReader(stream, self._traits)
            before: ReportFrame | None = None
            for number, frame in enumerate(reader.frames(), 1):
                if before is not None:
                    yield self._frame(before, frame.elapsed - before.elapsed)
                before = frame
                if number % _BETWEEN_UPDATES == 0:
                    progress.update(number, max(number, self._traits.frames))
            if before is not None:
                yield self._frame(before, -1.0)
        self._unknown += reader.left_out
        self._is_cut = reader.is_cut

    # --- frames -----------------------------------------------------------------------------------------

    def _frame(self, frame: ReportFrame, duration: float) -> bytes:
        if duration == 0:
            self._counts["steps"] += 1
        packets: list[tuple[int, bytes]] = []
        start = {"frame_id": frame.frame_id, "duration": duration, "elapsed": frame.elapsed}
        packets.append((0, encode(self._dialect.packet(0), [start])))
        turns: dict[int, tuple[float, ...]] = {}
        if any(packet.name == self._dialect.event_add.name for packet in frame.packets):
            turns = _turns_of(frame)
        for packet in frame.packets:
            kind = self._dialect.by_name(packet.name)
            if kind is None:
                self._unknown[packet.name] += len(packet.records)
                continue
            try:
                packets.append((kind.id, self._body(kind, packet, turns)))
            except FieldError as error:
                raise ReportError(
                    say("In the packet of line {line:,}: {reason}", line=packet.line, reason=error.message)
                ) from None
        packets.append((1, b""))
        for kind in self._always:
            if all(packet_id != kind.id for packet_id, _ in packets):
                body = b"\0\0"
                if kind.body == "single":
                    body = np.float64(frame.elapsed).tobytes()
                packets.insert(insertion_index(self._dialect, packet_ids(packets), kind.id), (kind.id, body))
        return b"".join([packet_bytes(packet_id, body) for packet_id, body in packets])

    def _body(self, kind: PacketType, packet: ReportPacket, turns: Mapping[int, tuple[float, ...]]) -> bytes:
        if kind is self._dialect.event_add:
            return encode(kind, [self._birth(record, turns) for record in packet.records])
        self._counts[kind.name] += len(packet.records)
        arrays = kind.record.arrays
        if "bones" in arrays:
            return encode(kind, [_skeleton(record) for record in packet.records])
        if "wheels" in arrays:
            self._has_stiffness = len(arrays["wheels"].element.fields) > _WHEEL_FIELDS
            return encode(kind, [_physics(kind.record, record) for record in packet.records])
        table = _table(kind, packet.records)
        if kind.body == "single":
            return table.tobytes()
        return encode_array(kind, table)

    def _birth(self, record: dict[str, Any], turns: Mapping[int, tuple[float, ...]]) -> dict[str, Any]:
        """Return a record of EventAdd with what the text does not have."""
        self._counts["births"] += 1
        turn = turns.get(record["id"])
        if turn is None:
            self._counts["turns"] += 1
            turn = (0.0, 0.0, 0.0)
        blueprint = record["blueprint"]
        uid = 0
        if not blueprint.startswith("traffic.") and blueprint != "spectator":
            uid = self._release.uid(blueprint) or 0
            if not uid:
                self._counts["uids"] += 1
        attributes = []
        for attribute in record["attributes"]:
            type_ = attribute_type(attribute["id"], attribute["value"])
            attributes.append(
                {"type": self._types.get(type_, 0), "id": _text(attribute["id"]), "value": _text(attribute["value"])}
            )
        roll, pitch, yaw = turn
        return {
            **record,
            "blueprint": _text(blueprint),
            "rotation": {"roll": roll, "pitch": pitch, "yaw": yaw},
            "uid": uid,
            "attributes": attributes,
        }

    # --- what is not told -------------------------------------------------------------------------------

    def remarks(self) -> list[str]:
        """Return sentences on what the text does not tell; the recording was made."""
        births = self._counts["births"]
        remarks = [
            say("Written as {title}. Numbers have the six digits of the text.", title=self._dialect.title),
            say_count(
                "Uid and types of attributes of 1 new actor are those of the catalogue; uids not known: {uids:,}.",
                "Uids and types of attributes of {count:,} new actors are those of the catalogue; uids not known: "
                "{uids:,}.",
                count=births,
                uids=self._counts["uids"],
            ),
            say_count(
                "Rotations of new actors are those of their first Position; 1 actor has none.",
                "Rotations of new actors are those of their first Position; {count:,} actors have none.",
                count=self._counts["turns"],
            ),
        ]
        for kind in self._always:
            if kind.body == "single":
                remarks.append(say("{name} is not in the text; it is the time of the frame.", name=kind.name))
            elif kind.lifetime != "event":
                remarks.append(say("{name} is not in the text; each frame has an empty one.", name=kind.name))
        sentences = {
            "PhysicsControl": N_("Records of PhysicsControl with wheels of the default stiffness: {count:,}."),
            "SceneLight": N_("Records of SceneLight that get alpha 1 and no group: {count:,}."),
            "VehicleDoor": N_("Records of VehicleDoor that are taken for doors that open: {count:,}."),
            "steps": N_("Frames with the time of the next one, since the text has six digits: {count:,}."),
        }
        if not self._has_stiffness:
            del sentences["PhysicsControl"]
        for key, sentence in sentences.items():
            if self._counts[key]:
                remarks.append(say(sentence, count=self._counts[key]))
        for title, number in self._unknown.items():
            remarks.append(say("Records of “{title}” that are left out: {count:,}.", count=number, title=title))
        if self._is_cut:
            remarks.append(say("The text has no end: a frame that it ends in is left out."))
        return remarks


def _dialect(traits: ReportTraits, options: ReportOptions) -> Dialect:
    """Return the dialect to write: the chosen one, else that of the release that the text shows."""
    if options.dialect is not None:
        return DIALECTS[options.dialect]
    name = "ue4-0.9.6"
    if traits.family == "newest":
        name = "ue4-2026" if traits.version > 1 else "ue5-2026"
    elif traits.family == "0.9.15":
        name = "ue4-0.9.15"
        if "VehicleDoor" in traits.titles:
            name = "ue4-0.9.16" if traits.version > 1 else "ue4-doors"
        if traits.is_unreal_5:
            name = "ue5-0.10.0"
    elif traits.family != "0.9.6":
        name = "ue4-0.9.12"
        if _is_older(traits):
            name = "ue4-0.9.10"
        if "WalkerBones" in traits.titles:
            name = "ue4-0.9.14"
    return DIALECTS[name]


def _is_older(traits: ReportTraits) -> bool:
    """Whether a report is of 0.9.10 or 0.9.11: sensors have a class, and some vehicles other names, since 0.9.12."""
    before = Release.of(DIALECTS["ue4-0.9.10"])
    since = Release.of(DIALECTS["ue4-0.9.12"])
    for vehicle in traits.vehicles:
        if since.model_of(vehicle) is None and before.model_of(vehicle) is not None:
            return True
    return traits.has_old_sensors


def _header(traits: ReportTraits, options: ReportOptions) -> bytes:
    """Return the file header. Raises `ReportError`."""
    try:
        moment = time.strptime(traits.date, "%m/%d/%y %H:%M:%S")
        if options.utc:
            date = calendar.timegm(moment)
        else:
            date = int(time.mktime(moment))
    except (ValueError, OverflowError):
        raise ReportError(say("Line 3: “{text}” is not a date as 11/23/21 14:08:48.", text=traits.date[:80])) from None
    try:
        return FileHeader(version=traits.version, date=date, map_name=_text(traits.map_name)).encode()
    except FieldError as error:
        raise ReportError(error.message) from None


def _is_unprinted(kind: PacketType) -> bool:
    """Whether recorders write a packet in every frame without a title in the text."""
    if kind.presence != "always" or kind.additional or kind.lifetime == "structural":
        return False
    return not kind.reported or kind.lifetime == "event"


def _numbers(element: Struct) -> dict[str, int]:
    """Return the numbers of the types of attributes, by their names."""
    choices = element.fields["type"].choices or {}
    return {name: number for number, name in choices.items()}


def _turns_of(frame: ReportFrame) -> dict[int, tuple[float, ...]]:
    """Return roll, pitch and yaw by actor, of a frame."""
    turns: dict[int, tuple[float, ...]] = {}
    for packet in frame.packets:
        if packet.name == "Position":
            for actor, _, _, _, *turn in packet.records:
                turns[actor] = tuple(turn)
    return turns


def _text(text: str) -> str | bytes:
    """Return a text, or its bytes if they are not UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape")
    return text


def _skeleton(record: dict[str, Any]) -> dict[str, Any]:
    bones = []
    for bone in record["bones"]:
        roll, pitch, yaw = bone["rotation"]
        rotation = {"roll": roll, "pitch": pitch, "yaw": yaw}
        bones.append({"name": _text(bone["name"]), "location": bone["location"], "rotation": rotation})
    return {"id": record["id"], "bones": bones}


def _physics(struct: Struct, record: dict[str, Any]) -> dict[str, Any]:
    """Return physics with the default of what the text does not have of wheels."""
    element = struct.arrays["wheels"].element
    wheels = [element.default_record() | wheel for wheel in record["wheels"]]
    return struct.default_record() | record | {"wheels": wheels}


def _table(kind: PacketType, records: list[Any]) -> StructuredArray:
    """Return records of fixed size; fields that came later have their defaults. Raises `FieldError`."""
    assert kind.dtype is not None
    table = np.zeros(len(records), kind.dtype)
    columns = list(zip(*records, strict=True))
    for index, field in enumerate(kind.record.fields.values()):
        if index >= len(columns):
            if field.default is not None:
                table[field.path] = field.default
            continue
        values = columns[index]
        limits = INTEGER_RANGES.get(field.type)
        if limits is not None and not (limits[0] <= min(values) and max(values) <= limits[1]):
            raise FieldError(say("{label}: a number is too large or too small.", label=field.label))
        with np.errstate(over="ignore"):
            table[field.path] = values
        if limits is None:
            doubles = np.array(values, np.float64)
            if (np.isinf(table[field.path]) & np.isfinite(doubles)).any():
                raise FieldError(say("{label}: a number is too large or too small.", label=field.label))
    return table
