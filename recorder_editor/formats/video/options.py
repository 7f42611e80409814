"""What can be chosen of a video, for the command line and the dialog alike."""

import math
import re
from dataclasses import dataclass

from ...errors import RecorderError
from ...option_specs import OptionSpec, option
from ...texts import N_, say
from ..scene_options import ACTORS, FOLLOW, LABELS, ROADS, color_by, follow_mode, signals

FASTEST = 120
"""Pictures a second at most."""

SIZES = ("1280x720", "1920x1080", "2560x1440", "3840x2160")
"""Sizes that the dialog proposes."""

FEWEST_LINES = 300
"""Lines, of the window, of a picture that has something below the scene."""

_LEAST_SIDE = 64
_MOST_SIDE = 4096  # H.264 up to level 5.2
_LINES = 720
"""Lines of a picture in which text is as large as in the window; in larger pictures it grows with them."""


class VideoError(RecorderError):
    """A video cannot be made here."""


class VideoChoiceError(VideoError):
    """A video cannot be made of what was chosen."""


@dataclass(frozen=True)
class VideoOptions:
    """What a video shows, and how large and fast it is.

    Attributes:
        size: Width and height, px, as `1280x720`.
        rate: Pictures a second.
        speed: Seconds of the recording in a second of the video.
        follow: Selector of the actor that is followed; None: none is.
        mode: Where the followed actor is kept.
        center: The place in the middle, m, as `X,Y`; None: all road users are in view.
        across: What is seen from left to right, m; None: as much as fits, about an actor 100 m.
        theme: The colours.
        actors: Selectors of the actors that are meant: with a ring and a trail, and their signals.
        timeline: The timeline is below the scene.
        signals: Signals over time below the scene, as `PictureOptions` has them.
        labels: Which road users have their id beside them.
        color: What actors are filled with.
        roads: What is drawn under the actors.
        title: A line above the picture; None: there is none.
        clock: The time and the frame stand in a corner.
        scale: Pixels for one of the window; None: 1 up to 720 lines, and more in larger pictures.
    """

    size: str = option(
        "1280x720",
        OptionSpec(
            flag="--size",
            kind="text",
            label=N_("Size"),
            help=N_("width and height in pixels, up to 4K (default {value})"),
            help_values={"value": "1280x720"},
            metavar="WxH",
            note=N_("pixels"),
        ),
    )
    rate: int = option(
        25,
        OptionSpec(
            flag="--fps",
            kind="count",
            label=N_("Pictures a second"),
            help=N_("pictures a second, at most 120, of a GIF 50 (default 25)"),
            metavar="N",
        ),
    )
    speed: float = option(
        1.0,
        OptionSpec(
            flag="--speed",
            kind="number",
            label=N_("Speed"),
            help=N_("seconds of the recording in a second of the video, as 2x or 0.5x (default 1x)"),
            metavar="N",
            unit="x",
            step=0.5,
            low=0.01,
            high=1000.0,
        ),
    )
    follow: str | None = option(None, FOLLOW)
    mode: str = option(
        "middle",
        follow_mode(
            N_("keep the followed actor in the middle (default), there with its heading up, or just in view"),
            keeps=True,
        ),
    )
    center: str | None = option(
        None,
        OptionSpec(
            flag="--center",
            kind="text",
            label=N_("Middle"),
            help=N_("the place in the middle, in metres of the simulator; write --center=X,Y where X is negative"),
            metavar="X,Y",
            hint=N_("all road users; or X,Y"),
        ),
    )
    across: float | None = option(
        None,
        OptionSpec(
            flag="--across",
            kind="unsigned",
            label=N_("Width in view"),
            help=N_(
                "metres that are seen from left to right; without it all road users, about an actor or a place 100"
            ),
            metavar="M",
            unit="m",
            step=10.0,
            hint=N_("as it fits"),
        ),
    )
    theme: str = option(
        "light",
        OptionSpec(
            flag="--theme",
            kind="choice",
            label=N_("Theme"),
            help=N_("the colours (default light)"),
            choices={
                "light": N_("Light"),
                "dark": N_("Dark"),
                "contrast_light": N_("High contrast, light"),
                "contrast_dark": N_("High contrast, dark"),
            },
        ),
    )
    actors: tuple[str, ...] = option((), ACTORS)
    timeline: bool = option(
        False,
        OptionSpec(
            flag="--timeline",
            kind="switch",
            label=N_("Timeline below"),
            help=N_("the timeline below the scene, with a cursor that moves"),
        ),
    )
    signals: tuple[str, ...] = option(
        (), signals(N_("signals over time below the scene: speed, 'AnimVehicle: throttle', 'ttc2d(25, 31)'; repeat"))
    )
    labels: str = option("near", LABELS)
    color: str = option("own", color_by("own"))
    roads: str = option("map", ROADS)
    title: str | None = option(
        None,
        OptionSpec(
            flag="--title",
            kind="text",
            label=N_("Title"),
            help=N_("a line of text at the top"),
            metavar="TEXT",
            hint=N_("none"),
        ),
    )
    clock: bool = option(
        False,
        OptionSpec(
            flag="--clock",
            kind="switch",
            label=N_("Time and frame"),
            help=N_("the time of the recording and the number of the frame in a corner"),
        ),
    )
    scale: float | None = option(
        None,
        OptionSpec(
            flag="--scale",
            kind="unsigned",
            label=N_("Scale of text and lines"),
            help=N_("pixels for one of the window; without it 1, in pictures of more than 720 lines in proportion"),
            metavar="N",
            step=0.5,
            hint=N_("by size"),
        ),
    )


def picture_size(options: VideoOptions) -> tuple[int, int]:
    """Return width and height of the pictures, px.

    Raises:
        VideoChoiceError: The text is no size, or too small or large a one.
    """
    match = re.fullmatch(r"\s*(\d{1,6})\s*[xX×]\s*(\d{1,6})\s*", options.size, re.ASCII)
    if match is None:
        raise VideoChoiceError(say("{text} is not a size; write it as 1280x720.", text=repr(options.size)))
    width = int(match[1])
    height = int(match[2])
    if min(width, height) < _LEAST_SIDE or max(width, height) > _MOST_SIDE:
        raise VideoChoiceError(
            say(
                "A video has {least} to {most} pixels each way, not {size}.",
                least=_LEAST_SIDE,
                most=_MOST_SIDE,
                size=f"{width}x{height}",
            )
        )
    return width, height


def text_scale(options: VideoOptions) -> float:
    """Return how many pixels stand for one of the window.

    Raises:
        VideoChoiceError: The size is none, or the scale leaves less than a window of 64 pixels.
    """
    width, height = picture_size(options)
    if options.scale is None:
        return max(1.0, height / _LINES)
    if not 0.25 <= options.scale <= min(width, height) / _LEAST_SIDE:
        raise VideoChoiceError(
            say(
                "A scale of {scale:g} does not fit pictures of {size}; it is from 0.25 to {most:g}.",
                scale=options.scale,
                size=f"{width}x{height}",
                most=math.floor(min(width, height) / _LEAST_SIDE),
            )
        )
    return options.scale


def check_room_below(options: VideoOptions) -> None:
    """Refuse pictures that are too low for what is to be below the scene.

    Raises:
        VideoChoiceError: They are.
    """
    if not options.timeline and not options.signals:
        return
    lines = picture_size(options)[1] / text_scale(options)
    if lines < FEWEST_LINES:
        raise VideoChoiceError(
            say(
                "A picture of {size} has no room for timeline or signals below the scene: {least} lines are needed.",
                size=options.size,
                least=math.ceil(FEWEST_LINES * text_scale(options)),
            )
        )


def place_in(text: str) -> tuple[float, float]:
    """Return the place that a text names, m.

    Raises:
        VideoChoiceError: It names none.
    """
    words = text.split(",")
    try:
        x, y = (float(word) for word in words)
    except ValueError:
        x = y = math.nan
    if not math.isfinite(x + y):
        raise VideoChoiceError(say("{text} is not a place; write it as X,Y in metres.", text=repr(text)))
    return x, y
