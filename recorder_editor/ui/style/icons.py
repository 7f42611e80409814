"""The program's line icons, drawn in whatever colour the text beside them has.

An icon is an SVG on a 16-pixel box whose only colour is ``currentColor``. It is rendered when it is painted, from
the palette of that moment, so every QIcon handed out follows the theme, the disabled state and any pixel ratio.
This module must not know which action or pane an icon belongs to.
"""

from functools import cache, lru_cache
from pathlib import Path
from struct import pack
from typing import Literal

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt, qRegisterResourceData
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from recorder_editor import resources
from recorder_editor.ui.style.colors import HasPalette

from .colors import ColorName

IconName = Literal[
    "actors",
    "add",
    "born",
    "bytes",
    "check",
    "checks",
    "chevron-down",
    "chevron-left",
    "chevron-right",
    "chevron-up",
    "chevrons-down",
    "clock",
    "close",
    "collision",
    "compare",
    "copy",
    "cross",
    "cross-bold",
    "cut",
    "dash",
    "delete",
    "door",
    "dot",
    "down",
    "duplicate",
    "edited",
    "error",
    "export",
    "field",
    "file",
    "filter",
    "first",
    "fit",
    "flash",
    "float",
    "folder",
    "follow",
    "frame",
    "gone",
    "grip",
    "header",
    "help",
    "history",
    "ids",
    "import",
    "info",
    "join",
    "last",
    "light",
    "lock",
    "loop",
    "map",
    "measure",
    "moon",
    "more",
    "next",
    "north",
    "open",
    "packet",
    "parent",
    "paste",
    "pause",
    "play",
    "previous",
    "prop",
    "raw",
    "record",
    "redo",
    "remove",
    "repair",
    "roads",
    "save",
    "save-as",
    "search",
    "sensor",
    "settings",
    "signals",
    "spectator",
    "split",
    "star",
    "sun",
    "tag",
    "target",
    "tick",
    "traffic-light",
    "traffic-sign",
    "trails",
    "triangle",
    "trim",
    "two-wheeler",
    "undo",
    "up",
    "vehicle",
    "walker",
    "warning",
    "weather",
]
"""The names of the program's own icons."""

SIZE = 16
ROW_SIZE = 14

_CACHED_PIXMAPS = 2048


class Icons:
    """All icons by name. A name is the file's name in ``resources/icons`` without ``.svg``.

    Icons of classes and of signs (``vehicle``, ``error``, ...) take their own colour, all others the text colour;
    ``color`` (the name of a palette colour, as in ``Palette.color``) chooses another one.
    """

    def __init__(self, theme: HasPalette, folder: Path | None = None) -> None:
        """Make the icons of a folder.

        Args:
            theme: Gives the palette.
            folder: The folder of the SVG files; None: the program's own icons.
        """
        self._theme = theme
        if folder is not None:
            self._folder = folder
        else:
            self._folder = resources.path("icons")
        self._sources: dict[str, str] = {}
        self._rendered = lru_cache(_CACHED_PIXMAPS)(_render)

    def names(self) -> tuple[str, ...]:
        """Return the names of all icons, sorted."""
        return tuple(sorted(path.stem for path in self._folder.glob("*.svg")))

    def icon(self, name: str, color: ColorName | None = None) -> QIcon:
        """Return an icon for actions, buttons and models, which follows the theme.

        Args:
            name: Its name.
            color: The name of its colour in the palette; None: its own.

        Raises:
            KeyError: There is no icon of that name.
        """
        self._source(name)
        return QIcon(_Engine(self, name, color))

    def pixmap(self, name: str, size: int = SIZE, color: QColor | None = None, ratio: float = 1.0) -> QPixmap:
        """Return a picture of an icon in the palette of this moment.

        Args:
            name: The icon.
            size: Its width and height, logical pixels.
            color: Its colour; None: its own.
            ratio: Device pixels for each logical one.
        """
        pixels = max(1, round(size * ratio))
        if color is None:
            color = self.color_of(name)
        pixmap = QPixmap(self._rendered(self._source(name), pixels, color.rgba()))
        pixmap.setDevicePixelRatio(pixels / size)
        return pixmap

    def draw(
        self, painter: QPainter, name: str, x: int, y: int, size: int = ROW_SIZE, color: QColor | None = None
    ) -> None:
        """Draw an icon with its top left corner at (x, y), in logical pixels, sharp on the painter's device."""
        ratio = painter.device().devicePixelRatio()
        painter.drawPixmap(QPoint(x, y), self.pixmap(name, size, color, ratio))

    def resource(self, name: str, color: QColor) -> str:
        """Return the path of the icon in a colour among Qt's resources, as a style sheet names it."""
        file = f"{name}-{color.rgb():x}.svg"
        _register(file, self._source(name).replace("currentColor", color.name()).encode())
        return f":/{file}"

    def color_of(self, name: str) -> QColor:
        """Return the colour that an icon has by itself: that of its class or sign, else that of text."""
        palette = self._theme.palette
        own = palette.icon_color(name)
        if own is None:
            return palette.text
        return own

    def color_in(self, name: str, color: ColorName | None, mode: QIcon.Mode, state: QIcon.State) -> QColor:
        """Return the colour of a QIcon in a state of its button or row; ``color`` as given to ``icon``."""
        palette = self._theme.palette
        if mode == QIcon.Mode.Disabled:
            return palette.faint
        if mode == QIcon.Mode.Selected:
            return palette.on_selection
        if color is not None:
            return palette.color(color)
        if state == QIcon.State.On and palette.icon_color(name) is None:
            return palette.selection
        return self.color_of(name)

    def _source(self, name: str) -> str:
        source = self._sources.get(name)
        if source is None:
            try:
                source = (self._folder / f"{name}.svg").read_text(encoding="utf-8")
            except FileNotFoundError:
                raise KeyError(name) from None
            self._sources[name] = source
        return source


class _Engine(QIconEngine):
    """Paints one icon of ``Icons`` in the colours of the moment."""

    def __init__(self, icons: Icons, name: str, color: ColorName | None) -> None:
        super().__init__()
        self._icons = icons
        self._name = name
        self._color = color

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        ratio = painter.device().devicePixelRatio()
        size = min(rect.width(), rect.height())
        x = rect.x() + (rect.width() - size) // 2
        y = rect.y() + (rect.height() - size) // 2
        painter.drawPixmap(QPoint(x, y), self._pixmap(size, mode, state, ratio))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        """Return the icon, or where a button wants room beside it the icon in the middle of a wider picture."""
        icon = self._pixmap(max(1, min(size.width(), size.height())), mode, state, scale)
        if size.width() <= size.height():
            return icon
        wide = QPixmap(round(size.width() * scale), icon.height())
        wide.setDevicePixelRatio(icon.devicePixelRatio())
        wide.fill(Qt.GlobalColor.transparent)
        painter = QPainter(wide)
        painter.drawPixmap((size.width() - size.height()) // 2, 0, icon)
        painter.end()
        return wide

    def clone(self) -> QIconEngine:
        return _Engine(self._icons, self._name, self._color)

    def key(self) -> str:
        return "recorder-editor"

    def iconName(self) -> str:
        return self._name

    def _pixmap(self, size: int, mode: QIcon.Mode, state: QIcon.State, ratio: float) -> QPixmap:
        color = self._icons.color_in(self._name, self._color, mode, state)
        return self._icons.pixmap(self._name, size, color, ratio)


def _render(source: str, pixels: int, rgba: int) -> QPixmap:
    color = QColor.fromRgba(rgba)
    renderer = QSvgRenderer(QByteArray(source.replace("currentColor", color.name()).encode()))
    pixmap = QPixmap(pixels, pixels)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setOpacity(color.alphaF())
    renderer.render(painter, QRectF(0, 0, pixels, pixels))
    painter.end()
    return pixmap


@cache  # Qt reads from these bytes as long as it runs
def _register(name: str, data: bytes) -> tuple[bytes, ...]:
    """Add a file to Qt's resources, laid out as Qt's rcc does; return the bytes that Qt reads from."""
    name_hash = 0
    for character in name:
        name_hash = (name_hash << 4) + ord(character)
        name_hash = (name_hash ^ (name_hash & 0xF0000000) >> 23) & 0x0FFFFFFF
    folder = pack(">IHII", 0, 2, 1, 1)
    file = pack(">IHHHI", 0, 0, 0, 1, 0)
    tree = folder + file
    names = pack(">HI", len(name), name_hash) + name.encode("utf-16-be")
    contents = pack(">I", len(data)) + data
    qRegisterResourceData(1, tree, names, contents)
    return tree, names, contents
