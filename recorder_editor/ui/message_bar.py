"""A line below the toolbar: what another program did to the file, and what can be done about it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolBar, QWidget

from .boxes import fill
from .file_watcher import News
from .theme import Theme
from .widgets import ElidedLabel
from .widgets.base import Sign


class MessageBar(QToolBar):
    """A sentence with its answers: `follow`, `reload`, `script`, `compare`, `keep`; hidden while it is silent."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.toggleViewAction().setVisible(False)  # nameless in the menu of a pane's title
        self.words = ElidedLabel(theme, "", "font", "text")
        self.follow = QPushButton(self.tr("Follow"))
        self.follow.setToolTip(self.tr("Read the file again whenever it grows"))
        self.reload = QPushButton(self.tr("Reload"))
        self.reload.setToolTip(self.tr("Read the file again"))
        self.script = QPushButton(self.tr("Save the edits as a script..."))
        self.script.setToolTip(self.tr("Write the edits as a script, to apply them to the new file"))
        self.compare = QPushButton(self.tr("Compare"))
        self.compare.setToolTip(self.tr("List the differences to the file on disk"))
        self.keep = QPushButton(self.tr("Dismiss"))
        self._sign = Sign(theme, 16)
        row = QWidget()
        answers = (self.follow, self.reload, self.script, self.compare, self.keep)
        fill(QHBoxLayout(row), self._sign, (self.words, 1), *answers, spacing=8, margins=(7, 0, 7, 0))
        self.addWidget(row)
        self.hide()

    def say(self, news: News) -> None:
        """Show it, with the answers that it has; where there is nothing to say, hide."""
        grows, follows = news.kind == "growing", news.kind == "following"
        self.words.setText(news.words)
        self.follow.setVisible(grows)
        self.reload.setVisible(news.kind in ("growing", "rewritten", "replaced"))
        self.script.setVisible(news.kind == "rewritten" and news.has_edits)
        self.compare.setVisible(news.kind == "replaced")
        self.keep.setText(self.tr("Stop following") if follows else self.tr("Not now") if grows else self.tr("Dismiss"))
        self._sign.set_icon("info" if grows or follows else "warning")
        self.setVisible(bool(news.words))
