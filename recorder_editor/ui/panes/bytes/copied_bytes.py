"""Bytes as text for the clipboard, in four forms, and back from three of them."""

import ast
import re

LARGEST = 1 << 24
"""Bytes that are copied at once; text of more would only choke whoever pastes it."""

_ROW = 16  # bytes of a line
_ESCAPE = r"\\(?:[\\'\"abfnrtv]|[0-3][0-7]{2}|[0-7]{1,2}(?![0-7])|x[0-9a-fA-F]{2})"
_IN_SINGLE = rf"'(?:[ -&(-\[\]-~\t]|{_ESCAPE})*+'"
_IN_DOUBLE = rf"\"(?:[ !#-\[\]-~\t]|{_ESCAPE})*+\""
_PYTHON_BYTES = re.compile(rf"[bB](?:{_IN_SINGLE}|{_IN_DOUBLE})")
"""With the escapes that Python knows: of others it would warn. No group is referred to: with one, nothing matches
before Python 3.11.3."""


def as_text(data: bytes, form: str, start: int = 0) -> str:
    """Return bytes as text.

    Args:
        data: The bytes.
        form: `hex`, `dump` (lines of offset, 16 bytes and their letters), `text` (UTF-8, what is none replaced) or
            `python` (a literal).
        start: The offset of the first byte.
    """
    if form == "hex":
        return data.hex(" ")
    if form == "dump":
        return "\n".join(_dump_line(data, start, row) for row in range(0, len(data), _ROW))
    if form == "text":
        return data.decode("utf-8", "replace")
    return repr(data)


def _dump_line(data: bytes, start: int, row: int) -> str:
    """Return the line of the bytes from `row` on; the first byte of the data stands at the offset `start`."""
    part = data[row : row + _ROW]
    letters = "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in part)
    return f"{start + row:08x}  {part.hex(' '):<{3 * _ROW - 1}}  {letters}"


def from_text(text: str) -> bytes:
    """Return the bytes that a text means: hex digits, or a bytes literal of Python; else the text itself as UTF-8."""
    stripped = text.strip()
    if _PYTHON_BYTES.fullmatch(stripped):
        return bytes(ast.literal_eval(stripped))
    try:
        return bytes.fromhex(text)
    except ValueError:
        return text.encode("utf-8", "replace")
