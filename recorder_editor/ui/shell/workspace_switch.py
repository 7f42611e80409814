"""The switch between workspaces in the toolbar: a cell for each designed layout, and a menu of a person's own."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QSizePolicy, QToolButton

from ...texts import say
from ..style.boxes import fill
from ..style.theme import Theme
from ..widgets.actions import Actions
from ..widgets.base import set_state
from ..widgets.menus import make_checkable
from .dock_layout import PRESETS
from .workspaces import Workspaces

_HEIGHT = 24
_SIDE = 10
_ARROW = 22
_LONGEST_NAME = 140


def add_own(menu: QMenu, workspaces: Workspaces, before: QAction | None = None) -> list[QAction]:
    """Offer the workspaces that a person saved in a menu, in front of an entry or at its end; return the entries."""
    entries = []
    for name in workspaces.own:
        entry = menu.addAction(name.replace("&", "&&"), partial(workspaces.choose, name))
        make_checkable(entry, name == workspaces.current)
        if before is not None:
            menu.insertAction(before, entry)
        entries.append(entry)
    return entries


class WorkspaceSwitch(QFrame):
    """24 high: the cell of the layout that is shown is filled. Of a person's own workspace the arrow bears the name.

    Attributes:
        more: The arrow.
    """

    def __init__(self, theme: Theme, workspaces: Workspaces, actions: Actions) -> None:
        super().__init__()
        self.theme = theme
        self._workspaces = workspaces
        self._actions = actions
        self.setObjectName("workspaces")
        self.setProperty("segmented", True)
        self.setAccessibleName(say("Workspace"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._is_folded = False
        self._shown: tuple[object, ...] = ()  # by the arrow
        self._cells: list[QToolButton] = []
        for place, name in zip(("first", *("inner",) * len(PRESETS)), PRESETS, strict=False):
            self._cells.append(self._cell(actions[f"view.preset_{name}"], place))
        self.more = QToolButton()
        self.more.setProperty("segment", "last")
        self.more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.more)
        menu.aboutToShow.connect(partial(self._fill, menu))
        self.more.setMenu(menu)
        fill(QHBoxLayout(self), *self._cells, self.more, spacing=0)
        theme.changed.connect(self.restyle)
        self.restyle()

    def fold(self, on: bool) -> None:
        """Show the arrow alone, with the name of what is shown, and all workspaces in its menu."""
        if on != self._is_folded:
            self._is_folded = on
            for cell in self._cells:
                cell.setHidden(on)
            self.refresh()

    def _cell(self, action: QAction, place: str) -> QToolButton:
        cell = QToolButton()
        cell.setDefaultAction(action)
        cell.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        cell.setObjectName(f"tool.{action.objectName()}")
        cell.setProperty("segment", place)
        cell.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return cell

    def restyle(self) -> None:
        """Keep the room of semi-bold texts for all, so that nothing moves when another is on."""
        px = self.theme.px
        metrics = self.theme.metrics(self.theme.small_bold)
        for cell in self._cells:
            cell.setFixedSize(metrics.horizontalAdvance(cell.text()) + 2 * px(_SIDE), px(_HEIGHT) - 2)
        self._shown = ()
        self.refresh()

    def refresh(self) -> None:
        """Show the name of the workspace at the arrow where no cell shows it."""
        px = self.theme.px
        name = ""
        if self._workspaces.is_own():
            name = self._workspaces.current
        elif self._is_folded:
            name = next((cell.text() for cell in self._cells if cell.isChecked()), "")
        is_own = self._workspaces.is_own()
        is_enabled = self._actions.is_enabled("workspace.save")
        shown = (name, is_own, is_enabled)
        if shown == self._shown:  # it is asked at each step of frames
            return
        self._shown = shown
        metrics = self.theme.metrics(self.theme.small_bold)
        text = metrics.elidedText(name, Qt.TextElideMode.ElideRight, px(_LONGEST_NAME))
        room = 0
        if text:
            room = metrics.horizontalAdvance(text) + px(_SIDE)
        self.more.setText(text)
        self.more.setToolTip(name or say("Own workspaces, save, reset"))
        self.more.setAccessibleName(name or say("Own workspaces"))
        self.more.setFixedSize(room + px(_ARROW), px(_HEIGHT) - 2)
        set_state(self.more, "on", is_own)
        self.more.setEnabled(is_enabled)

    def _fill(self, menu: QMenu) -> None:
        menu.clear()
        if self._is_folded:
            menu.addActions([cell.defaultAction() for cell in self._cells])
        if add_own(menu, self._workspaces):
            menu.addSeparator()
        menu.addAction(self._actions["workspace.save"])
        menu.addAction(self._actions["view.reset"])
