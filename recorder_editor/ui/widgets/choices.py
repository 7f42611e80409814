"""Editors of numbers that have names: one of several, bits, yes or no.

They have what every editor has: ``committed(str)``, ``set_value``, ``set_mixed``, ``refuse``, ``revert``. Values that
have no name (an unnamed number, an unnamed bit, a boolean of 2) are shown and kept.
"""

import math
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_, or_

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QSizePolicy, QStyleOptionComboBox, QWidget

from recorder_editor.ui.style.boxes import set_spacing
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.base import Label, WheelFilter, set_state
from recorder_editor.ui.widgets.error_popup import ErrorPopup
from recorder_editor.ui.widgets.value_edit import HEIGHT, WIDTH, StoredNumber

from ...texts import say

_COLUMNS = 2
"""Of the boxes of bits, where there is room."""


class ChoiceEdit(StoredNumber, QComboBox):
    """One of several named numbers, each with its number behind it; a number without a name is kept.

    The wheel turns it only while it has the keyboard.

    Attributes:
        theme: The theme.
        numbers: The numbers are shown behind the names.

    Signals:
        committed(str): The user has chosen another number.
    """

    committed = Signal(str)

    def __init__(self, theme: Theme, choices: Mapping[int, str], numbers: bool = True, name: str = "") -> None:
        """Make a choice without a value.

        Args:
            theme: The theme.
            choices: The names, by number.
            numbers: Show the numbers behind the names, as for a field of a file.
            name: Its name for screen readers.
        """
        super().__init__()
        self.theme = theme
        self.numbers = numbers
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._choices = dict(choices)
        self._value: int | None = None
        self._refusal = ErrorPopup(theme, self)
        for number, label in self._choices.items():
            self._add(label, number)
        self.setCurrentIndex(-1)
        self.installEventFilter(WheelFilter(self))
        self.activated.connect(self._chosen)
        theme.changed.connect(self.updateGeometry)

    def revert(self) -> None:
        """Show the name of the value that was set last."""
        self._refusal.show_reason("")
        is_mixed = self._value is None
        self.setPlaceholderText(say("mixed") if is_mixed else "")
        set_state(self, "mixed", is_mixed)
        with QSignalBlocker(self):
            while self.count() > len(self._choices):
                self.removeItem(self.count() - 1)
            if self._value is not None and self._value not in self._choices:
                self._add(say("unnamed"), self._value)
            if is_mixed:
                self.setCurrentIndex(-1)
            else:
                self.setCurrentIndex(self.findData(self._value))

    def _add(self, label: str, number: int) -> None:
        if self.numbers:
            label = f"{label} ({number})"
        self.addItem(label, number)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        longest = max((metrics.horizontalAdvance(label) for label in self._choices.values()), default=0)
        width = max(self.theme.px(WIDTH), longest + self.theme.px(36))
        return QSize(width, self.theme.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(60), self.theme.px(HEIGHT))

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        room = self.width() - self.theme.px(26)
        metrics = self.fontMetrics()
        if metrics.horizontalAdvance(option.currentText) > room:  # the number is left out
            label = self._choices.get(self.currentData(), option.currentText)
            option.currentText = metrics.elidedText(label, Qt.TextElideMode.ElideRight, room)

    def _chosen(self, index: int) -> None:
        number = self.itemData(index)
        self._refusal.show_reason("")
        if number != self._value:
            self.committed.emit(str(number))


class FlagsEdit(StoredNumber, QWidget):
    """The named bits of a number as check boxes in columns; unnamed bits are shown as a number and kept.

    Signals:
        committed(str): The user has switched a bit; has the whole number.
        switched(int, bool): The same where several numbers differ; has the bit alone and whether it is on now.
    """

    committed = Signal(str)
    switched = Signal(object, bool)

    def __init__(self, theme: Theme, flags: Mapping[int, str], name: str = "") -> None:
        """Make an editor of 0.

        Args:
            theme: The theme.
            flags: The names of bits, by their value (1, 2, 4, ...).
            name: Its name for screen readers.
        """
        super().__init__()
        self.theme = theme
        self.setAccessibleName(name)
        self._value: int | None = 0
        self._all = 0  # the bits that are on in all values
        self._any = 0  # the bits that are on in one of them
        self._columns = 0
        self._refusal = ErrorPopup(theme, self)
        self._boxes: dict[int, QCheckBox] = {}
        self._grid = grid = set_spacing(QGridLayout(self), across=12, down=6, margins=(0, 4, 0, 4))
        for bit, label in flags.items():
            box = QCheckBox(label)
            box.setToolTip(f"0x{bit:x}")
            box.clicked.connect(lambda _checked, bit=bit: self._switch(bit))
            self._boxes[bit] = box
        self._unnamed_label = Label(theme, "", "mono", "muted")
        self._unnamed_label.hide()
        grid.addWidget(self._unnamed_label, len(flags), 0, 1, _COLUMNS)
        grid.setColumnStretch(_COLUMNS, 1)
        self._arrange(_COLUMNS)

    def _arrange(self, columns: int) -> None:
        """Put the boxes into columns, downwards first, as people read a list."""
        if columns == self._columns:
            return
        self._columns = columns
        rows = math.ceil(len(self._boxes) / columns)
        for index, box in enumerate(self._boxes.values()):
            self._grid.addWidget(box, index % rows, index // rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        widths = [box.sizeHint().width() for box in self._boxes.values()]
        rows = max(1, math.ceil(len(widths) / _COLUMNS))
        needed = self._grid.horizontalSpacing()
        for first in range(0, len(widths), rows):
            needed += max(widths[first : first + rows])
        self._arrange(_COLUMNS if needed <= self.width() else 1)

    def set_value(self, value: int) -> None:
        """Show a number as its bits."""
        self._value = value
        self._all = value
        self._any = value
        self.revert()

    def set_mixed(self, values: Sequence[int] = ()) -> None:
        """Show that several values differ: switching a box emits that bit alone.

        Args:
            values: A box is half on where these differ in its bit; where there are none, every box is.
        """
        self._value = None
        if values:
            self._all = reduce(and_, values)
            self._any = reduce(or_, values)
        else:
            self._all = 0
            self._any = -1
        self.revert()

    def revert(self) -> None:
        """Show the value that was set last."""
        self._refusal.show_reason("")
        for bit, box in self._boxes.items():
            is_half_on = bool(self._any & ~self._all & bit)
            box.setTristate(is_half_on)
            if is_half_on:
                box.setCheckState(Qt.CheckState.PartiallyChecked)
            else:
                box.setChecked(bool(self._all & bit))
        unnamed = self._unnamed()
        self._unnamed_label.setText(f"+ 0x{unnamed:x}")
        self._unnamed_label.setToolTip(say("Unnamed bits; they do not change."))
        self._unnamed_label.setVisible(unnamed != 0)

    def _unnamed(self) -> int:
        """Return the bits of the value that have no name."""
        if self._value is None:
            return 0
        named = reduce(or_, self._boxes, 0)
        return self._value & ~named

    def _switch(self, bit: int) -> None:
        self._refusal.show_reason("")
        if self._value is None:
            self.switched.emit(bit, self._boxes[bit].checkState() == Qt.CheckState.Checked)
            return
        named = 0
        for flag, box in self._boxes.items():
            if box.checkState() == Qt.CheckState.Checked:
                named += flag
        number = named | self._unnamed()
        if number != self._value:
            self.committed.emit(str(number))


class CheckEdit(StoredNumber, QCheckBox):
    """Yes or no as one byte; another number than 0 and 1 is shown beside the box and counts as yes.

    Signals:
        committed(str): The user has switched it; has "0" or "1".
    """

    committed = Signal(str)

    def __init__(self, theme: Theme, name: str = "") -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFixedHeight(theme.px(HEIGHT))
        self._value: int | None = 0
        self._refusal = ErrorPopup(theme, self)
        self.clicked.connect(self._switched)

    def revert(self) -> None:
        """Show the value that was set last."""
        self._refusal.show_reason("")
        self.setTristate(self._value is None)
        if self._value is None:
            self.setCheckState(Qt.CheckState.PartiallyChecked)
        else:
            self.setChecked(self._value != 0)
        if self._value in (None, 0, 1):
            self.setText("")
        else:
            self.setText(say("stored as {stored}", stored=self._value))

    def _switched(self) -> None:
        is_on = self.checkState() != Qt.CheckState.Unchecked
        self.committed.emit("1" if is_on else "0")
