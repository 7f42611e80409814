"""Any edits in any order, undone, redone, saved and opened again, beside a model that is nothing but bytes."""

import shutil
import struct
import tempfile
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import recorder_editor
from recorder_editor import Edit, Frame, edits
from recorder_editor.edits import Place
from recorder_editor.format.schema import RawFloat
from recorder_editor.recording import recording as recording_module
from recorder_editor.recording import save as save_module
from recorder_editor.recording import writing
from recorder_editor.recording.frames import FRAME
from recorder_editor.recording.packet_search import using
from recorder_editor.recording.save import System
from recorder_editor.recording.store import Store
from tests import builders
from tests.builders import everything

from ..edits import gazes
from ..extent import LONG, examples
from .films import film

DIALECT = "ue4-0.9.15"
HORNS = film(*([builders.packet(gazes.HORN, builders.u16(2) + struct.pack("<IfIf", 7, n, 8, 0.5))] for n in range(3)))
BEGINNINGS = (builders.drive(frames=5, vehicles=3), everything(DIALECT), builders.recording(), HORNS)
NUMBERS = {6: ("rotation.yaw", 28, 24), 8: ("steering", 21, 4), 9: ("speed", 8, 4), gazes.HORN: ("length", 8, 4)}
"""By packet id: a float of four bytes, the size of the record, and where in it the float is."""

anything = st.integers(0, 1 << 16)
floats = st.floats(width=32, allow_nan=False)
bits = st.one_of(st.integers(0, 2**64 - 1), st.sampled_from([0x7FF0000000000001, 0xFFF8000012345678, 0]))


class State(NamedTuple):
    """A recording as it would be saved."""

    header: bytes
    body: bytes

    @property
    def data(self) -> bytes:
        return self.header + self.body


Packets = list[tuple[int, bytes]]


def taken_apart(data: bytes) -> tuple[Packets, bytes]:
    """The whole packets, and what is left."""
    found: Packets = []
    at = 0
    while at + 5 <= len(data):
        number, size = struct.unpack_from("<BI", data, at)
        if at + 5 + size > len(data):
            break
        found.append((number, data[at + 5 : at + 5 + size]))
        at += 5 + size
    return found, data[at:]


def joined(packets: Packets) -> bytes:
    return b"".join(builders.packet(number, body) for number, body in packets)


def sound_frames(body: bytes) -> list[bytes] | None:
    """The frames, or None where the bytes are anything but whole frames one after another."""
    packets, rest = taken_apart(body)
    frames: list[Packets] = []
    is_open = False
    for number, data in packets:
        if (number == 0) == is_open or (number == 0 and len(data) != 24):
            return None
        if number == 0:
            frames.append([])
        frames[-1].append((number, data))
        is_open = not (number == 1 and not data)
    return None if rest or is_open else [joined(frame) for frame in frames]


def records_of(body: bytes, size: int) -> list[bytes] | None:
    """The records of a list whose count and length agree; else None."""
    if len(body) < 2 or len(body) != 2 + size * int.from_bytes(body[:2], "little"):
        return None
    return [body[at : at + size] for at in range(2, len(body), size)]


def listed(records: list[bytes]) -> bytes:
    return len(records).to_bytes(2, "little") + b"".join(records)


class EditingMachine(RuleBasedStateMachine):
    """A recording and the states it went through.

    Attributes: `states` (of the model, oldest first), `now` (index of the present one), `clean` (index of the saved
    one, or None), `gestures` (by which each state was reached), `is_typed` (bytes were typed: there may be damage).
    """

    system = System()
    positional: bool | None = None

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.described = using([gazes.FILE])
        self.described.__enter__()
        self.patches: list[Any] = [
            patch.object(save_module, "System", lambda: self.system),
            patch.object(writing, "_WORTH_A_CALL", 64),
            patch.object(
                recording_module, "Store", partial(Store, state=self.folder / "state", positional=self.positional)
            ),
        ]
        for one in self.patches:
            one.start()

    def teardown(self) -> None:
        if hasattr(self, "recording"):
            self.recording.close()
        files = sorted(entry.name for entry in self.folder.iterdir() if entry.is_file())
        leftover = list((self.folder / "state").rglob("*.bytes"))
        for one in self.patches:
            one.stop()
        self.described.__exit__(None, None, None)
        shutil.rmtree(self.folder)
        assert set(files) <= {"0.log", "1.log", "2.log"}
        assert leftover == []

    @initialize(data=st.sampled_from(BEGINNINGS))
    def begin(self, data: bytes) -> None:
        path = self.folder / "0.log"
        path.write_bytes(data)
        self.open(path, data)

    def open(self, path: Path, data: bytes) -> None:
        self.recording = recorder_editor.open(path, dialect=DIALECT)
        length = len(self.recording.snapshot.header_bytes)
        assert length in (0, len(builders.header()), len(builders.header(map_name="Town01_Opt")))
        self.states = [State(data[:length], data[length:])]
        self.gestures: list[str | None] = [None]
        self.now = 0
        self.clean: int | None = 0
        self.is_typed = sound_frames(self.state.body) is None

    # --- the model ----------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        return self.states[self.now]

    def apply(self, edit: Edit, state: State, gesture: str | None = None) -> None:
        self.recording.apply(edit, gesture=gesture)
        del self.states[self.now + 1 :], self.gestures[self.now + 1 :]
        if self.clean is not None and self.clean > self.now:
            self.clean = None
        if gesture is not None and self.gestures[self.now] == gesture and self.clean != self.now:
            self.states[self.now] = state
        else:
            self.states.append(state)
            self.gestures.append(gesture)
            self.now += 1

    def apply_at(self, edit: Edit, start: int, stop: int, data: bytes, gesture: str | None = None) -> None:
        """The bytes `[start, stop)` of the recording give way to others."""
        header, length = self.state.header, len(self.state.header)
        body = self.state.body
        state = State(header, body[: start - length] + data + body[stop - length :])
        self.apply(edit, state, gesture)

    def frame(self, number: int) -> tuple[Frame, Packets, bytes]:
        """A frame, its packets as the model has them, and what is left of it behind them."""
        frame = self.recording[number % len(self.recording)]
        packets, rest = taken_apart(self.state.data[frame.offset : frame.offset + frame.size])
        return frame, packets, rest

    def apply_packets(
        self, edit: Edit, frame: Frame, packets: Packets, rest: bytes, gesture: str | None = None
    ) -> None:
        self.apply_at(edit, frame.offset, frame.offset + frame.size, joined(packets) + rest, gesture)

    # --- one frame ----------------------------------------------------------------------------------------

    @precondition(lambda self: len(self.recording) > 0)
    @rule(number=anything, which=anything, value=floats, gesture=st.sampled_from([None, None, "drag", "turn"]))
    def set_a_field(self, number: int, which: int, value: float, gesture: str | None) -> None:
        frame, packets, rest = self.frame(number)
        found = [
            (at, record)
            for at, (one, body) in enumerate(packets)
            if one in NUMBERS
            for record in range(len(records_of(body, NUMBERS[one][1]) or ()))
        ]
        if not found:
            return
        at, record = found[which % len(found)]
        one, body = packets[at]
        path, size, offset = NUMBERS[one]
        edit = edits.set_field(self.recording, Place(frame.row, at, record, path), value)
        place = 2 + record * size + offset
        packets[at] = (one, body[:place] + struct.pack("<f", value) + body[place + 4 :])
        self.apply_packets(edit, frame, packets, rest, gesture)

    @precondition(lambda self: len(self.recording) > 0)
    @rule(number=anything, frame_id=bits, duration=bits, elapsed=bits, only=st.sampled_from(["", "elapsed"]))
    def set_frame_start(self, number: int, frame_id: int, duration: int, elapsed: int, only: str) -> None:
        frame, packets, rest = self.frame(number)
        values = {"frame_id": frame_id, "duration": RawFloat(duration, 64), "elapsed": RawFloat(elapsed, 64)}
        names = [only] if only else list(values)
        edit = edits.set_frame_start(self.recording, frame.row, {name: values[name] for name in names})
        body = bytearray(packets[0][1])
        for name, at, raw in (("frame_id", 0, frame_id), ("duration", 8, duration), ("elapsed", 16, elapsed)):
            if name in names:
                body[at : at + 8] = struct.pack("<Q", raw)
        self.apply_packets(edit, frame, [(0, bytes(body)), *packets[1:]], rest)

    @precondition(lambda self: len(self.recording) > 0)
    @rule(number=anything, at=anything, one=st.sampled_from([6, 77, 100]), body=st.binary(max_size=40))
    def insert_a_packet(self, number: int, at: int, one: int, body: bytes) -> None:
        frame, packets, rest = self.frame(number)
        last = len(packets) - (packets[-1][0] == 1)
        at = 1 + at % max(1, last)
        edit = edits.insert_packet(self.recording, Place(frame.row, at), one, body)
        packets.insert(at, (one, body))
        self.apply_packets(edit, frame, packets, rest)

    @precondition(lambda self: len(self.recording) > 0)
    @rule(number=anything, at=anything, to=anything, what=st.sampled_from(["delete", "duplicate", "move"]))
    def change_packets(self, number: int, at: int, to: int, what: str) -> None:
        frame, packets, rest = self.frame(number)
        inner = [index for index, (one, _) in enumerate(packets) if one not in (0, 1)]
        if not inner:
            return
        at = inner[at % len(inner)]
        where = Place(frame.row, at)
        moved = packets.pop(at)
        if what == "delete":
            edit = edits.delete_packet(self.recording, where)
        elif what == "duplicate":
            edit = edits.duplicate_packet(self.recording, where)
            packets[at:at] = [moved, moved]
        else:
            to = 1 + to % max(1, len(packets) - (packets[-1][0] == 1))
            edit = edits.move_packet(self.recording, where, to)
            packets.insert(to, moved)
        self.apply_packets(edit, frame, packets, rest)

    @precondition(lambda self: len(self.recording) > 0)
    @rule(
        number=anything,
        which=anything,
        to=anything,
        raw=st.binary(min_size=28, max_size=28),
        what=st.sampled_from(["insert", "delete", "duplicate", "move"]),
    )
    def change_records(self, number: int, which: int, to: int, raw: bytes, what: str) -> None:
        frame, packets, rest = self.frame(number)
        found = [at for at, (one, body) in enumerate(packets) if one == 6 and records_of(body, 28)]
        if not found:
            return
        at = found[which % len(found)]
        records = records_of(packets[at][1], 28) or []
        record = to % len(records)
        where = Place(frame.row, at, record)
        if what == "insert":
            edit = edits.insert_record(self.recording, where, raw)
            records.insert(record, raw)
        elif what == "delete":
            edit = edits.delete_record(self.recording, where)
            del records[record]
        elif what == "duplicate":
            edit = edits.duplicate_record(self.recording, where)
            records.insert(record, records[record])
        else:
            to = which % len(records)
            edit = edits.move_record(self.recording, where, to)
            records.insert(to, records.pop(record))
        packets[at] = (6, listed(records))
        self.apply_packets(edit, frame, packets, rest)

    # --- many rows ----------------------------------------------------------------------------------------

    @precondition(lambda self: self.recording.snapshot.rows > 0)
    @rule(first=anything, count=st.integers(1, 3))
    def delete_rows(self, first: int, count: int) -> None:
        snapshot = self.recording.snapshot
        first %= snapshot.rows
        count = min(count, snapshot.rows - first)
        edit = edits.delete_rows(self.recording, first, count)
        self.apply_at(edit, snapshot.position(first), snapshot.position(first + count), b"")

    @precondition(lambda self: 0 < self.recording.snapshot.rows < 40)
    @rule(row=anything, copy_of=anything)
    def duplicate_a_row(self, row: int, copy_of: int) -> None:
        snapshot = self.recording.snapshot
        row, copy_of = row % (snapshot.rows + 1), copy_of % snapshot.rows
        edit = edits.insert_frame(self.recording, row, copy_of)
        data = self.state.data[snapshot.position(copy_of) : snapshot.position(copy_of + 1)]
        self.apply_at(edit, snapshot.position(row), snapshot.position(row), data)

    @rule(row=anything)
    def insert_an_empty_frame(self, row: int) -> None:
        snapshot = self.recording.snapshot
        row %= snapshot.rows + 1
        near = snapshot.row(min(row, snapshot.rows - 1)) if snapshot.rows else None
        values = bytes(24)
        if isinstance(near, Frame):
            values = self.state.data[near.offset + 5 : near.offset + 29]
        elif near is not None:
            return
        edit = edits.insert_frame(self.recording, row)
        at = snapshot.position(row)
        self.apply_at(edit, at, at, builders.packet(0, values) + builders.frame_end())

    @precondition(lambda self: len(self.recording) > 0)
    @rule(start=anything, count=st.integers(1, 5), which=anything, value=floats)
    def set_a_field_over_frames(self, start: int, count: int, which: int, value: float) -> None:
        start %= len(self.recording)
        frame, packets, _ = self.frame(start)
        found = [at for at, (one, _) in enumerate(packets) if one == 6]
        records = (records_of(packets[found[0]][1], 28) if found else None) or []
        if not records:
            return
        actor = records[which % len(records)][:4]
        where = Place(frame.row, found[0], which % len(records), "rotation.yaw")
        frames = range(start, min(start + count, len(self.recording)))
        edit = edits.set_over(self.recording, where, value, frames)
        data = bytearray(self.state.data)
        for index in frames:
            self.overwrite_yaw(data, index, actor, struct.pack("<f", value))
        length = len(self.state.header)
        self.apply(edit, State(bytes(data[:length]), bytes(data[length:])))

    def overwrite_yaw(self, data: bytearray, index: int, actor: bytes, value: bytes) -> None:
        """The last whole, counted record of the actor in the frame's first Position."""
        frame, packets, _ = self.frame(index)
        at = frame.offset
        for one, body in packets:
            if one == 6:
                count = min(int.from_bytes(body[:2], "little"), max(0, len(body) - 2) // 28)
                for record in reversed(range(count)):
                    place = 2 + record * 28
                    if body[place : place + 4] == actor:
                        data[at + 5 + place + 24 : at + 5 + place + 28] = value
                        return
                return
            at += 5 + len(body)

    # --- bytes and the header -----------------------------------------------------------------------------

    @rule(start=anything, count=st.integers(0, 60), data=st.binary(max_size=60))
    def replace_bytes(self, start: int, count: int, data: bytes) -> None:
        length = len(self.state.header)
        start = length + start % (len(self.state.body) + 1)
        self.is_typed = True
        stop = min(start + count, len(self.state.data))
        if start != stop or data:
            self.apply_at(edits.replace_bytes(self.recording, start, stop, data), start, stop, data)

    @precondition(lambda self: self.recording.snapshot.size > len(self.recording.snapshot.header_bytes))
    @rule(start=anything, byte=st.binary(min_size=1, max_size=1))
    def type_a_byte(self, start: int, byte: bytes) -> None:
        start = len(self.state.header) + start % len(self.state.body)
        self.is_typed = True
        self.apply_at(edits.overwrite(self.recording, start, byte), start, start + 1, byte)

    @precondition(lambda self: self.recording.header is not None)
    @rule(map_name=st.sampled_from(["Town01", "Town01_Opt"]), date=st.integers(1_500_000_000, 1_600_000_000))
    def set_the_header(self, map_name: str, date: int) -> None:
        edit = edits.set_header(self.recording, map_name=map_name, date=date)
        self.apply(edit, State(builders.header(map_name=map_name, date=date), self.state.body))

    # --- back, forth and to disk --------------------------------------------------------------------------

    @rule()
    def undo(self) -> None:
        assert (self.recording.undo() is None) == (self.now == 0)
        self.now = max(0, self.now - 1)

    @rule()
    def redo(self) -> None:
        assert (self.recording.redo() is None) == (self.now == len(self.states) - 1)
        self.now = min(self.now + 1, len(self.states) - 1)

    @rule()
    def save(self) -> None:
        self.recording.save()
        self.clean = self.now
        assert self.recording.path.read_bytes() == self.state.data

    @rule(name=st.sampled_from(["0.log", "1.log", "2.log"]))
    def save_as(self, name: str) -> None:
        self.recording.save(self.folder / name, overwrite=True)
        self.clean = self.now
        assert self.recording.path == self.folder / name
        assert (self.folder / name).read_bytes() == self.state.data

    @rule(keep=st.booleans())
    def open_again(self, keep: bool) -> None:
        path = self.recording.path
        if keep:
            self.recording.save()
        data = path.read_bytes()
        assert not keep or data == self.state.data
        self.recording.close()
        self.open(path, data)

    # --- what is always true ------------------------------------------------------------------------------

    @invariant()
    def the_bytes_are_those_of_the_model(self) -> None:
        if hasattr(self, "recording"):
            snapshot = self.recording.snapshot
            assert snapshot.size == len(self.state.data)
            assert snapshot.read(0, snapshot.size) == self.state.data
            assert snapshot.header_bytes == self.state.header
            assert self.recording.is_modified == (self.clean != self.now)

    @invariant()
    def rows_tell_the_same_bytes_and_a_sound_body_is_its_frames(self) -> None:
        if not hasattr(self, "recording"):
            return
        snapshot = self.recording.snapshot
        assert b"".join(snapshot.row(row).data for row in range(snapshot.rows)) == self.state.body
        keys = snapshot.table.column("key").tolist()
        assert len(set(keys)) == len(keys)
        frames = sound_frames(self.state.body)
        kinds = snapshot.table.column("kind").tolist()
        if self.is_typed and kinds.count(FRAME) != len(kinds):
            return  # damage typed into one frame is kept from the next, though a scan of all bytes may see it otherwise
        if snapshot.header is not None:
            assert frames is not None
            assert [frame.data for frame in self.recording] == frames
            for frame, data in zip(self.recording, frames, strict=True):
                assert [(one.id, one.body) for one in frame.packets] == taken_apart(data)[0]


class WindowsMachine(EditingMachine):
    """The same where open files cannot be replaced, a thread has its own handle, and blocks are short."""

    system = System(kernel_copy=False, replaces_open_files=False, block=64)
    positional = False


STEPS = settings(
    max_examples=examples(60),
    stateful_step_count=40 if settings.default.max_examples == LONG else 20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestEditing = EditingMachine.TestCase
TestEditing.settings = STEPS
TestEditingAsOnWindows = WindowsMachine.TestCase
TestEditingAsOnWindows.settings = settings(STEPS, max_examples=examples(30))
