"""The value of one field: to and from bytes, to and from text.

Errors are `FieldError`s. The conversion is lossless: NaN becomes `RawFloat`, a boolean byte of 2 the integer 2, text
that is not UTF-8 stays bytes.
"""

import math
import operator
import struct

import numpy as np

from ..errors import FieldError
from ..texts import N_, listed, say, value_name
from .schema import CODES, INTEGER_RANGES, WIDTHS, Field, RawFloat, Value

LONGEST_STRING = 2**15 - 1
"""The longest string that CARLA can write: its length variable is signed 16-bit (format reference, section 1)."""

_FLOAT_BITS = {"f32": 32, "f64": 64}
_QUIET_NAN = {"f32": 0x7FC00000, "f64": 0x7FF8000000000000}
_TRUE = ("true", "yes", "on")
_FALSE = ("false", "no", "off")
_LONGEST_SHOWN = 40  # digits of a number in an error message


def unpack_value(field: Field, data: bytes | memoryview) -> Value:
    """The value of a field's bytes (for a string: its length and its text)."""
    if field.type == "str":
        return text_of(bytes(data[2:]))
    if field.is_raw:
        return bytes(data)
    number: int | float = struct.unpack("<" + CODES[field.type], data)[0]
    return normalize(field, number, data)


def normalize(field: Field, number: int | float, data: bytes | memoryview) -> Value:
    """The number that `struct` unpacked from `data`, as bool or `RawFloat` where it is one."""
    if field.type == "bool":
        if number in (0, 1):
            return bool(number)
        return number
    if number != number:
        return RawFloat(int.from_bytes(data, "little"), WIDTHS[field.type] * 8)
    return number


def text_of(raw: bytes) -> str | bytes:
    """The bytes as text, or unchanged if they are not valid UTF-8."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw


def unfit(field: Field, template: str, **values: object) -> FieldError:
    """The error about a value that does not fit a field.

    Args:
        field: The field.
        template: The sentence in English, in which `{label}` is the name of the field.
        values: The other values of the sentence.
    """
    return FieldError(say(template, label=field.label, **values), field=field.path)


def pack_value(field: Field, value: Value) -> bytes:
    """The bytes of a value.

    Raises:
        FieldError: It does not fit the field's type.
    """
    if field.type == "str":
        return pack_text(field, value)
    if field.is_raw:
        return _pack_raw(field, value)
    if field.type in _FLOAT_BITS:
        return _pack_float(field, value)
    low, high = INTEGER_RANGES[field.type]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # what has no number is refused below
    except TypeError:
        raise unfit(field, N_("{label} takes a whole number, not {value!r}."), value=value) from None
    if not low <= number <= high:
        raise unfit(
            field,
            N_("{number_text} does not fit {label}: it holds {low:,} to {high:,}."),
            number_text=_number_text(number),
            low=low,
            high=high,
        )
    return number.to_bytes(WIDTHS[field.type], "little", signed=low < 0)


def _number_text(value: float) -> str:
    """A number as an error message names it; Python does not print very long integers."""
    if isinstance(value, int):
        if value.bit_length() <= 128:
            return f"{value:,}"
        return say("A number of so many digits")
    return f"{value:g}"


def pack_text(field: Field, value: Value) -> bytes:
    """The bytes of a string with its length before it.

    Raises:
        FieldError: The value is no text, or too long.
    """
    if isinstance(value, str):
        try:
            raw = value.encode("utf-8")
        except UnicodeEncodeError:
            raise unfit(field, N_("{label} holds a character that UTF-8 cannot store.")) from None
    elif isinstance(value, bytes):
        raw = value
    else:
        raise unfit(field, N_("{label} takes text, not {value!r}."), value=value)
    if len(raw) > 0xFFFF:
        raise unfit(
            field,
            N_("The text is {raw:,} bytes long; {label} holds at most {longest_string:,}."),
            raw=len(raw),
            longest_string=LONGEST_STRING,
        )
    return len(raw).to_bytes(2, "little") + raw


def _pack_raw(field: Field, value: Value) -> bytes:
    width = WIDTHS[field.type]
    if not isinstance(value, bytes):
        raise unfit(
            field, N_("{label} takes {width} bytes, as hexadecimal digits, not {value!r}."), width=width, value=value
        )
    if len(value) != width:
        raise unfit(field, N_("{label} has {width} bytes; these are {size}."), width=width, size=len(value))
    return value


def _pack_float(field: Field, value: Value) -> bytes:
    width = _FLOAT_BITS[field.type]
    if isinstance(value, RawFloat):
        if value.width != width:
            raise unfit(
                field, N_("{label} is {width} bits wide; these bits are {width_2}."), width=width, width_2=value.width
            )
        return value.bits.to_bytes(width // 8, "little")
    if isinstance(value, (str, bytes)):
        raise unfit(field, N_("{label} takes a number, not {value!r}."), value=value)
    try:
        return struct.pack("<" + CODES[field.type], value)
    except OverflowError:
        raise _too_large(field, _number_text(value)) from None
    except struct.error:
        # Python also raises this for an integer too large for a float.
        if isinstance(value, int):
            raise _too_large(field, _number_text(value)) from None
        raise unfit(field, N_("{label} takes a number, not {value!r}."), value=value) from None


def _too_large(field: Field, text: str) -> FieldError:
    return unfit(
        field,
        N_("{text} is too large for {label}, a {float_bits}-bit number."),
        text=text,
        float_bits=_FLOAT_BITS[field.type],
    )


def shortest(field: Field, value: float) -> str:
    """The shortest decimal text of a finite float that is read back as the same bits in the field's width."""
    if field.type == "f32":
        # A fixed number of digits would be too long for some powers of two and for subnormal numbers.
        return repr(float(np.format_float_scientific(np.float32(value))))
    return repr(float(value))


def bits_text(value: float, field: Field) -> str:
    """A float by its bits, as in `f32:7f800001`; dumps use it for values that JSON cannot represent."""
    width = _FLOAT_BITS[field.type]
    return f"f{width}:{int.from_bytes(_pack_float(field, value), 'little'):0{width // 4}x}"


def exact_text(field: Field, value: Value) -> str:
    """The exact value as text, for editing; `parse_value` returns the same bytes.

    NaN and infinities are `nan`, `inf` and `-inf`; a NaN with bits other than the usual ones is written by its bits.
    """
    if isinstance(value, bool):
        if value:
            return "true"
        return "false"
    if isinstance(value, float):
        if math.isfinite(value):
            return shortest(field, value)
        name = repr(float(value))
        has_usual_bits = _pack_float(field, value) == _pack_float(field, _parse_float(field, name))
        if has_usual_bits:
            return name
        return bits_text(value, field)
    if isinstance(value, str) and value.startswith("hex:"):
        value = value.encode("utf-8", "surrogatepass")
    if isinstance(value, bytes):
        return "hex:" + value.hex()
    return str(value)


def parse_value(field: Field, text: str) -> Value:
    """Read a value of a field that was typed.

    Args:
        field: The field.
        text: A number in decimal (or hex with `0x` for integers), a float by its bits (`f32:7fc00000`), `inf`, `nan`, a
            name of an enumeration, `true` or `false`, or `hex:...` for bytes of a string and for raw bytes.

    Raises:
        FieldError: The text is no value of the field; the message says what is expected.
    """
    if field.type == "str":
        if text.startswith("hex:"):
            return bytes_from_hex(field, text[4:])
        return text
    text = text.strip().replace("−", "-")
    if field.is_raw:
        return _pack_raw(field, bytes_from_hex(field, text.removeprefix("hex:")))
    lowered = text.lower()
    for choice, name in (field.choices or {}).items():
        if lowered == name.lower():
            return choice
    if field.type in _FLOAT_BITS:
        try:
            return _parse_float(field, text)
        except ValueError:
            raise _not_a(say("a number"), field, text) from None
    if field.type == "bool" and lowered in _TRUE:
        return True
    if field.type == "bool" and lowered in _FALSE:
        return False
    try:
        number = _parse_integer(lowered)
    except ValueError:
        raise _not_a(say("a whole number"), field, text) from None
    pack_value(field, number)
    if field.type == "bool" and number in (0, 1):
        return bool(number)
    return number


def _not_a(kind: str, field: Field, text: str) -> FieldError:
    return unfit(field, N_("{label} takes {kind}; “{text}” is none."), kind=kind, text=text)


def _parse_integer(text: str) -> int:
    """Read an integer, in hex behind `0x`; raises ValueError."""
    if text.lstrip("+-").startswith("0x"):
        return int(text, 0)
    return int(text)


def _parse_float(field: Field, text: str) -> Value:
    """Read a float; raises ValueError, and `FieldError` if it is too large."""
    width = _FLOAT_BITS[field.type]
    if text.startswith(f"f{width}:"):
        bits = int(text[4:], 16)
        if bits >> width:
            raise ValueError
        return unpack_value(field, bits.to_bytes(width // 8, "little"))
    value = float(text)
    if math.isnan(value):
        return RawFloat(_QUIET_NAN[field.type], width)
    if math.isinf(value) and "inf" not in text.lower():
        if len(text) <= _LONGEST_SHOWN:
            shown = text
        else:
            shown = say("That number")
        raise _too_large(field, shown)
    pack_value(field, value)
    return value


def bytes_from_hex(field: Field, text: str) -> bytes:
    """Bytes from hex digits, spaces allowed.

    Raises:
        FieldError: There are other characters, or half a byte.
    """
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise unfit(field, N_("{label}: “{text}” is not a row of hex bytes."), text=text) from None


def flag_names(field: Field, value: int) -> str:
    """The names of the bits that are set, in the language that is set; unknown bits as hex, `None` without any."""
    flags = field.flags or {}
    names: list[str] = [value_name(name) for bit, name in flags.items() if value & bit]
    unknown = value & ~sum(flags)
    if unknown:
        names.append(f"0x{unknown:x}")
    if not names:
        return value_name("None")
    return listed(names, "values")
