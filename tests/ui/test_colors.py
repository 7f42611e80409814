"""The colours of the four palettes: read and told apart, by those who see few colours or little contrast, too."""

import math
from dataclasses import fields
from itertools import combinations, product
from typing import get_args

import numpy as np
import pytest
from PySide6.QtGui import QColor

from recorder_editor.formats import mcap_messages as mcap
from recorder_editor.ui.style.colors import (
    CONTRAST_DARK,
    CONTRAST_LIGHT,
    DARK,
    LIGHT,
    ColorName,
    Palette,
    contrast,
    mix,
)

PALETTES = {"light": LIGHT, "dark": DARK, "contrast light": CONTRAST_LIGHT, "contrast dark": CONTRAST_DARK}
EACH = pytest.mark.parametrize("palette", PALETTES.values(), ids=list(PALETTES))
STRONG = pytest.mark.parametrize("palette", [CONTRAST_LIGHT, CONTRAST_DARK], ids=["light", "dark"])

SIGHTS = {
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Linear red, green and blue as others see them: Machado, Oliveira and Fernandes (2009), severity 1.0."""

APART = 10.0
"""CIEDE2000: told apart at a glance."""

TOGETHER = {
    "shapes of the scene": ("vehicle", "walker", "two_wheeler", "prop"),
    "rings, labels and ghosts of the scene": ("hero", "selection", "error", "edited"),
    "leaders and risks": ("selection", "warning", "error"),
    "lamps": ("lamp_red", "lamp_yellow", "lamp_green", "lamp_off"),
    "first and last in the timeline": ("fine", "muted"),
    "problems": ("error", "warning", "fine"),
    "the strip beside the bytes": ("fine", "edited", "error"),
}
"""Colours that mean different things in one picture."""

Lab = tuple[float, float, float]


def lab(color: QColor, sight: str) -> Lab:
    """CIE L*a*b* (D65) of an sRGB colour as people of that sight see it."""
    channels = np.array((color.redF(), color.greenF(), color.blueF()))
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array(
        ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
    )
    xyz = to_xyz @ np.clip(np.array(SIGHTS[sight]) @ linear, 0.0, 1.0) / (0.95047, 1.0, 1.08883)
    x, y, z = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116).tolist()
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(one: Lab, other: Lab) -> float:
    """The difference of two colours (CIE 142-2001)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    c7 = ((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2) ** 7
    stretch = 1.5 - 0.5 * math.sqrt(c7 / (c7 + 25.0**7))
    c1, c2 = math.hypot(a1 * stretch, b1), math.hypot(a2 * stretch, b2)
    h1, h2 = (math.degrees(math.atan2(b, a * stretch)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    light, chroma, hue = (l1 + l2) / 2, (c1 + c2) / 2, h1 + turn / 2 if c1 * c2 else h1 + h2
    waves = ((1, -30, -0.17), (2, 0, 0.24), (3, 6, 0.32), (4, -63, -0.20))
    t = 1 + sum(share * math.cos(math.radians(times * hue + shift)) for times, shift, share in waves)
    dl = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / (1 + 0.015 * chroma * t)
    blue = math.radians(60 * math.exp(-(((hue % 360 - 275) / 25) ** 2)))
    rotation = -2 * math.sqrt(chroma**7 / (chroma**7 + 25.0**7)) * math.sin(blue)
    return math.sqrt(dl * dl + dc * dc + dh * dh + rotation * dc * dh)


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, -1, 2), (50, 0, 0), 2.3669),
        ((50, 2.5, 0), (58, 24, 15), 19.4535),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_measure_is_that_of_its_published_test_data(one: Lab, other: Lab, difference: float) -> None:
    assert ciede2000(one, other) == pytest.approx(difference, abs=1e-4)


def test_every_colour_can_be_named() -> None:
    colors = {field.name for field in fields(Palette)} - {"dark", "speeds"}
    assert set(get_args(ColorName)) == colors


@EACH
@pytest.mark.parametrize("sight", SIGHTS)
def test_colours_that_mean_different_things_are_told_apart_by_every_sight(palette: Palette, sight: str) -> None:
    near = [
        (what, one, other, round(found, 1))
        for what, names in TOGETHER.items()
        for one, other in combinations(names, 2)
        if (found := ciede2000(lab(palette.color(one), sight), lab(palette.color(other), sight))) < APART
    ]
    assert near == []


@EACH
@pytest.mark.parametrize("sight", SIGHTS)
def test_whoever_has_no_value_is_told_from_every_value_by_every_sight(palette: Palette, sight: str) -> None:
    none = lab(palette.edge, sight)
    assert min(ciede2000(lab(color, sight), none) for color in palette.speed[::16]) >= APART


@EACH
def test_speeds_grow_lighter_for_every_sight(palette: Palette) -> None:
    for sight in SIGHTS:
        steps = [lab(color, sight)[0] for color in palette.speed[::16]]
        assert steps == sorted(steps), sight


@STRONG
def test_in_high_contrast_words_have_seven_to_one(palette: Palette) -> None:
    grounds = ("window", "field", "alternate", "control", "hover", "scene", "in_range")
    pairs = [*product(("text", "muted", "faint", "selection"), grounds)]
    pairs += [*product(("text",), ("control_down", "tint_a", "tint_b", "packet_header", "edited_tint"))]
    pairs += [*product(("on_selection",), ("selection", "selection_down"))]
    pairs += [*product(("on_error",), ("error", "warning")), ("on_tag", "tag")]
    pairs += [*product(("error", "warning"), ("window", "field"))]
    found = {pair: round(contrast(palette.color(pair[0]), palette.color(pair[1])), 2) for pair in pairs}
    assert {pair: ratio for pair, ratio in found.items() if ratio < 7} == {}


@STRONG
def test_in_high_contrast_signs_and_edges_have_three_to_one(palette: Palette) -> None:
    grounds = ("window", "field", "alternate", "hover")
    pairs = [*product(("error", "warning", "fine", "edited", "hero", "prop", "spectator", "sensor"), grounds)]
    pairs += [*product(("vehicle", "walker", "two_wheeler"), (*grounds, "in_range"))]
    pairs += [*product(("vehicle", "walker", "two_wheeler", "prop", "hero", "selection"), ("scene", "road", "walkway"))]
    pairs += [*product(("edge", "hairline", "track", "selection"), ("window", "field", "control"))]
    pairs += [*product(("picked",), ("window", "field", "control", "hover"))]
    pairs += [*product(("road_mark", "road_yellow", "road_red", "road_blue", "road_green"), ("road", "road_shoulder"))]
    pairs += [*product(("lamp_red", "lamp_yellow", "lamp_green"), ("field",))]
    pairs += [("selection", "track"), ("grid", "scene"), ("kerb", "scene"), ("kerb", "road")]
    pairs += [("walkway_edge", "scene"), ("walkway_edge", "walkway"), ("street_chevron", "road")]
    pairs += [("overview", "in_range"), ("hatch", "in_range"), ("hatch", "cut")]
    found = {pair: round(contrast(palette.color(pair[0]), palette.color(pair[1])), 2) for pair in pairs}
    for name in ("vehicle", "walker", "two_wheeler", "prop"):  # the bars of actors in the timeline
        found[name, "bar"] = round(contrast(mix(palette.in_range, palette.color(name), 0.62), palette.in_range), 2)
        wedge = palette.wedge_on(palette.color(name))
        found["wedge", name] = round(contrast(wedge, palette.color(name)), 2)
    found |= {("speed", str(step)): round(contrast(palette.speed[step], palette.scene), 2) for step in (0, 128, 255)}
    assert {pair: ratio for pair, ratio in found.items() if ratio < 3} == {}


def test_the_colours_of_mcap_files_are_those_of_the_light_window() -> None:
    colors = {name: QColor(rgb) for name, rgb in mcap._CLASS_COLORS.items()}
    assert colors == {name: LIGHT.class_color(name) for name in colors}
    pairs = {
        mcap._HERO_COLOR: LIGHT.hero,
        mcap._COLLISION_COLOR: LIGHT.error,
        mcap._RED_LAMP: LIGHT.lamp_red,
        mcap._YELLOW_LAMP: LIGHT.lamp_yellow,
        mcap._GREEN_LAMP: LIGHT.lamp_green,
        mcap._WHITE_LAMP: LIGHT.wedge,
        mcap._LAMP_OFF: LIGHT.lamp_off,
        mcap._DRIVABLE_BORDER: LIGHT.muted,
    }
    assert {rgb: color.name().upper() for rgb, color in pairs.items()} == {rgb: rgb for rgb in pairs}
