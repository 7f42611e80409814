"""Every colour of the program, by meaning: one frozen palette for light and one for dark.

A view asks for what a colour means (``palette.error``), never for a number. This module knows colours only:
no widget, no font, no application.
"""

from functools import cache
from typing import Annotated, NamedTuple, Protocol, get_origin, get_type_hints

from PySide6.QtGui import QColor

_VIRIDIS = (
    "#440154 #481a6c #472f7d #414487 #39568c #31688e #2a788e #23888e "
    "#1f988b #22a884 #35b779 #54c568 #7ad151 #a5db36 #d2e21b #fde725"
)
_SPEED_STEPS = 256
_TOLD_APART = 2.0  # contrast
_CLASSES = ("vehicle", "walker", "two-wheeler", "spectator", "sensor")


class Palette(NamedTuple):
    """Named colours of one appearance: beside each stands how it is in light and in dark.

    Grounds: ``window``, ``field`` (editors, tables), ``alternate`` (table headers, pinned rows), ``control``
    (buttons, combo boxes, switches). Lines: ``hairline`` (between panes), ``edge`` (around controls, scroll
    handles). Ink: ``text``, ``muted`` (words that are read second), ``faint`` (digits beside something readable,
    disabled). ``track`` is the groove of bars; ``tag`` and ``on_tag`` the inverse tag of the time cursor and of
    tooltips.

    The pale ``error``, ``warning``, ``fine`` and ``edited`` colour signs, bars and ticks; words beside them stay in
    ``text``. ``speed`` runs from standing still to the fastest, 256 steps.
    """

    dark: bool

    window: Annotated[QColor, "#F3F4F5", "#202326"]
    field: Annotated[QColor, "#FFFFFF", "#17191C"]
    alternate: Annotated[QColor, "#F8F9FA", "#1B1E21"]
    control: Annotated[QColor, "#FFFFFF", "#2B2F34"]
    control_down: Annotated[QColor, "#E4E7EA", "#363B41"]
    hairline: Annotated[QColor, "#DADDE0", "#33383D"]
    edge: Annotated[QColor, "#BFC4C9", "#4A5057"]
    track: Annotated[QColor, "#D3D7DB", "#454B52"]
    text: Annotated[QColor, "#1B1F23", "#E3E6E9"]
    muted: Annotated[QColor, "#646C74", "#9BA3AB"]
    faint: Annotated[QColor, "#7A8189", "#7E8790"]
    tag: Annotated[QColor, "#1B1F23", "#E3E6E9"]
    on_tag: Annotated[QColor, "#FFFFFF", "#17191C"]

    selection: Annotated[QColor, "#0072B2", "#56B4E9"]
    on_selection: Annotated[QColor, "#FFFFFF", "#0B1A24"]
    selection_down: Annotated[QColor, "#00619A", "#7CC5EF"]
    hover: Annotated[QColor, "#DCEBF4", "#223542"]
    edited: Annotated[QColor, "#E69F00", "#F0B93A"]
    edited_tint: Annotated[QColor, "#FBE3B0", "#4F3D16"]
    error: Annotated[QColor, "#D55E00", "#FF8A5B"]
    on_error: Annotated[QColor, "#FFFFFF", "#17191C"]
    warning: Annotated[QColor, "#B8860B", "#F0E442"]
    fine: Annotated[QColor, "#009E73", "#3CCFA3"]

    vehicle: Annotated[QColor, "#4477AA", "#88AADD"]
    walker: Annotated[QColor, "#CC79A7", "#E59CC4"]
    two_wheeler: Annotated[QColor, "#117733", "#77CC88"]
    hero: Annotated[QColor, "#882255", "#EE88BB"]
    prop: Annotated[QColor, "#8C939A", "#8E959D"]
    spectator: Annotated[QColor, "#5F666D", "#B4BBC2"]
    sensor: Annotated[QColor, "#767D84", "#A0A7AE"]
    wedge: Annotated[QColor, "#FFFFFF", "#10151B"]

    packet_header: Annotated[QColor, "#D3D7DB", "#454B52"]
    tint_a: Annotated[QColor, "#D9E9F5", "#1B3040"]
    tint_b: Annotated[QColor, "#F4E8CF", "#332B1A"]

    scene: Annotated[QColor, "#ECEEF0", "#15171A"]
    swath: Annotated[QColor, "#F4F5F7", "#1E2125"]
    path: Annotated[QColor, "#C9CED3", "#3A4047"]
    asphalt: Annotated[QColor, "#F1F2F4", "#1E2125"]
    lane_mark: Annotated[QColor, "#D5D9DD", "#33393F"]

    road: Annotated[QColor, "#D5DADF", "#262B31"]
    road_shoulder: Annotated[QColor, "#DFE3E6", "#1F2327"]
    road_parking: Annotated[QColor, "#DADFE3", "#22272B"]
    road_biking: Annotated[QColor, "#D9DFDC", "#222A28"]
    road_sidewalk: Annotated[QColor, "#E5E8EA", "#1B1E22"]
    road_median: Annotated[QColor, "#E3E8E4", "#1B201E"]
    road_mark: Annotated[QColor, "#FFFFFF", "#7D8792"]
    road_yellow: Annotated[QColor, "#E3B341", "#A8842C"]
    road_red: Annotated[QColor, "#D9826F", "#96493B"]
    road_blue: Annotated[QColor, "#7FA6D6", "#44699C"]
    road_green: Annotated[QColor, "#7DB894", "#3F7A57"]
    road_black: Annotated[QColor, "#8C939A", "#0B0D0F"]
    road_chevron: Annotated[QColor, "#E6E9EC", "#3A4149"]

    cut: Annotated[QColor, "#E4E6E9", "#1A1C1F"]
    hatch: Annotated[QColor, "#C3C8CD", "#3A4047"]
    in_range: Annotated[QColor, "#FFFFFF", "#2A2E33"]
    overview: Annotated[QColor, "#DEE1E4", "#31353A"]

    lamp_red: Annotated[QColor, "#D7301F", "#FF6B5A"]
    lamp_yellow: Annotated[QColor, "#E6A800", "#FFD24A"]
    lamp_green: Annotated[QColor, "#1A9850", "#4FD68C"]
    lamp_off: Annotated[QColor, "#B9BEC4", "#444A51"]

    def color(self, name: str) -> QColor:
        """The colour of that name; ``KeyError`` when there is none."""
        value = getattr(self, name, None)
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
        return _speed(0.28, 1.0) if self.dark else _speed(0.0, 0.82)

    def speed_color(self, share: float) -> QColor:
        """The colour of a speed as a share of the fastest, 0 to 1 (values outside are clipped)."""
        colors = self.speed
        last = len(colors) - 1
        return colors[min(last, max(0, round(share * last)))]

    def high_contrast(self) -> "Palette":
        """The same palette for people who ask their desktop for more contrast: no pale ink, no pale edge."""
        return self._replace(hairline=self.muted, edge=self.text, muted=self.text, faint=self.muted, control=self.field)


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


@cache
def _speed(start: float, stop: float) -> tuple[QColor, ...]:
    """Viridis between two of its places (0 to 1); light ends where yellow would vanish, dark starts above black."""
    anchors = [QColor(name) for name in _VIRIDIS.split()]
    last = len(anchors) - 1

    def at(place: float) -> QColor:
        below = min(last - 1, int(place * last))
        return mix(anchors[below], anchors[below + 1], place * last - below)

    return tuple(at(start + (stop - start) * i / (_SPEED_STEPS - 1)) for i in range(_SPEED_STEPS))


def _palette(*, dark: bool) -> Palette:
    hints = get_type_hints(Palette, include_extras=True)
    tones = {name: hint.__metadata__ for name, hint in hints.items() if get_origin(hint) is Annotated}
    return Palette(dark=dark, **{name: QColor(pair[dark]) for name, pair in tones.items()})


LIGHT = _palette(dark=False)
DARK = _palette(dark=True)
