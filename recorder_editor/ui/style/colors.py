"""Every colour of the program, by meaning: a frozen palette for light, for dark, and for both in high contrast.

A view asks for what a colour means (``palette.error``), never for a number; the numbers are in `resources/colors.json`.
This module knows colours only: no widget, no font, no application.
"""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Protocol

import numpy as np
from PySide6.QtGui import QColor

from recorder_editor import resources

_SPEED_STEPS = 256
_TOLD_APART = 2.0  # contrast
_CLASSES = ("vehicle", "walker", "two-wheeler", "spectator", "sensor")


class Palette:
    """Named colours of one appearance, from a column of `resources/colors.json`.

    Grounds: ``window``, ``field`` (editors, tables), ``alternate`` (table headers, pinned rows), ``control``
    (buttons, combo boxes, switches). Lines: ``hairline`` (between panes), ``edge`` (around controls, scroll
    handles). Ink: ``text``, ``muted`` (words that are read second), ``faint`` (digits beside something readable,
    disabled). ``track`` is the groove of bars; ``tag`` and ``on_tag`` the inverse tag of the time cursor and of
    tooltips.

    The pale ``error``, ``warning``, ``fine`` and ``edited`` colour signs, bars and ticks; words beside them stay in
    ``text``. ``picked`` is the edge of what is on or current, whose ground is ``hover``. ``veil`` lies over what is cut
    away, where there is no high contrast. ``speeds`` are the places of viridis (0 to 1) for standing still and for the
    fastest.
    """

    def __init__(self, dark: bool, speeds: tuple[float, float], colors: Mapping[str, QColor]) -> None:
        self.dark, self.speeds = dark, speeds
        self.__dict__.update(colors)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> QColor: ...

    def color(self, name: str) -> QColor:
        """The colour of that name; ``KeyError`` when there is none."""
        value = self.__dict__[name]
        if not isinstance(value, QColor):
            raise KeyError(name)
        return value

    def class_color(self, actor_class: str) -> QColor:
        """The colour of a class of actors ("vehicle", "two-wheeler", ...); grey for classes without their own."""
        return self.color(actor_class.replace("-", "_")) if actor_class in _CLASSES else self.prop

    def edge_of(self, color: QColor) -> QColor:
        """The 1-pixel edge of a filled shape: darker than the fill in light, lighter in dark."""
        return mix(color, QColor("#FFFFFF"), 0.3) if self.dark else mix(color, QColor("#000000"), 0.28)

    def wedge_on(self, color: QColor) -> QColor:
        """The colour of a wedge on a fill: that of the palette, or that of text where it would be lost."""
        return self.wedge if contrast(self.wedge, color) >= _TOLD_APART else self.text

    @property
    def speed(self) -> tuple[QColor, ...]:
        """The colours of speeds, 256 steps."""
        return _speed(*self.speeds)

    def speed_color(self, share: float) -> QColor:
        """The colour of a speed as a share of the fastest, 0 to 1 (values outside are clipped)."""
        colors = self.speed
        last = len(colors) - 1
        return colors[min(last, max(0, round(share * last)))]


class HasPalette(Protocol):
    """Whoever knows the palette of the moment."""

    @property
    def palette(self) -> Palette:
        """The palette to draw with now."""


class Look(HasPalette, Protocol):
    """Whoever knows the palette and the text size of the moment."""

    @property
    def text_size(self) -> int:
        """Height of the normal text in logical pixels."""

    def px(self, length: float) -> int:
        """A length of the design at that text size."""


def mix(a: QColor, b: QColor, share: float) -> QColor:
    """The colour that lies ``share`` (0 to 1) of the way from ``a`` to ``b``, channel by channel, alpha too."""
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
    """The same colour at ``share`` (0 to 1) of full opacity."""
    result = QColor(color)
    result.setAlphaF(share)
    return result


def contrast(a: QColor, b: QColor) -> float:
    """The contrast ratio of two opaque colours, 1 to 21 (WCAG 2)."""
    lighter, darker = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: QColor) -> float:
    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)

    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF())


@cache
def _speed(start: float, stop: float) -> tuple[QColor, ...]:
    """Viridis between two of its places (0 to 1)."""
    from pyqtgraph import colormap  # after the first picture

    return tuple(colormap.get("viridis").map(np.linspace(start, stop, _SPEED_STEPS), mode="qcolor"))


_TONES = dict(resources.table("colors"))
_SPEEDS = _TONES.pop("speed")

ROLES: Mapping[str, str] = _TONES.pop("roles")
"""Of Qt's own palette: the colour of each."""

ICON_COLORS: Mapping[str, str] = _TONES.pop("icons")
"""The colours of icons that do not have that of text."""

LIGHT, DARK, CONTRAST_LIGHT, CONTRAST_DARK = (
    Palette(column % 2 == 1, tuple(span), {name: QColor(each[column]) for name, each in _TONES.items()})
    for column, span in enumerate(_SPEEDS)
)
