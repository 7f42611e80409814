"""A line below the toolbar: what another program did to the file, and what can be done about it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolBar, QWidget

from .theme import Theme
from .widgets import ElidedLabel


class Notice(QToolBar):
    """A sentence with two answers, `reload` and `keep`; hidden while there is nothing to say."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setObjectName("notice")
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.words = ElidedLabel(theme, "", "font", "text")
        self.reload = QPushButton(self.tr("Reload"))
        self.keep = QPushButton(self.tr("Keep mine"))
        self._sign = QLabel()
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(7, 0, 7, 0)
        layout.setSpacing(8)
        layout.addWidget(self._sign)
        layout.addWidget(self.words, 1)
        layout.addWidget(self.reload)
        layout.addWidget(self.keep)
        self.addWidget(row)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def say(self, sentence: str) -> None:
        """Show a sentence; an empty one hides the line."""
        self.words.setText(sentence)
        self.setVisible(bool(sentence))

    def _restyle(self) -> None:
        self._sign.setPixmap(self.theme.icons.pixmap("warning", 16, ratio=self.devicePixelRatioF()))
