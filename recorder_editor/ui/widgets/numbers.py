"""Editors of numbers: a number with its unit inside the frame, and an angle with a dial to drag.

They know units, ranges and steps, but no field of the format.
"""

import math
import re
from decimal import Decimal, InvalidOperation

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent

from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.base import WheelFilter
from recorder_editor.ui.widgets.value_edit import EDGE, MARGIN, ValueEdit

from ...texts import say

UNIT_COLUMN = 30
ANGLE_COLUMN = 20
DIAL = 13

_WHEEL_NOTCH = 120
_EXPONENT_FROM = 1e9
_SNAP = 15
_BITS = re.compile(r"f(32|64):[0-9a-fA-F]+$")


def format_number(value: float, decimals: int = 3) -> str:
    """Return a number as tables and forms show it: an integer whole, any other with ``decimals`` places.

    A number that is too large to be read that way gets an exponent. The exact value belongs in the tooltip.
    """
    if isinstance(value, int):
        return str(value)
    if not math.isfinite(value) or abs(value) < _EXPONENT_FROM:
        return f"{value:.{decimals}f}"
    return f"{value:.6g}"


class NumberEdit(ValueEdit):
    """A right-aligned number and its unit, 116 x 24: with three decimals while it is shown, exact while it is edited.

    Values, range and step are those of the recording, in ``unit``; they are shown and typed in the theme's units.

    A fraction may be typed by its bits, as in ``f32:7f800001``: only these tell one NaN from another.

    Up, Down and the wheel (while it has the keyboard) take steps, ten with Shift and, for fractions, a tenth
    with Ctrl; each step is committed at once. Enter and leaving commit, Esc reverts.

    Attributes:
        unit: The unit of the recording; empty: none.

    Signals:
        committed(str): The text of a number that is within the range.
    """

    def __init__(
        self,
        theme: Theme,
        unit: str = "",
        *,
        integer: bool = False,
        low: float | None = None,
        high: float | None = None,
        step: float = 1,
        decimals: int = 3,
        name: str = "",
    ) -> None:
        """Make an editor without a value.

        Args:
            theme: The theme.
            unit: The unit of the recording; empty: none.
            integer: The number is whole.
            low: The lowest value that can be stored; None: there is none.
            high: The highest value that can be stored; None: there is none.
            step: How much one key adds.
            decimals: How many decimals are shown.
            name: Its name for screen readers.
        """
        super().__init__(theme, name)
        self.unit = unit
        self._integer = integer
        self._low = low
        self._high = high
        self._step = step
        self._decimals = decimals
        self._value: float | None = None
        self._turned = 0
        self._stored = ""
        self._units = theme.units
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.installEventFilter(WheelFilter(self))
        self.fix_width()
        self.restyle()

    @property
    def value(self) -> float | None:
        """The value that was set last; None when values are mixed or none was set."""
        return self._value

    def set_value(self, value: float, exact: str | None = None) -> None:
        """Show a value, forgetting what was typed; ``exact`` is its whole text, None: Python's shortest."""
        if exact is None:
            exact = repr(value)
        is_shown = exact == self._stored and not self._mixed and not self._is_open()
        self._value = value
        self._stored = exact
        self._mixed = False
        self._exact = self._shown(exact)
        if not is_shown:
            self.revert()

    def set_mixed(self) -> None:
        """Show that several values differ; what is typed then is meant for all of them."""
        self._value = None
        self._stored = ""
        super().set_mixed()

    def stored(self, text: str) -> str:
        """Return what was typed in the unit that is shown, in that of the recording."""
        if self._integer:
            return text
        return self._units.stored(text, self.unit)

    def _shown(self, text: str) -> str:
        if self._integer:
            return text
        return self._units.exact(text, self.unit)

    def set_range(self, low: float | None, high: float | None) -> None:
        """Set the lowest and the highest value; None: there is none."""
        self._low = low
        self._high = high

    def step_by(self, steps: float) -> None:
        """Take so many steps from the number that is shown, within the range, and commit."""
        if self.hasFocus():
            number = _decimal(self.stored(self.text()))
        else:
            number = _decimal(self._stored)
        if number is None or not number.is_finite() or self.isReadOnly():
            return
        step = Decimal(repr(self._step)) * Decimal(repr(steps))
        target = self._clipped(number + step)
        if self._integer:
            text = str(int(target))
        else:
            text = format(target, "f")
        if target != number:
            self.setText(self._shown(text))
            self._typed()
            self.commit()

    def reason_against(self, text: str) -> str:
        """Return a sentence why a text cannot be the value, or an empty one."""
        text = self.stored(text)
        if self._integer:
            try:
                number = Decimal(_whole_number(text))
            except ValueError:
                return say("Not a whole number.")
        elif _BITS.match(text.strip()):
            # The field, which knows its width, checks the bits.
            return ""
        else:
            try:
                number = Decimal(float(text))
            except ValueError:
                return say("Not a number.")
        if number.is_nan():
            return ""
        if self._low is not None and number < Decimal(self._low):
            return say("The smallest value here is {named}.", named=self._named(self._low))
        if self._high is not None and number > Decimal(self._high):
            return say("The largest value here is {named}.", named=self._named(self._high))
        return ""

    def display(self) -> str:
        """Return the value with as many of its decimals as there is room for."""
        if self._value is None:
            return ""
        if isinstance(self._value, int):
            return self._exact
        margins = self.textMargins()
        room = self.width() - 2 * EDGE - 2 * MARGIN - margins.left() - margins.right()
        metrics = self.theme.metrics(self.theme.mono)
        shown = self._value * self._units.factor(self.unit)
        most_decimals = self._units.decimals(self.unit, self._decimals)
        for decimals in range(most_decimals, -1, -1):
            text = format_number(shown, decimals)
            if metrics.horizontalAdvance(text) <= room:
                return text
        return f"{shown:.3g}"

    def tip(self) -> str:
        """Return the exact value and its unit, also as the recording has them."""
        shown = f"{self._exact} {self.shown_unit}".strip()
        if self._exact != self._stored:
            return f"{shown} ({self._stored} {self.unit})"
        return shown

    @property
    def shown_unit(self) -> str:
        """The unit in which the value is shown and typed."""
        if self._integer:
            return self.unit
        return self._units.unit(self.unit)

    def restyle(self) -> None:
        """Apply palette, fonts, lengths and units of this moment."""
        if self._units != self.theme.units:
            self._units = self.theme.units
            self._exact = self._shown(self._stored)
            self.revert()  # what was typed was meant in the unit before
        self.setFont(self.theme.mono)
        self.setTextMargins(self.room_before(), 0, self._unit_column() - EDGE - MARGIN, 0)
        super().restyle()

    def room_before(self) -> int:
        """Return the pixels that are kept free before the number. For subclasses."""
        return 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self.hasFocus() and not self._is_open():
            self.show_value()

    def _is_open(self) -> bool:
        """Return whether what was typed is not committed yet, not stored yet or was refused."""
        return self._dirty or self._waiting or bool(self.reason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        stride = self._stride(event.modifiers())
        if event.key() == Qt.Key.Key_Up:
            self.step_by(stride)
        elif event.key() == Qt.Key.Key_Down:
            self.step_by(-stride)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._turned += event.angleDelta().y() or event.angleDelta().x()
        notches = int(self._turned / _WHEEL_NOTCH)
        self._turned -= notches * _WHEEL_NOTCH
        if notches:
            self.step_by(notches * self._stride(event.modifiers()))
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.unit:
            x = self.width() - self._unit_column() + 4
            self.draw_end(QPainter(self), self.shown_unit, self.theme.small, x)

    def _unit_column(self) -> int:
        """Return the width of the unit at the right, pixels."""
        if not self.unit:
            return self.theme.px(8)
        unit = self.shown_unit
        column = ANGLE_COLUMN if unit == "°" else UNIT_COLUMN
        text_width = self.theme.metrics(self.theme.small).horizontalAdvance(unit)
        return max(self.theme.px(column), text_width + 4 + EDGE)

    def _stride(self, modifiers: Qt.KeyboardModifier) -> float:
        """Return how many steps a key or a notch of the wheel takes."""
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            return 10
        if modifiers & Qt.KeyboardModifier.ControlModifier and not self._integer:
            return 0.1
        return 1

    def _clipped(self, number: Decimal) -> Decimal:
        if self._low is not None:
            number = max(number, Decimal(repr(self._low)))
        if self._high is not None:
            number = min(number, Decimal(repr(self._high)))
        return number

    def _named(self, bound: float) -> str:
        """Return an end of the range with its unit."""
        text = self._shown(repr(bound))
        if isinstance(bound, int) and text == str(bound):
            text = f"{bound:,}"
        return f"{text} {self.shown_unit}".strip()


class AngleEdit(NumberEdit):
    """A number of degrees with a dial of 13 pixels: 0 points right, positive turns clockwise, as in the scene.

    Dragging on the dial turns it (in steps of 15° with Shift); the further away the pointer, the finer.

    Signals:
        turning(float): The dial is dragged; has the degrees. On release ``committed`` follows.
    """

    turning = Signal(float)
    _dragged = False

    def room_before(self) -> int:
        """Return the width of the dial, pixels."""
        return self.theme.px(DIAL) + 2

    def _is_on_dial(self, event: QMouseEvent) -> bool:
        return self._dial().adjusted(-3, -4, 3, 4).contains(event.position())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._is_on_dial(event) and event.button() == Qt.MouseButton.LeftButton and not self.isReadOnly():
            self._dragged = True
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            self._turn(event)
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged:
            self._turn(event)
            return
        super().mouseMoveEvent(event)
        if self._is_on_dial(event):
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.setCursor(Qt.CursorShape.IBeamCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._dragged:
            self._dragged = False
            self.commit()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._dragged = False
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        palette = self.theme.palette
        is_strong = self.hasFocus() or bool(self.property("selected"))
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dial = self._dial()
        painter.setPen(QPen(palette.edge, 1))
        painter.drawEllipse(dial)
        angle = _decimal(self.stored(self.text()))
        if angle is None or not angle.is_finite():
            return
        radians = math.radians(float(angle))
        centre = dial.center()
        radius = dial.width() / 2 - 0.5
        end = centre + QPointF(math.cos(radians), math.sin(radians)) * radius
        color = palette.selection if is_strong else palette.muted
        painter.setPen(QPen(color, 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawLine(centre, end)

    def _dial(self) -> QRectF:
        size = self.theme.px(DIAL)
        return QRectF(EDGE + 0.5, (self.height() - size) // 2 + 0.5, size - 1, size - 1)

    def _turn(self, event: QMouseEvent) -> None:
        offset = event.position() - self._dial().center()
        if math.hypot(offset.x(), offset.y()) < 2:
            return
        degrees = math.degrees(math.atan2(offset.y(), offset.x()))
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            degrees = round(degrees / _SNAP) * _SNAP
        degrees = round(float(self._clipped(Decimal(repr(degrees)))), 1)
        self.setText(self._shown(repr(degrees)))
        self._typed()
        self.turning.emit(degrees)


def _whole_number(text: str) -> int:
    """Return a number that is written in decimal or, with `0x`, in hexadecimal digits; raises ValueError."""
    if text.lower().lstrip("+-").startswith("0x"):
        return int(text, 0)
    return int(text)


def _decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text.strip())
    except InvalidOperation:
        return None
