"""The base of all widgets: they hold the theme, and are laid out and painted again when it changes."""

from typing import Literal

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QAbstractButton, QLabel, QSizePolicy, QToolTip, QWidget

from recorder_editor.ui.style.painting import draw_text
from recorder_editor.ui.style.theme import Theme

from ..style.colors import ColorName

_LEAST_LETTERS = 3
FontName = Literal["font", "bold", "small", "small_bold", "heading", "mono", "mono_bold"]


def font_of(theme: Theme, name: FontName) -> QFont:
    """Return the theme's font of that name."""
    font: QFont = getattr(theme, name)
    return font


class ThemedWidget(QWidget):
    """A widget that paints with ``self.theme`` and follows it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        theme.changed.connect(self.restyle)

    def restyle(self) -> None:
        """Apply palette, fonts and lengths of this moment; a subclass adds what it has set once."""
        self.updateGeometry()
        self.update()


class ThemedButton(QAbstractButton):
    """A button that paints itself with ``self.theme``; Qt handles its keyboard, its clicks and its role."""

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setText(text)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        theme.changed.connect(self.restyle)

    def restyle(self) -> None:
        """Apply palette, fonts and lengths of this moment."""
        self.updateGeometry()
        self.update()

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class Label(QLabel):
    """A text in one of the theme's fonts and colours, which follow it."""

    def __init__(
        self, theme: Theme, text: str = "", font: FontName = "font", color: ColorName = "text", *, wraps: bool = False
    ) -> None:
        """Make a label.

        Args:
            theme: The theme.
            text: Its text.
            font: The name of a font of the theme.
            color: The name of a colour of the palette.
            wraps: The text is broken into lines where it is too long.
        """
        super().__init__(text)
        self.theme = theme
        self._font_name: FontName = font
        self._color = color
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wraps)
        theme.changed.connect(self.restyle)
        self.restyle()

    def set_color(self, color: ColorName) -> None:
        """Set another colour of the palette."""
        if color != self._color:
            self._color = color
            self.restyle()

    def restyle(self) -> None:
        """Apply font and colour of this moment."""
        self.setFont(font_of(self.theme, self._font_name))
        palette = QPalette(self.palette())
        for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive):
            palette.setColor(group, QPalette.ColorRole.WindowText, self.theme.palette.color(self._color))
        palette.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.WindowText, self.theme.palette.faint)
        self.setPalette(palette)


class ElidedLabel(Label):
    """One line that may be narrow: a text that does not fit ends in an ellipsis, and the tooltip has it whole.

    Where no three letters fit it is empty.

    Attributes:
        short: What is shown where the text does not fit, whole or not at all; empty: the beginning of the text.
    """

    def __init__(self, theme: Theme, text: str = "", font: FontName = "font", color: ColorName = "text") -> None:
        super().__init__(theme, text, font, color)
        self.short = ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        margins = self.contentsMargins()
        width = metrics.horizontalAdvance(self.text()) + 1 + margins.left() + margins.right()
        return QSize(width, metrics.height() + margins.top() + margins.bottom()).boundedTo(self.maximumSize())

    def paintEvent(self, event: QPaintEvent) -> None:
        group = QPalette.ColorGroup.Active if self.isEnabled() else QPalette.ColorGroup.Disabled
        color = self.palette().color(group, QPalette.ColorRole.WindowText)
        rect = self.contentsRect()
        side = self.alignment() | Qt.AlignmentFlag.AlignVCenter
        text = self.shown_text()
        if text:
            draw_text(QPainter(self), rect, text, self.font(), color, side)

    def shown_text(self) -> str:
        """Return what there is room for: the text, its short form or else its beginning, or nothing."""
        metrics = QFontMetrics(self.font())
        room = self.contentsRect().width()
        if metrics.horizontalAdvance(self.text()) <= room:
            return self.text()
        if self.short:  # a number, and its beginning would be another one
            return self.short if metrics.horizontalAdvance(self.short) <= room else ""
        beginning = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
        return beginning if len(beginning) > _LEAST_LETTERS else ""

    def event(self, event: QEvent) -> bool:
        return show_cut_text(self, event, self.text()) or super().event(event)


class Sign(ThemedWidget):
    """An icon, in the middle of its height; hidden while it has none."""

    def __init__(self, theme: Theme, size: int = 14) -> None:
        super().__init__(theme)
        self._size = size
        self._icon = ""
        self._color: ColorName | None = None
        self.setFixedSize(size, size)
        self.hide()

    def set_icon(self, icon: str, color: ColorName | None = None) -> None:
        """Show another icon, or none; ``color`` is the name of a colour of the palette, None: the icon's own."""
        if (icon, color) != (self._icon, self._color):
            self._icon = icon
            self._color = color
            self.setVisible(bool(icon))
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        color = None
        if self._color:
            color = self.theme.palette.color(self._color)
        top = (self.height() - self._size) // 2
        self.theme.icons.draw(QPainter(self), self._icon, 0, top, self._size, color)


class RunningText(ThemedWidget):
    """One line with another text in every frame; a text that does not fit ends in an ellipsis.

    For a label Qt lays out all that surrounds it at each new text; for this only when it needs other room, or never
    (`reserve`).
    """

    def __init__(self, theme: Theme, text: str = "", font: FontName = "mono", color: ColorName = "text") -> None:
        """Make a line; ``font`` and ``color`` are names of the theme and of its palette."""
        super().__init__(theme)
        self._text = text
        self._widest: str | None = None
        self._font_name: FontName = font
        self._color = color
        self._alignment = Qt.AlignmentFlag.AlignLeft
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def text(self) -> str:
        """Return its text."""
        return self._text

    def setText(self, text: str) -> None:
        """Show another text."""
        if text == self._text:
            return
        before = None
        if self._widest is None:
            before = self.sizeHint()
        self._text = text
        self.setAccessibleName(text)
        if before is not None and self.sizeHint() != before:
            self.updateGeometry()
        self.update()

    def reserve(self, widest: str) -> None:
        """Be as wide as this text from now on."""
        self._widest = widest
        self.updateGeometry()

    def set_color(self, color: ColorName) -> None:
        """Set another colour of the palette."""
        if color != self._color:
            self._color = color
            self.update()

    def set_alignment(self, alignment: Qt.AlignmentFlag) -> None:
        """Set the side of the text where there is more room than it needs."""
        self._alignment = alignment
        self.update()

    def shown(self) -> str:
        """Return the text that is painted. For subclasses."""
        return self._text

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(font_of(self.theme, self._font_name))
        text = self._text if self._widest is None else self._widest
        width = 0
        if text:
            width = metrics.horizontalAdvance(text) + 1
        return QSize(width, metrics.height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.theme.palette
        font = font_of(self.theme, self._font_name)
        if self.isEnabled():
            color = palette.color(self._color)
        else:
            color = palette.faint
        side = self._alignment | Qt.AlignmentFlag.AlignVCenter
        draw_text(QPainter(self), self.rect(), self.shown(), font, color, side, room=self.width())


class WheelFilter(QObject):
    """Installed on a widget, passes the wheel to the page around it while the widget has not the keyboard."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_ignored = event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus()
        if is_ignored:
            event.ignore()
        return is_ignored


def set_state(widget: QWidget, name: str, on: bool | str) -> None:
    """Set a property of a widget that the style sheet selects by."""
    before = widget.property(name)
    is_same = before == on if before else not on  # a property that was never set is None
    if not is_same:
        widget.setProperty(name, on)
        # Qt reads a property into the style sheet only when the widget is polished again.
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        widget.update()


def show_cut_text(widget: QWidget, event: QEvent, text: str) -> bool:
    """Show a text as the tooltip of a widget that has none and is too narrow for the text.

    Returns:
        Whether the event asked for a tooltip and the text is shown.
    """
    if event.type() != QEvent.Type.ToolTip or widget.toolTip():
        return False
    if widget.sizeHint().width() <= widget.width() + 1:
        return False
    show_tip(widget, text)
    return True


def show_tip(widget: QWidget, text: str) -> None:
    """Show the program's one kind of tooltip below a widget."""
    QToolTip.showText(widget.mapToGlobal(widget.rect().bottomLeft()), text, widget)
