"""What keys mean to the bytes: which of them are taken from shortcuts of the window, and where they move the caret."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

DIGITS = frozenset("0123456789abcdefABCDEF")
_FOREIGN = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
COMMANDS = _FOREIGN | Qt.KeyboardModifier.ControlModifier
_ENDS = (Qt.Key.Key_Home, Qt.Key.Key_End)
_STEPS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_EDITS = (Qt.Key.Key_Insert, Qt.Key.Key_Backspace, Qt.Key.Key_Delete)


def is_taken(event: QKeyEvent, in_text: bool) -> bool:
    """Return whether a key means something to the bytes, before a shortcut of the window takes it.

    Args:
        event: The key.
        in_text: Whether the caret is in the column of text.
    """
    if event.modifiers() & COMMANDS:
        return event.key() in _ENDS and not event.modifiers() & _FOREIGN
    if event.key() in _EDITS:
        return not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
    if event.key() in _STEPS or event.key() in _ENDS:
        return True
    # Among digits, Space and full stop are no text: there they play and step, as in the other panes.
    if in_text:
        return event.text().isprintable() and event.text() != ""
    return event.text() in DIGITS


def target_of(event: QKeyEvent, caret: int, row: int, page: int, size: int) -> int | None:
    """Return where a key moves the caret.

    Args:
        event: The key.
        caret: Position of the caret.
        row: Bytes of a row.
        page: Bytes of a page.
        size: Bytes of the recording.

    Returns:
        A position, perhaps beyond the ends of the recording; None for a key that moves the caret nowhere.
    """
    if event.modifiers() & _FOREIGN:
        return None
    key = Qt.Key(event.key())
    control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    steps = dict(zip(_STEPS, (-1, 1, -row, row, -page, page), strict=True))
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
