"""Every colour of the program as a number, by meaning: for light, for dark, and for both in high contrast. No Qt.

A new colour is a field of `PaletteColors`, its name in `ColorName` and a value in each of the four palettes. What draws
takes the palette of the window (`ui.style.colors`), which has the same fields; what is written for a browser takes
these.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Generic, Literal, TypeVar

import numpy as np

Color = TypeVar("Color")

_SPEED_STEPS = 256
_VIRIDIS = (
    "440154 46085C 471063 481769 481D6F 482475 472A7A 46307E 453781 433D84 414287 3F4889 3D4E8A "
    "3A538B 38598C 355E8D 33638D 31688E 2E6D8E 2C718E 2A768E 297B8E 27808E 25848E 23898E 218E8D "
    "20928C 1F978B 1E9C89 1FA188 21A585 24AA83 28AE80 2EB37C 35B779 3DBC74 46C06E 50C46A 5AC864 "
    "65CB5E 70CF57 7CD250 89D548 95D840 A2DA37 B0DD2F BDDF26 CAE11F D8E219 E5E419 F1E51D FDE725"
)
"""Every fifth of the 256 colours of viridis, from the first to the last one: by Smith, van der Walt and Firing, CC0."""


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
class PaletteColors(Generic[Color]):
    """The colours of one appearance, each named by what it means.

    Attributes:
        dark: Whether light words stand on dark grounds.
        speeds: The places of viridis, 0 to 1, for standing still and for the fastest.
    """

    dark: bool
    speeds: tuple[float, float]

    # Grounds
    window: Color  # windows, dialogs and panes
    field: Color  # editors, tables and trees
    alternate: Color  # headers of tables, rows that are pinned
    control: Color  # buttons, combo boxes, switches, menus and tips
    control_down: Color  # a button that is held down
    hover: Color  # what the mouse is over; also what is on or current, with `picked` around it
    in_range: Color  # the timeline and plots where the recording is kept
    cut: Color  # what is cut away, in the timeline, in plots and among bytes
    veil: Color  # lies over what is cut away; transparent in high contrast, where only `hatch` marks it
    edited_tint: Color  # bytes and rows that were edited

    # Lines
    hairline: Color  # between panes, and between rows
    edge: Color  # around controls, scroll handles and shapes; also actors without a value to be coloured by
    track: Color  # the groove of sliders and bars
    picked: Color  # the edge of what is on or current
    hatch: Color  # the strokes over what is cut away

    # Text
    text: Color  # words and most icons
    muted: Color  # words that are read second
    faint: Color  # digits beside something readable, and what is disabled
    tag: Color  # the ground of the tag of the time cursor
    on_tag: Color  # the words of that tag
    selection: Color  # what is selected: rows, actors, frames; the primary button, links
    on_selection: Color  # words and icons on `selection`
    selection_down: Color  # the primary button while it is held down

    # States: signs, bars and ticks; words beside them are in `text`
    edited: Color  # what was edited, and the path that is edited
    error: Color  # errors and collisions
    on_error: Color  # words on `error`
    warning: Color  # warnings
    fine: Color  # what is in order, and the first frame of an actor

    # Actors
    vehicle: Color  # cars, trucks, buses
    walker: Color  # walkers
    two_wheeler: Color  # motorcycles and bicycles
    hero: Color  # the actors that drive, `role_name` hero
    prop: Color  # props, and classes without a colour of their own
    spectator: Color  # the spectator
    sensor: Color  # sensors
    wedge: Color  # the wedge that shows where an actor faces

    # Bytes
    packet_header: Color  # the header of a packet
    tint_a: Color  # every second field, from the first on
    tint_b: Color  # every second field, from the second on

    # Scene
    scene: Color  # the ground of the scene
    walkway: Color  # where walkers went
    walkway_edge: Color  # the edge of that
    kerb: Color  # the edge of streets that vehicles drove; the street itself is a `road`
    street_chevron: Color  # arrows that show which way they drove
    grid: Color  # lines every metre or every ten
    overview: Color  # how much the frames hold, in the strip of the whole recording
    lamp_red: Color  # a red traffic light, and brake lights
    lamp_yellow: Color  # a yellow traffic light, and indicators
    lamp_green: Color  # a green traffic light
    lamp_off: Color  # a traffic light that is off or unknown

    # Road map
    road: Color  # lanes that vehicles drive on
    road_shoulder: Color  # shoulders, borders, curbs and tracks
    road_parking: Color  # parking lanes
    road_biking: Color  # lanes for bicycles
    road_sidewalk: Color  # sidewalks
    road_median: Color  # medians
    road_mark: Color  # marks on the road, white and standard
    road_yellow: Color  # yellow and orange marks
    road_red: Color  # red marks
    road_blue: Color  # blue and violet marks
    road_green: Color  # green marks
    road_black: Color  # black marks
    road_chevron: Color  # arrows that show the direction of lanes


@cache
def speed_colors(start: float, stop: float) -> tuple[tuple[int, int, int], ...]:
    """Return the colours of viridis between two of its places (0 to 1): red, green and blue of 256 steps."""
    known = np.array([tuple(bytes.fromhex(color)) for color in _VIRIDIS.split()])
    places = np.linspace(start, stop, _SPEED_STEPS)
    known_places = np.linspace(0.0, 1.0, len(known))
    channels = [np.interp(places, known_places, channel).round().astype(int).tolist() for channel in known.T]
    return tuple(zip(*channels, strict=True))


LIGHT = PaletteColors(
    dark=False,
    speeds=(0.0, 0.82),
    window="#F3F4F5",
    field="#FFFFFF",
    alternate="#F8F9FA",
    control="#FFFFFF",
    control_down="#E4E7EA",
    hover="#DCEBF4",
    in_range="#FFFFFF",
    cut="#E4E6E9",
    veil="#9EE4E6E9",
    edited_tint="#FBE3B0",
    hairline="#DADDE0",
    edge="#BFC4C9",
    track="#D3D7DB",
    picked="#DCEBF4",
    hatch="#C3C8CD",
    text="#1B1F23",
    muted="#646C74",
    faint="#7A8189",
    tag="#1B1F23",
    on_tag="#FFFFFF",
    selection="#0072B2",
    on_selection="#FFFFFF",
    selection_down="#00619A",
    edited="#E69F00",
    error="#C44000",
    on_error="#FFFFFF",
    warning="#BA8808",
    fine="#009E73",
    vehicle="#3F76B2",
    walker="#CC79A7",
    two_wheeler="#117733",
    hero="#882255",
    prop="#858682",
    spectator="#5F666D",
    sensor="#767D84",
    wedge="#FFFFFF",
    packet_header="#D3D7DB",
    tint_a="#D9E9F5",
    tint_b="#F4E8CF",
    scene="#ECEEF0",
    walkway="#E1E4E7",
    walkway_edge="#D3D8DC",
    kerb="#BEC5CB",
    street_chevron="#F6F8F9",
    grid="#C9CED3",
    overview="#DEE1E4",
    lamp_red="#D7301F",
    lamp_yellow="#E6A800",
    lamp_green="#1A9850",
    lamp_off="#B9BEC4",
    road="#D5DADF",
    road_shoulder="#DFE3E6",
    road_parking="#DADFE3",
    road_biking="#D9DFDC",
    road_sidewalk="#E5E8EA",
    road_median="#E3E8E4",
    road_mark="#FFFFFF",
    road_yellow="#E3B341",
    road_red="#D9826F",
    road_blue="#7FA6D6",
    road_green="#7DB894",
    road_black="#8C939A",
    road_chevron="#E6E9EC",
)

PRINT = replace(
    LIGHT,
    window="#FFFFFF",
    hairline="#BFC4C9",
    edge="#8C939A",
    text="#000000",
    muted="#3C4248",
    faint="#5A6168",
    selection="#000000",
    selection_down="#000000",
    error="#B23A00",
    vehicle="#2F6DB5",
    walker="#F2B84B",
    two_wheeler="#4FB36C",
    hero="#6A0F3F",
    prop="#B9BEC4",
    scene="#FFFFFF",
    walkway="#F4F5F6",
    walkway_edge="#DDE0E3",
    kerb="#A9B0B7",
    street_chevron="#FFFFFF",
    road="#E3E6E9",
    road_shoulder="#EEF0F2",
    road_parking="#E9ECEE",
    road_biking="#E6ECE9",
    road_sidewalk="#F4F5F6",
    road_median="#F1F4F2",
    road_chevron="#F4F5F6",
)
"""For paper: a white ground, and classes of actors whose colours differ in grey, too; nothing but text is black."""

DARK = PaletteColors(
    dark=True,
    speeds=(0.28, 1.0),
    window="#202326",
    field="#17191C",
    alternate="#1B1E21",
    control="#2B2F34",
    control_down="#363B41",
    hover="#223542",
    in_range="#2A2E33",
    cut="#1A1C1F",
    veil="#9E1A1C1F",
    edited_tint="#4F3D16",
    hairline="#33383D",
    edge="#4A5057",
    track="#454B52",
    picked="#223542",
    hatch="#3A4047",
    text="#E3E6E9",
    muted="#9BA3AB",
    faint="#7E8790",
    tag="#E3E6E9",
    on_tag="#17191C",
    selection="#56B4E9",
    on_selection="#0B1A24",
    selection_down="#7CC5EF",
    edited="#FDC133",
    error="#FF7D4B",
    on_error="#17191C",
    warning="#F0E442",
    fine="#3CCFA3",
    vehicle="#82A7EA",
    walker="#E5A2C7",
    two_wheeler="#77CC88",
    hero="#DF8DB4",
    prop="#8E959D",
    spectator="#B4BBC2",
    sensor="#A0A7AE",
    wedge="#10151B",
    packet_header="#454B52",
    tint_a="#1B3040",
    tint_b="#332B1A",
    scene="#15171A",
    walkway="#1C1F23",
    walkway_edge="#2B3036",
    kerb="#454C54",
    street_chevron="#59626C",
    grid="#3A4047",
    overview="#31353A",
    lamp_red="#FF6B5A",
    lamp_yellow="#FFD24A",
    lamp_green="#4FD68C",
    lamp_off="#444A51",
    road="#262B31",
    road_shoulder="#1F2327",
    road_parking="#22272B",
    road_biking="#222A28",
    road_sidewalk="#1B1E22",
    road_median="#1B201E",
    road_mark="#7D8792",
    road_yellow="#A8842C",
    road_red="#96493B",
    road_blue="#44699C",
    road_green="#3F7A57",
    road_black="#0B0D0F",
    road_chevron="#3A4149",
)

CONTRAST_LIGHT = PaletteColors(
    dark=False,
    speeds=(0.0, 0.55),
    window="#FFFFFF",
    field="#FFFFFF",
    alternate="#F2F2F2",
    control="#FFFFFF",
    control_down="#D9D9D9",
    hover="#DCEBF7",
    in_range="#FFFFFF",
    cut="#E0E0E0",
    veil="#00E0E0E0",
    edited_tint="#FFE0A3",
    hairline="#767676",
    edge="#1A1A1A",
    track="#8A8A8A",
    picked="#003E80",
    hatch="#5E5E5E",
    text="#000000",
    muted="#2E2E2E",
    faint="#484848",
    tag="#000000",
    on_tag="#FFFFFF",
    selection="#003E80",
    on_selection="#FFFFFF",
    selection_down="#002B5C",
    edited="#9A6600",
    error="#B20038",
    on_error="#FFFFFF",
    warning="#4F3C00",
    fine="#006B4A",
    vehicle="#0952B5",
    walker="#8F2A78",
    two_wheeler="#0B5226",
    hero="#6A0F3C",
    prop="#3F464D",
    spectator="#2B2F33",
    sensor="#50575E",
    wedge="#FFFFFF",
    packet_header="#C4C4C4",
    tint_a="#CFE4FA",
    tint_b="#FBE6B8",
    scene="#FFFFFF",
    walkway="#F5F5F5",
    walkway_edge="#767676",
    kerb="#6A6A6A",
    street_chevron="#5A5A5A",
    grid="#767676",
    overview="#8C8C8C",
    lamp_red="#B41108",
    lamp_yellow="#A67A00",
    lamp_green="#007443",
    lamp_off="#D5D5D5",
    road="#E6E6E6",
    road_shoulder="#EFEFEF",
    road_parking="#ECECEC",
    road_biking="#E4EDE8",
    road_sidewalk="#F5F5F5",
    road_median="#EDF2EE",
    road_mark="#5A5A5A",
    road_yellow="#7A5600",
    road_red="#A32B14",
    road_blue="#1F5590",
    road_green="#1F6B3F",
    road_black="#1A1A1A",
    road_chevron="#767676",
)

CONTRAST_DARK = PaletteColors(
    dark=True,
    speeds=(0.4, 1.0),
    window="#000000",
    field="#000000",
    alternate="#141414",
    control="#000000",
    control_down="#3A3A3A",
    hover="#0E2F47",
    in_range="#000000",
    cut="#1A1A1A",
    veil="#001A1A1A",
    edited_tint="#5A4200",
    hairline="#8C8C8C",
    edge="#FFFFFF",
    track="#5E5E5E",
    picked="#7CCBFF",
    hatch="#9A9A9A",
    text="#FFFFFF",
    muted="#E6E6E6",
    faint="#C4C4C4",
    tag="#FFFFFF",
    on_tag="#000000",
    selection="#7CCBFF",
    on_selection="#000000",
    selection_down="#B3E1FF",
    edited="#FFC641",
    error="#FF7D4B",
    on_error="#000000",
    warning="#F5E94A",
    fine="#42E3B1",
    vehicle="#9BBDFF",
    walker="#CE8EC7",
    two_wheeler="#7FDD94",
    hero="#D58AC8",
    prop="#B4BAC0",
    spectator="#DADDE0",
    sensor="#A0A7AE",
    wedge="#000000",
    packet_header="#555555",
    tint_a="#0F3A5C",
    tint_b="#4A3A10",
    scene="#000000",
    walkway="#0C0C0C",
    walkway_edge="#6A6A6A",
    kerb="#8C8C8C",
    street_chevron="#B5B5B5",
    grid="#8A8A8A",
    overview="#6E6E6E",
    lamp_red="#FF6B5A",
    lamp_yellow="#FFD24A",
    lamp_green="#4CD88D",
    lamp_off="#3A3A3A",
    road="#1C1C1C",
    road_shoulder="#141414",
    road_parking="#181818",
    road_biking="#15221A",
    road_sidewalk="#0C0C0C",
    road_median="#0E1410",
    road_mark="#B5B5B5",
    road_yellow="#E0B040",
    road_red="#E07A66",
    road_blue="#7FA8E0",
    road_green="#6FBF8C",
    road_black="#000000",
    road_chevron="#8C8C8C",
)
