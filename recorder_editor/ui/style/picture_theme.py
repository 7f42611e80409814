"""The look of widgets that are painted into a picture and never shown: their palette may differ from the program's."""

from PySide6.QtCore import QObject

from ...views.units import Units
from .colors import Palette
from .icons import Icons
from .look import TEXT_SIZE
from .theme import Theme


class PictureTheme(Theme):
    """A theme that stays as it is, and changes nothing of the application."""

    def __init__(self, palette: Palette, units: Units) -> None:
        """Make a theme in the thread of the application.

        Args:
            palette: The colours.
            units: The units in which quantities are shown.
        """
        QObject.__init__(self)  # not that of the program, which follows the desktop
        self.palette = palette
        self.text_size = TEXT_SIZE
        self.units = units
        self.icons = Icons(self)
        self._make_fonts()
