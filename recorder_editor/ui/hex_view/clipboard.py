"""Bytes as text for the clipboard, in four forms, and back from any of them."""

import ast
import re

FORMS = ("hex", "text", "python", "c")
LARGEST = 1 << 24
"""Bytes that are copied at once; text of more would only choke whoever pastes it."""

_C_BYTES = re.compile(r"\{?\s*(0x[0-9a-f]{1,2}\s*,\s*)*0x[0-9a-f]{1,2}\s*,?\s*\}?\s*", re.IGNORECASE)
_ESCAPE = r"\\(?:[\\'\"abfnrtv]|[0-3][0-7]{2}|[0-7]{1,2}(?![0-7])|x[0-9a-fA-F]{2})"
_PYTHON_BYTES = re.compile(rf"[bB](['\"])(?:(?!\1)[ -\[\]-~\t]|{_ESCAPE})*+\1")
"""With the escapes that Python knows: of others it would warn."""


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
        return bytes(ast.literal_eval(stripped))
    if stripped and _C_BYTES.fullmatch(stripped):
        return bytes(int(one, 16) for one in re.findall(r"0x[0-9a-f]{1,2}", stripped, re.IGNORECASE))
    try:
        return bytes.fromhex(text)
    except ValueError:
        return text.encode("utf-8", "replace")
