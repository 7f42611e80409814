"""Finding bytes: what was typed becomes a pattern, a job looks for it block by block."""

import struct

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from ....format.schema import NUMBER_CODES
from ....progress import SILENT, Progress
from ....recording import Snapshot
from ....texts import say
from ...style.boxes import fill, icon_button
from ...style.theme import Theme
from ...widgets import Label, SearchField, ThemedWidget

BLOCK = 4 << 20
KINDS = ("bytes", "text", *(name for name in NUMBER_CODES if name != "bool"))


def pattern_of(kind: str, text: str) -> bytes:
    """The bytes to look for; raises ValueError with a sentence."""
    if not text:
        raise ValueError("Type what to find.")
    try:
        if kind == "bytes":
            return bytes.fromhex(text)
        if kind == "text":
            return text.encode("utf-8")
        number: int | float = float(text) if kind[0] == "f" else int(text, 0)
        return struct.pack(f"<{NUMBER_CODES[kind]}", number)
    except (ValueError, struct.error, OverflowError):
        if kind == "bytes":
            said = say("“{text}” is not a row of hex bytes.", text=text)
        else:
            said = say("“{text}” is not a value of {kind}.", text=text, kind=kind)
        raise ValueError(said) from None


def find(
    snapshot: Snapshot, pattern: bytes, start: int, backward: bool = False, progress: Progress = SILENT
) -> int | None:
    """The position of the next (or previous) match that begins at `start` or after (before) it, round the end.

    Raises `Cancelled`.
    """
    size = snapshot.size
    spans = [(start, size), (0, min(size, start + len(pattern) - 1))]
    if backward:
        spans = [(0, min(size, start + len(pattern))), (max(0, start + 1), size)]
    done = 0
    for low, high in spans:
        starts = range(low, max(low, high - len(pattern) + 1), BLOCK)
        for block in reversed(starts) if backward else starts:
            progress.check()
            data = snapshot.read(block, min(BLOCK + len(pattern) - 1, high - block))
            if backward:
                at = data.rfind(pattern)
            else:
                at = data.find(pattern)
            if at >= 0:
                return block + at
            done += BLOCK
            progress.update(min(done, size), size)
    return None


class FindBar(ThemedWidget):
    """The strip under the bytes. Signals: `asked(kind, text, backward)`, `closed`."""

    asked = Signal(str, str, bool)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.kind = QComboBox()
        self.kind.addItems([say("bytes"), say("text"), *KINDS[2:]])
        self.kind.setAccessibleName(say("Search text"))
        self.line = SearchField(theme, say("Find bytes, as in ff 00 3f"))
        self.note = Label(theme, "", font="small", color="muted")
        margins = theme.px(8), theme.px(4), theme.px(8), theme.px(4)
        layout = fill(QHBoxLayout(self), self.kind, (self.line, 1), self.note, spacing=theme.px(4), margins=margins)
        for name, tip, slot in (
            ("up", say("Previous (Shift+F3)"), lambda: self.ask(backward=True)),
            ("down", say("Next (F3)"), self.ask),
            ("close", say("Close (Esc)"), self.close_bar),
        ):
            layout.addWidget(icon_button(theme.icons.icon(name), tip, slot))
        self.line.returnPressed.connect(lambda: self.ask())
        self.line.textChanged.connect(lambda: self.note.setText(""))
        self.kind.currentIndexChanged.connect(lambda index: self._show_hint(KINDS[index]))
        self.hide()

    def _show_hint(self, kind: str) -> None:
        hints = {"bytes": say("Find bytes, as in ff 00 3f"), "text": say("Find text, as in vehicle.")}
        self.line.setPlaceholderText(hints.get(kind) or say("Find a value of {kind}", kind=kind))
        self.note.setText("")

    def close_bar(self) -> None:
        """Hide it."""
        self.hide()
        self.closed.emit()

    def ask(self, _checked: bool = False, *, backward: bool = False) -> None:
        """Look for what is typed."""
        kind = KINDS[self.kind.currentIndex()]
        text = self.line.text()
        self.asked.emit(kind, text if kind == "text" else text.strip(), backward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        else:
            super().keyPressEvent(event)
