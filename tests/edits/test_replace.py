"""Find and replace: exactly the named fields of exactly the records that match, however a recording is laid out."""

import math
import operator
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import Recording
from recorder_editor.edits.replace import FieldChange, preview, replace_where
from recorder_editor.errors import Cancelled, EditError, FieldError, NothingToDo, RecorderError
from recorder_editor.progress import Progress
from recorder_editor.reading.expression import ExpressionError

from .. import builders as b
from ..extent import examples
from ..recording.films import BIKES, add, delete, film, of_real, opened


def saved(recording: Recording) -> bytes:
    return recording.snapshot.read(0, recording.snapshot.size)


def becomes(before: bytes, text: str, **more: Any) -> bytes:
    """The bytes after the edit; undo and redo are tried, and the preview tells what the edit did."""
    with opened(before) as recording:
        told = preview(recording, text, **more)
        edit = replace_where(recording, text, **more)
        assert saved(recording) == before
        recording.apply(edit)
        after = saved(recording)
        recording.undo()
        assert saved(recording) == before
        recording.redo()
        assert saved(recording) == after
        assert told.changed > 0
        for change in told.changes:
            packet = recording[change.frame_index].packets[change.packet]
            assert repr(packet.decoded.get(change.record, change.field)) == repr(change.after)
        return after


def poses(*records: b.Record) -> bytes:
    return b.packet(6, b.position(list(records)))


def at(actor: int, x: Any = 0.0, y: Any = 0.0, z: Any = 0.0) -> b.Record:
    return b.pose(actor, b.xyz(x, y, z), b.turn(1.0, 2.0, 3.0))


def control(actor: int, gear: int = 1, *, steering: Any = 0.0, brake: Any = 0.5, handbrake: int = 0) -> b.Record:
    return {"id": actor, "steering": steering, "throttle": 0.25, "brake": brake, "handbrake": handbrake, "gear": gear}


# --- which bytes change ---------------------------------------------------------------------------------


def test_the_records_that_match_get_the_value_and_no_other_byte_changes() -> None:
    before = film([poses(at(7, z=-1.0), at(9, z=-2.0))], [poses(at(7, z=5.0), at(9, z=-2.0))], [poses(at(7, z=-3.0))])
    after = film([poses(at(7, z=0.0), at(9, z=-2.0))], [poses(at(7, z=5.0), at(9, z=-2.0))], [poses(at(7, z=0.0))])
    assert becomes(before, "Position where id == 7 and location.z < 0: location.z = 0") == after


def test_values_on_the_right_are_those_before() -> None:
    before, after = film([poses(at(7, 1.0, 2.0, 3.0))]), film([poses(at(7, 2.0, 1.0, 3.0))])
    assert becomes(before, "Position: location.x = location.y, location.y = location.x") == after


def test_a_copied_field_keeps_its_bits() -> None:
    before = film([poses(at(7, b.SIGNALLING_32, b.PAYLOAD_32, -0.0))])
    after = film([poses(at(7, b.PAYLOAD_32, b.SIGNALLING_32, b.PAYLOAD_32))])
    text = "Position: location.x = location.y, location.y = location.x, location.z = location.y"
    assert becomes(before, text) == after


def test_a_number_that_is_none_stays_as_it_is_to_the_bit() -> None:
    before = film([poses(at(7, b.SIGNALLING_32, 2.0), at(8, 1.0))])
    assert becomes(before, "Position: location.x = location.x * 2 + location.y") == film(
        [poses(at(7, b.SIGNALLING_32, 2.0), at(8, 2.0))]
    )


def test_every_packet_of_the_kind_is_meant_and_counts_are_not_believed_beyond_the_body() -> None:
    short = b.packet(6, b.u16(3) + b.position([at(7)])[2:] + b"\x01\x02")
    spare = b.packet(6, b.u16(1) + b.position([at(7), at(7)])[2:])
    before = film([poses(at(7)), short, spare, poses()])
    with opened(before) as recording:
        assert preview(recording, "Position: location.z = 4").matches == 3
        recording.apply(replace_where(recording, "Position: location.z = 4"))
        short = b.packet(6, b.u16(3) + b.position([at(7, z=4.0)])[2:] + b"\x01\x02")
        spare = b.packet(6, b.u16(1) + b.position([at(7, z=4.0), at(7)])[2:])
        assert saved(recording) == film([poses(at(7, z=4.0)), short, spare, poses()])


def test_vectors_of_64_bits_are_as_wide_as_they_are() -> None:
    def wide(*records: b.Record) -> bytes:
        return b.packet(6, b.position(list(records), wide=True))

    before = film([wide(at(7, b.SIGNALLING_64, 0.1), at(8, 3.0, 1e300))])
    after = film([wide(at(7, b.SIGNALLING_64, b.SIGNALLING_64), at(8, 6.0, 3.0))])
    with opened(before, "ue5-0.10.0") as recording:
        told = preview(recording, "Position: location.x = location.x * 2, location.y = location.x")
        assert (told.matches, told.changed) == (2, 2)
        recording.apply(replace_where(recording, "Position: location.x = location.x * 2, location.y = location.x"))
        assert saved(recording) == after


def test_junk_between_frames_and_frames_of_many_packets_stay_in_their_places() -> None:
    many = [b.packet(200, b"x")] * 5000

    def made(z: float) -> bytes:
        frames = [b.frame(n + 1, n * 0.05, 0.05, [*(many if n == 2 else []), poses(at(7, z=z))]) for n in range(5)]
        return b.recording(*frames[:2], b"\xff" * 77, *frames[2:4], b.packet(6, b.position([at(7)])), frames[4])

    with opened(made(0.0)) as recording:
        assert preview(recording, "Position: location.z = 4").frames == 5
        recording.apply(replace_where(recording, "Position where speed != 1: location.z = 4"))
        assert saved(recording) == made(4.0)
        recording.apply(replace_where(recording, "FrameStart where frame == 3: duration = 1"))
        assert [frame.duration for frame in recording] == [0.05, 0.05, 1.0, 0.05, 0.05]


def test_frames_limit_what_is_meant() -> None:
    frames = [[poses(at(7))] for _ in range(6)]
    after = [[poses(at(7, z=1.0))] if index in (2, 3) else [poses(at(7))] for index in range(6)]
    assert becomes(film(*frames), "Position: location.z = 1", frames=range(2, 4)) == film(*after)


def test_the_intent_says_it_in_words_of_any_recording() -> None:
    text = "Position: location.z = 1"
    with opened(film(*([poses(at(7))] for _ in range(6)))) as recording:
        everywhere, part = replace_where(recording, text), replace_where(recording, text, frames=range(2, 4))
    assert everywhere.label == "Set location z of Position in 6 records"
    assert part.label == "Set location z of Position in 2 records"
    assert everywhere.intent is not None
    assert everywhere.intent.operation == "replace_where"
    assert everywhere.intent.arguments == {"text": text}
    assert part.intent is not None
    assert part.intent.arguments == {"text": text, "from": 0.1, "to": pytest.approx(0.15)}


def test_packets_of_few_frames_are_found() -> None:
    frames: list[Sequence[bytes]] = [[poses(at(7))] for _ in range(400)]
    lights = [
        (index, [*frames[index], b.packet(10, b.vehicle_light([{"id": 7, "lights": 3}]))]) for index in (3, 70, 390)
    ]
    dark = [
        (index, [*frames[index], b.packet(10, b.vehicle_light([{"id": 7, "lights": 8}]))]) for index in (3, 70, 390)
    ]
    before = [dict(lights).get(index, frame) for index, frame in enumerate(frames)]
    after = [dict(dark).get(index, frame) for index, frame in enumerate(frames)]
    assert becomes(film(*before), "VehicleLight where lights == Position + LowBeam: lights = Brake") == film(*after)


def test_one_record_without_a_count_is_a_record() -> None:
    before = film([b.packet(14, b.platform_time({"time": 2.0}))], [b.packet(14, b.platform_time({"time": 3.0}))])
    after = film([b.packet(14, b.platform_time({"time": 1.0}))], [b.packet(14, b.platform_time({"time": 3.0}))])
    with opened(before) as recording:
        name = recording.dialect.packet(14).name
    assert becomes(before, f"{name} where time < 2.5: time = time / 2") == after


def test_numbers_and_times_of_frames_are_columns_of_the_table() -> None:
    before = film([poses(at(7))], [poses(at(7))], [poses(at(7))])
    after = b.recording(*(b.frame(n + 1, n * 0.05, 0.5 if n else 0.05, [poses(at(7))]) for n in range(3)))
    assert becomes(before, "FrameStart where frame > 1: duration = 0.5") == after
    with opened(before) as recording:
        edit = replace_where(recording, "FrameStart: elapsed = elapsed * 2, frame_id = frame + 10")
        recording.apply(edit)
        assert [(frame.frame_id, frame.elapsed) for frame in recording] == [(11, 0.0), (12, 0.1), (13, 0.2)]
        assert all(splice.inserted.column("stored").sum() == 0 for splice in edit.splices)


def test_texts_and_numbers_of_long_records_are_set() -> None:
    tesla, ford, walker = "vehicle.tesla.model3", "vehicle.ford.mustang", b.actor(3, 2, "walker.a", uid=3)

    def crew(first: str, second: str, uid: int = 7) -> bytes:
        hero = [b.attribute(3, "role_name", "hero")]
        return film([add(b.actor(1, 1, first, uid=uid), b.actor(2, 1, second, uid=uid, attributes=hero), walker)])

    text = 'EventAdd where blueprint like "vehicle.*": blueprint = "a", uid = uid + 2'
    assert becomes(crew(tesla, ford), text) == crew("a", "a", 9)
    longer = tesla * 40
    assert becomes(crew(tesla, ford), f"EventAdd where role == 'hero': blueprint = '{longer}'") == crew(tesla, longer)


def test_texts_that_are_no_texts_stay() -> None:
    before = film([add(b.actor(1, 1, b.NOT_UTF8), b.actor(2, 1, "b"))])
    assert becomes(before, "EventAdd where id == 2: blueprint = 'c'") == film(
        [add(b.actor(1, 1, b.NOT_UTF8), b.actor(2, 1, "c"))]
    )
    with opened(before) as recording, pytest.raises(EditError, match="already"):
        replace_where(recording, "EventAdd: blueprint = blueprint")


def test_who_it_is_counts_in_its_own_life() -> None:
    car, van = b.actor(1, 1, "vehicle.car"), b.actor(1, 1, "vehicle.van")
    frames = [[add(car), poses(at(1))], [delete(1), poses()], [add(van), poses(at(1))], [poses(at(1), at(2))]]
    after = [frames[0], frames[1], [add(van), poses(at(1, 5.0))], [poses(at(1, 5.0), at(2))]]
    assert becomes(film(*frames), "Position where blueprint == 'vehicle.van': location.x = 5") == film(*after)


def test_speed_is_recorded_or_the_way_of_two_frames() -> None:
    frames = [[poses(at(1, 100.0 * n), at(2, 1.0))] for n in range(5)]
    after = [[poses(at(1, 100.0 * n, z=9.0), at(2, 1.0))] for n in range(5)]
    assert becomes(film(*frames), "Position where speed > 15: location.z = 9") == film(*after)
    motion = {"id": 2, "linear_velocity": b.xyz(3.0, 4.0, 0.0), "angular_velocity": b.xyz()}
    moving = b.packet(12, b.kinematics([motion]))
    both = film(*([*frame, moving] for frame in frames))
    told = film(*([poses(at(1, 100.0 * n), at(2, 1.0, z=9.0)), moving] for n in range(5)))
    assert becomes(both, "Position where speed == 5: location.z = 9") == told


# --- what is refused ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("AnimVehicle: gear = gear / 2", "In frame 1, record 2 of AnimVehicle (actor 8), gear would become 1.5: it "),
        ("AnimVehicle: gear = gear * 1000000000", "gear would become 3000000000: it holds"),
        ("AnimVehicle: id = gear - 3", "(actor 7), id would become -1: it holds 0 to 4,294,967,295."),
        ("AnimVehicle: steering = 0 / steering", "(actor 7), steering would become nan: that is not a number."),
        ("AnimVehicle: steering = 1 / steering", "steering would become inf: that is too large for 32 bits."),
        ("AnimVehicle: steering = 1e30 * gear * 1e30", "steering would become 2e+60: that is too large for 32 bits."),
        ("FrameStart: frame_id = frame - 2", "In frame 1, frame id would become -1: it holds 0 to"),
    ],
)
def test_what_does_not_fit_is_refused_with_frame_record_and_value(text: str, sentence: str) -> None:
    with opened(film([b.packet(8, b.anim_vehicle([control(7, 2), control(8, 3)]))])) as recording:
        for work in (replace_where, preview):
            with pytest.raises(FieldError) as caught:
                work(recording, text)
            assert sentence in caught.value.message
            assert caught.value.frame == 1


def test_a_text_that_is_too_long_is_refused() -> None:
    text = f"EventAdd: blueprint = '{'y' * 40_000}'"
    with opened(film([add(b.actor(1))])) as recording, pytest.raises(ExpressionError, match="too long"):
        replace_where(recording, text)
    # What a file holds already may be longer than the simulator writes it.
    roles = [b.attribute(3, "role_name", "x" * 40_000)]
    held = film([add(b.actor(1, attributes=roles))])
    with opened(held) as recording, pytest.raises(FieldError, match="40,000 bytes long: it holds at most 32,767"):
        replace_where(recording, "EventAdd: blueprint = role")


def test_typed_whole_numbers_beyond_64_bits_are_calculated_exactly() -> None:
    text = "Position: id = (18446744073709551615 - 18446744073709551616) * -0x20000000000000000 - 36893488147419103225"
    assert becomes(film([poses(at(9))]), text) == film([poses(at(7))])


def test_yes_and_no_of_typed_numbers_are_calculated_with_as_exactly() -> None:
    text = "Position: id = 7 + ((1 < 2) + 9007199254740993 == 9007199254740993)"
    assert becomes(film([poses(at(9))]), text) == film([poses(at(7))])


def test_what_no_record_becomes_is_not_held_against_the_field() -> None:
    text = "FrameStart where frame > 9: frame_id = time + 46744073709551615"
    with opened(b.drive(3)) as recording:
        assert preview(recording, text).matches == 0
        with pytest.raises(NothingToDo, match="No record"):
            replace_where(recording, text)


def test_no_match_no_change_and_no_assignment_are_refused() -> None:
    with opened(film([poses(at(7))])) as recording:
        with pytest.raises(EditError, match="No record of Position matches"):
            replace_where(recording, "Position where id == 8: location.z = 1")
        with pytest.raises(EditError, match="holds that already"):
            replace_where(recording, "Position where id == 7: location.z = 0")
        with pytest.raises(EditError, match="Nothing is set"):
            replace_where(recording, "Position where id == 7")
        for kind in ("FrameEnd", "Kinematics", "EventAdd"):
            with pytest.raises((EditError, ExpressionError)):
                replace_where(recording, f"{kind}: id = 1")
        with pytest.raises(EditError, match="No record"):
            replace_where(recording, "Position: location.z = 1", frames=range(5, 9))
    with opened(b.header()) as recording, pytest.raises(EditError, match="No record"):
        replace_where(recording, "Position: location.z = 1")


@pytest.mark.parametrize("text", ["Position: location.z = 1", "EventAdd: uid = 1", "Position where role == '': id = 5"])
def test_cancelled_work_changes_nothing(text: str) -> None:
    before = film(*([add(b.actor(1)), poses(at(7))] for _ in range(5)))
    with opened(before) as recording:
        for work in (replace_where, preview):
            with pytest.raises(Cancelled):
                work(recording, text, progress=Progress(is_cancelled=lambda: True))
        assert saved(recording) == before


# --- the preview ----------------------------------------------------------------------------------------


def test_the_preview_counts_everything_and_lists_the_first() -> None:
    before = film(*([poses(at(7, z=-1.0), at(8, z=n))] for n in range(10)))
    with opened(before) as recording:
        told = preview(recording, "Position where location.z < 5: location.z = 3, location.x = 0", limit=4)
        assert (told.matches, told.frames, told.changed, told.more) == (15, 10, 14, True)
        assert told.changes[:2] == (
            FieldChange(0, 1, 0, 7, "location.z", -1.0, 3.0),
            FieldChange(0, 1, 1, 8, "location.z", 0.0, 3.0),
        )
        assert len(told.changes) == 4
        found = preview(recording, "Position where id == 8")
        assert (found.matches, found.changed, found.more) == (10, 0, False)
        assert found.changes[9] == FieldChange(9, 1, 1, 8, "", "", "")
        assert preview(recording, "Position where id == 9: location.z = 1") == (0, 0, (), False, 0)


def test_progress_rises_to_the_whole() -> None:
    frames: list[Sequence[bytes]] = [[poses(at(7))] if n % 200 < 3 else [] for n in range(1000)]
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        told.append((done, total))

    works: tuple[Callable[..., object], ...] = (replace_where, preview)
    for work in works:
        told.clear()
        with opened(film(*frames)) as recording:
            work(recording, "Position: location.z = 1", progress=Progress(tell))
        assert [done for done, _ in told] == sorted(done for done, _ in told)
        assert told[-1][0] == told[-1][1]


# --- real recordings ------------------------------------------------------------------------------------


@of_real(BIKES)
def test_only_the_named_bytes_of_a_real_recording_change(sound_recording: Path) -> None:
    before = sound_recording.read_bytes()
    with recorder_editor.open(sound_recording) as recording:
        middle = recording[len(recording) // 2].packet("Position")
        assert middle is not None
        actor, height = int(middle.array["id"][-1]), float(middle.array["location.z"][-1])
        expected, wide = bytearray(before), recording.dialect.wide
        assert not wide
        for frame in recording:
            for packet in frame.packets:
                if packet.id != 6:
                    continue
                for record in range(len(packet.decoded)):
                    place = packet.offset + 5 + 2 + 28 * record
                    number, _, _, z = struct.unpack_from("<Ifff", before, place)
                    if number == actor and z <= height:
                        expected[place + 12 : place + 16] = struct.pack("<f", 1234.5)
        text = f"Position where id == {actor} and location.z <= {height!r}: location.z = 1234.5"
        recording.apply(replace_where(recording, text))
        assert saved(recording) == bytes(expected) != before
        assert not recording.findings
        recording.undo()
        assert saved(recording) == before


def test_the_good_part_of_a_damaged_recording_is_edited(damaged_recording: Path) -> None:
    before = damaged_recording.read_bytes()
    with recorder_editor.open(damaged_recording) as recording:
        told = preview(recording, "Position: location.z = 1")
        if told.changed:
            recording.apply(replace_where(recording, "Position: location.z = 1"))
            recording.undo()
        assert saved(recording) == before


# --- any expression, against one that goes record by record -----------------------------------------------

REALS = ("steering", "throttle", "brake")
WHOLE = ("id", "handbrake", "gear", "frame")
Tree = tuple[Any, ...]
NAMES = st.sampled_from([*REALS, *WHOLE]).map(lambda name: ("field", name))
LITERALS = st.one_of(
    st.integers(0, 300), st.floats(0, 500), st.sampled_from([0, 1, 2, 0.5, 0.1, 1e-30, 1e38, 1e300, 4294967295])
).map(lambda number: ("literal", number))


def calculated(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    return st.one_of(
        st.tuples(st.sampled_from("+-*/"), inner, inner),
        st.tuples(st.just("negative"), inner),
        st.tuples(st.sampled_from(["abs", "round"]), inner),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner),
    )


SIMPLE = st.one_of(NAMES, NAMES, LITERALS)
NUMBERS = st.one_of(SIMPLE, calculated(st.one_of(SIMPLE, calculated(SIMPLE))))
COMPARISONS = st.one_of(
    st.tuples(st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), NUMBERS, NUMBERS),
    st.tuples(st.just("in"), NAMES, LITERALS, NUMBERS),
)


def combined(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    return st.one_of(st.tuples(st.sampled_from(["and", "or"]), inner, inner), st.tuples(st.just("not"), inner))


TESTS = st.one_of(COMPARISONS, NAMES)
CONDITIONS = st.one_of(TESTS, combined(st.one_of(TESTS, combined(TESTS))))


def text_of(tree: Tree) -> str:
    kind, *parts = tree
    if kind == "field":
        return str(parts[0])
    if kind == "literal":
        return repr(parts[0])
    texts = [text_of(part) for part in parts]
    if kind == "negative":
        return f"(-{texts[0]})"
    if kind in ("abs", "round"):
        return f"{kind}({texts[0]})"
    if kind in ("min", "max"):
        # Which of two zeros is the smaller one nobody says.
        return f"{kind}({texts[0]} + 1.5, {texts[1]} + 1.5)"
    if kind == "not":
        return f"not ({texts[0]})"
    if kind == "in":
        return f"({texts[0]} in ({texts[1]}, {texts[2]}))"
    return f"({texts[0]} {kind} {texts[1]})"


def is_typed(tree: Tree) -> bool:
    return tree[0] == "literal" or (tree[0] != "field" and all(is_typed(part) for part in tree[1:]))


def number_in(value: Any) -> int | float:
    if isinstance(value, b.Bits32):
        (number,) = struct.unpack("<f", struct.pack("<I", value.bits))
        return float(number)
    return float(np.float32(value)) if isinstance(value, float) else int(value)


def divided(left: float, right: float) -> float:
    if right != 0:
        return left / right
    if left == 0 or math.isnan(left):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def lesser(left: float, right: float) -> float:
    return math.nan if math.isnan(left) or math.isnan(right) else min(left, right)


def greater(left: float, right: float) -> float:
    return math.nan if math.isnan(left) or math.isnan(right) else max(left, right)


def rounded(value: float) -> float:
    return math.copysign(float(round(value)), value) if math.isfinite(value) else value


ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": divided,
    "min": lambda left, right: lesser(left + 1.5, right + 1.5),
    "max": lambda left, right: greater(left + 1.5, right + 1.5),
}
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Refused(Exception):
    pass


def number_of(tree: Tree, record: b.Record, *, whole: bool = False) -> int | float:
    """What a tree is worth for one record, in Python's own floats; for a `whole` field, none that is not exact."""
    kind, *parts = tree
    if kind == "field":
        return number_in(record[parts[0]])
    if kind == "literal":
        return int(parts[0]) if isinstance(parts[0], int) else float(parts[0])
    values = [number_of(part, record, whole=whole) for part in parts]
    if kind == "negative":
        # A typed whole number stays one, and has no -0.
        return -values[0] if is_typed(parts[0]) else -float(values[0])
    if kind in ("+", "-", "*", "abs", "round") and is_typed(tree) and all(isinstance(each, int) for each in values):
        return int({**ARITHMETIC, "abs": abs, "round": round}[kind](*values))
    numbers = [float(value) for value in values]
    if kind in ("abs", "round"):
        return abs(numbers[0]) if kind == "abs" else rounded(numbers[0])
    made = ARITHMETIC[kind](*numbers)
    # What is typed alone is calculated before there are records.
    is_choice = kind in ("min", "max")
    sums = [number + 1.5 for number, part in zip(numbers, parts, strict=True) if is_choice and not is_typed(part)]
    exact = sums if is_choice else [made, *(float(value) for value in values if isinstance(value, int))]
    if whole and not is_typed(tree) and any(math.isfinite(each) and abs(each) >= 2**53 for each in exact):
        raise Refused
    return made


def are(sign: str, left: Tree, right: Tree, record: b.Record) -> bool:
    values = [number_of(left, record), number_of(right, record)]
    for index, (one, other) in enumerate(((left, right), (right, left))):
        # A typed number beside a field of 32 bits is as that field would store it.
        if other[0] == "field" and other[1] in REALS and is_typed(one):
            with np.errstate(over="ignore"):
                values[index] = float(np.float32(values[index]))
    return COMPARE[sign](*values)


def holds(tree: Tree, record: b.Record) -> bool:
    kind, *parts = tree
    if kind in COMPARE:
        return are(kind, parts[0], parts[1], record)
    if kind == "in":
        return any(are("==", parts[0], part, record) for part in parts[1:])
    if kind == "not":
        return not holds(parts[0], record)
    if kind in ("and", "or"):
        return (all if kind == "and" else any)([holds(part, record) for part in parts])
    return number_of(tree, record) != 0


LIMITS = {"id": (0, 2**32 - 1), "handbrake": (0, 255), "gear": (-(2**31), 2**31 - 1)}


def stored(name: str, tree: Tree, record: b.Record) -> Any:
    """What the field of one record becomes."""
    if tree[0] == "field" and (tree[1] == name or (name in REALS and tree[1] in REALS)):
        return record[tree[1]]
    value, before = number_of(tree, record, whole=name not in REALS), number_in(record[name])
    if name not in REALS:
        low, high = LIMITS[name]
        if not math.isfinite(value) or value != int(value) or not low <= value <= high:
            raise Refused
        return int(value)
    with np.errstate(over="ignore"):
        made = float(np.float32(value))
    if math.isnan(made) and math.isnan(before) and not is_typed(tree):
        return record[name]
    if not math.isfinite(made) and (made != before or is_typed(tree)):
        raise Refused
    return made


FLOATS = st.one_of(
    st.floats(width=32, allow_nan=False),
    st.integers(-3, 3).map(float),
    st.sampled_from([b.SIGNALLING_32, b.PAYLOAD_32, 0.1, 0.5, -0.0]),
)
CONTROLS = st.builds(
    dict,
    id=st.one_of(st.integers(1, 4), st.just(2**32 - 1)),
    steering=FLOATS,
    throttle=FLOATS,
    brake=FLOATS,
    handbrake=st.sampled_from([0, 1, 1, 2]),
    gear=st.one_of(st.integers(-1, 6), st.just(-(2**31))),
)
FILMS = st.lists(st.lists(CONTROLS, max_size=3), min_size=1, max_size=4)
SETTINGS = st.lists(
    st.tuples(st.sampled_from([*REALS, "gear", "handbrake", "id"]), NUMBERS),
    min_size=1,
    max_size=3,
    unique_by=lambda setting: setting[0],
)


def driven(frames: list[list[b.Record]]) -> bytes:
    return film(*([b.packet(8, b.anim_vehicle(records))] for records in frames))


def replaced(frames: list[list[b.Record]], condition: Tree | None, sets: list[tuple[str, Tree]]) -> bytes | None:
    """The recording after the edit, made record by record; None where it is refused."""
    after: list[list[b.Record]] = []
    try:
        for name, tree in sets:
            if is_typed(tree):
                stored(name, tree, {name: 0})
        for index, records in enumerate(frames):
            after.append([])
            for record in records:
                told = {**record, "frame": index + 1}
                values = {}
                if condition is None or holds(condition, told):
                    values = {name: stored(name, tree, told) for name, tree in sets}
                after[-1].append({**record, **values})
    except Refused:
        return None
    made = driven(after)
    return made if made != driven(frames) else None


@settings(max_examples=examples(250))
@example(
    [[{"id": 1, "steering": 2.0**53, "throttle": 0.0, "brake": 0.0, "handbrake": 0, "gear": 1}]],
    None,
    [("gear", ("min", ("field", "steering"), ("literal", 0.5)))],
)
@given(FILMS, st.none() | CONDITIONS, SETTINGS)
def test_any_expression_does_what_going_through_record_by_record_does(
    frames: list[list[b.Record]], condition: Tree | None, sets: list[tuple[str, Tree]]
) -> None:
    text = "AnimVehicle" + (f" where {text_of(condition)}" if condition is not None else "")
    text += ": " + ", ".join(f"{name} = {text_of(tree)}" for name, tree in sets)
    before, expected = driven(frames), replaced(frames, condition, sets)
    with opened(before) as recording:
        if expected is None:
            with pytest.raises(RecorderError):
                replace_where(recording, text)
        else:
            recording.apply(replace_where(recording, text))
            assert saved(recording) == expected
            recording.undo()
        assert saved(recording) == before
