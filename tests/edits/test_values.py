"""No value is stored that was not meant: every field of every packet, any expression, any value of the API.

What is stored equals what Python's own numbers make of it, or the edit is refused as a whole.
"""

import decimal
import json
import math
import operator
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import Recording
from recorder_editor.edits import Place, set_field
from recorder_editor.edits.intents import name_id
from recorder_editor.edits.operations import OPERATIONS
from recorder_editor.edits.replace import replace_where
from recorder_editor.edits.script import ScriptStep, read_script, run_step
from recorder_editor.errors import EditError, FieldError, NothingToDo, RecorderError
from recorder_editor.format.schema import Field, PacketType, RawFloat
from recorder_editor.reading.expression import ExpressionError

from .. import builders as b
from ..extent import examples
from ..recording.films import opened
from .drives import apply_step

Tree = tuple[Any, ...]
LIMITS = {
    "u8": (0, 2**8),
    "i8": (-(2**7), 2**7),
    "u16": (0, 2**16),
    "i16": (-(2**15), 2**15),
    "u32": (0, 2**32),
    "i32": (-(2**31), 2**31),
    "u64": (0, 2**64),
    "i64": (-(2**63), 2**63),
    "bool": (0, 2**8),
}
"""The least number that a type holds, and the first that it does not."""


@contextmanager
def all_packets(dialect: str) -> Iterator[Recording]:
    """Three frames with every packet, whose numbers are as large as they may be."""
    packets = [sample.data for sample in b.samples(dialect)]
    data = b.recording(
        *(b.frame(number, 0.1 * index, 0.1, packets) for index, number in enumerate((2**53 + 1, 7, 2**64 - 1))),
        version=b.RELEASES[dialect].version,
    )
    with opened(data, dialect) as recording:
        yield recording


@pytest.fixture(scope="module")
def held() -> Iterator[dict[str, Recording]]:
    with all_packets("ue4-2026") as narrow, all_packets("ue5-2026") as wide:
        yield {"ue4-2026": narrow, "ue5-2026": wide}


def numbers_of(recording: Recording) -> list[tuple[PacketType, Field]]:
    """The fields of numbers of every packet."""
    kinds = {packet.type.name: packet.type for packet in recording[0].packets}.values()
    return [(kind, one) for kind in kinds for one in kind.record.fields.values() if one.type in (*LIMITS, "f32", "f64")]


def as_number(value: Any) -> int | float:
    return float(value) if isinstance(value, float) else int(value)


# --- expressions ------------------------------------------------------------------------------------------

LITERALS = st.sampled_from(
    [
        0,
        1,
        2,
        3,
        0.5,
        0.1,
        1.5,
        127,
        128,
        255,
        256,
        1000,
        2**31,
        2**32 - 1,
        2**32,
        2**53 - 1,
        2**53,
        2**53 + 1,
        2**63,
        2**64 - 1,
        1e-46,
        3.4028235e38,
        3.4028236e38,
        1e39,
        1e300,
    ]
).map(lambda number: ("literal", number))
LEAVES = st.one_of(LITERALS, st.integers(0, 40).map(lambda index: ("field", index)), st.just(("frame",)))


def grown(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    return st.one_of(
        st.tuples(st.sampled_from(["+", "-", "*", "/"]), inner, inner),
        st.tuples(st.sampled_from(["==", "!=", "<", "<=", ">", ">=", "and", "or", "min", "max"]), inner, inner),
        st.tuples(st.sampled_from(["not", "negative", "abs", "round"]), inner),
    )


TREES = st.recursive(LEAVES, grown, max_leaves=4)


def text_of(tree: Tree, paths: list[str]) -> str:
    kind, *parts = tree
    if kind == "literal":
        return repr(parts[0])
    if kind == "frame":
        return "frame"
    if kind == "field":
        return paths[parts[0] % len(paths)]
    texts = [text_of(part, paths) for part in parts]
    if kind in ("not", "negative"):
        return f"({'not ' if kind == 'not' else '-'}{texts[0]})"
    if kind in ("abs", "round", "min", "max"):
        return f"{kind}({', '.join(texts)})"
    return f"({texts[0]} {kind} {texts[1]})"


class Worth:
    """A tree for one record, in Python's own numbers; `is_large`: a whole number on the way may be rounded.

    `exact`: whole numbers are calculated exactly, as they are for fields of whole numbers; typed ones always are.
    """

    def __init__(self, record: dict[str, Any], fields: list[Field], frame: int, *, exact: bool) -> None:
        self.record, self.fields, self.frame, self.exact = record, fields, frame, exact
        self.is_large = False

    def of(self, tree: Tree) -> int | float:
        kind, *parts = tree
        if kind == "literal":
            return as_number(parts[0])
        if kind == "frame":
            return self.frame
        if kind == "field":
            return as_number(self.record[self.fields[parts[0] % len(self.fields)].path])
        values = [self.of(part) for part in parts]
        if kind in COMPARE:
            return int(COMPARE[kind](*alike(self.as_stored(parts, values))))
        if kind in ("and", "or", "not"):
            truths = [value != 0 for value in values]
            return int({"and": all, "or": any, "not": lambda held: not held[0]}[kind](truths))
        made = calculated(kind, values if self.exact or is_typed(tree) else [float(value) for value in values])
        self.is_large |= any(abs(each) >= 2**53 for each in (made, *values) if isinstance(each, int) or each == each)
        return made

    def as_stored(self, parts: list[Tree], values: list[int | float]) -> list[int | float]:
        """A typed number beside a field of 32 bits is as that field would store it."""
        narrow = [part[0] == "field" and self.fields[part[1] % len(self.fields)].type == "f32" for part in parts]
        return [
            narrowed(value) if other and is_typed(part) else value
            for part, value, other in zip(parts, values, reversed(narrow), strict=True)
        ]


def alike(values: list[int | float]) -> list[int | float]:
    """Beside a fraction a whole number is one of 64 bits, too."""
    return values if all(isinstance(value, int) for value in values) else [float(value) for value in values]


def narrowed(value: float) -> float:
    with np.errstate(over="ignore"):
        return float(np.float32(value))


def is_typed(tree: Tree) -> bool:
    return tree[0] == "literal" or (
        tree[0] in ("+", "-", "*", "/", "min", "max", "abs", "round", "negative")
        and all(is_typed(part) for part in tree[1:])
    )


COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def calculated(kind: str, values: list[int | float]) -> int | float:
    """Whole numbers exactly, others in 64 bits as the standard has them."""
    if all(isinstance(value, int) for value in values) and kind != "/":
        return int(OPERATE[kind](*values))
    floats = [float(value) for value in values]
    with np.errstate(all="ignore"):
        if kind in ("min", "max") and any(map(math.isnan, floats)):
            return math.nan
        if kind == "round":
            if not math.isfinite(floats[0]):
                return floats[0]
            return math.copysign(round(floats[0]), floats[0])  # -0.3 becomes -0.0, and 1 / -0.0 is -inf
        return float(OPERATE[kind](*map(np.float64, floats)))


OPERATE: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "min": min,
    "max": max,
    "abs": abs,
    "round": round,
    "negative": operator.neg,
}


def fits(one: Field, value: int | float, before: int | float) -> bool:
    """A field can hold it exactly, or to the last of its bits."""
    if one.type in LIMITS:
        low, beyond = LIMITS[one.type]
        return math.isfinite(value) and value == int(value) and low <= value < beyond
    made = narrowed(value) if one.type == "f32" else float(value)
    return math.isfinite(made) or (made != made and before != before) or made == before


def is_it(one: Field, stored: Any, value: int | float) -> bool:
    if one.type in LIMITS:
        return bool(int(stored) == value)
    made = narrowed(value) if one.type == "f32" else float(value)
    return float(stored) == made or (math.isnan(stored) and math.isnan(made))


@settings(max_examples=examples(400))
@given(st.sampled_from(["ue4-2026", "ue5-2026"]), st.integers(0, 10_000), TREES)
def test_an_expression_stores_what_it_is_worth_or_nothing(
    held: dict[str, Recording], dialect: str, choice: int, tree: Tree
) -> None:
    recording = held[dialect]
    every = numbers_of(recording)
    kind, one = every[choice % len(every)]
    fields = [other for other_kind, other in every if other_kind is kind]
    expected: list[tuple[int, int, int, int | float, int | float]] = []
    is_large = False
    for frame in recording:
        for packet in frame.packets:
            for record in range(len(packet.decoded) if packet.type is kind else 0):
                values = {field.path: packet.decoded.get(record, field.path) for field in fields}
                worth = Worth(values, fields, frame.index + 1, exact=one.type in LIMITS)
                place = frame.index, packet.index, record
                expected.append((*place, worth.of(tree), as_number(values[one.path])))
                is_large |= worth.is_large and not is_typed(tree)
    is_copy = tree[0] == "field" and fields[tree[1] % len(fields)].type == one.type
    text = f"{kind.name}: {one.path} = {text_of(tree, [field.path for field in fields])}"
    try:
        edit = replace_where(recording, text)
    except NothingToDo:
        assert all(is_it(one, before, value) for *_, value, before in expected)
        return
    except (ExpressionError, FieldError):
        # Copies keep what is not a number, and what is typed is held against the field before a record is read.
        assert is_typed(tree) or not is_copy
        assert (
            not all(fits(one, value, before) for *_, value, before in expected)
            or (is_large and one.type in LIMITS)
            or (is_typed(tree) and not math.isfinite(expected[0][3]))
        )
        return
    except EditError:
        # An id may be that of an actor on whose record the simulator crashes.
        assert one.actor
        assert kind.wrong_class == "crash" or kind.lifetime == "event"
        return
    recording.apply(edit)
    try:
        for index, place, record, value, before in expected:
            stored = recording[index].packets[place].decoded.get(record, one.path)
            assert is_it(one, stored, value), (text, stored, value)
            assert is_copy or fits(one, value, before)
    finally:
        recording.undo()


@pytest.mark.parametrize(
    "text",
    [
        "Position: id = (frame > 0) * 5000000000",
        "Position: id = 0 - (frame > 0)",
        "Position: id = (frame > 0) * 0.5",
        "Position: location.z = (frame > 0) * 1e39",
        "State: state = (frame > 0) * 1000",
        "FrameStart: frame_id = frame_id + 0",
        "FrameStart: frame_id = 9007199254740995 - frame",
        "FrameStart: elapsed = (frame > 0) * 1e308 * 10",
    ],
)
def test_what_a_field_cannot_hold_is_refused_whatever_it_is_made_of(held: dict[str, Recording], text: str) -> None:
    with pytest.raises(FieldError):
        replace_where(held["ue4-2026"], text)


def test_yes_and_no_stand_beside_any_number(held: dict[str, Recording]) -> None:
    recording = held["ue4-2026"]
    recording.apply(replace_where(recording, "FrameStart: frame_id = not frame"))
    assert [frame.frame_id for frame in recording] == [0, 0, 0]
    recording.undo()
    for number in (2**63, 2**64 - 1, -(2**63) - 1, 2**64):
        with pytest.raises(NothingToDo):
            replace_where(recording, f"Position where (id == 5) == {number}: location.z = 0")


def test_typed_whole_numbers_are_calculated_exactly(held: dict[str, Recording]) -> None:
    recording = held["ue4-2026"]
    recording.apply(replace_where(recording, "FrameStart: frame_id = 9007199254740992 + 1"))
    assert [frame.frame_id for frame in recording] == [2**53 + 1] * 3
    recording.undo()


# --- the API and scripts ----------------------------------------------------------------------------------

GIVEN = st.one_of(
    st.sampled_from(
        [
            None,
            True,
            False,
            np.True_,
            "1",
            "",
            b"1",
            [1],
            (1, 2, 3),
            {},
            1j,
            object(),
            decimal.Decimal("1.5"),
            Fraction(1, 3),
            math.inf,
            -math.inf,
            math.nan,
            2**64,
            -(2**63),
            1e39,
            3.4028236e38,
            1e400,
            10**400,
            RawFloat(0x7F800001, 32),
            RawFloat(0x7FF0000000000001, 64),
            np.float32(0.1),
            np.int64(-1),
            np.uint64(2**64 - 1),
            np.array(3),
            np.array([1.0]),
            np.float64("nan"),
        ]
    ),
    st.integers(-300, 300),
    st.integers(-(2**66), 2**66),
    st.floats(),
)


@settings(max_examples=examples(300))
@given(st.sampled_from(["ue4-2026", "ue5-2026"]), st.integers(0, 10_000), GIVEN)
def test_a_value_of_any_type_is_stored_as_it_is_or_refused(
    held: dict[str, Recording], dialect: str, choice: int, value: Any
) -> None:
    recording = held[dialect]
    every = numbers_of(recording)
    kind, one = every[choice % len(every)]
    packet = next(packet for packet in recording[0].packets if packet.type is kind and len(packet.decoded))
    place = Place(recording[0].row, packet.index, 0, one.path)
    try:
        edit = set_field(recording, place, value)
    except (FieldError, EditError):
        return
    recording.apply(edit)
    try:
        stored = recording[0].packets[packet.index].decoded.get(0, one.path)
        if isinstance(value, RawFloat):
            assert stored.bits == value.bits
        elif one.type in ("f32", "f64"):
            assert is_it(one, stored, float(value))
            assert math.isfinite(float(stored)) or not math.isfinite(value)
        else:
            assert int(stored) == value
    finally:
        recording.undo()


@settings(max_examples=examples(150))
@given(
    st.integers(0, 10_000),
    st.sampled_from(["set_over", "add_over"]),
    st.one_of(st.integers(), st.floats(), st.sampled_from([0.5, -1, 2**31 - 1])),
)
def test_a_script_stores_what_it_says_or_nothing(
    held: dict[str, Recording], choice: int, operation: str, number: float
) -> None:
    recording = held["ue4-2026"]
    every = [
        (kind, one)
        for kind, one in numbers_of(recording)
        if kind.actor_field and kind.dtype is not None and not (one.actor or one.angle)
    ]
    kind, one = every[choice % len(every)]
    packet = next(packet for packet in recording[0].packets if packet.type is kind and len(packet.decoded))
    actor = as_number(packet.decoded.get(len(packet.decoded) - 1, "id"))
    told = {"value": str(number)} if operation == "set_over" else {"delta": number}
    named = name_id(recording.snapshot, int(actor), range(3))
    arguments = {"packet": kind.name, "actors": [named], "field": one.path, **told}
    if not math.isfinite(number) and operation == "add_over":
        return  # JSON has no such number
    script = read_script(json.dumps({"script": 2, "steps": [{"operation": operation, "arguments": arguments}]}))
    record = packet.decoded.find_actor(int(actor))
    assert record is not None
    before = as_number(packet.decoded.get(record, one.path))
    try:
        edit = apply_step(recording.snapshot, script.steps[0])
    except RecorderError:
        return
    recording.apply(edit)
    try:
        stored = recording[0].packets[packet.index].decoded.get(record, one.path)
        if operation == "set_over":
            assert is_it(one, stored, number)
        elif before == before:
            assert is_it(one, stored, before + number)
    finally:
        recording.undo()


EXTREMES = (1e308, -1e308, 1e39, -4e38, 1e16, 2.0**53, 1e-320, -0.5)
FILLED: dict[str, Callable[[float], Any]] = {
    **dict.fromkeys(("number", "length", "angle", "seconds"), lambda extreme: extreme),
    "space": lambda extreme: [extreme, 0.0, -extreme],
    "ground": lambda extreme: [0.0, extreme],
    "place": lambda extreme: [extreme, None, 0.0],
    "values": lambda extreme: {"cloudiness": extreme},
    **dict.fromkeys(("stamp", "version"), int),
    **dict.fromkeys(("whole", "bits"), lambda extreme: 2**32 - 1),
    **dict.fromkeys(("actors", "actor"), lambda extreme: ["100"]),
    "pair": lambda extreme: ["100", "101"],
    "at": lambda extreme: "#2",
    "mode": lambda extreme: "add",
    "packet": lambda extreme: "Position",
    "field": lambda extreme: "location.z",
    "state": lambda extreme: "green",
    "value": lambda extreme: "1e38",
    "expression": lambda extreme: "Position: location.z = 1",
    "keys": lambda extreme: [
        {"at": 0.0},
        {"at": 0.06, "x": extreme, "tangent": [extreme, -extreme], "bend": [0.0, extreme], "pace": abs(extreme)},
        {"at": 0.1, "time": max(extreme, 0.1)},
    ],
}
"""By the name of a kind."""


def is_sound(recording: Recording) -> bool:
    """No float is infinite, and none is NaN."""
    return np.isfinite(recording.snapshot.elapsed).all() and all(
        np.isfinite(packet.array[name]).all()
        for frame in recording
        for packet in frame.packets
        if packet.type.dtype is not None
        for name in packet.array.dtype.names
        if packet.array[name].dtype.kind == "f"
    )


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_no_operation_makes_infinities_or_warnings_of_extreme_numbers(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(b.drive(4, vehicles=2))
    takes = OPERATIONS[name].arguments
    with recorder_editor.open(path) as recording:
        assert is_sound(recording)
        for extreme in EXTREMES:
            for only in [None, *(each for each in takes if not takes[each].needed)]:
                arguments = {}
                for each, argument in takes.items():
                    if argument.kind.name in FILLED and (argument.needed or only in (None, each)):
                        arguments[each] = FILLED[argument.kind.name](extreme)
                try:
                    edit = run_step(recording.snapshot, ScriptStep(name, arguments)).edit
                except RecorderError:
                    continue
                recording.apply(edit)
                assert is_sound(recording), arguments
                recording.undo()


def test_struct_and_numpy_agree_where_32_bits_end() -> None:
    for value in (3.4028235677973366e38, 3.4028235677973362e38):
        try:
            packed = struct.unpack("<f", struct.pack("<f", value))[0]
        except OverflowError:
            packed = math.inf
        assert packed == narrowed(value)
