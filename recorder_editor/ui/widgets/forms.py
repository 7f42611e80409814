"""The layout of a form: labels, editors and raw bytes in three columns, groups under small headings.

It lays out the editors that it is given and knows no field of the format.
"""

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from recorder_editor.texts import listed
from recorder_editor.ui.style.boxes import set_spacing
from recorder_editor.ui.style.painting import LEFT, RIGHT, draw_text
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.base import ElidedLabel, Label, RunningText, ThemedButton, ThemedWidget, show_tip
from recorder_editor.ui.widgets.choices import ChoiceEdit
from recorder_editor.ui.widgets.numbers import UNIT_COLUMN, format_number
from recorder_editor.ui.widgets.value_edit import HEIGHT, NARROW, WIDTH, ValueEdit

MARGIN = 12
LABELS = 56
WIDEST_LABELS = 128
NARROWEST = 96
NARROWEST_FORM = 220
_BAR = 3
_BEFORE_EDITOR = 2


class GroupHeading(RunningText):
    """A heading, 22 high: a small semi-bold text and a hairline after it."""

    def __init__(self, theme: Theme, text: str) -> None:
        super().__init__(theme, text, "small_bold")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(80), self.theme.px(22))

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.theme.palette
        painter = QPainter(self)
        draw_text(painter, self.rect(), self.text(), self.theme.small_bold, palette.text, room=self.width())
        start = painter.fontMetrics().horizontalAdvance(self.text()) + 8
        if start < self.width():
            painter.fillRect(start, self.height() // 2, self.width() - start, 1, palette.hairline)


class NumberLabel(ThemedWidget):
    """A number that is only read, with its unit, aligned with the form's editors and as wide as they are.

    Attributes:
        unit: The unit of the recording.
    """

    def __init__(self, theme: Theme, unit: str = "", name: str = "") -> None:
        super().__init__(theme)
        self.unit = unit
        self._name = name
        self._text = ""
        self._width = WIDTH
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_value(None)

    def set_width(self, width: int) -> None:
        """Set another width than 116 pixels of the design."""
        self._width = width
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(self._width), self.theme.px(20))

    def text(self) -> str:
        """Return the text that it shows, without the unit."""
        return self._text

    def set_value(self, value: float | None, exact: str | None = None) -> None:
        """Show a number with three decimals, and the exact one in the tooltip.

        Args:
            value: The number, in the unit of the recording; None: a dash.
            exact: Its exact text; None: Python's shortest.
        """
        self._value = value
        self._exact = exact
        units = self.theme.units
        shown_unit = units.unit(self.unit)
        tip = ""
        if value is None:
            self._text = "–"
        else:
            if isinstance(value, int):
                self._text = f"{value:,}"
            else:
                self._text = format_number(value * units.factor(self.unit), units.decimals(self.unit, 3))
            if exact is None:
                exact = repr(value)
            if exact:
                tip = f"{units.exact(exact, self.unit)} {shown_unit}".strip()
        self.setToolTip(tip)
        self.setAccessibleName(f"{self._name} {self._text} {shown_unit}".strip())
        self.update()

    def restyle(self) -> None:
        """Apply fonts, lengths and units of this moment."""
        self.set_value(self._value, self._exact)
        super().restyle()

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.theme.palette
        painter = QPainter(self)
        column = self.theme.px(UNIT_COLUMN)
        number = self.rect().adjusted(0, 0, -column, 0)
        color = palette.text if self.isEnabled() else palette.faint
        draw_text(painter, number, self._text, self.theme.mono, color, RIGHT)
        place = QRect(self.width() - column + 4, 0, column, self.height())
        unit = self.theme.units.unit(self.unit)
        draw_text(painter, place, unit, self.theme.small, palette.muted, LEFT | Qt.TextFlag.TextDontClip)


class NumberLink(ThemedButton):
    """A number that is clicked, aligned with the form's editors, and a small text after it."""

    def __init__(self, theme: Theme, name: str) -> None:
        """Make a link without a number; ``name`` is its name for screen readers."""
        super().__init__(theme, "")
        self._name = name
        self._detail = ""
        self._width = WIDTH
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_number(self, number: int, detail: str) -> None:
        """Show a number and the text after it."""
        self._detail = detail
        self.setText(f"{number:,}")
        self.setAccessibleName(listed((self._name, self.text(), detail)))
        self.updateGeometry()
        self.update()

    def set_width(self, width: int) -> None:
        """Align the number with editors of another width than 116 pixels of the design."""
        self._width = width
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        detail = self.theme.metrics(self.theme.small).horizontalAdvance(self._detail)
        return QSize(self._end + 6 + detail, self.theme.px(20))

    @property
    def _end(self) -> int:
        """Where the number ends, pixels."""
        return self.theme.px(self._width) - self.theme.px(UNIT_COLUMN)

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.theme.palette
        painter = QPainter(self)
        number = QRect(0, 0, self._end, self.height())
        is_lit = self.underMouse() or self.hasFocus()
        color = palette.selection if is_lit else palette.text
        draw_text(painter, number, self.text(), self.theme.mono, color, RIGHT)
        if is_lit:
            width = self.theme.metrics(self.theme.mono).horizontalAdvance(self.text())
            line = self.height() - self.theme.px(3)
            painter.fillRect(self._end - width, line, width, 1, palette.selection)
        detail = QRect(self._end + 4, 0, self.width() - self._end - 4, self.height())
        draw_text(painter, detail, self._detail, self.theme.small, palette.muted, LEFT | Qt.TextFlag.TextDontClip)


class RawBytes(RunningText):
    """Bytes in hex.

    Attributes:
        is_whole: They are shown whole or not at all; else they end in an ellipsis where room is short.
    """

    def __init__(self, theme: Theme, text: str = "", *, is_whole: bool = False) -> None:
        super().__init__(theme, text, "mono", "faint")
        self.is_whole = is_whole
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def needed(self) -> int:
        """How wide the bytes are, px."""
        if self.text():
            return self.theme.metrics(self.theme.mono).horizontalAdvance(self.text()) + 1
        return 0

    @property
    def fits(self) -> bool:
        """Whether there is room for all of them."""
        return self.needed <= self.width() + 1

    def shown(self) -> str:
        if self.is_whole and not self.fits:
            return ""
        return self.text()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and not self.fits:
            show_tip(self, f"{self.text()}\n{self.toolTip()}")
            return True
        return super().event(event)


class FormRow:
    """The widgets of one line of a form.

    Attributes:
        label: The label.
        editor: The editor.
        raw: The bytes at the right of the editor.
        is_edited: A bar at the left of the editor says that its value was edited.
    """

    def __init__(self, label: Label, editor: QWidget, raw: RawBytes) -> None:
        self.label = label
        self.editor = editor
        self.raw = raw
        self.is_edited = False

    def set_raw(self, text: str) -> None:
        """Show these bytes at the right of the editor."""
        self.raw.setText(text)

    def set_selected(self, selected: bool) -> None:
        """Show that the line's field is the selection: frame and bytes in its colour."""
        self.raw.set_color("selection" if selected else "faint")
        if isinstance(self.editor, ValueEdit):
            self.editor.set_selected(selected)

    def set_visible(self, visible: bool) -> None:
        """Show or hide the whole line."""
        for widget in (self.label, self.editor, self.raw):
            widget.setVisible(visible)


class Form(ThemedWidget):
    """Lines of label, editor and raw bytes, in a margin of 12; groups under headings; one pitch of 28.

    Labels have 56 pixels, or more where their texts need it. Editors have 116, or about 100 where that leaves room for
    the bytes; bytes for which even that does not are left out.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._rows: list[FormRow] = []
        self._next = 0
        self._grid = set_spacing(QGridLayout(self), across=8, down=4, margins=MARGIN)
        self._grid.setColumnStretch(2, 1)
        self._grid.setRowStretch(1_000, 1)

    def heading(self, text: str) -> GroupHeading:
        """Begin a group."""
        if self._next:
            self._grid.setRowMinimumHeight(self._next, self.theme.px(4))
            self._next += 1
        heading = GroupHeading(self.theme, text)
        self.across(heading)
        return heading

    def row(self, label: str, editor: QWidget, raw: str = "") -> FormRow:
        """Add a line with the bytes of its value at the right of the editor."""
        line = FormRow(self._label(label, editor), editor, RawBytes(self.theme, raw, is_whole=True))
        self._grid.addWidget(line.label, self._next, 0)
        self._grid.addWidget(editor, self._next, 1, Qt.AlignmentFlag.AlignLeft)
        self._grid.addWidget(line.raw, self._next, 2)
        self._rows.append(line)
        self._next += 1
        self._fit_width()
        return line

    def wide(self, label: str, editor: QWidget) -> FormRow:
        """Add a line whose editor extends to the right margin: a text, a choice, check boxes."""
        line = FormRow(self._label(label, editor), editor, RawBytes(self.theme))
        line.raw.hide()
        side = Qt.AlignmentFlag(0)
        if _is_fixed(editor):
            side = Qt.AlignmentFlag.AlignLeft
        self._grid.addWidget(line.label, self._next, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(editor, self._next, 1, 1, 2, side)
        self._rows.append(line)
        self._next += 1
        return line

    def across(self, widget: QWidget) -> None:
        """Add a widget over the whole width."""
        self._grid.addWidget(widget, self._next, 0, 1, 3)
        self._next += 1

    def rows(self) -> tuple[FormRow, ...]:
        """Return all lines, from top to bottom."""
        return tuple(self._rows)

    def clear(self) -> None:
        """Remove all lines and headings."""
        self._rows.clear()
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.setParent(None)
                widget.deleteLater()
        for row in range(self._next):
            self._grid.setRowMinimumHeight(row, 0)
        self._next = 0

    def restyle(self) -> None:
        """Apply palette, fonts and lengths of this moment."""
        self._fit_width()
        super().restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_width()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for row in self._rows:
            if row.is_edited and row.editor.isVisible():
                place = row.editor.geometry()
                left = place.left() - _BAR - _BEFORE_EDITOR
                painter.fillRect(left, place.top(), _BAR, place.height(), self.theme.palette.edited)

    def minimumSizeHint(self) -> QSize:
        # Labels and editors become as narrow as they must; only their height is fixed.
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), self.theme.px(NARROWEST_FORM)), hint.height())

    def _label(self, text: str, editor: QWidget) -> Label:
        label = ElidedLabel(self.theme, text, "font", "muted")
        label.setAlignment(RIGHT)
        label.setBuddy(editor)
        label.setMinimumHeight(min(editor.sizeHint().height(), self.theme.px(HEIGHT)))
        if not editor.accessibleName():
            editor.setAccessibleName(text)
        return label

    def _fit_width(self) -> None:
        """Divide the width among labels, editors and bytes."""
        px = self.theme.px
        room = self.width() - 2 * MARGIN - 16
        labels = self._label_width(room)
        self._grid.setColumnMinimumWidth(0, labels)
        # Bytes that have no room beside the narrowest editors are left out: for these no editor becomes narrower.
        longest = room - labels - px(NARROWEST)
        bytes_width = max((row.raw.needed for row in self._rows if row.raw.needed <= longest), default=0)
        # Editors are measured in pixels of the design: `NARROW` of these are px(NARROW) on the screen.
        beside_bytes = (room - labels - bytes_width) * NARROW // px(NARROW)
        width = max(NARROWEST, min(WIDTH, beside_bytes))
        for row in self._rows:
            row.label.setFixedWidth(labels)
            if not _is_fixed(row.editor):
                continue
            if isinstance(row.editor, (ValueEdit, NumberLabel, NumberLink)):
                row.editor.set_width(width)
            elif isinstance(row.editor, ChoiceEdit):
                row.editor.setFixedWidth(px(width))

    def _label_width(self, room: int) -> int:
        """Return the width of the labels in so many pixels of room."""
        px = self.theme.px
        metrics = self.theme.metrics()
        needed = max((metrics.horizontalAdvance(row.label.text()) + 1 for row in self._rows), default=0)
        width = min(max(px(LABELS), needed), px(WIDEST_LABELS))
        return min(width, max(px(LABELS), room - px(NARROW)))


def _is_fixed(editor: QWidget) -> bool:
    """Return whether an editor is as wide as its column."""
    return editor.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Fixed
