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

BLOCK = 4 << 20  # bytes that are read at once
_NUMBERS = [name for name in NUMBER_CODES if name != "bool"]
KINDS = ("bytes", "text", *_NUMBERS)


def pattern_of(kind: str, text: str) -> bytes:
    """Return the bytes to look for.

    Args:
        kind: One of `KINDS`: how the text is meant.
        text: What was typed.

    Raises:
        ValueError: The text does not mean bytes of this kind; with a sentence.
    """
    if not text:
        raise ValueError("Type what to find.")
    try:
        if kind == "bytes":
            return bytes.fromhex(text)
        if kind == "text":
            return text.encode("utf-8")
        code = f"<{NUMBER_CODES[kind]}"
        if kind.startswith("f"):
            return struct.pack(code, float(text))
        return struct.pack(code, int(text, 0))
    except (ValueError, struct.error, OverflowError):
        if kind == "bytes":
            sentence = say("“{text}” is not a row of hex bytes.", text=text)
        else:
            sentence = say("“{text}” is not a value of {kind}.", text=text, kind=kind)
        raise ValueError(sentence) from None


def find(
    snapshot: Snapshot, pattern: bytes, start: int, backward: bool = False, progress: Progress = SILENT
) -> int | None:
    """Return the position of the next (or previous) match; behind the end the search goes on at the other end.

    Args:
        snapshot: The recording.
        pattern: The bytes to look for.
        start: The match begins at this position or after it; `backward`: or before it.
        backward: Look for the previous match.
        progress: Tells how far it is.

    Returns:
        None without a match.

    Raises:
        Cancelled: The job was cancelled.
    """
    size = snapshot.size
    spans = [(start, size), (0, min(size, start + len(pattern) - 1))]
    if backward:
        spans = [(0, min(size, start + len(pattern))), (max(0, start + 1), size)]
    done = 0
    for low, high in spans:
        blocks = range(low, max(low, high - len(pattern) + 1), BLOCK)
        if backward:
            blocks = blocks[::-1]
        for block in blocks:
            progress.check()
            data = snapshot.read(block, min(BLOCK + len(pattern) - 1, high - block))
            if backward:
                offset = data.rfind(pattern)
            else:
                offset = data.find(pattern)
            if offset >= 0:
                return block + offset
            done += BLOCK
            progress.update(min(done, size), size)
    return None


class FindBar(ThemedWidget):
    """The strip under the bytes.

    Signals: `asked(kind, text, backward)`, `closed`.

    Attributes:
        kind: How the text is meant.
        line: The text.
        note: What was found.
    """

    asked = Signal(str, str, bool)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.kind = QComboBox()
        self.kind.addItems([say("bytes"), say("text")])
        self.kind.addItems(_NUMBERS)
        self.kind.setAccessibleName(say("Search text"))
        self.line = SearchField(theme, say("Find bytes, as in ff 00 3f"))
        self.note = Label(theme, "", font="small", color="muted")
        margins = (theme.px(8), theme.px(4), theme.px(8), theme.px(4))
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
        if kind != "text":
            text = text.strip()
        self.asked.emit(kind, text, backward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        else:
            super().keyPressEvent(event)
