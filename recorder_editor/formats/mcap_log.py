"""Log entries of MCAP files, as Foxglove has them. Needs the extra `[mcap]`."""

import math
from io import BytesIO
from typing import TYPE_CHECKING, cast

import numpy as np
from foxglove_schemas_protobuf.Log_pb2 import Log
from google.protobuf.timestamp_pb2 import Timestamp
from mcap_protobuf.schema import register_schema

from ..reading import Life, short_blueprint
from ..reading.events import Events
from ..recording import Snapshot
from .mcap_file import McapFile
from .mcap_values import log_times, utf8_text

if TYPE_CHECKING:
    from mcap.writer import Writer

TRAFFIC = "/traffic_events"
"""The channel of traffic events."""

_CHUNK = 1 << 20


def stamp_of(time: int) -> Timestamp:
    """Return a time (ns) as protobuf has it."""
    return Timestamp(seconds=time // 10**9, nanos=time % 10**9)


def label_of(actor: int, life: Life | None) -> str:
    """Return id, blueprint and role of an actor; without a life the id alone."""
    if life is None:
        return str(actor)
    return utf8_text(f"{actor} {short_blueprint(life.blueprint)} {life.role_name}".strip())


def log_entry(time: int, level: Log.Level.ValueType, name: str, message: str) -> bytes:
    """Return a log entry.

    Args:
        time: Its time, ns.
        level: One of the levels of `Log`.
        name: The kind of what it tells.
        message: What it tells.
    """
    entry = Log(timestamp=stamp_of(time), level=level, name=name, message=utf8_text(message))
    data: bytes = entry.SerializeToString()
    return data


def event_entry(events: Events, row: int, time: int) -> bytes:
    """Return a traffic event as a log entry, in English: who, what its value is, and in which frames it lasts.

    Kinds that are frequent are informations, the others warnings.

    Args:
        events: The events.
        row: The row of the event.
        time: The time of its worst moment, ns.
    """
    kind = events.kind(row)
    event = events.table[row]
    lives = [events.life(row)]
    other = events.other(row)
    if other is not None:
        lives.append(other)
    names = " - ".join(label_of(life.actor, life) for life in lives)
    value = ""
    if math.isfinite(event["value"]):
        value = f"{kind.value_text} {event['value']:.3f} {kind.unit}, "
    frames = f"frames {event['first'] + 1} to {event['last'] + 1}"
    level = Log.INFO if kind.is_frequent else Log.WARNING
    return log_entry(time, level, name=kind.name, message=f"{names}: {value}{frames}")


def log_of_events(snapshot: Snapshot, events: Events) -> bytes:
    """Return an MCAP with a log entry for each event, at its worst moment.

    Raises:
        ScenarioError: As `log_times`.
    """
    rows = np.argsort(events.table["worst"], kind="stable")
    times: list[int] = []
    if len(rows):
        times = log_times(snapshot, events.table["worst"][rows].astype(np.int64)).tolist()
    stream = BytesIO()
    file = McapFile(stream, _CHUNK)
    file.start(library="recorder-editor")
    schema = register_schema(cast("Writer", file), Log)
    channel = file.register_channel(TRAFFIC, "protobuf", schema)
    entries = []
    for row, time in zip(rows.tolist(), times, strict=True):
        entries.append((channel, time, event_entry(events, row, time)))
    file.add_messages(entries)
    file.finish()
    return stream.getvalue()
