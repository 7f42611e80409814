"""Every colour of the program, by meaning: a frozen palette for light, for dark, and for both in high contrast.

A view asks for what a colour means (``palette.error``), never for a number. A new colour is a field of `Palette`, its
name in `ColorName` and a value in each of the four palettes.

This module knows colours only: no widget, no font, no application.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, Protocol

import numpy as np
from PySide6.QtGui import QColor

_SPEED_STEPS = 256
_VIRIDIS = (
    "440154 46085C 471063 481769 481D6F 482475 472A7A 46307E 453781 433D84 414287 3F4889 3D4E8A "
    "3A538B 38598C 355E8D 33638D 31688E 2E6D8E 2C718E 2A768E 297B8E 27808E 25848E 23898E 218E8D "
    "20928C 1F978B 1E9C89 1FA188 21A585 24AA83 28AE80 2EB37C 35B779 3DBC74 46C06E 50C46A 5AC864 "
    "65CB5E 70CF57 7CD250 89D548 95D840 A2DA37 B0DD2F BDDF26 CAE11F D8E219 E5E419 F1E51D FDE725"
)
"""Every fifth of the 256 colours of viridis, from the first to the last one: by Smith, van der Walt and Firing, CC0."""

_TOLD_APART = 2.0  # contrast
_TOO_DARK = 0.16  # luma of a fill that the dark ground would swallow
_LIFT = 0.273  # the share of white in such a fill
_LIGHT_FILL = 0.6  # luma of a fill from which a white wedge is worse to read than a dark one


ColorName = Literal[
    "window",
    "field",
    "alternate",
    "control",
    "control_down",
    "hover",
    "in_range",
    "cut",
    "veil",
    "edited_tint",
    "hairline",
    "edge",
    "track",
    "picked",
    "hatch",
    "text",
    "muted",
    "faint",
    "tag",
    "on_tag",
    "selection",
    "on_selection",
    "selection_down",
    "edited",
    "error",
    "on_error",
    "warning",
    "fine",
    "vehicle",
    "walker",
    "two_wheeler",
    "hero",
    "prop",
    "spectator",
    "sensor",
    "wedge",
    "packet_header",
    "tint_a",
    "tint_b",
    "scene",
    "walkway",
    "walkway_edge",
    "kerb",
    "street_chevron",
    "grid",
    "overview",
    "lamp_red",
    "lamp_yellow",
    "lamp_green",
    "lamp_off",
    "road",
    "road_shoulder",
    "road_parking",
    "road_biking",
    "road_sidewalk",
    "road_median",
    "road_mark",
    "road_yellow",
    "road_red",
    "road_blue",
    "road_green",
    "road_black",
    "road_chevron",
]
"""The names of the colours of a palette, for what takes a colour by its name."""


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Palette:
    """The colours of one appearance, each named by what it means.

    Attributes:
        dark: Whether light words stand on dark grounds.
        speeds: The places of viridis, 0 to 1, for standing still and for the fastest.
    """

    dark: bool
    speeds: tuple[float, float]

    # Grounds
    window: QColor  # windows, dialogs and panes
    field: QColor  # editors, tables and trees
    alternate: QColor  # headers of tables, rows that are pinned
    control: QColor  # buttons, combo boxes, switches, menus and tips
    control_down: QColor  # a button that is held down
    hover: QColor  # what the mouse is over; also what is on or current, with `picked` around it
    in_range: QColor  # the timeline and plots where the recording is kept
    cut: QColor  # what is cut away, in the timeline, in plots and among bytes
    veil: QColor  # lies over what is cut away; transparent in high contrast, where only `hatch` marks it
    edited_tint: QColor  # bytes and rows that were edited

    # Lines
    hairline: QColor  # between panes, and between rows
    edge: QColor  # around controls, scroll handles and shapes; also actors without a value to be coloured by
    track: QColor  # the groove of sliders and bars
    picked: QColor  # the edge of what is on or current
    hatch: QColor  # the strokes over what is cut away

    # Text
    text: QColor  # words and most icons
    muted: QColor  # words that are read second
    faint: QColor  # digits beside something readable, and what is disabled
    tag: QColor  # the ground of the tag of the time cursor
    on_tag: QColor  # the words of that tag
    selection: QColor  # what is selected: rows, actors, frames; the primary button, links
    on_selection: QColor  # words and icons on `selection`
    selection_down: QColor  # the primary button while it is held down

    # States: signs, bars and ticks; words beside them are in `text`
    edited: QColor  # what was edited, and the path that is edited
    error: QColor  # errors and collisions
    on_error: QColor  # words on `error`
    warning: QColor  # warnings
    fine: QColor  # what is in order, and the first frame of an actor

    # Actors
    vehicle: QColor  # cars, trucks, buses
    walker: QColor  # walkers
    two_wheeler: QColor  # motorcycles and bicycles
    hero: QColor  # the actors that drive, `role_name` hero
    prop: QColor  # props, and classes without a colour of their own
    spectator: QColor  # the spectator
    sensor: QColor  # sensors
    wedge: QColor  # the wedge that shows where an actor faces

    # Bytes
    packet_header: QColor  # the header of a packet
    tint_a: QColor  # every second field, from the first on
    tint_b: QColor  # every second field, from the second on

    # Scene
    scene: QColor  # the ground of the scene
    walkway: QColor  # where walkers went
    walkway_edge: QColor  # the edge of that
    kerb: QColor  # the edge of streets that vehicles drove; the street itself is a `road`
    street_chevron: QColor  # arrows that show which way they drove
    grid: QColor  # lines every metre or every ten
    overview: QColor  # how much the frames hold, in the strip of the whole recording
    lamp_red: QColor  # a red traffic light, and brake lights
    lamp_yellow: QColor  # a yellow traffic light, and indicators
    lamp_green: QColor  # a green traffic light
    lamp_off: QColor  # a traffic light that is off or unknown

    # Road map
    road: QColor  # lanes that vehicles drive on
    road_shoulder: QColor  # shoulders, borders, curbs and tracks
    road_parking: QColor  # parking lanes
    road_biking: QColor  # lanes for bicycles
    road_sidewalk: QColor  # sidewalks
    road_median: QColor  # medians
    road_mark: QColor  # marks on the road, white and standard
    road_yellow: QColor  # yellow and orange marks
    road_red: QColor  # red marks
    road_blue: QColor  # blue and violet marks
    road_green: QColor  # green marks
    road_black: QColor  # black marks
    road_chevron: QColor  # arrows that show the direction of lanes

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
    """Return the colours of viridis between two of its places (0 to 1)."""
    known = np.array([tuple(bytes.fromhex(color)) for color in _VIRIDIS.split()])
    places = np.linspace(start, stop, _SPEED_STEPS)
    known_places = np.linspace(0.0, 1.0, len(known))
    channels = [np.interp(places, known_places, channel).round().astype(int).tolist() for channel in known.T]
    return tuple(QColor(red, green, blue) for red, green, blue in zip(*channels, strict=True))


LIGHT = Palette(
    dark=False,
    speeds=(0.0, 0.82),
    window=QColor("#F3F4F5"),
    field=QColor("#FFFFFF"),
    alternate=QColor("#F8F9FA"),
    control=QColor("#FFFFFF"),
    control_down=QColor("#E4E7EA"),
    hover=QColor("#DCEBF4"),
    in_range=QColor("#FFFFFF"),
    cut=QColor("#E4E6E9"),
    veil=QColor("#9EE4E6E9"),
    edited_tint=QColor("#FBE3B0"),
    hairline=QColor("#DADDE0"),
    edge=QColor("#BFC4C9"),
    track=QColor("#D3D7DB"),
    picked=QColor("#DCEBF4"),
    hatch=QColor("#C3C8CD"),
    text=QColor("#1B1F23"),
    muted=QColor("#646C74"),
    faint=QColor("#7A8189"),
    tag=QColor("#1B1F23"),
    on_tag=QColor("#FFFFFF"),
    selection=QColor("#0072B2"),
    on_selection=QColor("#FFFFFF"),
    selection_down=QColor("#00619A"),
    edited=QColor("#E69F00"),
    error=QColor("#C44000"),
    on_error=QColor("#FFFFFF"),
    warning=QColor("#BA8808"),
    fine=QColor("#009E73"),
    vehicle=QColor("#3F76B2"),
    walker=QColor("#CC79A7"),
    two_wheeler=QColor("#117733"),
    hero=QColor("#882255"),
    prop=QColor("#858682"),
    spectator=QColor("#5F666D"),
    sensor=QColor("#767D84"),
    wedge=QColor("#FFFFFF"),
    packet_header=QColor("#D3D7DB"),
    tint_a=QColor("#D9E9F5"),
    tint_b=QColor("#F4E8CF"),
    scene=QColor("#ECEEF0"),
    walkway=QColor("#E1E4E7"),
    walkway_edge=QColor("#D3D8DC"),
    kerb=QColor("#BEC5CB"),
    street_chevron=QColor("#F6F8F9"),
    grid=QColor("#C9CED3"),
    overview=QColor("#DEE1E4"),
    lamp_red=QColor("#D7301F"),
    lamp_yellow=QColor("#E6A800"),
    lamp_green=QColor("#1A9850"),
    lamp_off=QColor("#B9BEC4"),
    road=QColor("#D5DADF"),
    road_shoulder=QColor("#DFE3E6"),
    road_parking=QColor("#DADFE3"),
    road_biking=QColor("#D9DFDC"),
    road_sidewalk=QColor("#E5E8EA"),
    road_median=QColor("#E3E8E4"),
    road_mark=QColor("#FFFFFF"),
    road_yellow=QColor("#E3B341"),
    road_red=QColor("#D9826F"),
    road_blue=QColor("#7FA6D6"),
    road_green=QColor("#7DB894"),
    road_black=QColor("#8C939A"),
    road_chevron=QColor("#E6E9EC"),
)

PRINT = replace(
    LIGHT,
    window=QColor("#FFFFFF"),
    hairline=QColor("#BFC4C9"),
    edge=QColor("#8C939A"),
    text=QColor("#000000"),
    muted=QColor("#3C4248"),
    faint=QColor("#5A6168"),
    selection=QColor("#000000"),
    selection_down=QColor("#000000"),
    error=QColor("#B23A00"),
    vehicle=QColor("#2F6DB5"),
    walker=QColor("#F2B84B"),
    two_wheeler=QColor("#4FB36C"),
    hero=QColor("#6A0F3F"),
    prop=QColor("#B9BEC4"),
    scene=QColor("#FFFFFF"),
    walkway=QColor("#F4F5F6"),
    walkway_edge=QColor("#DDE0E3"),
    kerb=QColor("#A9B0B7"),
    street_chevron=QColor("#FFFFFF"),
    road=QColor("#E3E6E9"),
    road_shoulder=QColor("#EEF0F2"),
    road_parking=QColor("#E9ECEE"),
    road_biking=QColor("#E6ECE9"),
    road_sidewalk=QColor("#F4F5F6"),
    road_median=QColor("#F1F4F2"),
    road_chevron=QColor("#F4F5F6"),
)
"""For paper: a white ground, and classes of actors whose colours differ in grey, too; nothing but text is black."""

DARK = Palette(
    dark=True,
    speeds=(0.28, 1.0),
    window=QColor("#202326"),
    field=QColor("#17191C"),
    alternate=QColor("#1B1E21"),
    control=QColor("#2B2F34"),
    control_down=QColor("#363B41"),
    hover=QColor("#223542"),
    in_range=QColor("#2A2E33"),
    cut=QColor("#1A1C1F"),
    veil=QColor("#9E1A1C1F"),
    edited_tint=QColor("#4F3D16"),
    hairline=QColor("#33383D"),
    edge=QColor("#4A5057"),
    track=QColor("#454B52"),
    picked=QColor("#223542"),
    hatch=QColor("#3A4047"),
    text=QColor("#E3E6E9"),
    muted=QColor("#9BA3AB"),
    faint=QColor("#7E8790"),
    tag=QColor("#E3E6E9"),
    on_tag=QColor("#17191C"),
    selection=QColor("#56B4E9"),
    on_selection=QColor("#0B1A24"),
    selection_down=QColor("#7CC5EF"),
    edited=QColor("#FDC133"),
    error=QColor("#FF7D4B"),
    on_error=QColor("#17191C"),
    warning=QColor("#F0E442"),
    fine=QColor("#3CCFA3"),
    vehicle=QColor("#82A7EA"),
    walker=QColor("#E5A2C7"),
    two_wheeler=QColor("#77CC88"),
    hero=QColor("#DF8DB4"),
    prop=QColor("#8E959D"),
    spectator=QColor("#B4BBC2"),
    sensor=QColor("#A0A7AE"),
    wedge=QColor("#10151B"),
    packet_header=QColor("#454B52"),
    tint_a=QColor("#1B3040"),
    tint_b=QColor("#332B1A"),
    scene=QColor("#15171A"),
    walkway=QColor("#1C1F23"),
    walkway_edge=QColor("#2B3036"),
    kerb=QColor("#454C54"),
    street_chevron=QColor("#59626C"),
    grid=QColor("#3A4047"),
    overview=QColor("#31353A"),
    lamp_red=QColor("#FF6B5A"),
    lamp_yellow=QColor("#FFD24A"),
    lamp_green=QColor("#4FD68C"),
    lamp_off=QColor("#444A51"),
    road=QColor("#262B31"),
    road_shoulder=QColor("#1F2327"),
    road_parking=QColor("#22272B"),
    road_biking=QColor("#222A28"),
    road_sidewalk=QColor("#1B1E22"),
    road_median=QColor("#1B201E"),
    road_mark=QColor("#7D8792"),
    road_yellow=QColor("#A8842C"),
    road_red=QColor("#96493B"),
    road_blue=QColor("#44699C"),
    road_green=QColor("#3F7A57"),
    road_black=QColor("#0B0D0F"),
    road_chevron=QColor("#3A4149"),
)

CONTRAST_LIGHT = Palette(
    dark=False,
    speeds=(0.0, 0.55),
    window=QColor("#FFFFFF"),
    field=QColor("#FFFFFF"),
    alternate=QColor("#F2F2F2"),
    control=QColor("#FFFFFF"),
    control_down=QColor("#D9D9D9"),
    hover=QColor("#DCEBF7"),
    in_range=QColor("#FFFFFF"),
    cut=QColor("#E0E0E0"),
    veil=QColor("#00E0E0E0"),
    edited_tint=QColor("#FFE0A3"),
    hairline=QColor("#767676"),
    edge=QColor("#1A1A1A"),
    track=QColor("#8A8A8A"),
    picked=QColor("#003E80"),
    hatch=QColor("#5E5E5E"),
    text=QColor("#000000"),
    muted=QColor("#2E2E2E"),
    faint=QColor("#484848"),
    tag=QColor("#000000"),
    on_tag=QColor("#FFFFFF"),
    selection=QColor("#003E80"),
    on_selection=QColor("#FFFFFF"),
    selection_down=QColor("#002B5C"),
    edited=QColor("#9A6600"),
    error=QColor("#B20038"),
    on_error=QColor("#FFFFFF"),
    warning=QColor("#4F3C00"),
    fine=QColor("#006B4A"),
    vehicle=QColor("#0952B5"),
    walker=QColor("#8F2A78"),
    two_wheeler=QColor("#0B5226"),
    hero=QColor("#6A0F3C"),
    prop=QColor("#3F464D"),
    spectator=QColor("#2B2F33"),
    sensor=QColor("#50575E"),
    wedge=QColor("#FFFFFF"),
    packet_header=QColor("#C4C4C4"),
    tint_a=QColor("#CFE4FA"),
    tint_b=QColor("#FBE6B8"),
    scene=QColor("#FFFFFF"),
    walkway=QColor("#F5F5F5"),
    walkway_edge=QColor("#767676"),
    kerb=QColor("#6A6A6A"),
    street_chevron=QColor("#5A5A5A"),
    grid=QColor("#767676"),
    overview=QColor("#8C8C8C"),
    lamp_red=QColor("#B41108"),
    lamp_yellow=QColor("#A67A00"),
    lamp_green=QColor("#007443"),
    lamp_off=QColor("#D5D5D5"),
    road=QColor("#E6E6E6"),
    road_shoulder=QColor("#EFEFEF"),
    road_parking=QColor("#ECECEC"),
    road_biking=QColor("#E4EDE8"),
    road_sidewalk=QColor("#F5F5F5"),
    road_median=QColor("#EDF2EE"),
    road_mark=QColor("#5A5A5A"),
    road_yellow=QColor("#7A5600"),
    road_red=QColor("#A32B14"),
    road_blue=QColor("#1F5590"),
    road_green=QColor("#1F6B3F"),
    road_black=QColor("#1A1A1A"),
    road_chevron=QColor("#767676"),
)

CONTRAST_DARK = Palette(
    dark=True,
    speeds=(0.4, 1.0),
    window=QColor("#000000"),
    field=QColor("#000000"),
    alternate=QColor("#141414"),
    control=QColor("#000000"),
    control_down=QColor("#3A3A3A"),
    hover=QColor("#0E2F47"),
    in_range=QColor("#000000"),
    cut=QColor("#1A1A1A"),
    veil=QColor("#001A1A1A"),
    edited_tint=QColor("#5A4200"),
    hairline=QColor("#8C8C8C"),
    edge=QColor("#FFFFFF"),
    track=QColor("#5E5E5E"),
    picked=QColor("#7CCBFF"),
    hatch=QColor("#9A9A9A"),
    text=QColor("#FFFFFF"),
    muted=QColor("#E6E6E6"),
    faint=QColor("#C4C4C4"),
    tag=QColor("#FFFFFF"),
    on_tag=QColor("#000000"),
    selection=QColor("#7CCBFF"),
    on_selection=QColor("#000000"),
    selection_down=QColor("#B3E1FF"),
    edited=QColor("#FFC641"),
    error=QColor("#FF7D4B"),
    on_error=QColor("#000000"),
    warning=QColor("#F5E94A"),
    fine=QColor("#42E3B1"),
    vehicle=QColor("#9BBDFF"),
    walker=QColor("#CE8EC7"),
    two_wheeler=QColor("#7FDD94"),
    hero=QColor("#D58AC8"),
    prop=QColor("#B4BAC0"),
    spectator=QColor("#DADDE0"),
    sensor=QColor("#A0A7AE"),
    wedge=QColor("#000000"),
    packet_header=QColor("#555555"),
    tint_a=QColor("#0F3A5C"),
    tint_b=QColor("#4A3A10"),
    scene=QColor("#000000"),
    walkway=QColor("#0C0C0C"),
    walkway_edge=QColor("#6A6A6A"),
    kerb=QColor("#8C8C8C"),
    street_chevron=QColor("#B5B5B5"),
    grid=QColor("#8A8A8A"),
    overview=QColor("#6E6E6E"),
    lamp_red=QColor("#FF6B5A"),
    lamp_yellow=QColor("#FFD24A"),
    lamp_green=QColor("#4CD88D"),
    lamp_off=QColor("#3A3A3A"),
    road=QColor("#1C1C1C"),
    road_shoulder=QColor("#141414"),
    road_parking=QColor("#181818"),
    road_biking=QColor("#15221A"),
    road_sidewalk=QColor("#0C0C0C"),
    road_median=QColor("#0E1410"),
    road_mark=QColor("#B5B5B5"),
    road_yellow=QColor("#E0B040"),
    road_red=QColor("#E07A66"),
    road_blue=QColor("#7FA8E0"),
    road_green=QColor("#6FBF8C"),
    road_black=QColor("#000000"),
    road_chevron=QColor("#8C8C8C"),
)
