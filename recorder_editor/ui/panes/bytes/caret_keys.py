"""What keys mean to the bytes: which of them are taken from shortcuts of the window, and where they move the caret."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

DIGITS = frozenset("0123456789abcdefABCDEF")
_FOREIGN = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
COMMANDS = _FOREIGN | Qt.KeyboardModifier.ControlModifier
_ENDS = (Qt.Key.Key_Home, Qt.Key.Key_End)
_MOVES = (*(Qt.Key[f"Key_{name}"] for name in ("Left", "Right", "Up", "Down", "PageUp", "PageDown")), *_ENDS)
_EDITS = (Qt.Key.Key_Insert, Qt.Key.Key_Backspace, Qt.Key.Key_Delete)


def is_taken(event: QKeyEvent, in_text: bool) -> bool:
    """A key means something here, before a shortcut of the window takes it."""
    if event.modifiers() & COMMANDS:
        return event.key() in _ENDS and not event.modifiers() & _FOREIGN
    if event.key() in _EDITS:
        return not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
    if event.key() in _MOVES:
        return True
    # Among digits, Space and full stop are no text: there they play and step, as in the other panes.
    if in_text:
        return event.text().isprintable() and event.text() != ""
    return event.text() in DIGITS


def target_of(event: QKeyEvent, caret: int, row: int, page: int, size: int) -> int | None:
    """Where a key moves the caret, perhaps beyond the ends of `size` bytes; `row` and `page` are lengths in bytes. None
    for a key that moves it nowhere."""
    if event.modifiers() & _FOREIGN:
        return None
    key = Qt.Key(event.key())
    control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    steps = dict(zip(_MOVES, (-1, 1, -row, row, -page, page), strict=False))
    if key in steps and not control:
        return caret + steps[key]
    start = caret - caret % row
    if key == Qt.Key.Key_Home:
        if control:
            return 0
        return start
    if key == Qt.Key.Key_End:
        if control:
            return max(0, size - 1)
        return start + row - 1
    return None
