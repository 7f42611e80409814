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
from ..texts import N_count, Plural, field_title, listed, say, value_name
from .actors.rewrite import label_of, name_of, refuse_other_kinds
from .block_rewrite import frames_within, patch_blocks
from .intents import edit_of, over_frames, seconds
from .packets import insert_packet
from .records import RecordSelection, SelectedRecords
from .rows import raw_packets, with_packets

Mode = Literal["set", "add", "remove"]

_MODES: Mapping[Mode, Plural] = {
    "set": N_count(
        "Set lights of {actors}: {lamps}, in 1 frame", "Set lights of {actors}: {lamps}, over {count:,} frames"
    ),
    "add": N_count(
        "Switch on lights of {actors}: {lamps}, in 1 frame",
        "Switch on lights of {actors}: {lamps}, over {count:,} frames",
    ),
    "remove": N_count(
        "Switch off lights of {actors}: {lamps}, in 1 frame",
        "Switch off lights of {actors}: {lamps}, over {count:,} frames",
    ),
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
    """Return the edit that gives traffic lights a state over frames.

    No records are added: the recorder writes every light in every frame.

    Args:
        recording: The recording, which is not changed.
        lives: The traffic lights.
        state: Code or name: red, yellow, green, off, unknown.
        frames: Frame indices; None: all.
        frozen: Whether the time in the state stands still; None: unchanged.
        elapsed: Seconds in the state in the first frame, which count up unless `frozen` is set; None: unchanged.
        progress: Reports progress and cancels.

    Raises:
        EditError: An actor is no traffic light, or the frames hold no records of them.
        NothingToDo: The lights are like that already.
        FieldError: The time does not fit.
        Cancelled: The user cancelled.
    """
    snapshot = recording.snapshot
    refuse_other_kinds(lives)
    code = _state(state)
    for life in lives:
        if life.class_ != "traffic light":
            raise EditError(say("{actor} is not a traffic light.", actor=name_of(life)))
    within = frames_within(snapshot, frames)
    times = snapshot.elapsed
    start = 0.0
    if len(within):
        start = float(times[within.start])

    def change(records: SelectedRecords) -> Bytes:
        values = records.values.copy()
        values[:, records.place("state")] = code
        if frozen is not None:
            values[:, records.place("frozen")] = int(frozen)
        if elapsed is not None:
            with np.errstate(all="ignore"):
                passed = np.zeros(len(records))
                if not frozen:
                    passed = times[records.frames] - start
                stored = (passed + elapsed).astype("<f4")
            if not np.isfinite(stored).all():
                raise FieldError(say("The time in a state is a number of seconds that 32 bits hold."), field="elapsed")
            values[:, records.place("elapsed")] = as_bytes(stored)
        return values

    state_name = LIGHT_STATES[code].lower()
    splices = _over(snapshot, lives, within, packet="State", change=change, progress=progress)
    label = over_frames(
        say("Set {actors} to {state}", actors=label_of(lives), state=value_name(state_name)), len(within)
    )
    return edit_of(
        snapshot,
        "set_traffic_lights",
        label,
        splices,
        lives,
        state=state_name,
        frozen=frozen,
        elapsed=elapsed,
        **seconds(snapshot, frames and within),
    )


def _state(state: int | str) -> int:
    """Return the code of a state; raises `EditError` for another one."""
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
    """Return the edit that sets the lights of vehicles over frames.

    No records are added: the recorder writes every vehicle in every frame.

    Args:
        recording: The recording, which is not changed.
        lives: The vehicles.
        mask: Bits of VehicleLight (format reference 4.10).
        frames: Frame indices; None: all.
        mode: Whether the lights become those of the mask, or those of the mask are switched on (`add`) or off
            (`remove`).
        progress: Reports progress and cancels.

    Raises:
        EditError: The release has no vehicle lights, or the frames hold no records of the vehicles.
        NothingToDo: The lights are like that already.
        FieldError: The mask does not fit.
        Cancelled: The user cancelled.
    """
    refuse_other_kinds(lives)
    snapshot = recording.snapshot
    if mode not in _MODES:
        raise EditError(say("Lights are set, added or removed, not {mode!r}.", mode=mode))
    if not 0 <= mask <= _MAX_LIGHTS:
        raise FieldError(say("{mask:,} does not fit the lights: they are 32 bits.", mask=mask), field="lights")
    within = frames_within(snapshot, frames)

    def change(records: SelectedRecords) -> Bytes:
        lights = records.column("lights")
        bits = np.full_like(lights, mask)
        if mode == "add":
            bits = lights | bits
        elif mode == "remove":
            bits = lights & ~bits
        values = records.values.copy()
        values[:, records.place("lights")] = as_bytes(bits.astype(lights.dtype))
        return values

    splices = _over(snapshot, lives, within, packet="VehicleLight", change=change, progress=progress)
    label = say(_MODES[mode], actors=label_of(lives), lamps=_lamps(mask), count=len(within))
    return edit_of(
        snapshot,
        "set_vehicle_lights",
        label,
        splices,
        lives,
        mask=mask,
        mode=mode,
        **seconds(snapshot, frames and within),
    )


def _lamps(mask: int) -> str:
    """Return the names of lights in a label."""
    if not mask:
        return say("none")
    names: list[str] = []
    for bit, name in VEHICLE_LIGHTS.items():
        if mask & bit:
            names.append(value_name(name))
    return listed(names) or f"0x{mask:x}"


# --- both -----------------------------------------------------------------------------------------------


def _over(
    snapshot: Snapshot,
    lives: Sequence[Life],
    within: range,
    packet: str,
    change: Callable[[SelectedRecords], Bytes],
    progress: Progress,
) -> tuple[Splice, ...]:
    """Return the splices that change records.

    Args:
        snapshot: The recording.
        lives: The lives.
        within: Frame indices.
        packet: The name of the packet.
        change: Returns the new bytes of records.
        progress: Reports progress and cancels.
    """
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
    lives_by_index: dict[int, Life] = {}
    spans: dict[int, range] = {}
    for life in lives:
        lives_by_index[life.index] = life
        spans[life.index] = life.within(within)
    chosen = RecordSelection(lives_by_index, spans)
    seen = 0

    def visit(block: FrameBlock) -> BoolArray:
        nonlocal seen
        touched = np.zeros(len(block), np.bool_)
        for records in chosen.find(block, snapshot.table.frame_of_row(block.first), kind):
            seen += len(records)
            changed = records.put(change(records))
            touched[records.rows[changed]] = True
        return touched

    splices: tuple[Splice, ...] = ()
    if len(chosen):
        splices = patch_blocks(snapshot, chosen.frames, visit, progress)
    if splices:
        return splices
    if seen:
        raise NothingToDo(say("The lights are like that already."))
    raise EditError(say("These frames hold no {name} of these actors.", name=kind.name))


# --- weather --------------------------------------------------------------------------------------------


def set_weather(
    recording: RecordingLike, values: Mapping[str, float], frames: range | None = None, *, progress: Progress = SILENT
) -> Edit:
    """Return the edit that changes the weather over frames.

    The first frame gets the present weather with these values, changes within the range keep their other values, and
    the frame after the range restores the recorded weather. Without weather before the range all values are needed, and
    nothing is restored.

    Args:
        recording: The recording, which is not changed.
        values: By field of Weather, in its units.
        frames: Frame indices; None: all.
        progress: Reports progress and cancels.

    Raises:
        EditError: The release records no weather, or names are unknown or missing.
        NothingToDo: The weather is like that already.
        FieldError: A value does not fit.
        Cancelled: The user cancelled.
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
    within = frames_within(snapshot, frames)
    if not len(within):
        raise EditError(say("The range holds no frames."))
    actors = Actors.of(snapshot)
    table = snapshot.table
    first = table.row_of_frame(within[0])
    last = table.row_of_frame(within[-1])
    is_weather = actors.events["kind"] == EVENT_KINDS.index("weather")
    weather_rows = actors.events[is_weather]["row"]
    inside = np.unique(weather_rows[(weather_rows >= first) & (weather_rows <= last)]).tolist()
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
    label = over_frames(say("Set {names}", names=names), len(within))
    return edit_of(
        snapshot,
        "set_weather",
        label,
        splices,
        lives=None,
        values={name: float(value) for name, value in values.items()},
        **seconds(snapshot, frames and within),
    )


def _patches(kind: PacketType, values: Mapping[str, float]) -> dict[int, bytes]:
    """Return the bytes of each value, by offset in a record."""
    fields = kind.record.fields
    offsets = {name: 4 * index for index, name in enumerate(fields)}
    if not values:
        raise EditError(say("The weather is like that already; change a value first."))
    for name in values.keys() - fields.keys():
        raise EditError(
            say("{name} is not a value of the weather; there are {names}.", name=name, names=listed(fields))
        )
    for name, value in values.items():
        if not math.isfinite(value):
            raise FieldError(say("{label} takes a number.", label=fields[name].label), field=name)
    patches: dict[int, bytes] = {}
    for name, value in values.items():
        patches[offsets[name]] = pack_value(fields[name], float(value))
    return patches


def _with_values(record: bytes, patches: Mapping[int, bytes]) -> bytes:
    """Return a record with bytes at some offsets overwritten."""
    changed = bytearray(record)
    for offset, raw in patches.items():
        changed[offset : offset + len(raw)] = raw
    return bytes(changed)


def _complete(kind: PacketType, before: bytes | None, patches: Mapping[int, bytes]) -> bytes:
    """Return the weather before with new values; without one all values are needed."""
    if before is None:
        missing: list[str] = []
        for index, name in enumerate(kind.record.fields):
            if 4 * index not in patches:
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
    """Return the splices that set values in the weather records of a row; none if they have them."""
    frame = snapshot.row(row)
    packets = raw_packets(frame)
    for packet in frame.packets:
        if packet.id != kind.id:
            continue
        body = packet.body[:2]
        for ordinal in range(len(packet.decoded)):
            body += _with_values(packet.decoded.raw(ordinal), patches)
        packets[packet.index] = (packet.id, body + packet.body[len(body) :])
    if packets == raw_packets(frame):
        return ()
    return with_packets(snapshot, row, packets, "").splices
