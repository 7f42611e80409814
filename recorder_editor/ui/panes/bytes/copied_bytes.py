"""Bytes as text for the clipboard, in three forms, and back from any of them."""

import ast
import re

LARGEST = 1 << 24
"""Bytes that are copied at once; text of more would only choke whoever pastes it."""

_ESCAPE = r"\\(?:[\\'\"abfnrtv]|[0-3][0-7]{2}|[0-7]{1,2}(?![0-7])|x[0-9a-fA-F]{2})"
_IN_SINGLE = rf"'(?:[ -&(-\[\]-~\t]|{_ESCAPE})*+'"
_IN_DOUBLE = rf"\"(?:[ !#-\[\]-~\t]|{_ESCAPE})*+\""
_PYTHON_BYTES = re.compile(rf"[bB](?:{_IN_SINGLE}|{_IN_DOUBLE})")
"""With the escapes that Python knows: of others it would warn. No group is referred to: with one, nothing matches
before Python 3.11.3."""


def as_text(data: bytes, form: str) -> str:
    """Return bytes as text.

    Args:
        data: The bytes.
        form: `hex`, `text` (UTF-8, what is none replaced) or `python` (a literal).
    """
    if form == "hex":
        return data.hex(" ")
    if form == "text":
        return data.decode("utf-8", "replace")
    return repr(data)


def from_text(text: str) -> bytes:
    """Return the bytes that a text means: hex digits, or a bytes literal of Python; else the text itself as UTF-8."""
    stripped = text.strip()
    if _PYTHON_BYTES.fullmatch(stripped):
        return bytes(ast.literal_eval(stripped))
    try:
        return bytes.fromhex(text)
    except ValueError:
        return text.encode("utf-8", "replace")
