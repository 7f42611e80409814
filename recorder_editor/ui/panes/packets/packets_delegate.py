"""How a row of the tree is painted and edited: 22 pixels, icon by class, numbers that align, units that step back."""

import re

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemDelegate, QStyledItemDelegate, QStyleOptionViewItem, QWidget

import recorder_editor as library

from ....errors import FieldError
from ....format import exact_text, parse_value
from ....recording import Edit
from ....texts import say
from ....views.outline import TreeLine
from ....views.selection import HEADER, look_up
from ...session import Session
from ...style.painting import RIGHT, draw_text
from ...style.theme import Theme
from ...widgets.value_edit import ValueEdit
from .packets_model import LINE, Index

ROW = 22
ICON = 14
UNIT = 28
_NUMBER = re.compile(r"-?(\d|inf$)|nan$")


class FieldLine(ValueEdit):
    """An editor in the tree; it shows the exact value and says beneath what was refused."""

    def start(self, text: str) -> None:
        """Begin with this value."""
        self.show_text(text)
        self.setText(text)
        self.select_whole()


class PacketDelegate(QStyledItemDelegate):
    """Paints a `TreeLine`; `narrow` puts the number of records behind the name."""

    SIZE_MARGIN = 10
    """Pixels behind the number of bytes."""

    def __init__(self, session: Session, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.narrow = False

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(40, self.theme.px(ROW))

    def paint_cell(self, painter: QPainter, rect: QRect, column: int, line: TreeLine, selected: bool) -> None:
        """One column of a row, without its ground."""
        palette = self.theme.palette
        ink = palette.on_selection if selected else palette.text
        quiet = palette.on_selection if selected else palette.muted
        if column == 0:
            self._paint_name(painter, rect, line, selected)
            return
        if column == 1:
            unit_width = self.theme.px(UNIT)
            number = rect.adjusted(0, 0, -unit_width - 4, 0)
            is_number = _NUMBER.match(line.value)
            if _has_unit_column(line):
                room = number
            else:
                room = rect.adjusted(0, 0, -6, 0)
            font = self.theme.mono if is_number else self.theme.font
            draw_text(painter, room, line.value, font, ink, RIGHT, room=room.width())
            place = QRect(rect.right() - unit_width + 1, rect.top(), unit_width, rect.height())
            draw_text(painter, place, line.unit, self.theme.small, quiet)
            return
        if column == 2:
            text, margin = (line.records, 4)
        else:
            text, margin = (line.size, self.SIZE_MARGIN)
        color = ink if column == 2 else quiet
        room = rect.adjusted(0, 0, -margin, 0)
        draw_text(painter, room, text, self.theme.mono, color, RIGHT, room=room.width() + 1)  # widths are rounded

    def value_width(self, line: TreeLine) -> int:
        """How much of its column a value takes, from the right, with a gap before it; 0 for none."""
        if not line.value:
            return 0
        is_number = _NUMBER.match(line.value)
        words = self.theme.metrics(self.theme.mono if is_number else self.theme.font).horizontalAdvance(line.value)
        return words + (self.theme.px(UNIT) + 4 if _has_unit_column(line) else 6) + 8

    def _paint_name(self, painter: QPainter, rect: QRect, line: TreeLine, selected: bool) -> None:
        palette = self.theme.palette
        icons = self.theme.icons
        ink = palette.on_selection if selected else palette.text
        left = rect.left() + 2
        if line.icon:
            if selected:
                color = palette.on_selection
            else:
                color = icons.color_of(line.icon)
            icons.draw(painter, line.icon, left, rect.top() + (rect.height() - ICON) // 2, ICON, color)
            left += ICON + 6
        room = rect.right() - left - (18 if line.damaged else 0)
        font = self.theme.bold if line.bold else self.theme.font
        metrics = self.theme.metrics(font)
        name = metrics.elidedText(line.name, Qt.TextElideMode.ElideMiddle, room)
        draw_text(painter, QRect(left, rect.top(), room, rect.height()), name, font, ink)
        left += metrics.horizontalAdvance(name) + 8
        detail = line.detail or (line.records if self.narrow else "")
        if detail and left < rect.right():
            place = QRect(left, rect.top(), rect.right() - left, rect.height())
            color = ink if selected or line.detail else palette.muted
            draw_text(painter, place, detail, self.theme.font, color, room=place.width())
        if line.damaged:
            top = rect.top() + (rect.height() - ICON) // 2
            icons.draw(painter, "error", rect.right() - 16, top, ICON, ink if selected else palette.error)

    # --- editing ----------------------------------------------------------------------------------------

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = FieldLine(self.theme, say("Value"), parent)
        editor.setObjectName("fieldEditor")
        editor.committed.connect(lambda text: self._commit(editor, index.data(LINE), text))
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        line = index.data(LINE)
        snapshot = self.session.snapshot
        if not isinstance(editor, FieldLine) or not isinstance(line, TreeLine) or snapshot is None or editor.dirty:
            return
        if line.place.row == HEADER:
            name = line.place.field or ""
            editor.start(str(getattr(snapshot.header, {"map": "map_name"}.get(name, name))))
            return
        found = look_up(snapshot, line.place)
        if found.packet is not None and found.leaf is not None:
            field = found.leaf.field
            exact = exact_text(field, found.packet.decoded.value(found.leaf))
            editor.start(self.theme.units.exact(exact, field.unit))

    def setModelData(self, editor: QWidget, model: object, index: Index) -> None:
        if isinstance(editor, FieldLine):
            editor.commit()

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        width = max(self.theme.px(116), rect.width())
        editor.setGeometry(rect.right() - width + 1, rect.top() - 1, width, editor.height())

    def _commit(self, editor: FieldLine, line: object, text: str) -> None:
        if not isinstance(line, TreeLine):
            return
        editing = self.session.editing
        place = line.place

        def make() -> Edit:
            snapshot = self.session.snapshot_or_refuse()
            leaf = look_up(snapshot, place).leaf
            if leaf is None:
                raise FieldError("This field is not there any more.")
            typed = self.theme.units.stored(text, leaf.field.unit)
            return library.edits.set_field(snapshot, place, parse_value(leaf.field, typed))

        if place.row == HEADER:
            change = editing.set_header(place.field or "", text.strip(), editor.refuse)
        else:
            change = editing.attempt(make, refuse=editor.refuse)
        if change is not None:
            self.closeEditor.emit(editor, QAbstractItemDelegate.EndEditHint.NoHint)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Enter asks for the value; only what was accepted closes the editor, and leaving the window does not.
        if isinstance(watched, FieldLine) and isinstance(event, QFocusEvent) and event.lostFocus():
            if not watched.dirty and not watched.reason and event.reason() not in _STAYING:
                self.closeEditor.emit(watched, QAbstractItemDelegate.EndEditHint.NoHint)
            return False
        entered = isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if isinstance(watched, FieldLine) and entered and event.type() == QEvent.Type.KeyPress:
            watched.commit()
            return True
        return super().eventFilter(watched, event)


def _has_unit_column(line: TreeLine) -> bool:
    """A unit stands behind the value, or room for one, so that decimals are aligned; not behind h:mm:ss."""
    return bool(line.unit) or (_NUMBER.match(line.value) is not None and ":" not in line.value)


_STAYING = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
