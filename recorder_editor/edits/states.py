"""Edits of states over a range of frames: traffic lights, vehicle lights, weather.

Traffic lights and vehicle lights are recorded in every frame, so their records in the range are changed. The weather is
recorded when it changes, so a range begins and ends with a packet of its own.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np

from ..arrays import BoolArray
from ..errors import EditError, FieldError, NothingToDo
from ..format import LIGHT_STATES, VEHICLE_LIGHTS, PacketType, pack_value
from ..progress import SILENT, Progress
from ..reading import Actors, Life
from ..reading.actors import EVENT_KINDS
from ..recording import Bytes, Edit, FrameBlock, Place, RecordingLike, Snapshot, Splice
from ..recording.blocks import as_bytes
from ..texts import N_, field_title, listed, say, value_name
from .actors.rewrite import label_of, name_of
from .block_rewrite import frames_within, patch_blocks
from .intents import edit_of, seconds
from .packets import insert_packet
from .records import RecordSelection, SelectedRecords
from .rows import raw_packets, with_packets

Mode = Literal["set", "add", "remove"]

_MODES: Mapping[Mode, str] = {
    "set": N_("Set lights of {actors}: {lamps}, over {frames:,} frames"),
    "add": N_("Switch on lights of {actors}: {lamps}, over {frames:,} frames"),
    "remove": N_("Switch off lights of {actors}: {lamps}, over {frames:,} frames"),
}
_MAX_LIGHTS = 0xFFFFFFFF


# --- traffic lights -------------------------------------------------------------------------------------


def set_traffic_lights(
    recording: RecordingLike,
    lives: Sequence[Life],
    state: int | str,
    frames: range | None = None,
    *,
    frozen: bool | None = None,
    elapsed: float | None = None,
    progress: Progress = SILENT,
) -> Edit:
    """The edit that gives traffic lights a state (code or name: red, yellow, green, off, unknown) over frames.

    `elapsed` are the seconds in the state in the first frame, which count up unless `frozen` is set. None leaves both
    unchanged. No records are added: the recorder writes every light in every frame. Raises `EditError` for actors that
    are no traffic lights and if there is nothing to change.
    """
    snapshot = recording.snapshot
    code = _state(state)
    for life in lives:
        if life.class_ != "traffic light":
            raise EditError(say("{actor} is not a traffic light.", actor=name_of(life)))
    within = _within(snapshot, frames)
    times = snapshot.elapsed
    if len(within):
        start = float(times[within.start])
    else:
        start = 0.0

    def change(found: SelectedRecords) -> Bytes:
        made = found.values.copy()
        made[:, found.place("state")] = code
        if frozen is not None:
            made[:, found.place("frozen")] = int(frozen)
        if elapsed is not None:
            with np.errstate(all="ignore"):
                if frozen:
                    counted = np.zeros(len(found))
                else:
                    counted = times[found.frames] - start
                stored = (counted + elapsed).astype("<f4")
            if not np.isfinite(stored).all():
                raise FieldError(say("The time in a state is a number of seconds that 32 bits hold."), field="elapsed")
            made[:, found.place("elapsed")] = as_bytes(stored)
        return made

    named = LIGHT_STATES[code].lower()
    given: dict[str, object] = {"state": named, "frozen": frozen, "elapsed": elapsed}
    given |= seconds(snapshot, frames and within)
    splices = _over(snapshot, lives, within, "State", change, progress)
    label = say(
        "Set {actors} to {state} over {frames:,} frames",
        actors=label_of(lives),
        state=value_name(named),
        frames=len(within),
    )
    return edit_of(snapshot, "set_traffic_lights", label, splices, lives, **given)


def _state(state: int | str) -> int:
    names = {name.lower(): code for code, name in LIGHT_STATES.items()}
    if isinstance(state, str):
        code = names.get(state.lower())
    else:
        code = state
    if code not in LIGHT_STATES:
        raise EditError(say("A traffic light is {names}; it is never {state!r}.", names=listed(names), state=state))
    return code


# --- vehicle lights -------------------------------------------------------------------------------------


def set_vehicle_lights(
    recording: RecordingLike,
    lives: Sequence[Life],
    mask: int,
    frames: range | None = None,
    *,
    mode: Mode = "set",
    progress: Progress = SILENT,
) -> Edit:
    """The edit that sets vehicles' lights to a mask over frames, switches those of the mask on (`add`) or off
    (`remove`).

    The bits are those of VehicleLight (format reference 4.10). No records are added: the recorder writes every vehicle
    in every frame. Raises `EditError` for releases without vehicle lights and if there is nothing to change,
    `FieldError` for a mask that does not fit.
    """
    snapshot = recording.snapshot
    if mode not in _MODES:
        raise EditError(say("Lights are set, added or removed, not {mode!r}.", mode=mode))
    if not 0 <= mask <= _MAX_LIGHTS:
        raise FieldError(say("{mask:,} does not fit the lights: they are 32 bits.", mask=mask), field="lights")
    within = _within(snapshot, frames)

    def change(found: SelectedRecords) -> Bytes:
        made = found.values.copy()
        lights = found.column("lights")
        bits = np.full_like(lights, mask)
        switched = {"set": bits, "add": lights | bits, "remove": lights & ~bits}[mode]
        made[:, found.place("lights")] = as_bytes(switched.astype(lights.dtype))
        return made

    names = []
    for bit, name in VEHICLE_LIGHTS.items():
        if mask & bit:
            names.append(value_name(name))
    lamps = listed(names) or (f"0x{mask:x}" if mask else say("none"))
    given: dict[str, object] = {"mask": mask, "mode": mode, **seconds(snapshot, frames and within)}
    splices = _over(snapshot, lives, within, "VehicleLight", change, progress)
    label = say(_MODES[mode], actors=label_of(lives), lamps=lamps, frames=len(within))
    return edit_of(snapshot, "set_vehicle_lights", label, splices, lives, **given)


# --- both -----------------------------------------------------------------------------------------------


def _within(snapshot: Snapshot, frames: range | None) -> range:
    """The frames within the recording; None: all."""
    return frames_within(snapshot, range(len(snapshot)) if frames is None else frames)


def _over(
    snapshot: Snapshot,
    lives: Sequence[Life],
    within: range,
    packet: str,
    change: Callable[[SelectedRecords], Bytes],
    progress: Progress,
) -> tuple[Splice, ...]:
    """Splices that change the records of lives in a packet, in these frames."""
    if not lives:
        raise EditError(say("No actor with lights is chosen."))
    kind = snapshot.dialect.by_name(packet)
    if kind is None:
        raise EditError(
            say(
                "{title} records no {packet}; `convert` makes a recording of a newer release of it.",
                title=snapshot.dialect.title,
                packet=packet,
            )
        )
    spans = {life.index: life.within(within) for life in lives}
    chosen = RecordSelection({life.index: life for life in lives}, spans)
    seen = 0

    def visit(block: FrameBlock) -> BoolArray:
        nonlocal seen
        touched = np.zeros(len(block), np.bool_)
        for found in chosen.find(block, snapshot.table.frame_of_row(block.first), kind):
            seen += len(found)
            touched[found.rows[found.put(change(found))]] = True
        return touched

    if len(chosen):
        splices = patch_blocks(snapshot, chosen.frames, visit, progress)
    else:
        splices = ()
    if not splices:
        if seen:
            raise NothingToDo(say("The lights are like that already."))
        raise EditError(say("These frames hold no {name} of these actors.", name=kind.name))
    return splices


# --- weather --------------------------------------------------------------------------------------------


def set_weather(
    recording: RecordingLike, values: Mapping[str, float], frames: range | None = None, *, progress: Progress = SILENT
) -> Edit:
    """The edit that changes the weather over frames: `values` by field of Weather, in its units.

    The first frame gets the present weather with these values, changes within the range keep their other values, and
    the frame after the range restores the recorded weather. Without weather before the range all values are needed, and
    nothing is restored. Raises `EditError` for releases that record no weather, for unknown or missing names,
    `FieldError` for a value that does not fit.
    """
    snapshot = recording.snapshot
    kind = snapshot.dialect.by_name("Weather")
    if kind is None or kind.dtype is None:
        raise EditError(
            say(
                "{title} records no weather; `convert` to ue4-2026 or ue5-2026 makes one that does.",
                title=snapshot.dialect.title,
            )
        )
    patches = _patches(kind, values)
    within = _within(snapshot, frames)
    if not len(within):
        raise EditError(say("The range holds no frames."))
    actors = Actors.of(snapshot)
    table = snapshot.table
    first, last = table.row_of_frame(within[0]), table.row_of_frame(within[-1])
    weather_rows = actors.events[actors.events["kind"] == EVENT_KINDS.index("weather")]["row"]
    inside = sorted({row for row in weather_rows.tolist() if first <= row <= last})
    splices: list[Splice] = []
    for count, row in enumerate(inside):
        progress.check()
        splices += _patched(snapshot, kind, row, patches)
        progress.update(count + 1, len(inside) + 2)
    if first not in inside:
        before = actors.world_at(within[0], own_events=False).weather
        record = _complete(kind, before, patches)
        if record != before:
            splices += insert_packet(snapshot, Place(first), kind.id, b"\x01\x00" + record).splices
    if not splices:
        raise NothingToDo(say("The weather is like that already."))
    if within.stop < len(snapshot):
        # The frame after the range restores the recorded weather, unless it has its own.
        row = table.row_of_frame(within.stop)
        weather = actors.world_at(within.stop, own_events=False).weather
        if row not in weather_rows and weather is not None and _with_values(weather, patches) != weather:
            splices += insert_packet(snapshot, Place(row), kind.id, b"\x01\x00" + weather).splices
    progress.check()
    progress.update(len(inside) + 2, len(inside) + 2)
    names = listed(map(field_title, values))
    label = say("Set {names} over {frames:,} frames", names=names, frames=len(within))
    given: dict[str, object] = {"values": {name: float(value) for name, value in values.items()}}
    return edit_of(snapshot, "set_weather", label, splices, lives=None, **given | seconds(snapshot, frames and within))


def _patches(kind: PacketType, values: Mapping[str, float]) -> dict[int, bytes]:
    """The bytes of each value, by offset in a record."""
    fields = kind.record.fields
    if not values:
        raise EditError(say("The weather is like that already; change a value first."))
    for name in values.keys() - fields.keys():
        raise EditError(
            say("{name} is not a value of the weather; there are {names}.", name=name, names=listed(fields))
        )
    for name, value in values.items():
        if not math.isfinite(value):
            raise FieldError(say("{label} takes a number.", label=fields[name].label), field=name)
    return {4 * list(fields).index(name): pack_value(fields[name], float(value)) for name, value in values.items()}


def _with_values(record: bytes, patches: Mapping[int, bytes]) -> bytes:
    made = bytearray(record)
    for at, raw in patches.items():
        made[at : at + len(raw)] = raw
    return bytes(made)


def _complete(kind: PacketType, before: bytes | None, patches: Mapping[int, bytes]) -> bytes:
    if before is None:
        missing = []
        for number, name in enumerate(kind.record.fields):
            if 4 * number not in patches:
                missing.append(name)
        if missing:
            raise EditError(
                say(
                    "No weather is recorded up to these frames, so all of its values are needed; missing are {names}.",
                    names=listed(missing),
                )
            )
        before = bytes(kind.record.size or 0)
    return _with_values(before, patches)


def _patched(snapshot: Snapshot, kind: PacketType, row: int, patches: Mapping[int, bytes]) -> tuple[Splice, ...]:
    """Splices that set values in the weather records of a row; none if they have them."""
    found = snapshot.row(row)
    packets = raw_packets(found)
    for packet in found.packets:
        if packet.id == kind.id:
            found_here = map(packet.decoded.raw, range(len(packet.decoded)))
            records = b"".join(_with_values(record, patches) for record in found_here)
            packets[packet.index] = (packet.id, packet.body[:2] + records + packet.body[2 + len(records) :])
    if packets == raw_packets(found):
        return ()
    return with_packets(snapshot, row, packets, "").splices
