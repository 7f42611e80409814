"""Values as a person reads and types them: whatever is shown in full gives the same bytes when typed back."""

import math
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from recorder_editor.errors import FieldError
from recorder_editor.format.schema import Field, FieldType, RawFloat, Value
from recorder_editor.format.values import (
    bits_text,
    bytes_from_hex,
    exact_text,
    flag_names,
    pack_value,
    parse_value,
    shortest,
    unpack_value,
)

F32 = Field("speed", "f32", "Speed")
F64 = Field("elapsed", "f64", "Time")
TEXT = Field("blueprint", "str", "Blueprint")
BOOL = Field("open", "bool", "Open")
GEAR = Field("gear", "i32", "Gear")
STATE = Field("state", "i8", "Lamp", choices={0: "Red", 1: "Yellow", 2: "Green"})
LIGHTS = Field("lights", "u32", "Lights", flags={1: "Position", 2: "LowBeam", 0x80: "Fog"})
WIDTHS: dict[FieldType, int] = {
    "u8": 1,
    "i8": 1,
    "u16": 2,
    "u32": 4,
    "i32": 4,
    "u64": 8,
    "i64": 8,
    "f32": 4,
    "f64": 8,
    "bool": 1,
}


def refused(field: Field, text: str) -> FieldError:
    with pytest.raises(FieldError) as error:
        parse_value(field, text)
    assert error.value.message.endswith(".")
    assert len(error.value.message.split()) >= 4
    assert error.value.field == field.path
    return error.value


@st.composite
def fields_with_bytes(draw: st.DrawFn) -> tuple[Field, bytes]:
    kind = draw(st.sampled_from(list(WIDTHS)))
    return Field("some.thing", kind, "Something"), draw(st.binary(min_size=WIDTHS[kind], max_size=WIDTHS[kind]))


@given(fields_with_bytes())
@example((F32, bytes.fromhex("0100807f")))
@example((F32, bytes.fromhex("ffffffff")))
@example((F32, bytes.fromhex("01000000")))
@example((F64, bytes.fromhex("010000000000f07f")))
@example((F64, bytes.fromhex("0000000000000080")))
@example((BOOL, b"\x02"))
def test_any_bits_survive_being_shown_and_typed_back(case: tuple[Field, bytes]) -> None:
    field, raw = case
    value = unpack_value(field, raw)
    assert pack_value(field, value) == raw
    typed = parse_value(field, exact_text(field, value))
    assert pack_value(field, typed) == raw
    assert type(typed) is type(value)


@given(st.binary(max_size=20) | st.text(max_size=20).map(str.encode))
@example(b"hex:6f")
@example(b"hex:")
@example(b" leading and trailing ")
@example(b"\x80")
def test_any_text_survives_being_shown_and_typed_back(raw: bytes) -> None:
    data = struct.pack("<H", len(raw)) + raw
    value = unpack_value(TEXT, data)
    assert pack_value(TEXT, value) == data
    assert pack_value(TEXT, parse_value(TEXT, exact_text(TEXT, value))) == data


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
@example(0.1)
@example(2.0**-149)
@example(-0.0)
@example(3.4028234663852886e38)
def test_a_float_is_shown_with_no_more_digits_than_its_bits_need(value: float) -> None:
    single = float(np.float32(value))
    text = shortest(F32, single)
    assert struct.pack("<f", float(text)) == struct.pack("<f", single)
    assert len(digits(text)) <= len(digits(str(np.float32(single))))


def test_powers_of_two_are_shown_with_no_more_digits_than_they_need() -> None:
    for power in range(-149, 128):
        assert len(digits(shortest(F32, 2.0**power))) <= len(digits(str(np.float32(2.0**power)))), power


def digits(text: str) -> str:
    return text.lower().partition("e")[0].replace(".", "").replace("-", "").strip("0")


def test_a_float_is_shown_as_people_write_it() -> None:
    assert exact_text(F32, struct.unpack("<f", struct.pack("<f", 92.1))[0]) == "92.1"
    assert exact_text(F64, 0.1) == "0.1"
    assert exact_text(F32, -0.0) == "-0.0"


def test_what_no_decimal_can_say_is_shown_by_its_bits() -> None:
    assert exact_text(F32, RawFloat(0x7F800001, 32)) == "f32:7f800001"
    assert exact_text(F64, RawFloat(0xFFF8000000000000, 64)) == "f64:fff8000000000000"
    assert [exact_text(F32, each) for each in (math.inf, -math.inf, RawFloat(0x7FC00000, 32))] == ["inf", "-inf", "nan"]
    assert exact_text(F64, math.nan) == "nan"
    assert bits_text(-math.inf, F64) == "f64:fff0000000000000"
    assert bits_text(1.5, F32) == "f32:3fc00000"


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        (F32, "1.5", 1.5),
        (F32, " -1.5 ", -1.5),
        (F32, "−2", -2.0),
        (F32, "1e3", 1000.0),
        (F32, "inf", math.inf),
        (F64, "-Infinity", -math.inf),
        (F32, "f32:3fc00000", 1.5),
        (GEAR, "-1", -1),
        (GEAR, "−1", -1),
        (GEAR, "0x10", 16),
        (GEAR, "-0x10", -16),
        (STATE, "green", 2),
        (STATE, "2", 2),
        (STATE, "-1", -1),
        (BOOL, "true", True),
        (BOOL, "No", False),
        (BOOL, "1", True),
        (BOOL, "2", 2),
        (TEXT, "hex:ff 00", b"\xff\x00"),
        (TEXT, "", ""),
        (TEXT, "−", "−"),
    ],
)
def test_what_a_person_types_is_understood(field: Field, text: str, value: Value) -> None:
    typed = parse_value(field, text)
    assert typed == value
    assert type(typed) is type(value)


def test_a_typed_nan_is_the_quiet_one() -> None:
    assert parse_value(F32, "nan") == RawFloat(0x7FC00000, 32)
    assert parse_value(F64, "NaN") == RawFloat(0x7FF8000000000000, 64)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        (F32, ""),
        (F32, "fast"),
        (F32, "1,5"),
        (F32, "1e39"),
        (F32, "1e400"),
        (F64, "1e400"),
        (F64, "-1e400"),
        (F64, "9" * 5000),
        (F32, "f64:7ff0000000000001"),
        (F32, "f32:"),
        (F32, "f32:xyz"),
        (F32, "f32:100000000"),
        (F32, "f32:-1"),
        (GEAR, ""),
        (GEAR, "1.5"),
        (GEAR, "2147483648"),
        (GEAR, "-2147483649"),
        (GEAR, "0xzz"),
        (GEAR, "0x" + "f" * 5000),
        (GEAR, "9" * 5000),
        (STATE, "purple"),
        (STATE, "128"),
        (BOOL, "256"),
        (BOOL, "-1"),
        (BOOL, "perhaps"),
        (LIGHTS, "-1"),
        (TEXT, "hex:f"),
        (TEXT, "hex:no"),
    ],
)
def test_what_cannot_be_understood_is_refused_with_a_sentence(field: Field, text: str) -> None:
    refused(field, text)


def test_a_refusal_says_what_would_fit() -> None:
    assert "-128" in refused(STATE, "128").message
    assert "127" in refused(STATE, "128").message
    assert "whole number" in refused(GEAR, "1.5").message
    assert len(refused(GEAR, "0x" + "f" * 5000).message) < 200


@pytest.mark.parametrize("value", [10**5000, -(10**5000), 10**400], ids=["long", "negative", "shorter"])
@pytest.mark.parametrize("field", [F32, F64, GEAR, BOOL])
def test_numbers_of_any_length_are_refused_with_a_short_sentence(field: Field, value: int) -> None:
    with pytest.raises(FieldError) as error:
        pack_value(field, value)
    assert len(error.value.message) < 200


@given(st.sampled_from([F32, F64, TEXT, BOOL, GEAR, STATE, LIGHTS]), st.text(max_size=12))
def test_anything_typed_is_a_value_that_fits_or_is_refused(field: Field, text: str) -> None:
    try:
        value = parse_value(field, text)
    except FieldError:
        return
    assert field.width in (None, len(pack_value(field, value)))


def test_flags_are_told_by_name() -> None:
    assert flag_names(LIGHTS, 0) == "None"
    assert flag_names(LIGHTS, 3) == "Position LowBeam"
    assert flag_names(LIGHTS, 0x81) == "Position Fog"
    assert flag_names(LIGHTS, 0x80000001) == "Position 0x80000000"


def test_bytes_are_typed_as_hex_with_or_without_spaces() -> None:
    assert bytes_from_hex(TEXT, "00 ff0a") == b"\x00\xff\x0a"
    with pytest.raises(FieldError):
        bytes_from_hex(TEXT, "0")


def test_the_bits_of_a_nan_are_its_identity() -> None:
    one, same, other = RawFloat(0x7F800001, 32), RawFloat(0x7F800001, 32), RawFloat(0x7FC00000, 32)
    anything: Any = math.nan
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != RawFloat(0x7F800001, 64)
    assert one != anything
    assert math.isnan(one)
    assert "7f800001" in repr(one)
