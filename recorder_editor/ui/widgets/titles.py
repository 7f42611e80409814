"""The title of a pane: its name or the names of the panes it shares its place with, a caption, switches.

It knows that it may belong to a dock, not which pane it names.
"""

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QIcon, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QButtonGroup, QDockWidget, QHBoxLayout, QMainWindow, QMenu, QSizePolicy, QWidget

from recorder_editor.ui.style.boxes import fill, icon_button
from recorder_editor.ui.style.painting import draw_text
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.base import ElidedLabel, ThemedButton, ThemedWidget, show_cut_text
from recorder_editor.ui.widgets.switches import FoldingSwitches

from ...texts import say

HEIGHT = 28
_SIDE = 12
_BETWEEN_TABS = 18
_BETWEEN_MANY = 8
"""Pixels between tabs of which not all have room."""

_BUTTON = 20
_LEAST_TAB = 16
_STRIPE = 2  # at the top of a floating pane


RANK = "rank"
"""The property of a dock by which the tabs of one place are ordered: Qt's tab bars may be of earlier layouts."""


class DockTitle(ThemedWidget):
    """28 high: one title, or several as tabs; a caption; switches at the right; float and close on hover.

    On a dock (``attach``) it shows the docks that share its place as tabs, and it is the only tab bar: the style sheet
    hides Qt's own, which is a further line, without room for captions and switches. Where there is no room for all
    names, the last ones are in a menu behind the others; the one that is open never is.

    Its size is that of a strip in it, and not a ``sizeHint`` in Python, which Qt calls thousands of times while it lays
    out the docks of a window.
    """

    def __init__(self, theme: Theme, titles: str | Sequence[str] = "", parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._dock: QDockWidget | None = None
        self._buttons: _DockButtons | None = None  # made when the pointer is over it first
        self._tabs: list[_Tab] = []
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self._clicked)
        self._caption = ElidedLabel(theme, "", "small", "muted")
        self._caption.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._tab_row = QHBoxLayout()
        self._more_tabs = icon_button(QIcon(), say("More panes"), self._show_more_tabs)
        self._more_tabs.setText("»")
        self._more_tabs.setFixedSize(_BUTTON, _BUTTON)
        self._more_tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._more_tabs.hide()
        self._switches = FoldingSwitches()
        self._strip = QWidget()
        self._strip.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        fill(QHBoxLayout(self), self._strip)
        self._row = QHBoxLayout(self._strip)
        before_switches = (self._tab_row, self._more_tabs, (self._caption, 1))
        fill(self._row, *before_switches, self._switches.row, self._switches.more, spacing=0)
        self._measure()
        if isinstance(titles, str):
            titles = [titles]
        self.set_tabs(titles)

    @property
    def current(self) -> int:
        """The index of the tab that is open."""
        return self._group.checkedId()

    def titles(self) -> tuple[str, ...]:
        """Return the names that it shows, from left to right."""
        return tuple(tab.text() for tab in self._tabs)

    def set_tabs(self, titles: Sequence[str], current: int = 0) -> None:
        """Show these names, the one at ``current`` open, without a signal."""
        if self.titles() != tuple(titles):
            for tab in self._tabs:
                self._group.removeButton(tab)
                self._tab_row.removeWidget(tab)
                tab.hide()
                tab.deleteLater()
            is_alone = len(titles) == 1
            self._tabs = [_Tab(self.theme, title, is_alone) for title in titles]
            for index, tab in enumerate(self._tabs):
                self._group.addButton(tab, index)
                self._tab_row.addWidget(tab)
        self._strip.setFixedHeight(self._height())
        self.set_current(current)

    def set_current(self, index: int) -> None:
        """Show a tab as the open one, without a signal."""
        self._tabs[index].setChecked(True)
        self._fold()

    def set_caption(self, text: str, side: Literal["left", "right"] = "right", short: str = "") -> None:
        """Show a small text beside the title ("left") or at the end of the line ("right").

        Args:
            text: The text.
            side: Where it stands.
            short: What is shown where there is no room for it; empty: its beginning.
        """
        self._caption.short = short
        self._caption.setText(text)
        if side == "left":
            self._caption.setAlignment(Qt.AlignmentFlag.AlignLeft)
        else:
            self._caption.setAlignment(Qt.AlignmentFlag.AlignRight)

    def add_switch(self, widget: QWidget) -> None:
        """Add a switch (``ToggleChip``, ``Segmented``, a tool button) at the right end.

        Chips are shown in a menu, the last ones first, while there is no room for them.
        """
        self._switches.add(widget)
        self._measure()

    def _fold(self) -> None:
        """Show the names and switches that there is room for, and the others in menus."""
        if not self.isVisible():
            return
        margins = self._row.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        self._switches.fold(room - self._fold_tabs(room))

    def _fold_tabs(self, room: int) -> int:
        """Show the names that so many pixels are enough for, the open one always; return what they take."""
        between = self.theme.px(_BETWEEN_TABS)
        needed = self._tabs_width(self._tabs, between)
        if needed > room:
            between = self.theme.px(_BETWEEN_MANY)
            needed = self._tabs_width(self._tabs, between)
        shown = list(self._tabs)
        if needed > room:
            room -= _BUTTON
        for tab in reversed(self._tabs):
            if needed > room and not tab.isChecked():
                shown.remove(tab)
                needed = self._tabs_width(shown, between)
        if self._tab_row.spacing() != between:  # to set it lays everything out anew
            self._tab_row.setSpacing(between)
        for tab in self._tabs:
            tab.setVisible(tab in shown)
        has_more = len(shown) < len(self._tabs)
        self._more_tabs.setVisible(has_more)
        if has_more:
            needed += _BUTTON
        return needed

    def _tabs_width(self, tabs: Sequence["_Tab"], between: int) -> int:
        """Return the room of these names with so many pixels between two of them."""
        return sum(tab.sizeHint().width() for tab in tabs) + between * (len(tabs) - 1)

    def _show_more_tabs(self) -> None:
        """Offer the names that there is no room for."""
        menu = QMenu(self._more_tabs)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for tab in self._tabs:
            if tab.isHidden():
                menu.addAction(tab.text(), tab.click)
        menu.popup(self._more_tabs.mapToGlobal(self._more_tabs.rect().bottomLeft()))

    def attach(self, dock: QDockWidget) -> None:
        """Become the title of a dock, by which it is dragged, floated and closed, with tabs for docks in its place."""
        self._dock = dock
        self.set_tabs([dock.windowTitle()])
        dock.setTitleBarWidget(self)
        dock.setProperty(RANK, len(dock.window().findChildren(QDockWidget)))
        dock.windowTitleChanged.connect(self._read_neighbours)
        dock.topLevelChanged.connect(self._read_neighbours)
        dock.topLevelChanged.connect(self._show_floating)
        window = dock.parentWidget()
        if window is not None:
            watch = window.findChild(_LayoutWatch, options=Qt.FindChildOption.FindDirectChildrenOnly)
            if watch is None:
                watch = _LayoutWatch(window)
            watch.laid_out.connect(self._read_neighbours)
        self._measure()

    def restyle(self) -> None:
        """Apply palette, fonts and lengths of this moment."""
        self._measure()
        super().restyle()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # a switch was shown or hidden
            self._fold()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fold()
        self._read_neighbours()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        if self._dock is not None:
            if self._buttons is None:
                self._buttons = _DockButtons(self.theme, self, self._dock)
                self._show_floating()
            self._buttons.show()
            self._measure()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if self._buttons is not None:
            self._buttons.hide()
            self._measure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_buttons()
        self._fold()

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.theme.palette
        painter = QPainter(self)
        if self._is_floating():
            painter.fillRect(self.rect(), palette.hover)
            painter.fillRect(0, 0, self.width(), _STRIPE, palette.selection)
        else:
            painter.fillRect(self.rect(), palette.window)
        painter.fillRect(0, self.height() - 1, self.width(), 1, palette.hairline)

    def _is_floating(self) -> bool:
        return self._dock is not None and self._dock.isFloating()

    def _show_floating(self) -> None:
        """Tell by colour and tooltip whether the pane is a window of its own, which has no frame of the desktop."""
        is_floating = self._is_floating()
        self.setToolTip(say("This pane floats. A double click here puts it back.") if is_floating else "")
        if self._buttons is not None:
            self._buttons.show_floating(is_floating)
        self.update()

    def _measure(self) -> None:
        """Set margins and spaces, by the text size and the room of the buttons."""
        px = self.theme.px
        self._strip.setMinimumWidth(px(40))
        self._strip.setFixedHeight(self._height())
        right = px(_SIDE)
        if self._keeps_room_for_buttons():
            right += 2 * _BUTTON
        self._row.setContentsMargins(px(_SIDE), 0, right, 1)
        self._caption.setContentsMargins(px(16), 0, 0, 0)
        before_switches = px(12) if self._switches else 0
        self._switches.row.setContentsMargins(before_switches, 0, 0, 0)
        self._fold()
        self._place_buttons()

    def _height(self) -> int:
        return self.theme.px(HEIGHT)

    def _keeps_room_for_buttons(self) -> bool:
        # Switches must not move under the pointer, so beside them the room for the buttons is always kept.
        if self._dock is not None and self._switches:
            return True
        return self._buttons is not None and self._buttons.isVisible()

    def _place_buttons(self) -> None:
        if self._buttons is not None:
            x = self.width() - 2 * _BUTTON - 4
            self._buttons.setGeometry(x, (self.height() - 1 - _BUTTON) // 2, 2 * _BUTTON, _BUTTON)

    def _clicked(self, index: int) -> None:
        """Bring the dock of a tab to the front."""
        if self._dock is not None:
            title = self._tabs[index].text()
            own = self.titles().index(self._dock.windowTitle())
            for neighbour in self._neighbours():
                if neighbour.windowTitle() == title:
                    # This title is hidden with its dock, and must be right when it is shown again.
                    self.set_current(own)
                    neighbour.show()
                    neighbour.raise_()

    def _neighbours(self) -> list[QDockWidget]:
        """Return the other docks in the place of this one."""
        if self._dock is None or self._dock.isFloating():
            return []
        window = self._dock.parentWidget()
        if not isinstance(window, QMainWindow):
            return []
        return [dock for dock in window.tabifiedDockWidgets(self._dock) if not dock.isHidden()]

    def _read_neighbours(self) -> None:
        # A title that is hidden reads them when it is shown.
        if self._dock is None or self._dock.isHidden():
            return
        docks = self._neighbours()
        docks.insert(0, self._dock)
        docks.sort(key=lambda dock: int(dock.property(RANK)))
        titles = [dock.windowTitle() for dock in docks]
        current = docks.index(self._dock)
        # Every change of the layout asks all titles of the window: most show that already.
        is_shown = self.titles() == tuple(titles) and self.current == current
        if not is_shown or self._strip.minimumHeight() != self._height():
            self.set_tabs(titles, current)


class _LayoutWatch(QObject):
    """Notifies all titles of a window when it is about to be laid out again: docks may have joined or left a place.

    There is one for all of them, since a filter gets every event of the window.

    Signals:
        laid_out(): The window is about to be laid out.
    """

    laid_out = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.laid_out.emit()
        return False


class _Tab(ThemedButton):
    """One name: semi-bold and underlined while it is open, muted otherwise."""

    def __init__(self, theme: Theme, title: str, alone: bool) -> None:
        super().__init__(theme, title)
        self.alone = alone
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setAccessibleName(title)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus if alone else Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.toggled.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        # The semi-bold width in both states, so that nothing moves when another tab opens.
        width = self.theme.metrics(self.theme.bold).horizontalAdvance(self.text())
        return QSize(width + 1, self.theme.px(HEIGHT) - 1)

    def minimumSizeHint(self) -> QSize:
        # Where the names need more room, the open tab is the last to become narrower.
        if self.isChecked():
            return self.sizeHint()
        return QSize(self.theme.px(_LEAST_TAB), self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        return show_cut_text(self, event, self.text()) or super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        # The dock is dragged by its open tab: the dock has to get the event.
        if self.isChecked():
            event.ignore()
        else:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.isChecked():
            event.ignore()
        else:
            super().mouseDoubleClickEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.theme.palette
        painter = QPainter(self)
        is_open = self.isChecked()
        is_strong = is_open or self.underMouse() or self.hasFocus()
        color = palette.text if is_strong else palette.muted
        font = self.theme.bold if is_open else self.theme.font
        draw_text(painter, self.rect(), self.text(), font, color, room=self.width())
        if self.hasFocus():
            for y in (0, self.height() - 2):
                painter.fillRect(0, y, self.width(), 2, palette.selection)
        elif is_open and not self.alone:
            painter.fillRect(0, self.height() - 2, self.width(), 2, palette.text)


class _DockButtons(QWidget):
    """Float and close, at the right end of a dock's title while the pointer is over it."""

    def __init__(self, theme: Theme, parent: QWidget, dock: QDockWidget) -> None:
        super().__init__(parent)
        float_icon = theme.icons.icon("float", "muted")
        close_icon = theme.icons.icon("close", "muted")
        self._float = icon_button(float_icon, "", lambda: dock.setFloating(not dock.isFloating()), 12)
        close_button = icon_button(close_icon, say("Close this pane"), dock.close, 12)
        for button in (self._float, close_button):
            button.setFixedSize(_BUTTON, _BUTTON)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        fill(QHBoxLayout(self), self._float, close_button, spacing=0)

    def show_floating(self, is_floating: bool) -> None:
        """Name the first button by what it does now."""
        name = say("Put this pane back") if is_floating else say("Float this pane")
        self._float.setToolTip(name)
        self._float.setAccessibleName(name)
