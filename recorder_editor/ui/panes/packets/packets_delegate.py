"""How a row of the tree is painted and edited: 22 pixels, icon by class, numbers that align, units that step back."""

import re

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFocusEvent, QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemDelegate, QStyledItemDelegate, QStyleOptionViewItem, QWidget

import recorder_editor as library

from ....errors import FieldError
from ....format import exact_text, parse_value
from ....recording import Edit
from ....texts import say
from ....views.outline import TreeLine
from ....views.selection import HEADER, look_up
from ...session import Session
from ...style.painting import RIGHT, draw_text, elided, text_width
from ...style.theme import Theme
from ...widgets.value_edit import ValueEdit
from .packets_model import LINE, Index

ROW = 22  # px, as all lengths here
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
    """Paints a `TreeLine`.

    Attributes:
        narrow: Whether the number of records stands behind the name.
    """

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
        """Paint one column of a row, without its ground."""
        palette = self.theme.palette
        ink = palette.text
        quiet = palette.muted
        if selected:
            ink = palette.on_selection
            quiet = palette.on_selection
        if column == 0:
            self._paint_name(painter, rect, line, selected)
        elif column == 1:
            self._paint_value(painter, rect, line, ink, quiet)
        elif column == 2:
            self._paint_count(painter, rect.adjusted(0, 0, -4, 0), line.records, ink)
        else:
            self._paint_count(painter, rect.adjusted(0, 0, -self.SIZE_MARGIN, 0), line.size, quiet)

    def _paint_value(self, painter: QPainter, rect: QRect, line: TreeLine, ink: QColor, quiet: QColor) -> None:
        unit_width = self.theme.px(UNIT)
        room = rect.adjusted(0, 0, -self._unit_room(line), 0)
        draw_text(painter, room, line.value, self._value_font(line), ink, RIGHT, room=room.width())
        place = QRect(rect.right() - unit_width + 1, rect.top(), unit_width, rect.height())
        draw_text(painter, place, line.unit, self.theme.small, quiet)

    def _paint_count(self, painter: QPainter, rect: QRect, text: str, ink: QColor) -> None:
        draw_text(painter, rect, text, self.theme.mono, ink, RIGHT, room=rect.width() + 1)  # widths are rounded

    def _value_font(self, line: TreeLine) -> QFont:
        """Return the font of a value: numbers align, words do not."""
        if _NUMBER.match(line.value):
            return self.theme.mono
        return self.theme.font

    def _unit_room(self, line: TreeLine) -> int:
        """Return how much room is left free at the right of a value, px."""
        if _has_unit_column(line):
            return self.theme.px(UNIT) + 4
        return 6

    def value_width(self, line: TreeLine) -> int:
        """Return how much of its column a value takes, from the right, with a gap before it; 0 for none."""
        if not line.value:
            return 0
        return text_width(line.value, self._value_font(line)) + self._unit_room(line) + 8

    def _paint_name(self, painter: QPainter, rect: QRect, line: TreeLine, selected: bool) -> None:
        """Paint icon, name and detail of a row, and the sign of damage."""
        palette = self.theme.palette
        icons = self.theme.icons
        ink = palette.text
        quiet = palette.muted
        error = palette.error
        if selected:
            ink = quiet = error = palette.on_selection
        left = rect.left() + 2
        icon_top = rect.top() + (rect.height() - ICON) // 2
        if line.icon:
            if selected:
                color = ink
            else:
                color = icons.color_of(line.icon)
            icons.draw(painter, line.icon, left, icon_top, ICON, color)
            left += ICON + 6
        room = rect.right() - left
        if line.damaged:
            room -= 18
        font = self.theme.bold if line.bold else self.theme.font
        name = elided(line.name, font, Qt.TextElideMode.ElideMiddle, room)
        draw_text(painter, QRect(left, rect.top(), room, rect.height()), name, font, ink)
        left += text_width(name, font) + 8
        place = QRect(left, rect.top(), rect.right() - left, rect.height())
        if left < rect.right() and line.detail:
            draw_text(painter, place, line.detail, self.theme.font, ink, room=place.width())
        elif left < rect.right() and self.narrow and line.records:
            draw_text(painter, place, line.records, self.theme.font, quiet, room=place.width())
        if line.damaged:
            icons.draw(painter, "error", rect.right() - 16, icon_top, ICON, error)

    # --- editing ----------------------------------------------------------------------------------------

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = FieldLine(self.theme, say("Value"), parent)
        editor.setObjectName("fieldEditor")
        editor.committed.connect(lambda text: self._commit(editor, index.data(LINE), text))
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        line = index.data(LINE)
        snapshot = self.session.snapshot
        if not isinstance(editor, FieldLine) or not isinstance(line, TreeLine):
            return
        if snapshot is None or editor.dirty:
            return
        if line.place.row == HEADER:
            name = line.place.field or ""
            if name == "map":
                name = "map_name"
            editor.start(str(getattr(snapshot.header, name)))
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
    """Return whether a unit stands behind a value, or room for one, so that decimals align; not behind h:mm:ss."""
    return bool(line.unit) or (_NUMBER.match(line.value) is not None and ":" not in line.value)


_STAYING = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
