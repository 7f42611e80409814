"""Editors of numbers that have names: one of several, bits, yes or no.

They have the face of every editor: ``committed(str)``, ``set_value``, ``set_mixed``, ``refuse``, ``revert``. What a
file holds beyond what has a name (an unnamed number, an unnamed bit, a boolean of 2) is shown and kept.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_, or_

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QSizePolicy, QStyleOptionComboBox, QWidget

from recorder_editor.ui.style.boxes import spaced
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.base import Label, WheelFilter, set_state
from recorder_editor.ui.widgets.error_popup import ErrorPopup
from recorder_editor.ui.widgets.value_edit import HEIGHT, WIDTH, StoredNumber

from ...texts import say

_COLUMNS = 2
"""Of the boxes of bits, where there is room."""


class ChoiceEdit(StoredNumber, QComboBox):
    """One of several named numbers, each with its number behind it; a number without a name stays one.

    The wheel turns it only while it has the keyboard.

    Signal: ``committed(str)`` with the number, when the user has chosen another one.
    """

    committed = Signal(str)

    def __init__(self, theme: Theme, choices: Mapping[int, str], numbers: bool = True, name: str = "") -> None:
        """``numbers``: whether the numbers stand behind the names, as they should for a field of a file."""
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
        """Show the value that was set last by its name."""
        self._refusal.say("")
        self.setPlaceholderText(say("mixed") if self._value is None else "")
        set_state(self, "mixed", self._value is None)
        with QSignalBlocker(self):
            while self.count() > len(self._choices):
                self.removeItem(self.count() - 1)
            if self._value is not None and self._value not in self._choices:
                self._add(say("unnamed"), self._value)
            self.setCurrentIndex(-1 if self._value is None else self.findData(self._value))

    def _add(self, label: str, number: int) -> None:
        self.addItem(f"{label} ({number})" if self.numbers else label, number)

    def sizeHint(self) -> QSize:
        longest = max(map(self.fontMetrics().horizontalAdvance, self._choices.values()), default=0)
        return QSize(max(self.theme.px(WIDTH), longest + self.theme.px(36)), self.theme.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(60), self.theme.px(HEIGHT))

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        room = self.width() - self.theme.px(26)
        metrics = self.fontMetrics()
        if metrics.horizontalAdvance(option.currentText) > room:  # the number gives way
            words = self._choices.get(self.currentData(), option.currentText)
            option.currentText = metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)

    def _chosen(self, index: int) -> None:
        number = self.itemData(index)
        self._refusal.say("")
        if number != self._value:
            self.committed.emit(str(number))


class FlagsEdit(StoredNumber, QWidget):
    """The named bits of a number as check boxes in columns; unnamed bits are shown as a number and kept.

    Signals: ``committed(str)`` with the whole number, when the user has switched a bit; where several numbers differ,
    ``switched(int, bool)`` with the bit alone and whether it is on now.
    """

    committed = Signal(str)
    switched = Signal(object, bool)

    def __init__(self, theme: Theme, flags: Mapping[int, str], name: str = "") -> None:
        """``flags`` maps each bit's value (1, 2, 4, ...) to its name."""
        super().__init__()
        self.theme = theme
        self.setAccessibleName(name)
        self._value: int | None = 0
        self._all = self._any = self._columns = 0
        self._refusal = ErrorPopup(theme, self)
        self._boxes: dict[int, QCheckBox] = {}
        self._grid = grid = spaced(QGridLayout(self), 12, 6, (0, 4, 0, 4))
        for bit, label in flags.items():
            box = QCheckBox(label)
            box.setToolTip(f"0x{bit:x}")
            box.clicked.connect(lambda _checked, bit=bit: self._switched(bit))
            self._boxes[bit] = box
        self._rest = Label(theme, "", "mono", "muted")
        self._rest.hide()
        grid.addWidget(self._rest, len(flags), 0, 1, _COLUMNS)
        grid.setColumnStretch(_COLUMNS, 1)
        self._arrange(_COLUMNS)

    def _arrange(self, columns: int) -> None:
        """Downwards first, as people read a list in columns."""
        rows = -(-len(self._boxes) // columns)
        held = self._columns
        self._columns = columns
        for place, box in enumerate(self._boxes.values() if columns != held else ()):
            self._grid.addWidget(box, place % rows, place // rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = [box.sizeHint().width() for box in self._boxes.values()]
        rows = max(1, -(-len(wide) // _COLUMNS))
        needed = sum(max(wide[at : at + rows]) for at in range(0, len(wide), rows)) + self._grid.horizontalSpacing()
        self._arrange(_COLUMNS if needed <= self.width() else 1)

    def set_value(self, value: int) -> None:
        """Show a number as its bits."""
        self._value = self._all = self._any = value
        self.revert()

    def set_mixed(self, values: Sequence[int] = ()) -> None:
        """Show that several values differ: switching a box asks for that bit alone.

        A box is half on where the values differ in it; without values, all are.
        """
        self._value = None
        if values:
            self._all = reduce(and_, values)
        else:
            self._all = 0
        if values:
            self._any = reduce(or_, values)
        else:
            self._any = -1
        self.revert()

    def revert(self) -> None:
        """Show the value that was set last."""
        self._refusal.say("")
        for bit, box in self._boxes.items():
            half = bool(self._any & ~self._all & bit)
            box.setTristate(half)
            if half:
                box.setCheckState(Qt.CheckState.PartiallyChecked)
            else:
                box.setChecked(bool(self._all & bit))
        rest = self._unnamed()
        self._rest.setText(f"+ 0x{rest:x}")
        self._rest.setToolTip(say("Unnamed bits; they do not change."))
        self._rest.setVisible(rest != 0)

    def _unnamed(self) -> int:
        return (self._value or 0) & ~reduce(or_, self._boxes, 0)

    def _switched(self, switched: int) -> None:
        self._refusal.say("")
        if self._value is None:
            self.switched.emit(switched, self._boxes[switched].checkState() == Qt.CheckState.Checked)
            return
        on = sum(bit for bit, box in self._boxes.items() if box.checkState() == Qt.CheckState.Checked)
        number = on | self._unnamed()
        if number != self._value:
            self.committed.emit(str(number))


class CheckEdit(StoredNumber, QCheckBox):
    """Yes or no as one byte; another number than 0 and 1 is shown beside the box and counts as yes.

    Signal: ``committed(str)`` with "0" or "1", when the user has switched it.
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
        self._refusal.say("")
        self.setTristate(self._value is None)
        if self._value is None:
            self.setCheckState(Qt.CheckState.PartiallyChecked)
        else:
            self.setChecked(self._value != 0)
        odd = self._value is not None and self._value not in (0, 1)
        self.setText(say("stored as {stored}", stored=self._value) if odd else "")

    def _switched(self) -> None:
        self.committed.emit("1" if self.checkState() != Qt.CheckState.Unchecked else "0")
