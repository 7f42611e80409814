"""What is typed, pasted, filled or taken out, as edits of the session; a refusal is shown as a sentence.

Knows positions and bytes; carets, keys and pictures are the view's.
"""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

import recorder_editor as library

from ....errors import EditError, RecorderError, error_sentence
from ....recording import Edit, Place, Snapshot
from ....texts import say
from ....views.selection import look_up, place_at
from ...session import Session

LARGEST_FILL = 1 << 24
Result = TypeVar("Result")


class ByteEditor(QObject):
    """Changes bytes.

    Signal: `refused(str)`: why something was not done.

    Attributes:
        session: The session that is edited.
        raw: Whether inserting changes neither sizes nor counts.
        working: Whether an edit of its own is being applied.
    """

    refused = Signal(str)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.raw = False
        self.working = False
        self._gesture = 0

    def end_gesture(self) -> None:
        """Let the next edit be an undo step of its own."""
        self._gesture += 1

    # --- reading ----------------------------------------------------------------------------------------

    def read(self, position: int, size: int) -> bytes:
        """Return bytes of what is shown; none, after a refusal, where the file cannot be read any more."""
        return self._read(lambda snapshot: snapshot.read(position, size)) or b""

    def place_at(self, position: int) -> Place | None:
        """Return the smallest thing that holds a byte; None, after a refusal, where it cannot be read."""
        return self._read(lambda snapshot: place_at(snapshot, position))

    def _read(self, read: Callable[[Snapshot], Result]) -> Result | None:
        snapshot = self.session.snapshot
        if snapshot is None:
            return None
        try:
            return read(snapshot)
        except (RecorderError, OSError) as error:
            self.refused.emit(error_sentence(error))
            return None

    # --- changing ---------------------------------------------------------------------------------------

    def overwrite(self, position: int, data: bytes) -> bool:
        """Write bytes over those that stand there; return False where that was refused."""
        return self._apply(lambda snapshot: self._overwriting_edit(snapshot, position, data))

    def insert(self, position: int, data: bytes, removed: int = 0) -> bool:
        """Put bytes in the place of `removed` ones: in a body size and count follow, in raw mode nothing does.

        Returns:
            False where that was refused.
        """
        return self._apply(lambda snapshot: self._inserting_edit(snapshot, position, data, removed))

    def _overwriting_edit(self, snapshot: Snapshot, position: int, data: bytes) -> Edit:
        room = snapshot.size - position
        if len(data) > room:
            refusal = say("The recording ends here; press Insert to switch to insert mode.")
            if room > 0:
                refusal = say(
                    "{size:,} bytes do not fit: the recording ends after {room:,} more.", size=len(data), room=room
                )
            raise EditError(refusal, offset=position)
        return library.edits.overwrite(snapshot, position, data)

    def _inserting_edit(self, snapshot: Snapshot, position: int, data: bytes, removed: int) -> Edit:
        if self.raw:
            return library.edits.replace_bytes(snapshot, position, position + removed, data)
        from ....edits import raw

        body = _body_around(snapshot, position, position + removed)
        if body is None:
            refusal = say("Bytes can be inserted inside a body, adjusting size and count, or in raw mode.")
            if removed:
                refusal = say("Bytes can be removed inside one body, adjusting size and count, or in raw mode.")
            raise EditError(refusal, offset=position)
        place, start = body
        return raw.insert_in_body(snapshot, place, start, data, removed)

    def _apply(self, make: Callable[[Snapshot], Edit]) -> bool:
        def edit() -> Edit:
            return make(self.session.snapshot_or_refuse())

        self.working = True
        try:
            gesture = f"type-{self._gesture}"
            return self.session.editing.attempt(edit, gesture=gesture, refuse=self.refused.emit) is not None
        finally:
            self.working = False


def _body_around(snapshot: Snapshot, start: int, stop: int) -> tuple[Place, int] | None:
    """Return the packet with the body that holds `[start, stop)`, and `start` counted in it; None for none."""
    # One before, too: behind its last byte a body still takes bytes, although the next packet begins there.
    for position in (start, start - 1):
        if not len(snapshot.header_bytes) <= position < snapshot.size:
            continue
        place = place_at(snapshot, position)
        packet = look_up(snapshot, place._replace(record=None, field=None)).packet
        if packet is not None and packet.offset + 5 <= start and stop <= packet.offset + 5 + packet.size:
            return Place(place.row, place.packet), start - packet.offset - 5
    return None
