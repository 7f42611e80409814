"""Keys that go from frame to frame, as the scene, the timeline and the signals take them."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from .session import Session


def step_by_key(session: Session, event: QKeyEvent) -> bool:
    """Take Left and Right (with Ctrl to the next event, with Shift by a second), Home and End; False for others."""
    key, modifiers, selection = event.key(), event.modifiers(), session.selection
    if key == Qt.Key.Key_Home:
        selection.go_to_frame(0)
    elif key == Qt.Key.Key_End:
        selection.go_to_frame(session.frames - 1)
    elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
        by = -1 if key == Qt.Key.Key_Left else 1
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            selection.step_event(by)
        elif modifiers & Qt.KeyboardModifier.ShiftModifier:
            selection.step_seconds(float(by))
        else:
            selection.step(by)
    else:
        return False
    return True
