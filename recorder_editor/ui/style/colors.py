"""The colours of the window: a palette for light, for dark, and for both in high contrast.

A view asks for what a colour means (``palette.error``), never for a number; the numbers are in `views.palette`.

This module knows colours only: no widget, no font, no application.
"""

from functools import cache
from typing import Any, Protocol, get_args

from PySide6.QtGui import QColor

from ...views import palette
from ...views.palette import ColorName as ColorName  # what takes a colour by its name has it from here
from ...views.palette import PaletteColors, speed_colors

_TOLD_APART = 2.0  # contrast
_TOO_DARK = 0.16  # luma of a fill that the dark ground would swallow
_LIFT = 0.273  # the share of white in such a fill
_LIGHT_FILL = 0.6  # luma of a fill from which a white wedge is worse to read than a dark one


class Palette(PaletteColors[QColor]):
    """The colours of one appearance, each named by what it means, to draw with."""

    __slots__ = ()

    @classmethod
    def of(cls, colors: PaletteColors[str]) -> "Palette":
        """Return the palette of these colours (`#RRGGBB`, or `#AARRGGBB`)."""
        values: dict[str, Any] = {"dark": colors.dark, "speeds": colors.speeds}
        for name in get_args(ColorName):
            values[name] = QColor(getattr(colors, name))
        return cls(**values)

    def color(self, name: ColorName) -> QColor:
        """Return the colour of a name."""
        return self.color_named(name)

    def color_named(self, name: str) -> QColor:
        """Return the colour of a name that is read from the style sheet.

        Raises:
            KeyError: There is no colour of that name.
        """
        value: object = getattr(self, name, None)
        if not isinstance(value, QColor):
            raise KeyError(name)
        return value

    def class_color(self, actor_class: str) -> QColor:
        """Return the colour of a class of actors; that of props for classes without their own."""
        colors = {
            "vehicle": self.vehicle,
            "walker": self.walker,
            "two-wheeler": self.two_wheeler,
            "spectator": self.spectator,
            "sensor": self.sensor,
        }
        return colors.get(actor_class, self.prop)

    def icon_color(self, icon: str) -> QColor | None:
        """Return the colour that an icon has by itself; None for an icon in the colour of text."""
        colors = {
            "vehicle": self.vehicle,
            "walker": self.walker,
            "two-wheeler": self.two_wheeler,
            "prop": self.prop,
            "spectator": self.spectator,
            "sensor": self.sensor,
            "star": self.hero,
            "error": self.error,
            "warning": self.warning,
            "edited": self.edited,
            "collision": self.error,
        }
        return colors.get(icon)

    @property
    def has_high_contrast(self) -> bool:
        """Whether nothing is told by a shade alone."""
        return self.veil.alpha() == 0

    def edge_of(self, color: QColor) -> QColor:
        """Return the colour of the edge of a filled shape: darker than the fill in light, lighter in dark."""
        if self.dark:
            return mix(color, QColor("#FFFFFF"), 0.3)
        return mix(color, QColor("#000000"), 0.28)

    def wedge_on(self, color: QColor) -> QColor:
        """Return the colour of a wedge on a fill: that of the palette, or of text where it could not be told apart."""
        if contrast(self.wedge, color) >= _TOLD_APART:
            return self.wedge
        return self.text

    def own_fill(self, color: QColor) -> QColor:
        """Return an actor's own colour as it is drawn: in dark, one that is nearly as dark as the ground is lighter."""
        if self.dark and _luma(color) < _TOO_DARK:
            return mix(color, QColor("#FFFFFF"), _LIFT)
        return color

    def wedge_on_own(self, color: QColor) -> QColor:
        """Return the colour of a wedge on an actor's own colour: white, or nearly black on a light one."""
        if _luma(color) < _LIGHT_FILL:
            return QColor("#FFFFFF")
        return QColor("#1B1F23")

    @property
    def speed(self) -> tuple[QColor, ...]:
        """The colours of speeds, 256 steps."""
        start, stop = self.speeds
        return _speed(start, stop)

    def speed_color(self, share: float) -> QColor:
        """Return the colour of a speed as a share of the fastest, 0 to 1 (values outside are clipped)."""
        colors = self.speed
        last = len(colors) - 1
        return colors[min(last, max(0, round(share * last)))]


class HasPalette(Protocol):
    """An object that knows the palette of the moment."""

    @property
    def palette(self) -> Palette:
        """The palette to draw with now."""


class Look(HasPalette, Protocol):
    """An object that knows the palette and the text size of the moment."""

    @property
    def text_size(self) -> int:
        """Height of the normal text in logical pixels."""

    def px(self, length: float) -> int:
        """Return a length of the design at that text size, in logical pixels."""


def mix(a: QColor, b: QColor, share: float) -> QColor:
    """Return the colour ``share`` (0 to 1) of the way from ``a`` to ``b``, channel by channel, alpha too."""
    keep = 1.0 - share
    return QColor.fromRgbF(
        a.redF() * keep + b.redF() * share,
        a.greenF() * keep + b.greenF() * share,
        a.blueF() * keep + b.blueF() * share,
        a.alphaF() * keep + b.alphaF() * share,
    )


RULE_TINT = 0.3
"""The share of its colour in the ground of a row that meets a colour rule."""


def with_alpha(color: QColor, share: float) -> QColor:
    """Return a colour at ``share`` (0 to 1) of full opacity."""
    result = QColor(color)
    result.setAlphaF(share)
    return result


def contrast(a: QColor, b: QColor) -> float:
    """Return the contrast ratio of two opaque colours, 1 to 21 (WCAG 2)."""
    first = _luminance(a)
    second = _luminance(b)
    lighter = max(first, second)
    darker = min(first, second)
    return (lighter + 0.05) / (darker + 0.05)


def _luma(color: QColor) -> float:
    """Return how light a colour looks, 0 to 1 (luma of BT.601)."""
    return 0.299 * color.redF() + 0.587 * color.greenF() + 0.114 * color.blueF()


def _luminance(color: QColor) -> float:
    """Return the relative luminance of a colour, 0 to 1 (WCAG 2)."""

    def linear(channel: float) -> float:
        if channel <= 0.04045:
            return channel / 12.92
        return float(((channel + 0.055) / 1.055) ** 2.4)

    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF())


@cache
def _speed(start: float, stop: float) -> tuple[QColor, ...]:
    """Return the colours of speeds between two places of viridis (0 to 1)."""
    return tuple(QColor(red, green, blue) for red, green, blue in speed_colors(start, stop))


LIGHT = Palette.of(palette.LIGHT)
PRINT = Palette.of(palette.PRINT)
DARK = Palette.of(palette.DARK)
CONTRAST_LIGHT = Palette.of(palette.CONTRAST_LIGHT)
CONTRAST_DARK = Palette.of(palette.CONTRAST_DARK)
