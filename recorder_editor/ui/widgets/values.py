"""Editors of values that are no numbers: a text with its length, a colour with its swatch.

They know which texts can be typed, and no field of the format.
"""

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QColorDialog, QSizePolicy, QWidget

from recorder_editor.ui.style.painting import draw_box
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.value_edit import EDGE, MARGIN, ValueEdit

from ...texts import say, say_count

_SWATCH = 14


class TextEdit(ValueEdit):
    """One line of text with its length in bytes at the end; as wide as its place.

    Bytes that are no UTF-8 are shown with their escapes and cannot be edited here.
    """

    def __init__(self, theme: Theme, *, longest: int | None = None, name: str = "") -> None:
        """Make an empty editor.

        Args:
            theme: The theme.
            longest: How many bytes can be stored; None: any number, and the length is not shown.
            name: Its name for screen readers.
        """
        super().__init__(theme, name)
        self._longest = longest
        self._raw: bytes | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.textChanged.connect(self._set_margins)
        self.restyle()

    def set_value(self, value: str | bytes) -> None:
        """Show a text, forgetting what was typed."""
        if isinstance(value, bytes):
            self._raw = value
            text = value.decode("utf-8", "backslashreplace")
        else:
            self._raw = None
            text = value
        self.setReadOnly(self._raw is not None)
        self.show_text(text)
        self._set_margins()

    def typed(self) -> str:
        """Return the text, with blanks at its ends."""
        return self.text()

    def reason_against(self, text: str) -> str:
        """Return a sentence when the text is too long, else an empty one."""
        length = len(text.encode("utf-8", "surrogatepass"))
        if self._longest is not None and length > self._longest:
            return say("This text has {size:,} bytes; at most {most:,} can be stored.", size=length, most=self._longest)
        return ""

    def tip(self) -> str:
        """Return the whole text, or why it cannot be edited."""
        if self._raw is not None:
            return say("These bytes are not UTF-8. Edit them in Bytes.")
        return self._exact

    def length_text(self) -> str:
        """Return the length of the text, such as "12 bytes"; empty where it is not shown."""
        if (self._mixed and not self.text()) or self._longest is None:
            return ""
        if self._raw is not None:
            count = len(self._raw)
        else:
            count = len(self.text().encode("utf-8", "replace"))
        return say_count("1 byte", "{count:,} bytes", count=count)

    def restyle(self) -> None:
        """Apply palette, fonts and lengths of this moment."""
        self.setFont(self.theme.font)
        super().restyle()
        self._set_margins()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        x = self.width() - EDGE - self._length_width() - 1
        self.draw_end(QPainter(self), self.length_text(), self.theme.small, x)

    def _length_width(self) -> int:
        return self.theme.metrics(self.theme.small).horizontalAdvance(self.length_text())

    def _set_margins(self) -> None:
        """Keep the room of the length free."""
        right = self._length_width()
        if right:
            right += MARGIN + 4
        self.setTextMargins(0, 0, right, 0)


class ColourEdit(ValueEdit):
    """Red, green, blue as the simulator writes them ("255,0,0"), with a swatch that opens the picker."""

    def __init__(self, theme: Theme, name: str = "") -> None:
        super().__init__(theme, name)
        self.fix_width()
        self.restyle()

    @property
    def colour(self) -> QColor | None:
        """The colour that the text means; None: it means none."""
        return parse_colour(self.text())

    def set_value(self, value: str) -> None:
        """Show a colour ("r,g,b"), forgetting what was typed; a text that means none is shown as it is."""
        self.show_text(value)

    def reason_against(self, text: str) -> str:
        """Return a sentence when the text means no colour, else an empty one."""
        if parse_colour(text) is None:
            return say("A colour is three numbers from 0 to 255, such as 255,128,0.")
        return ""

    def pick(self) -> None:
        """Open the picker; the colour that is chosen there is committed."""
        pick_colour(self, self.colour, self._picked)

    def restyle(self) -> None:
        """Apply palette, fonts and lengths of this moment."""
        self.setFont(self.theme.mono)
        self.setTextMargins(_SWATCH + 4, 0, 0, 0)
        super().restyle()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._swatch().contains(event.position().toPoint()) and not self.isReadOnly():
            self.pick()
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self._swatch().contains(event.position().toPoint()):
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.setCursor(Qt.CursorShape.IBeamCursor)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        palette = self.theme.palette
        draw_box(QPainter(self), self._swatch(), self.colour or palette.field, palette.edge)

    def _swatch(self) -> QRect:
        return QRect(EDGE, (self.height() - _SWATCH) // 2, _SWATCH, _SWATCH)

    def _picked(self, colour: QColor) -> None:
        self.setText(f"{colour.red()},{colour.green()},{colour.blue()}")
        self._typed()
        self.commit()


def pick_colour(parent: QWidget, before: QColor | None, then: Callable[[QColor], object]) -> None:
    """Open the picker of colours.

    Args:
        parent: The widget that it belongs to.
        before: The colour to begin with; None: white.
        then: Is called with the colour that is chosen.
    """
    dialog = QColorDialog(before or QColor(Qt.GlobalColor.white), parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.colorSelected.connect(then)
    dialog.open()


def parse_colour(text: str) -> QColor | None:
    """Return the colour of "r,g,b" with numbers from 0 to 255; None for any other text."""
    try:
        red, green, blue = [int(part) for part in text.split(",")]
    except ValueError:
        return None
    for number in (red, green, blue):
        if not 0 <= number <= 255:
            return None
    return QColor(red, green, blue)
