"""Bytes as text for the clipboard, in four forms, and back from any of them."""

import ast
import re

FORMS = ("hex", "text", "python", "c")
LARGEST = 1 << 24
"""Bytes that are copied at once; text of more would only choke whoever pastes it."""

_C_BYTES = re.compile(r"\{?\s*(0x[0-9a-f]{1,2}\s*,\s*)*0x[0-9a-f]{1,2}\s*,?\s*\}?\s*", re.IGNORECASE)
_PYTHON_BYTES = re.compile(r"b(['\"]).*\1", re.IGNORECASE | re.DOTALL)


def as_text(data: bytes, form: str) -> str:
    """Bytes as `hex`, `text` (UTF-8, what is none replaced), `python` or `c`."""
    texts = {
        "hex": lambda: data.hex(" "),
        "text": lambda: data.decode("utf-8", "replace"),
        "python": lambda: repr(data),
        "c": lambda: "{" + ", ".join(f"0x{byte:02x}" for byte in data) + "}",
    }
    return texts[form]()


def from_text(text: str) -> bytes:
    """The bytes that a text means: hex digits, a bytes literal of Python, a C array; else the text itself as UTF-8."""
    stripped = text.strip()
    if _PYTHON_BYTES.fullmatch(stripped):
        try:
            value = ast.literal_eval(stripped)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            value = None
        if isinstance(value, bytes):
            return value
    if stripped and _C_BYTES.fullmatch(stripped):
        return bytes(int(one, 16) for one in re.findall(r"0x[0-9a-f]{1,2}", stripped, re.IGNORECASE))
    try:
        return bytes.fromhex(text)
    except ValueError:
        return text.encode("utf-8", "replace")
