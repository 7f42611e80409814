"""Small switches of titles and strips: one of several (Segmented), on or off (ToggleChip, MenuChip), a count."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QMenu, QSizePolicy, QWidget

from recorder_editor.ui.boxes import fill
from recorder_editor.ui.painting import RADIUS, draw_box, draw_text
from recorder_editor.ui.theme import Theme
from recorder_editor.ui.widgets.base import ThemedButton, ThemedWidget


class ToggleChip(ThemedButton):
    """A switch in a title, 20 high: on, it has the hover fill and selection-coloured text.

    Signal: ``toggled(bool)``, as with every checkable button of Qt. ``setChecked`` sets it.
    """

    def __init__(self, theme: Theme, text: str, on: bool = False) -> None:
        super().__init__(theme, text)
        self.setCheckable(True)
        self.setChecked(on)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(text)

    def sizeHint(self) -> QSize:
        width = self.theme.metrics(self.theme.small).horizontalAdvance(self.text())
        return QSize(width + 2 * self.theme.px(7) + self.contentsMargins().right(), self.theme.px(20))

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.theme.palette
        painter = QPainter(self)
        color = palette.muted
        if not self.isEnabled():
            color = palette.faint
        elif self.isChecked():
            draw_box(painter, self.rect(), palette.hover, palette.hover)
            color = palette.selection
        elif self.underMouse():
            color = palette.text
        if self.hasFocus():
            draw_box(painter, self.rect(), QColor(Qt.GlobalColor.transparent), palette.selection)
        draw_text(painter, self.contentsRect(), self.text(), self.theme.small, color, Qt.AlignmentFlag.AlignCenter)


class MenuChip(ToggleChip):
    """A switch with a menu behind the arrow at its right; a click with the right button opens it, too."""

    def __init__(self, theme: Theme, text: str, make_menu: Callable[[], QMenu], on: bool = False) -> None:
        """``make_menu`` gives the menu of the moment."""
        super().__init__(theme, text, on)
        self._make_menu = make_menu
        self.restyle()

    def restyle(self) -> None:
        self.setContentsMargins(0, 0, self.theme.px(12), 0)  # of the arrow
        super().restyle()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.open_menu()

    def open_menu(self) -> None:
        """Show the menu below."""
        menu = self._make_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        is_left = event.button() == Qt.MouseButton.LeftButton
        if is_left and not self.contentsRect().contains(event.position().toPoint()):
            self.open_menu()
        else:
            super().mousePressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        side = self.theme.px(12)
        x, y = self.contentsRect().right(), (self.height() - side) // 2
        self.theme.icons.draw(QPainter(self), "chevron-down", x - 2, y, side, self.theme.palette.muted)


class Segmented(ThemedWidget):
    """A switch between a few words, one of which is always on; 22 high. Left and Right move it.

    Signal: ``changed(int)`` with the index, when the user or ``set_current`` has moved it.
    """

    changed = Signal(int)

    def __init__(self, theme: Theme, options: Sequence[str], name: str = "") -> None:
        """``name`` says to a screen reader what is switched."""
        super().__init__(theme)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._group = QButtonGroup(self)
        self._segments = [_Segment(theme, text) for text in options]
        layout = fill(QHBoxLayout(self), spacing=0, margins=1)
        for index, segment in enumerate(self._segments):
            self._group.addButton(segment, index)
            layout.addWidget(segment)
        self._segments[0].first = self._segments[-1].last = True
        self._segments[0].setChecked(True)
        self._group.idToggled.connect(self._toggled)

    @property
    def current(self) -> int:
        """The index of the option that is on."""
        return self._group.checkedId()

    def set_current(self, index: int) -> None:
        """Turn one option on."""
        self._segments[index].setChecked(True)

    def show_words(self, words: Sequence[str]) -> None:
        """Show other words, as short as there is room for; screen readers say those it was made with."""
        for segment, text in zip(self._segments, words, strict=True):
            segment.setText(text)
            segment.setToolTip(segment.accessibleName() if text != segment.accessibleName() else "")
            segment.updateGeometry()

    def segment(self, index: int) -> QWidget:
        """The button of one option, to give it a tooltip or to switch it off."""
        return self._segments[index]

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.theme.palette
        ground = palette.control if self.isEnabled() else palette.window
        draw_box(QPainter(self), self.rect(), ground, palette.edge)

    def _toggled(self, index: int, on: bool) -> None:
        if on:
            self.changed.emit(index)


class _Segment(ThemedButton):
    first = False
    last = False

    def __init__(self, theme: Theme, text: str) -> None:
        super().__init__(theme, text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(text)

    def sizeHint(self) -> QSize:
        # The semi-bold width for both states, so that nothing moves when it is switched.
        width = self.theme.metrics(self.theme.small_bold).horizontalAdvance(self.text())
        return QSize(width + 2 * self.theme.px(7), self.theme.px(22) - 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        segments = self.group().buttons()
        place = segments.index(self) + step
        if not 0 <= place < len(segments):
            return
        other = segments[place]
        if other.isEnabled():
            other.setFocus(Qt.FocusReason.OtherFocusReason)
            other.click()

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.theme.palette
        painter = QPainter(self)
        if self.isChecked() and self.isEnabled():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillPath(self._shape(), palette.hover)
        if self.hasFocus():
            draw_box(painter, self.rect().adjusted(1, 1, -1, -1), QColor(Qt.GlobalColor.transparent), palette.selection)
        on = self.isChecked()
        font = self.theme.small_bold if on else self.theme.small
        color = palette.selection if on else palette.text
        ink = color if self.isEnabled() else palette.faint
        draw_text(painter, self.rect(), self.text(), font, ink, Qt.AlignmentFlag.AlignCenter)

    def _shape(self) -> QPainterPath:
        """The segment's ground: round where it touches the end of the switch, straight inside."""
        rect = self.rect()
        path = QPainterPath()
        path.addRoundedRect(rect, RADIUS - 1, RADIUS - 1)
        inner = QPainterPath()
        inner.addRect(rect.adjusted(RADIUS if self.first else 0, 0, -RADIUS if self.last else 0, 0))
        return path.united(inner)


class CountBadge(ThemedWidget):
    """A small filled number, such as how many problems the checks found; nothing at 0."""

    def __init__(self, theme: Theme, name: str = "") -> None:
        """``name`` is what is counted, for a screen reader: "problems"."""
        super().__init__(theme)
        self._name = name
        self._count = 0
        self._color = "error"
        # Not hidden at 0: a toolbar would not show it again.
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_count(self, count: int, color: str = "error") -> None:
        """Show a number on "error", "warning" or another colour of the palette."""
        self._count = count
        self._color = color
        self.setAccessibleName(f"{count} {self._name}".strip())
        self.restyle()

    def text(self) -> str:
        """What the badge says."""
        if not self._count:
            return ""
        return str(self._count) if self._count < 1000 else "999+"

    def sizeHint(self) -> QSize:
        height = self.theme.px(16)
        if not self._count:
            return QSize(0, height)
        width = self.theme.metrics(self.theme.small_bold).horizontalAdvance(self.text())
        return QSize(max(height, width + self.theme.px(8)), height)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._count:
            return
        palette = self.theme.palette
        ground = palette.color(self._color)
        height = self.theme.px(16)
        rect = QRect(0, (self.height() - height) // 2, self.width(), height)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(Qt.PenStyle.NoPen))
        painter.setBrush(ground)
        painter.drawRoundedRect(rect, height / 2, height / 2)
        draw_text(painter, rect, self.text(), self.theme.small_bold, palette.on_error, Qt.AlignmentFlag.AlignCenter)
