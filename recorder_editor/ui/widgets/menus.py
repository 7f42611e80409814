"""The registry as menus and as a toolbar. Knows the order of actions, not what they do."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMenu, QMenuBar, QSizePolicy, QToolBar, QToolButton, QWidget

from ...texts import say
from ..style.boxes import Stretch, fill
from ..style.menu_style import MenuStyle
from . import CountBadge
from .actions import Actions, ActionSpec

SWITCH = "workspaces"
TOOLS = ("file.open", "file.save", "|", "edit.undo", "edit.redo", "|", SWITCH, "|", "tools.checks")
_ICON_ONLY = ("tool.edit.undo", "tool.edit.redo")
_ICON_FIRST = (*_ICON_ONLY, "tool.file.open", "tool.file.save")
_BETWEEN = 6  # pixels between buttons, as in the style sheet
_LINE = 5  # pixels of a separator, as in the style sheet
IN_CONTEXT = ("copies", "removing", "states", "notes")
"""The sections of the menu Actor that context menus offer, with a line between them."""


def fill_menus(bar: QMenuBar, names: Sequence[str], actions: Actions, title: Callable[[str], str]) -> dict[str, QMenu]:
    """Make all menus; actions that are added to the registry later get into them, too.

    Args:
        bar: The bar.
        names: The names of its menus, from the left.
        actions: The registry.
        title: Returns the title of a menu by its name.

    Returns:
        The menus, by their path ("Recording/Road map").
    """
    leave = _Leave(bar)
    style = MenuStyle()
    menus: dict[str, QMenu] = {}
    for name, text in zip(names, with_mnemonics(names, title), strict=True):
        menu = bar.addMenu(text)
        menu.aboutToShow.connect(actions.complete)
        menu.aboutToShow.connect(actions.refresh)
        menu.aboutToShow.connect(partial(_hide_empty, name, menus))
        menu.aboutToShow.connect(partial(menu.setStyle, style))
        menu.installEventFilter(leave)
        menus[name] = menu
    filler = _Filler(bar, actions, partial(_menu_at, menus=menus, title=title, style=style))
    filler.put(actions.present)
    actions.added.connect(filler.put)
    return menus


def _hide_empty(name: str, menus: Mapping[str, QMenu]) -> None:
    """Hide the submenus of a menu of which every action is left out now, and show the others."""
    for path, menu in menus.items():
        if path.startswith(f"{name}/"):
            entries = [action for action in menu.actions() if not action.isSeparator()]
            menu.menuAction().setVisible(not entries or any(action.isVisible() for action in entries))


class _Filler(QObject):
    """Puts actions into menus, with a line between sections."""

    def __init__(self, bar: QMenuBar, actions: Actions, menu_at: Callable[[str], QMenu]) -> None:
        super().__init__(bar)
        self._actions = actions
        self._menu_at = menu_at
        self._sections: dict[str, str] = {}

    def put(self, specs: Iterable[ActionSpec]) -> None:
        """Add actions at the end of their menus."""
        for spec in specs:
            if not spec.menu:
                continue
            menu = self._menu_at(spec.menu)
            is_first = spec.menu not in self._sections
            if (is_first and menu.actions()) or self._sections.get(spec.menu, spec.section) != spec.section:
                menu.addSeparator()
            self._sections[spec.menu] = spec.section
            menu.addAction(self._actions[spec.id])


def make_checkable(action: QAction, on: bool) -> QAction:
    """Make an entry of a menu checkable, and return it."""
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
    """Yield the titles of menus with `&` before a letter that no earlier one has.

    A title without Latin letters, as in Chinese, gets one of its name in brackets.

    Args:
        names: The names of the menus.
        title: Returns the title of a menu by its name.
    """
    taken: set[str] = set()
    for name in names:
        text = title(name)
        if not any(_is_latin(letter) for letter in text):
            free = [letter for letter in name if letter.lower() not in taken]
            text = f"{text}({free[0]})"
        for index, letter in enumerate(text):
            if _is_latin(letter) and letter.lower() not in taken:
                taken.add(letter.lower())
                text = f"{text[:index]}&{text[index:]}"
                break
        yield text


def _is_latin(letter: str) -> bool:
    return letter.isascii() and letter.isalpha()


def add_to_menu(menu: QMenu, registry: Actions) -> None:
    """Add the actions of an actor at the end of a context menu; those that cannot be done now are left out."""
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
        # Else the menu that this one is a part of has it.
        menu.addAction(registry["signals.plot"])


def _menu_at(path: str, menus: dict[str, QMenu], title: Callable[[str], str], style: MenuStyle) -> QMenu:
    """Return the menu of a path, made where there is none yet."""
    if path in menus:
        return menus[path]
    outer_path, _, name = path.rpartition("/")
    outer = _menu_at(outer_path, menus, title, style)
    # Not `QAction.menu`: up to PySide6 6.9.3, what it returns is deleted with the wrapper of the action.
    submenus = [menu.menuAction() for menu in menus.values()]
    if outer.actions() and outer.actions()[-1] not in submenus:
        outer.addSeparator()
    menu = outer.addMenu(title(name))
    menus[path] = menu
    outermost = outer_path.partition("/")[0]
    menu.aboutToShow.connect(partial(menu.setStyle, style))
    menu.aboutToShow.connect(menus[outermost].aboutToShow)
    return menu


def make_toolbar(actions: Actions, switch: QWidget, badge: CountBadge, field: QWidget) -> QToolBar:
    """Make the toolbar: actions of every day, the workspaces, the number of problems, and the field at the right."""
    bar = QToolBar(movable=False, floatable=False)
    bar.setObjectName("toolbar")
    bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
    bar.toggleViewAction().setVisible(False)  # nameless in the menu of a pane's title
    bar.setIconSize(QSize(24, 16))  # icons of 16 with room for words beside them
    for name in TOOLS:
        if name == "|":
            bar.addSeparator()
            continue
        if name == SWITCH:
            bar.addWidget(switch)
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


class Foldable(Protocol):
    """A part of the toolbar that has a short form."""

    def fold(self, on: bool) -> None:
        """Show the short form, or the whole."""


def fit_tools(bar: QToolBar, switch: Foldable) -> None:
    """Give the field beside the tools its room: first texts of buttons go, those of known signs before the others.

    Args:
        bar: The toolbar.
        switch: Is folded at last.
    """
    widgets = [bar.widgetForAction(action) for action in bar.actions()]
    buttons = [widget for widget in widgets if isinstance(widget, QToolButton)]
    every = [button.objectName() for button in buttons]
    for without_text, is_folded in ((_ICON_ONLY, False), (_ICON_FIRST, False), (every, False), (every, True)):
        switch.fold(is_folded)
        for button in buttons:
            if button.objectName() in without_text:
                button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            else:
                button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        needed = sum(max(widget.minimumSizeHint().width(), _LINE) + _BETWEEN for widget in widgets)
        if needed < bar.width() - _BETWEEN:
            break
