"""The base of all panes: what the window needs of each. Knows the session, no dock and no other pane."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple, cast

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QImage, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QLineEdit,
    QMenu,
    QWidget,
)

from ...texts import say
from ...views.describe import guide_place
from ..session import Session
from ..style.theme import Theme
from .copied import Copied, picture_of, put_content, put_picture
from .hover_card import GUIDE, Explanation
from .keyboard import ViewKeys

COPY_KEY = "Ctrl+C"
COPY_PICTURE_KEY = "Ctrl+Shift+C"
Does = Callable[..., object]


class WorkspaceValue(NamedTuple):
    """A value of a pane that belongs to a workspace.

    Attributes:
        read: Returns the value, as JSON has it.
        show: Shows another value.
        allows: Returns whether another value can be shown.
    """

    read: Does
    show: Does
    allows: Does


class CopyPart(NamedTuple):
    """A part of a pane that can be copied while it has the keyboard.

    Attributes:
        widget: The part.
        content: Returns it as a text or a table: what is selected, else what is shown; None: there is nothing.
        picture: Returns its picture.
    """

    widget: QWidget
    content: Callable[[], Copied | None]
    picture: Callable[[], QImage]


class Pane(QWidget):
    """One view of the session, in a dock or in the centre of the window.

    A pane is made when it is first shown, on a session that may have had a recording open for long; from then on it
    follows the session. While it is hidden it may leave changes out: `refresh` is called when it is shown.

    Attributes:
        session: The session.
        theme: The theme.
        caption: A text in its title.
        short_caption: What the title shows where there is no room for `caption`; empty: its beginning.
        switches: Widgets at the right end of its title.
        status: A word for the status bar while its dock is open.
        keys: The keys of actions, as the system writes them, by id.
        edits_selection: Delete and Ctrl+D act on the selection, where no widget handles them.
        search: The line of its search or filter; None: it has none.
        copy_parts: What can be copied of it; the first part stands for the pane.
        workspace_values: The values that belong to a workspace, by name.
        former_values: Those that only workspaces have which were saved before; they are shown, and kept no more.
        lowest: Its least height, px of the design.

    Signals:
        caption_changed(str): The caption is another.
        changed(): Its actions can do something else, or `status` is another word.
        action_asked(str): The action of this id is to be run.
        guide_asked(str): The guide is to be opened at this place.
        menu_asked(QMenu): A context menu of the selected actors is opened: actions are to be added.
    """

    caption_changed = Signal(str)
    changed = Signal()
    action_asked = Signal(str)
    guide_asked = Signal(str)
    menu_asked = Signal(QMenu)
    edits_selection = False
    lowest = 36

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.caption = ""
        self.short_caption = ""
        self.status = ""
        self.keys: Mapping[str, str] = {}
        self.search: QLineEdit | None = None
        self.copy_parts: list[CopyPart] = []
        self.switches: tuple[QWidget, ...] = ()
        self.workspace_values: dict[str, WorkspaceValue] = {}
        self.former_values: dict[str, WorkspaceValue] = {}

    def keep(self, name: str, read: Does, show: Does, allows: Does = lambda _value: True) -> None:
        """Let a value belong to workspaces; one of another type than the present one is never allowed.

        Args:
            name: Its name in the workspace.
            read: Returns the value, as JSON has it.
            show: Shows another value.
            allows: Returns whether another value can be shown.
        """

        def is_allowed(value: object) -> bool:
            return type(value) is type(read()) and bool(allows(value))

        self.workspace_values[name] = WorkspaceValue(read, show, is_allowed)

    def keep_switch(self, name: str, switch: QAbstractButton) -> None:
        """Let a switch belong to workspaces."""

        def show(on: bool) -> None:
            if on != switch.isChecked():
                switch.click()

        self.keep(name, switch.isChecked, show)

    def lead_to(self, widget: QWidget | None) -> None:
        """Give the focus of the pane to a widget in it; None: to the pane itself."""
        self.setFocusProxy(cast("QWidget", widget))  # the stub leaves None out

    def set_caption(self, text: str, short: str = "") -> None:
        """Show a text in the title, or a shorter one where there is no room for it; empty: its beginning."""
        if (text, short) != (self.caption, self.short_caption):
            self.caption = text
            self.short_caption = short
            self.caption_changed.emit(text)

    def keep_height(self, pixels: int) -> None:
        """Set the least height; it is at least `lowest`, which is a line of text."""
        self.setMinimumHeight(max(pixels, self.theme.px(self.lowest)))

    def offer_menu(self, view: QAbstractScrollArea, make: Callable[[QPoint], QMenu | None]) -> None:
        """Open a context menu where a view is right-clicked.

        Args:
            view: The view.
            make: Returns the menu of a point of the viewport; None: there is none.
        """

        def open_at(point: QPoint) -> None:
            menu = make(point)
            if menu is not None:
                menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
                menu.popup(view.viewport().mapToGlobal(point))

        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(open_at)

    # --- copying ----------------------------------------------------------------------------------------

    def give(
        self, widget: QWidget, content: Callable[[], Copied | None], picture: Callable[[], QImage] | None = None
    ) -> None:
        """Let a part be copied by the keys that are the same everywhere.

        Args:
            widget: The part.
            content: Returns it as a text or a table: what is selected, else what is shown; None: there is nothing.
            picture: Returns its picture; None: the part as it is seen.
        """
        part = CopyPart(widget, content, picture or partial(picture_of, widget))
        self.copy_parts.append(part)
        keys = {COPY_KEY: partial(self.copy_content, part), COPY_PICTURE_KEY: partial(self.copy_picture, part)}
        ViewKeys(widget, keys)

    def copy_content(self, part: CopyPart | None = None) -> None:
        """Copy a part as a text or a table, and say what was copied; None: the one that has the keyboard."""
        chosen = part or self._focused_part()
        content = None

        def read() -> None:
            nonlocal content
            if chosen is not None:
                content = chosen.content()

        if not self.session.attempt(read):
            return
        if content is None:
            self.session.refused.emit(say("There is nothing to copy here."))
            return
        put_content(content)
        self.session.informed.emit(content.told)

    def copy_picture(self, part: CopyPart | None = None) -> None:
        """Copy the picture of a part, and say so; None: of the one that has the keyboard."""
        part = part or self._focused_part()
        if part is not None:
            self.session.informed.emit(put_picture(part.picture()))

    def _focused_part(self) -> CopyPart | None:
        """Return the part that has the keyboard, else the first one that is to be seen."""
        focus: QWidget | None = QApplication.focusWidget()  # the stub leaves None out
        for part in self.copy_parts:
            if focus is not None and (part.widget is focus or part.widget.isAncestorOf(focus)):
                return part
        for part in self.copy_parts:
            if part.widget.isVisible():
                return part
        return None

    def offer_copies(self, menu: QWidget, widget: QWidget | None = None) -> None:
        """Add to a menu, or to the actions of a view that shows these as its menu, what copies a part of the pane.

        Args:
            menu: The menu or the view.
            widget: The part; None: the one that has the keyboard.
        """
        part = None
        for candidate in self.copy_parts:
            if candidate.widget is widget:
                part = candidate
        if menu.actions():
            line = QAction(menu)
            line.setSeparator(True)
            menu.addAction(line)
        for text, copy, action, key in (
            (say("Copy"), self.copy_content, "edit.copy", COPY_KEY),
            (say("Copy picture"), self.copy_picture, "edit.copy_picture", COPY_PICTURE_KEY),
        ):
            entry = QAction(text, menu)
            entry.setShortcut(QKeySequence(self.keys.get(action, key), QKeySequence.SequenceFormat.NativeText))
            entry.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            entry.triggered.connect(partial(copy, part))
            menu.addAction(entry)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy where a widget in the pane had the keyboard and took none of these keys."""
        keys = QKeySequence(event.keyCombination())
        if keys == QKeySequence(COPY_KEY):
            self.copy_content()
        elif keys == QKeySequence(COPY_PICTURE_KEY):
            self.copy_picture()
        else:
            super().keyPressEvent(event)

    # --- menus ------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the present state and selection of the session."""

    def open_find(self) -> bool:
        """Give the focus to the search of this pane; False where it has none."""
        if self.search is None:
            return False
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()
        return True

    def guide_topic(self) -> str:
        """Return the words of its page in the guide that F1 opens; empty: the page of the pane."""
        return ""

    def packet_topic(self) -> str:
        """Return the heading of the selected packet in the guide."""
        return guide_place(self.session.selection.target.packet).partition("#")[2]

    def explained_at(self, view: QAbstractScrollArea, point: QPoint) -> Explanation | None:
        """Return the tooltip with a link into the guide at a point of a view; None where it is an ordinary one."""
        if not isinstance(view, QAbstractItemView):
            return None
        index = view.indexAt(point)
        place = index.data(GUIDE)
        if not place:
            return None
        return Explanation(str(index.data(Qt.ItemDataRole.ToolTipRole)), place, view.visualRect(index))

    def show_keys(self, keys: Mapping[str, str]) -> None:
        """Show the keys of actions where the pane names some."""
        self.keys = keys

    def offer(self, menu: QMenu, text: str, does: Callable[[], object], action: str = "", key: str = "") -> QAction:
        """Add an entry to a menu.

        Args:
            menu: The menu.
            text: The text of the entry.
            does: Is called when it is chosen.
            action: The id of an action that does the same, whose key it shows.
            key: A key of the pane's own, where there is no such action.
        """
        entry = menu.addAction(text, does)
        if action:
            native = QKeySequence.SequenceFormat.NativeText
            entry.setShortcut(QKeySequence(self.keys.get(action, ""), native))
        else:
            entry.setShortcut(QKeySequence(key))
        return entry

    def fit(self, *, closely: bool) -> None:
        """Show a recording that was just opened, whole or its hero closely; called when the pane has its size."""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()
