"""Filters that are kept under a name: in the menu of the filter line."""

from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QMenu

from ....texts import say
from ...session.settings import MOST_TEXTS, Settings
from ...style.theme import Theme


class SavedFilters(QObject):
    """Adds the kept filters to the menu of a line, with *Save filter* and *Forget filter*."""

    def __init__(self, settings: Settings, theme: Theme, line: QLineEdit) -> None:
        super().__init__(line)
        self.settings = settings
        self.theme = theme
        self.line = line
        line.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        line.customContextMenuRequested.connect(self._open_menu)

    def menu(self) -> QMenu:
        """Make the line's own menu, with what is kept."""
        menu = self.line.createStandardContextMenu()
        kept = self.settings.filters
        text = self.line.text().strip()
        menu.setToolTipsVisible(True)
        menu.addSeparator()
        for name, query in kept:
            menu.addAction(name, partial(self.line.setText, query)).setToolTip(query)
        menu.addSeparator()
        save = menu.addAction(say("Save filter..."), self._ask_name)
        save.setEnabled(bool(text) and len(kept) < MOST_TEXTS)
        if len(kept) >= MOST_TEXTS:  # one of them would be lost without a word
            save.setToolTip(say("{most} filters are the most that are kept; delete one first.", most=MOST_TEXTS))
        forget = menu.addMenu(say("Delete filter"))
        forget.setEnabled(bool(kept))
        for name, _ in kept:
            forget.addAction(name, partial(self._keep, name, ""))
        return menu

    def _open_menu(self, point: QPoint) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.line.mapToGlobal(point))

    def _ask_name(self) -> None:
        from ...dialogs.widgets import ask_name

        text = self.line.text().strip()
        ask_name(self.theme, self.line.window(), say("Save filter"), text, lambda name: self._keep(name, text))

    def _keep(self, name: str, text: str) -> None:
        """Keep a text under a name, instead of what was kept under it; an empty text forgets it."""
        filters = [(kept, query) for kept, query in self.settings.filters if kept != name]
        if text:
            filters.append((name, text))
        self.settings.filters = sorted(filters)
