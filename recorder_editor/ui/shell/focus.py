"""Where the keyboard goes when what had it is hidden, goes grey, is covered by another tab or is gone.

Qt gives it to the next stop of Tab, which is a button of the toolbar as often as not, and Space and Enter would press
that. Qt asks in three ways, and all of them end here: `focusNextPrevChild` of the window (a widget is hidden or
disabled), no focus at all (what it stands in is disabled, or it is deleted), and activation of the window (it happened
while a dialog was open).
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from ..session.debounce import Debounce
from ..widgets.pane import Pane

if TYPE_CHECKING:
    from .docks import CentralPane, Dock


class FocusKeeper(QObject):
    """Keeps the keyboard of a window and of its floating docks where a person is at work.

    Attribute: `home` (what has the keyboard while no pane is to be seen; None: nothing).
    """

    def __init__(self, window: QMainWindow, docks: Mapping[str, "Dock"], centre: "CentralPane") -> None:
        super().__init__(window)
        self.home: Callable[[], QWidget | None] = lambda: None
        self._window = window
        self._docks = docks
        self._centre = centre
        self._pane: Pane | None = None  # that had it last
        self._soon = Debounce(self, self._settle)
        for dock in docks.values():
            dock.keep_focus = self.keep
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow)

    def keep(self, window: QWidget) -> bool:
        """Give the keyboard of a window to another widget if what has it cannot be used; False where it can."""
        holder: QWidget | None = window.focusWidget()  # the stub leaves None out
        if holder is None or _is_usable(holder):
            return False
        self._hand_on(self._pane_of(holder) or self._pane)
        if window.focusWidget() is holder:
            # What comes in its place is not in sight before the events that are due have run.
            holder.clearFocus()
            self._soon.start()
        return True

    def restore(self) -> None:
        """Give the keyboard to a widget that can be used: the window becomes the active one, and Qt would choose."""
        if not self.keep(self._window) and self._holder() is None:
            self._hand_on(self._pane, waits=False)

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is not None:
            self._pane = self._pane_of(now) or self._pane
        elif self._is_active():
            self._soon.start()

    def _settle(self) -> None:
        if self._is_active() and QApplication.activePopupWidget() is None and not _is_usable(self._holder()):
            self._hand_on(self._pane, waits=False)

    def _holder(self) -> QWidget | None:
        active: QWidget | None = QApplication.activeWindow()  # the stub leaves None out
        if active is not None and self._is_active():
            return active.focusWidget()
        return self._window.focusWidget()

    def _is_active(self) -> bool:
        active = QApplication.activeWindow()
        return active is self._window or active in self._docks.values()

    def _pane_of(self, widget: QWidget) -> Pane | None:
        above: QWidget | None = widget
        while above is not None and not isinstance(above, Pane):
            above = above.parentWidget()
        is_own = above is not None and (above is self._centre.pane or self._dock_of(above) is not None)
        if is_own and isinstance(above, Pane):
            return above
        return None

    def _dock_of(self, pane: QWidget) -> "Dock | None":
        return next((dock for dock in self._docks.values() if dock.pane is pane), None)

    def _hand_on(self, pane: Pane | None, *, waits: bool = True) -> None:
        """Give the keyboard to the pane that had it, to that in its place, or to the scene.

        With `waits`, to nothing yet while another dock is about to take the place of the pane.
        """
        dock = None
        if pane is not None:
            dock = self._dock_of(pane)
        in_place: list[Dock] = []
        if dock is not None:
            tabs = self._window.tabifiedDockWidgets(dock)
            in_place = [other for other in self._docks.values() if other in tabs and other.isVisible()]
        candidates: list[QWidget | None] = [pane]
        for other in in_place:
            if other.is_in_front():
                candidates.append(other.pane)
        if not waits or not in_place:
            candidates.append(self._centre.pane)
            candidates.append(self.home())
        for candidate in candidates:
            if candidate is not None and _takes_keys(candidate):
                candidate.setFocus(Qt.FocusReason.OtherFocusReason)
                return


def _is_usable(widget: QWidget | None) -> bool:
    return widget is not None and widget.isVisible() and widget.isEnabled()


def _takes_keys(heir: QWidget) -> bool:
    """It can be given the keyboard, as can what takes it in its place."""
    target: QWidget = heir
    proxy: QWidget | None = heir.focusProxy()  # the stub leaves None out
    while proxy is not None:
        target = proxy
        proxy = target.focusProxy()
    return _is_usable(heir) and _is_usable(target)
