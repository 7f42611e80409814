"""The bytes at the caret as every type, little endian, each of them editable."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

import recorder_editor as library

from ....errors import RecorderError
from ....format import Field, exact_text, pack_value, parse_value
from ....format.schema import FieldType
from ....format.values import unpack_value
from ....recording import Edit
from ....texts import say
from ...session import Session
from ...style.boxes import set_spacing
from ...style.theme import Theme
from ...widgets import Label, ThemedWidget
from ...widgets.value_edit import EDGE, MARGIN, ValueEdit

_TYPES: tuple[tuple[FieldType, FieldType], ...] = (
    ("u8", "i8"),
    ("u16", "i16"),
    ("u32", "i32"),
    ("u64", "i64"),
    ("f32", "f64"),
)


class TypedLine(ValueEdit):
    """A line that holds one typed value as text."""

    def display(self) -> str:
        """Return the text as far as there is room for it; the tooltip has all of it."""
        room = self.width() - 2 * (EDGE + MARGIN)
        return self.theme.metrics(self.theme.font).elidedText(self._exact, Qt.TextElideMode.ElideRight, room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not (self.hasFocus() or self.dirty or self.reason):
            self.show_value()


class Inspector(ThemedWidget):
    """Two columns of typed values; a commit overwrites as many bytes as the type has.

    Attributes:
        position: Where the values begin.
        lines: The line of each type.
    """

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.session = session
        self.position = 0
        self.lines: dict[FieldType, TypedLine] = {}
        margins = (theme.px(10), theme.px(6), theme.px(10), theme.px(8))
        grid = set_spacing(QGridLayout(self), theme.px(8), theme.px(4), margins)
        for row, pair in enumerate(_TYPES):
            for column, name in enumerate(pair):
                self._add(grid, row, column, name)

    def _add(self, grid: QGridLayout, row: int, column: int, name: FieldType) -> None:
        label = Label(self.theme, name, font="small", color="muted")
        line = TypedLine(self.theme, say("{name} at the caret", name=name))
        line.committed.connect(lambda text: self._commit(name, text))
        grid.addWidget(label, row, 2 * column)
        grid.addWidget(line, row, 2 * column + 1)
        grid.setColumnStretch(2 * column + 1, 1)
        self.lines[name] = line

    def show_at(self, position: int) -> None:
        """Show the values from a position on; what is being typed for that very position stays."""
        is_same = position == self.position
        self.position = position
        snapshot = self.session.snapshot
        if snapshot is None or not self.isVisible():
            return
        try:
            data = snapshot.read(position, 8)
        except (RecorderError, OSError):
            # Another program has rewritten the file; the window says so.
            data = b""
        for name, line in self.lines.items():
            field = _field(name)
            width = field.width or 0
            if len(data) >= width:
                text = exact_text(field, unpack_value(field, data[:width]))
            else:
                text = ""
            if not (line.dirty and is_same and line.isEnabled()):
                line.show_text(text)
            line.setEnabled(bool(text))

    def _commit(self, name: FieldType, text: str) -> None:
        def make() -> Edit:
            data = pack_value(_field(name), parse_value(_field(name), text))
            return library.edits.overwrite(self.session.snapshot_or_refuse(), self.position, data)

        self.session.editing.attempt(make, refuse=self.lines[name].refuse)


def _field(name: FieldType) -> Field:
    return Field(name, name, "")
