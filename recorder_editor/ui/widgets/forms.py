"""How a form is laid out: labels, editors and raw bytes in three columns, groups under small headings.

It places what it is given and knows no field of the format.
"""

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from recorder_editor.ui.style.boxes import spaced
from recorder_editor.ui.style.painting import LEFT, RIGHT, draw_text
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.base import ElidedLabel, Label, RunningText, ThemedWidget, show_tip
from recorder_editor.ui.widgets.choices import ChoiceEdit
from recorder_editor.ui.widgets.numbers import UNIT_COLUMN, format_number
from recorder_editor.ui.widgets.value_edit import HEIGHT, NARROW, WIDTH, ValueEdit

MARGIN = 12
LABELS = 56
WIDEST_LABELS = 128
NARROWEST = 96
LONGEST_SEEN = 88
NARROWEST_FORM = 220


class GroupHeading(RunningText):
    """22 high: small semi-bold words and a hairline after them."""

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
    """A number that is only read, with its unit, where the form's editors have theirs and as wide as they are."""

    def __init__(self, theme: Theme, unit: str = "", name: str = "") -> None:
        super().__init__(theme)
        self.unit = unit
        self._name = name
        self._text = ""
        self._width = WIDTH
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_value(None)

    def set_width(self, width: int) -> None:
        """Another width than 116 pixels of the design."""
        self._width = width
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(self._width), self.theme.px(20))

    def text(self) -> str:
        """What it shows, without the unit."""
        return self._text

    def set_value(self, value: float | None, exact: str | None = None) -> None:
        """Show a number with three decimals and the exact one in the tooltip; None shows a dash."""
        self._value = value
        self._exact = exact
        units = self.theme.units
        unit = self.unit
        if value is None:
            whole = ""
        elif exact is not None:
            whole = exact
        else:
            whole = repr(value)
        if value is None:
            self._text = "–"
        else:
            self._text = f"{value:,}"
        if value is not None and not isinstance(value, int):
            self._text = format_number(value * units.factor(unit), units.decimals(unit, 3))
        self.setToolTip(f"{units.exact(whole, unit)} {units.unit(unit)}".strip() if whole else "")
        self.setAccessibleName(f"{self._name} {self._text} {units.unit(unit)}".strip())
        self.update()

    def restyle(self) -> None:
        """Take over fonts, lengths and units of this moment."""
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


class RawBytes(RunningText):
    """Bytes in hex, with gaps between them or, where room is short, without (``gapless``)."""

    gapless = False

    def set_gapless(self, gapless: bool) -> None:
        """Leave the gaps out, or show them."""
        if gapless != self.gapless:
            self.gapless = gapless
            self.update()

    def width_of(self, gapless: bool) -> int:
        """How wide the bytes are, without their gaps or with them."""
        if gapless:
            text = self.text().replace(" ", "")
        else:
            text = self.text()
        if text:
            return self.theme.metrics(self.theme.mono).horizontalAdvance(text) + 1
        return 0

    def shown(self) -> str:
        if self.gapless:
            return self.text().replace(" ", "")
        return self.text()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and self.width_of(self.gapless) > self.width() + 1:
            show_tip(self, f"{self.text()}\n{self.toolTip()}")
            return True
        return super().event(event)


class FormRow:
    """One line of a form.

    Attributes: ``label``, ``editor``, ``raw`` (the bytes at the right of the editor), the widgets of the line.
    """

    def __init__(self, label: Label, editor: QWidget, raw: RawBytes) -> None:
        self.label = label
        self.editor = editor
        self.raw = raw

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

    Labels have 56 pixels, more when their words need it; editors have 116, or about
    100 where that lets the bytes be read; where even that does not, the bytes stand without gaps.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._rows: list[FormRow] = []
        self._next = 0
        self._grid = spaced(QGridLayout(self), 8, 4, MARGIN)
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
        line = FormRow(self._label(label, editor), editor, RawBytes(self.theme, raw, "mono", "faint"))
        line.raw.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._grid.addWidget(line.label, self._next, 0)
        self._grid.addWidget(editor, self._next, 1, Qt.AlignmentFlag.AlignLeft)
        self._grid.addWidget(line.raw, self._next, 2)
        self._rows.append(line)
        self._next += 1
        self._fit_width()
        return line

    def wide(self, label: str, editor: QWidget) -> FormRow:
        """Add a line whose editor goes on to the right margin: a text, a choice, check boxes."""
        line = FormRow(self._label(label, editor), editor, RawBytes(self.theme, "", "mono", "faint"))
        line.raw.hide()
        fixed = editor.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Fixed
        if fixed:
            side = Qt.AlignmentFlag.AlignLeft
        else:
            side = Qt.AlignmentFlag(0)
        self._grid.addWidget(line.label, self._next, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(editor, self._next, 1, 1, 2, side)
        self._rows.append(line)
        self._next += 1
        return line

    def across(self, widget: QWidget) -> None:
        """Add something over the whole width."""
        self._grid.addWidget(widget, self._next, 0, 1, 3)
        self._next += 1

    def rows(self) -> tuple[FormRow, ...]:
        """All lines, from top to bottom."""
        return tuple(self._rows)

    def clear(self) -> None:
        """Take everything out."""
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
        """Take over palette, fonts and lengths of this moment."""
        self._fit_width()
        super().restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_width()

    def minimumSizeHint(self) -> QSize:
        # Labels and editors give way to the width there is; only their height is what it is.
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
        metrics = self.theme.metrics()
        words = max((metrics.horizontalAdvance(row.label.text()) + 1 for row in self._rows), default=0)
        raw, joined = (max((row.raw.width_of(one) for row in self._rows), default=0) for one in (False, True))
        room = self.width() - 2 * MARGIN - 16
        labels = min(max(self.theme.px(LABELS), words), self.theme.px(WIDEST_LABELS))
        labels = min(labels, max(self.theme.px(LABELS), room - self.theme.px(NARROW)))
        self._grid.setColumnMinimumWidth(0, labels)
        # Bytes of 4 are worth a narrower editor; longer ones would not be seen whole either way.
        short = raw <= self.theme.px(LONGEST_SEEN)
        gapless = room - labels - raw < self.theme.px(NARROW)
        beside = (room - labels - (joined if gapless else raw)) * NARROW // self.theme.px(NARROW)
        if short:
            width = min(WIDTH, max(NARROWEST, beside))
        else:
            width = WIDTH
        width = max(NARROWEST, min(width, (room - labels) * NARROW // self.theme.px(NARROW)))
        for row in self._rows:
            row.label.setFixedWidth(labels)
            row.raw.set_gapless(gapless)
            in_column = row.editor.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Fixed
            if isinstance(row.editor, (ValueEdit, NumberLabel)) and in_column:
                row.editor.set_width(width)
            elif isinstance(row.editor, ChoiceEdit) and in_column:
                row.editor.setFixedWidth(self.theme.px(width))
