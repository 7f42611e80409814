"""What everything painted is drawn with: palette, fonts, icons, lengths and units.

A `Look` belongs to no window and follows nothing: a picture may be dark while the desktop is light. `Theme` is the look
of the program itself.
"""

from collections.abc import Mapping
from typing import Literal

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QFontMetrics

from recorder_editor.ui.style.colors import CONTRAST_DARK, CONTRAST_LIGHT, DARK, LIGHT, PRINT, Palette
from recorder_editor.ui.style.icons import Icons
from recorder_editor.ui.style.language import bold_weight, families
from recorder_editor.views.units import AS_STORED, Units

PictureMode = Literal["light", "dark", "contrast_light", "contrast_dark", "print"]

PALETTES: Mapping[PictureMode, Palette] = {
    "light": LIGHT,
    "dark": DARK,
    "contrast_light": CONTRAST_LIGHT,
    "contrast_dark": CONTRAST_DARK,
    "print": PRINT,
}

TEXT_SIZE = 12
SMALLEST_TEXT = 9
LARGEST_TEXT = 24
_MONOSPACED = ["DejaVu Sans Mono", "Noto Sans Mono", "Liberation Mono", "Consolas", "Menlo"]


class Look:
    """Palette, fonts, icons and lengths of the moment.

    Attributes:
        palette: The colours.
        icons: The icons.
        font: The font of the interface, 12 px at normal size.
        small: The same, 11 px.
        bold: The same, 12 px and semi-bold.
        small_bold: The same, 11 px and semi-bold.
        tiny: The same, 10 px, of key caps.
        heading: The same, 18 px.
        mono: The font of numbers and bytes, 11 px.
        mono_bold: The same, semi-bold.
        text_size: The height of `font`, px.
        units: The units in which quantities are shown.
    """

    palette: Palette
    icons: Icons
    text_size: int
    units: Units

    def px(self, length: float) -> int:
        """Return a length of the design, which is drawn for text of 12 pixels, for the text size of this moment."""
        if length:
            return max(1, round(length * self.text_size / TEXT_SIZE))
        return 0

    def metrics(self, font: QFont | None = None) -> QFontMetrics:
        """Return the metrics of ``font``; None: of ``self.font``."""
        return QFontMetrics(font if font is not None else self.font)

    def _make_fonts(self) -> None:
        size = self.text_size
        general = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        for font in (general, fixed):
            font.setFamilies(font.families() + families())
        self.font = _interface(general, size)
        self.bold = _interface(general, size, bold_weight())
        self.small = _interface(general, size - 1)
        self.small_bold = _interface(general, size - 1, bold_weight())
        self.tiny = _interface(general, size - 2)
        self.heading = _interface(general, round(size * 1.5), bold_weight())
        self.mono = _monospaced(fixed, size - 1)
        self.mono_bold = _monospaced(fixed, size - 1, bold_weight())


class PictureLook(Look):
    """The look of pictures, which stays as it is."""

    def __init__(self, palette: Palette, text_size: int = TEXT_SIZE, units: Units = AS_STORED) -> None:
        """Make a look; there must be a QGuiApplication, which knows the fonts.

        Args:
            palette: The colours, as one of `PALETTES`.
            text_size: The height of `font`, px.
            units: The units in which quantities are shown.
        """
        self.palette = palette
        self.text_size = allowed_size(text_size)
        self.units = units
        self.icons = Icons(self)
        self._make_fonts()


def allowed_size(pixels: int) -> int:
    """Return the nearest height of text that can be shown, px."""
    return min(LARGEST_TEXT, max(SMALLEST_TEXT, pixels))


def _interface(base: QFont, pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    font = QFont(base)
    font.setPixelSize(pixels)
    font.setWeight(weight)
    font.setFeature(QFont.Tag("tnum"), 1)
    # Some interface fonts draw the x of 0x08f000 as a multiplication sign between digits.
    font.setFeature(QFont.Tag("calt"), 0)
    return font


def _monospaced(base: QFont, pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    font = _interface(base, pixels, weight)
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setFixedPitch(True)
    font.setFeature(QFont.Tag("liga"), 0)
    if not QFontInfo(font).fixedPitch():  # systems set to Chinese may name a font that has no Latin letters
        font.setFamilies(_MONOSPACED + font.families())
    return font
