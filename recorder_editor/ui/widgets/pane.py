"""What the window asks of a pane. Knows the session, no dock and no other pane."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, cast

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QAbstractScrollArea, QLineEdit, QMenu, QWidget

from ...views.describe import guide_place
from ..session import Session
from ..style.theme import Theme
from .hover_card import GUIDE, Explained

Does = Callable[..., object]


class Kept(NamedTuple):
    """What of a pane belongs to a workspace: `read` gives its value as JSON has it, `show` shows another one, if it
    `allows` that."""

    read: Does
    show: Does
    allows: Does


class Pane(QWidget):
    """One view of the session, in a dock or in the centre of the window.

    A pane is made when it is first shown, on a session that may have a recording open for long; from then on it listens
    to the session. While it is hidden it may let changes pass: `refresh` is called when it comes into sight.

    Attributes: `session`, `theme`, `caption` (in its title), `switches` (widgets at the right end of its title),
    `status` (a word for the status bar while its dock is open), `keys` (of actions, as the system writes them, by id),
    `edits_selection` (Delete and Ctrl+D that no widget takes act on the selection), `search` (the line of its search
    or filter, if it has one), `kept` (what of it belongs to a workspace, by name).

    Signals: `caption_changed(str)`, `changed` (its actions can do something else, or `status` is another word),
    `action_asked(str)` (the action of this id is to be run), `guide_asked(str)` (the guide is to be opened at a place),
    `menu_asked(QMenu)` (a context menu about the selected actors: actions are added to it).
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
        self.status = ""
        self.keys: Mapping[str, str] = {}
        self.search: QLineEdit | None = None
        self.switches: tuple[QWidget, ...] = ()
        self.kept: dict[str, Kept] = {}

    def keep(self, name: str, read: Does, show: Does, allows: Does = lambda _value: True) -> None:
        """Let a value belong to workspaces, as `Kept` has it; of other types than the present one none is allowed."""
        self.kept[name] = Kept(read, show, lambda value: type(value) is type(read()) and allows(value))

    def keep_switch(self, name: str, switch: QAbstractButton) -> None:
        """Let a switch belong to workspaces."""
        self.keep(name, switch.isChecked, lambda on: None if on == switch.isChecked() else switch.click())

    def lead_to(self, widget: QWidget | None) -> None:
        """Whoever gives the keyboard to the pane gives it to this widget; None: to the pane itself."""
        self.setFocusProxy(cast("QWidget", widget))  # the stub leaves None out

    def set_caption(self, text: str) -> None:
        """Show a text in the title."""
        if text != self.caption:
            self.caption = text
            self.caption_changed.emit(text)

    def keep_height(self, pixels: int) -> None:
        """Never be lower than this, nor than `lowest` pixels of the design: a line of text."""
        self.setMinimumHeight(max(pixels, self.theme.px(self.lowest)))

    def offer_menu(self, view: QAbstractScrollArea, make: Callable[[QPoint], QMenu | None]) -> None:
        """Open the menu of a place of a view (None: there is none) where it is right-clicked."""

        def open_at(point: QPoint) -> None:
            menu = make(point)
            if menu is not None:
                menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
                menu.popup(view.viewport().mapToGlobal(point))

        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(open_at)

    def refresh(self) -> None:
        """Show the present state and selection of the session."""

    def open_find(self) -> bool:
        """Give the keyboard to the search of this pane; False where it has none."""
        if self.search is None:
            return False
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()
        return True

    def guide_topic(self) -> str:
        """What of it the guide is asked about, as it stands on its page; empty for the whole pane."""
        return ""

    def packet_topic(self) -> str:
        """The heading of the selected packet in the guide."""
        return guide_place(self.session.selection.found.packet).partition("#")[2]

    def explained_at(self, view: QAbstractScrollArea, point: QPoint) -> Explained | None:
        """The tooltip with a link into the guide at a point of a view in it; None where it is an ordinary one."""
        index = None
        if isinstance(view, QAbstractItemView):
            index = view.indexAt(point)
        place = None
        if index is not None:
            place = index.data(GUIDE)
        if index is None or not isinstance(view, QAbstractItemView) or not place:
            return None
        return Explained(str(index.data(Qt.ItemDataRole.ToolTipRole)), place, view.visualRect(index))

    def show_keys(self, keys: Mapping[str, str]) -> None:
        """Show the keys of actions where the pane names some."""
        self.keys = keys

    def offer(self, menu: QMenu, text: str, does: Callable[[], object], action: str = "", key: str = "") -> QAction:
        """Put an entry into a menu: with the key of the action that does the same, or a key of the pane's own."""
        entry = menu.addAction(text, does)
        native = QKeySequence.SequenceFormat.NativeText
        entry.setShortcut(QKeySequence(self.keys.get(action, ""), native) if action else QKeySequence(key))
        return entry

    def fit(self) -> None:
        """Show the whole of a recording that was just opened; called when the pane has its size."""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()
