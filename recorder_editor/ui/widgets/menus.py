"""The registry as menus and as a toolbar. Knows where things stand, not what they do."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMenu, QMenuBar, QSizePolicy, QToolBar, QToolButton, QWidget

from ...texts import say
from ..style.boxes import Stretch, fill
from ..style.menu_style import MenuStyle
from . import CountBadge
from .actions import Actions, ActionSpec

TOOLS = ("file.open", "file.save", "|", "edit.undo", "edit.redo", "|", "tools.trim", "tools.repair", "tools.checks")
_ICON_ONLY = ("tool.edit.undo", "tool.edit.redo")
_BETWEEN, _LINE = 6, 5  # pixels between buttons, and of a separator, as the style sheet has them
IN_CONTEXT = ("copies", "removing", "states", "notes")
"""The sections of the menu Actor that context menus offer, with a line between them."""


def fill_menus(bar: QMenuBar, names: Sequence[str], actions: Actions, title: Callable[[str], str]) -> dict[str, QMenu]:
    """Build all menus; returns them by their path ("Recording/Road map"). Actions added later are put in, too."""
    leave = _Leave(bar)
    style = MenuStyle()
    menus: dict[str, QMenu] = {}
    for name, text in zip(names, with_mnemonics(names, title), strict=True):
        menu = bar.addMenu(text)
        menu.aboutToShow.connect(actions.complete)
        menu.aboutToShow.connect(actions.refresh)
        menu.aboutToShow.connect(partial(menu.setStyle, style))
        menu.installEventFilter(leave)
        menus[name] = menu
    filler = _Filler(bar, actions, partial(_menu_at, menus=menus, title=title, style=style))
    filler.put(actions.present)
    actions.added.connect(filler.put)
    return menus


class _Filler(QObject):
    """Puts actions into menus, with a line between sections."""

    def __init__(self, bar: QMenuBar, actions: Actions, menu_at: Callable[[str], QMenu]) -> None:
        super().__init__(bar)
        self._actions = actions
        self._menu_at = menu_at
        self._sections: dict[str, str] = {}

    def put(self, specs: Iterable[ActionSpec]) -> None:
        """Put these behind what is there."""
        for spec in specs:
            if not spec.menu:
                continue
            menu = self._menu_at(spec.menu)
            if self._sections.setdefault(spec.menu, spec.section) != spec.section:
                menu.addSeparator()
                self._sections[spec.menu] = spec.section
            menu.addAction(self._actions[spec.id])


def ticked(action: QAction, on: bool) -> QAction:
    """Make an entry of a menu one that is on or off."""
    action.setCheckable(True)
    action.setChecked(on)
    return action


class _Leave(QObject):
    """Escape closes a menu and leaves the bar: else its title stays lit, and the bar keeps the keyboard."""

    def __init__(self, bar: QMenuBar) -> None:
        super().__init__(bar)
        self._bar = bar

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        key = None
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            key = event.key()
        if isinstance(watched, QMenu) and key == Qt.Key.Key_Escape:
            watched.close()
            QApplication.sendEvent(self._bar, event)
            return True
        return False


def with_mnemonics(names: Iterable[str], title: Callable[[str], str]) -> Iterator[str]:
    """The titles with `&` before a letter that none before has; one without letters has one of its name in brackets."""
    taken: set[str] = set()
    for name in names:
        text = title(name)
        if not any(letter.isascii() and letter.isalpha() for letter in text):
            text = f"{text}({next(letter for letter in name if letter.lower() not in taken)})"
        free = (at for at, letter in enumerate(text) if letter.isascii() and letter.isalpha())
        at = next((at for at in free if text[at].lower() not in taken), None)
        taken.update(() if at is None else text[at].lower())
        yield text if at is None else f"{text[:at]}&{text[at:]}"


def add_to_menu(menu: QMenu, registry: Actions) -> None:
    """Put the actions behind what a context menu holds already; those that make no sense now are left out."""
    registry.complete()
    registry.refresh()
    possible = []
    for spec in registry:
        if spec.menu.startswith("Actor") and registry.is_enabled(spec.id):
            possible.append(spec)
    for section in IN_CONTEXT:
        names = [spec.id for spec in possible if spec.section == section]
        if names and menu.actions():
            menu.addSeparator()
        menu.addActions([registry[name] for name in names])
    for title, names in (
        (say("Change"), [spec.id for spec in possible if spec.section == "description"]),
        (say("Path"), [spec.id for spec in possible if spec.menu == "Actor/Path"]),
        (say("New"), [spec.id for spec in possible if spec.menu == "Actor/New"]),
    ):
        if names:
            menu.addMenu(title).addActions([registry[name] for name in names])
    if not isinstance(menu.parentWidget(), QMenu):
        # Where the menu about an actor is a part of another one, that one offers it.
        menu.addAction(registry["signals.plot"])


def _menu_at(path: str, menus: dict[str, QMenu], title: Callable[[str], str], style: MenuStyle) -> QMenu:
    if path not in menus:
        above, _, name = path.rpartition("/")
        outer = _menu_at(above, menus, title, style)
        # Not `QAction.menu`: up to PySide6 6.9.3, what it returns is deleted with the wrapper of the action.
        if outer.actions() and outer.actions()[-1] not in [menu.menuAction() for menu in menus.values()]:
            outer.addSeparator()
        menus[path] = outer.addMenu(title(name))
        menus[path].aboutToShow.connect(partial(menus[path].setStyle, style))
        menus[path].aboutToShow.connect(menus[above.partition("/")[0]].aboutToShow)
    return menus[path]


def make_toolbar(actions: Actions, badge: CountBadge, field: QWidget) -> QToolBar:
    """The few actions of every day, how many problems there are, the field at the right."""
    bar = QToolBar(movable=False, floatable=False)
    bar.setObjectName("toolbar")
    bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
    bar.toggleViewAction().setVisible(False)  # nameless in the menu of a pane's title
    bar.setIconSize(QSize(24, 16))  # icons of 16 with room for words beside them
    for name in TOOLS:
        if name == "|":
            bar.addSeparator()
            continue
        bar.addAction(actions[name])
        button = bar.widgetForAction(actions[name])
        button.setObjectName(f"tool.{name}")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    right = QWidget()
    right.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    middle = (badge, 0, Qt.AlignmentFlag.AlignVCenter)
    fill(QHBoxLayout(right), middle, 8, Stretch(), field, spacing=0, margins=(0, 0, 7, 0))
    bar.addWidget(right)
    return bar


def fit_tools(bar: QToolBar) -> None:
    """Leave the words of buttons out where the field beside them lacks room."""
    parts = [bar.widgetForAction(action) for action in bar.actions()]
    for style in (Qt.ToolButtonStyle.ToolButtonTextBesideIcon, Qt.ToolButtonStyle.ToolButtonIconOnly):
        for part in parts:
            if isinstance(part, QToolButton) and part.objectName() not in _ICON_ONLY:
                part.setToolButtonStyle(style)
        if sum(max(part.minimumSizeHint().width(), _LINE) + _BETWEEN for part in parts) < bar.width() - _BETWEEN:
            break
