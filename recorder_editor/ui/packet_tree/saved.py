"""Filters that are kept under a name: in the menu of the filter line."""

from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QMenu

from ..settings import Settings
from ..theme import Theme


class SavedFilters(QObject):
    """Adds the kept filters to the menu of a line, with *Save filter* and *Forget filter*."""

    def __init__(self, settings: Settings, theme: Theme, line: QLineEdit) -> None:
        super().__init__(line)
        self.settings, self.theme, self.line = settings, theme, line
        line.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        line.customContextMenuRequested.connect(self._open_menu)

    def menu(self) -> QMenu:
        """The line's own menu, and what is kept."""
        menu, kept, text = self.line.createStandardContextMenu(), self.settings.filters, self.line.text().strip()
        menu.setToolTipsVisible(True)
        menu.addSeparator()
        for name, query in kept:
            menu.addAction(name, partial(self.line.setText, query)).setToolTip(query)
        menu.addSeparator()
        menu.addAction(self.tr("Save filter..."), self._ask_name).setEnabled(bool(text))
        forget = menu.addMenu(self.tr("Delete filter"))
        forget.setEnabled(bool(kept))
        for name, _ in kept:
            forget.addAction(name, partial(self._keep, name, ""))
        return menu

    def _open_menu(self, at: QPoint) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.line.mapToGlobal(at))

    def _ask_name(self) -> None:
        from ..dialogs.base import BaseDialog

        text, name, dialog = self.line.text().strip(), QLineEdit(), BaseDialog(self.theme, self.line.window())
        dialog.say(self.tr("Save filter"), self.tr("Save this filter under a name"), text)
        dialog.setObjectName("saveFilter")
        name.setAccessibleName(self.tr("Name"))
        dialog.body.addWidget(name)
        dialog.add_button(self.tr("Cancel"), dialog.reject)
        save = dialog.add_button(self.tr("Save"), dialog.accept, filled=True)
        save.setEnabled(False)
        name.textChanged.connect(lambda: save.setEnabled(bool(name.text().strip())))
        dialog.accepted.connect(lambda: self._keep(name.text().strip(), text))
        dialog.open_()
        name.setFocus()

    def _keep(self, name: str, text: str) -> None:
        """Keep a text under a name, instead of what was kept under it; an empty text forgets it."""
        others = [each for each in self.settings.filters if each[0] != name]
        self.settings.filters = sorted([*others, (name, text)] if text else others)
