"""Every colour of the program, by meaning: one frozen palette for light and one for dark.

A view asks for what a colour means (``palette.error``), never for a number. This module knows colours only:
no widget, no font, no application.
"""

from dataclasses import dataclass, fields, replace
from typing import Protocol

from PySide6.QtGui import QColor

_VIRIDIS = (
    "#440154 #481a6c #472f7d #414487 #39568c #31688e #2a788e #23888e "
    "#1f988b #22a884 #35b779 #54c568 #7ad151 #a5db36 #d2e21b #fde725"
)
_SPEED_STEPS = 256


@dataclass(frozen=True, slots=True)
class Palette:
    """Named colours of one appearance.

    Grounds: ``window``, ``field`` (editors, tables), ``alternate`` (table headers, pinned rows), ``control``
    (buttons, combo boxes, switches). Lines: ``hairline`` (between panes), ``edge`` (around controls, scroll
    handles). Ink: ``text``, ``muted`` (words that are read second), ``faint`` (digits beside something readable,
    disabled). ``track`` is the groove of bars; ``tag`` and ``on_tag`` the inverse tag of the time cursor and of
    tooltips.

    The pale ``error``, ``warning``, ``fine`` and ``edited`` colour signs, bars and ticks; words beside them stay in
    ``text``. ``speed`` runs from standing still to the fastest, 256 steps.
    """

    dark: bool
    window: QColor
    field: QColor
    alternate: QColor
    control: QColor
    control_down: QColor
    hairline: QColor
    edge: QColor
    track: QColor
    text: QColor
    muted: QColor
    faint: QColor
    tag: QColor
    on_tag: QColor

    selection: QColor
    on_selection: QColor
    selection_down: QColor
    hover: QColor
    edited: QColor
    edited_tint: QColor
    error: QColor
    on_error: QColor
    warning: QColor
    fine: QColor

    vehicle: QColor
    walker: QColor
    two_wheeler: QColor
    hero: QColor
    prop: QColor
    spectator: QColor
    sensor: QColor
    wedge: QColor

    packet_header: QColor
    tint_a: QColor
    tint_b: QColor

    scene: QColor
    swath: QColor
    path: QColor
    asphalt: QColor
    lane_mark: QColor

    cut: QColor
    hatch: QColor
    in_range: QColor
    overview: QColor

    lamp_red: QColor
    lamp_yellow: QColor
    lamp_green: QColor
    lamp_off: QColor

    speed: tuple[QColor, ...]

    def color(self, name: str) -> QColor:
        """The colour of that name; ``KeyError`` when there is none."""
        value = getattr(self, name, None)
        if not isinstance(value, QColor):
            raise KeyError(name)
        return value

    def class_color(self, actor_class: str) -> QColor:
        """The colour of a class of actors ("vehicle", "two-wheeler", ...); grey for classes without their own."""
        classes = {
            "vehicle": self.vehicle,
            "walker": self.walker,
            "two-wheeler": self.two_wheeler,
            "prop": self.prop,
            "spectator": self.spectator,
            "sensor": self.sensor,
        }
        return classes.get(actor_class, self.prop)

    def edge_of(self, color: QColor) -> QColor:
        """The 1-pixel edge of a filled shape: darker than the fill in light, lighter in dark."""
        return mix(color, QColor("#FFFFFF"), 0.3) if self.dark else mix(color, QColor("#000000"), 0.28)

    def speed_color(self, share: float) -> QColor:
        """The colour of a speed as a share of the fastest, 0 to 1 (values outside are clipped)."""
        last = len(self.speed) - 1
        return self.speed[min(last, max(0, round(share * last)))]

    def high_contrast(self) -> "Palette":
        """The same palette for people who ask their desktop for more contrast: no pale ink, no pale edge."""
        return replace(self, hairline=self.muted, edge=self.text, muted=self.text, faint=self.muted, control=self.field)

    def names(self) -> tuple[str, ...]:
        """The names of all single colours, in the order of declaration."""
        return tuple(field.name for field in fields(self) if isinstance(getattr(self, field.name), QColor))


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


def _speed(start: float, stop: float) -> tuple[QColor, ...]:
    """Viridis between two of its places (0 to 1); light ends where yellow would vanish, dark starts above black."""
    anchors = [QColor(name) for name in _VIRIDIS.split()]
    last = len(anchors) - 1

    def at(place: float) -> QColor:
        below = min(last - 1, int(place * last))
        return mix(anchors[below], anchors[below + 1], place * last - below)

    return tuple(at(start + (stop - start) * i / (_SPEED_STEPS - 1)) for i in range(_SPEED_STEPS))


LIGHT = Palette(
    dark=False,
    window=QColor("#F3F4F5"),
    field=QColor("#FFFFFF"),
    alternate=QColor("#F8F9FA"),
    control=QColor("#FFFFFF"),
    control_down=QColor("#E4E7EA"),
    hairline=QColor("#DADDE0"),
    edge=QColor("#BFC4C9"),
    track=QColor("#D3D7DB"),
    text=QColor("#1B1F23"),
    muted=QColor("#646C74"),
    faint=QColor("#7A8189"),
    tag=QColor("#1B1F23"),
    on_tag=QColor("#FFFFFF"),
    selection=QColor("#0072B2"),
    on_selection=QColor("#FFFFFF"),
    selection_down=QColor("#00619A"),
    hover=QColor("#DCEBF4"),
    edited=QColor("#E69F00"),
    edited_tint=QColor("#FBE3B0"),
    error=QColor("#D55E00"),
    on_error=QColor("#FFFFFF"),
    warning=QColor("#B8860B"),
    fine=QColor("#009E73"),
    vehicle=QColor("#4477AA"),
    walker=QColor("#CC79A7"),
    two_wheeler=QColor("#117733"),
    hero=QColor("#882255"),
    prop=QColor("#8C939A"),
    spectator=QColor("#5F666D"),
    sensor=QColor("#767D84"),
    wedge=QColor("#FFFFFF"),
    packet_header=QColor("#D3D7DB"),
    tint_a=QColor("#D9E9F5"),
    tint_b=QColor("#F4E8CF"),
    scene=QColor("#E9EBED"),
    swath=QColor("#F1F2F4"),
    path=QColor("#C9CED3"),
    asphalt=QColor("#F1F2F4"),
    lane_mark=QColor("#D5D9DD"),
    cut=QColor("#E4E6E9"),
    hatch=QColor("#C3C8CD"),
    in_range=QColor("#FFFFFF"),
    overview=QColor("#DEE1E4"),
    lamp_red=QColor("#D7301F"),
    lamp_yellow=QColor("#E6A800"),
    lamp_green=QColor("#1A9850"),
    lamp_off=QColor("#B9BEC4"),
    speed=_speed(0.0, 0.82),
)

DARK = Palette(
    dark=True,
    window=QColor("#202326"),
    field=QColor("#17191C"),
    alternate=QColor("#1B1E21"),
    control=QColor("#2B2F34"),
    control_down=QColor("#363B41"),
    hairline=QColor("#33383D"),
    edge=QColor("#4A5057"),
    track=QColor("#454B52"),
    text=QColor("#E3E6E9"),
    muted=QColor("#9BA3AB"),
    faint=QColor("#7E8790"),
    tag=QColor("#E3E6E9"),
    on_tag=QColor("#17191C"),
    selection=QColor("#56B4E9"),
    on_selection=QColor("#0B1A24"),
    selection_down=QColor("#7CC5EF"),
    hover=QColor("#223542"),
    edited=QColor("#F0B93A"),
    edited_tint=QColor("#4F3D16"),
    error=QColor("#FF8A5B"),
    on_error=QColor("#17191C"),
    warning=QColor("#F0E442"),
    fine=QColor("#3CCFA3"),
    vehicle=QColor("#88AADD"),
    walker=QColor("#E59CC4"),
    two_wheeler=QColor("#77CC88"),
    hero=QColor("#EE88BB"),
    prop=QColor("#8E959D"),
    spectator=QColor("#B4BBC2"),
    sensor=QColor("#A0A7AE"),
    wedge=QColor("#10151B"),
    packet_header=QColor("#454B52"),
    tint_a=QColor("#1B3040"),
    tint_b=QColor("#332B1A"),
    scene=QColor("#15171A"),
    swath=QColor("#1E2125"),
    path=QColor("#3A4047"),
    asphalt=QColor("#1E2125"),
    lane_mark=QColor("#33393F"),
    cut=QColor("#1A1C1F"),
    hatch=QColor("#3A4047"),
    in_range=QColor("#2A2E33"),
    overview=QColor("#31353A"),
    lamp_red=QColor("#FF6B5A"),
    lamp_yellow=QColor("#FFD24A"),
    lamp_green=QColor("#4FD68C"),
    lamp_off=QColor("#444A51"),
    speed=_speed(0.28, 1.0),
)
