"""What can be done with segments: icons behind the title, or words below it where there is room for them."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QToolBar, QToolButton, QVBoxLayout, QWidget

from ....texts import say
from ...style.boxes import Stretch, fill, set_spacing
from ...style.theme import Theme
from ...widgets import Label

_COLUMNS = 2
_ICON = QSize(16, 16)
_BESIDE_WORD = QSize(22, 16)  # with room at its sides


class SegmentTools(QWidget):
    """The title of the segments, and a button for each action.

    Attributes:
        icons: The buttons with icons alone.
        words: The buttons with icons and words.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.icons = QToolBar(say("Segments"))
        self.icons.setIconSize(_ICON)
        self.words = QWidget()
        self._grid = set_spacing(QGridLayout(self.words), across=4, down=0)
        line = fill(QHBoxLayout(), Label(theme, say("Segments"), "bold"), Stretch(), self.icons)
        fill(QVBoxLayout(self), line, self.words, spacing=4)
        self.words.hide()

    def add(self, action: QAction) -> None:
        """Add the buttons of an action."""
        self.icons.addAction(action)
        self.icons.widgetForAction(action).setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button = QToolButton(autoRaise=True)
        button.setDefaultAction(action)
        button.setIconSize(_BESIDE_WORD)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        place = self._grid.count()
        self._grid.addWidget(button, place // _COLUMNS, place % _COLUMNS)

    def fit(self, room: QSize) -> None:
        """Show words where they fit into a room, which is below the title; else icons."""
        needed = self.words.sizeHint()
        shows_words = needed.width() <= room.width() and needed.height() <= room.height()
        self.words.setVisible(shows_words)
        self.icons.setVisible(not shows_words)
