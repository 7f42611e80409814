"""What can be chosen of a picture for a paper, for the command line and the dialog alike. Knows no Qt."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ..errors import RecorderError
from ..option_specs import OptionSpec, option
from ..progress import Progress
from ..reading.selectors import find_frames
from ..recording import Snapshot
from ..texts import N_, listed, say
from .scene_options import ACTORS, FOLLOW, LABELS, ROADS, color_by, follow_mode, signals

FORMATS = ("svg", "pdf", "png")
"""The endings of pictures: the first two are lines and text, the last one is pixels."""

MM_PER_INCH = 25.4
MM_PER_POINT = MM_PER_INCH / 72
_MOST_MOMENTS = 24
_MOST_PIXELS = 1 << 27
_NARROWEST = 38.0
"""Millimetres that a picture of a strip has at least, unless the number of columns is given."""

_STEPS = (1.0, 2.0, 5.0)
_MARKS = 6
"""Marks along a path, about, where their distance is not given."""

BETWEEN = 2.0
"""Millimetres between the pictures of a strip."""

SIDES = 4 / 3
"""Width of a picture of the scene for its height, unless that is given."""


class PictureError(RecorderError):
    """A picture cannot be made here."""


class PictureChoiceError(PictureError):
    """A picture cannot be made of what was chosen."""


@dataclass(frozen=True)
class PictureOptions:
    """What a picture shows, and how large it is.

    Attributes:
        at: Moments, each a text such as `5`, `0:05` or `f250`; several in one text have commas between them.
        signals: Signals over time, in the place of the scene: names as `speed`, expressions, measures of two actors.
        path: Several moments are one picture, with the paths of the chosen actors between them.
        every: Seconds between the marks along a path; None: a round number of them.
        width: Width of the picture, mm.
        height: Height of the picture, mm; None: by what it shows.
        font: Size of the text, points.
        dpi: Pixels an inch of a PNG.
        theme: The colours.
        columns: Pictures of a strip that stand side by side; None: as many as have room.
        actors: Selectors of the actors that are meant: with a ring, their path, their signals.
        follow: Selector of the actor in the middle; None: all road users are in view.
        mode: Whether north is up, or the heading of the actor that is followed.
        across: What is seen from left to right about the actor that is followed, m; None: 100.
        area: What is seen, m, as `X1,Y1,X2,Y2`; None: it depends on the road users.
        labels: Which road users have their id beside them.
        color: What actors are filled with.
        roads: What is drawn under the actors.
    """

    at: tuple[str, ...] = option(
        (),
        OptionSpec(
            flag="--at",
            kind="texts",
            label=N_("Moments"),
            help=N_("the moments that are shown (5, 0:05, f250), with commas between them; without it the first frame"),
            metavar="X,...",
            hint=N_("5, 0:05, f250"),
        ),
    )
    signals: tuple[str, ...] = option(
        (),
        signals(N_("signals over time in place of the scene: speed, 'AnimVehicle: throttle', 'ttc2d(25, 31)'; repeat")),
    )
    path: bool = option(
        False,
        OptionSpec(
            flag="--path",
            kind="switch",
            label=N_("Paths in one picture"),
            help=N_("one picture with the paths of --actors, or the hero, and marks of time, not a strip"),
        ),
    )
    every: float | None = option(
        None,
        OptionSpec(
            flag="--every",
            kind="number",
            label=N_("Marks every"),
            help=N_("seconds between the marks of --path (without it a round number, for about six marks)"),
            metavar="S",
            unit="s",
            low=0.01,
            high=1e6,
        ),
    )
    width: float = option(
        84.0,
        OptionSpec(
            flag="--width",
            kind="number",
            label=N_("Width"),
            help=N_("width of the picture in millimetres (default 84, one column of a paper)"),
            metavar="MM",
            unit="mm",
            low=20.0,
            high=1000.0,
        ),
    )
    height: float | None = option(
        None,
        OptionSpec(
            flag="--height",
            kind="number",
            label=N_("Height"),
            help=N_("height of the picture in millimetres (without it by what it shows)"),
            metavar="MM",
            unit="mm",
            low=15.0,
            high=1000.0,
            hint=N_("by what it shows"),
        ),
    )
    font: float = option(
        8.0,
        OptionSpec(
            flag="--font",
            kind="number",
            label=N_("Text size"),
            help=N_("size of the text in points (default 8)"),
            metavar="PT",
            unit="pt",
            low=4.0,
            high=36.0,
        ),
    )
    dpi: float = option(
        300.0,
        OptionSpec(
            flag="--dpi",
            kind="number",
            label=N_("Resolution"),
            help=N_("pixels an inch of a PNG (default 300)"),
            metavar="N",
            low=50.0,
            high=2400.0,
        ),
    )
    theme: str = option(
        "print",
        OptionSpec(
            flag="--theme",
            kind="choice",
            label=N_("Theme"),
            help=N_("the colours: those for paper (default), which differ in grey, too, light, or dark"),
            choices={"print": N_("Print"), "light": N_("Light"), "dark": N_("Dark")},
        ),
    )
    columns: float | None = option(
        None,
        OptionSpec(
            flag="--columns",
            kind="number",
            label=N_("Columns"),
            help=N_("pictures of a strip side by side (without it as many as have room)"),
            metavar="N",
            low=1.0,
            high=24.0,
            hint=N_("as many as have room"),
        ),
    )
    actors: tuple[str, ...] = option((), ACTORS)
    follow: str | None = option(None, FOLLOW)
    mode: str = option(
        "middle",
        follow_mode(N_("keep the followed actor in the middle (default), or there with its heading up"), keeps=False),
    )
    across: float | None = option(
        None,
        OptionSpec(
            flag="--across",
            kind="number",
            label=N_("Width in view"),
            help=N_("metres from left to right about the actor of --follow (default 100)"),
            metavar="M",
            unit="m",
            low=1.0,
            high=100_000.0,
            hint=N_("100"),
        ),
    )
    area: str | None = option(
        None,
        OptionSpec(
            flag="--area",
            kind="text",
            label=N_("Area"),
            help=N_("what is seen, two corners in metres of the simulator; write --area=X1,... where X1 is negative"),
            metavar="X1,Y1,X2,Y2",
            hint=N_("by the road users; or X1,Y1,X2,Y2 in metres"),
        ),
    )
    labels: str = option("near", LABELS)
    color: str = option("class", color_by("class"))
    roads: str = option("map", ROADS)


class Figure(Protocol):
    """A picture that is laid out."""

    def written(self, kind: str) -> bytes:
        """Return its file in one of `FORMATS`.

        Raises:
            PictureError: The picture cannot be made.
            RecorderError: A frame cannot be read.
            OSError: The recording cannot be read.
        """

    def close(self) -> None:
        """Release what it draws with, in the thread that drew."""


class MakeFigure(Protocol):
    """What lays a picture out."""

    def __call__(self, snapshot: Snapshot, options: PictureOptions, frames: range, progress: Progress) -> Figure:
        """Return the picture.

        Args:
            snapshot: The state of the recording, with its road map.
            options: The choices.
            frames: The range of paths and signals; indices from 0.
            progress: Counts frames that are read.

        Raises:
            PictureError: The picture cannot be made.
            SelectorError: There is no such actor, moment or signal.
            RecorderError: A frame cannot be read.
            OSError: The recording cannot be read.
        """


def format_of(path: Path) -> str:
    """Return the format of a picture by the ending of its name, one of `FORMATS`.

    Raises:
        PictureChoiceError: It has another one.
    """
    kind = path.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        endings = listed([f".{ending}" for ending in FORMATS])
        raise PictureChoiceError(say("{path}: a picture ends in one of {endings}.", path=path, endings=endings))
    return kind


def check_choices(options: PictureOptions, kind: str) -> None:
    """Check that choices fit each other and a format, before anything is read.

    Raises:
        PictureChoiceError: They do not.
    """
    corners_in(options.area)
    _refuse_both(options.follow, "--follow", options.area, "--area")
    _refuse_both(options.signals, "--signals", options.path, "--path")
    _refuse_both(options.signals, "--signals", options.at, "--at")
    _refuse_without(options.across, "--across", options.follow, "--follow")
    if options.mode != "middle":
        _refuse_without(options.mode, "--follow-mode", options.follow, "--follow")
    _refuse_without(options.every, "--every", options.path, "--path")
    if len(moment_texts(options)) > _MOST_MOMENTS:
        raise PictureChoiceError(
            say("{count} moments are too many; {most} fit in one file.", count=len(options.at), most=_MOST_MOMENTS)
        )
    if kind == "png":
        side = options.dpi / MM_PER_INCH
        height = options.height or options.width
        if options.width * height * side * side > _MOST_PIXELS:
            raise PictureChoiceError(
                say("{width:g} mm at {dpi:g} pixels an inch are too many pixels.", width=options.width, dpi=options.dpi)
            )


def _refuse_both(first: object, first_flag: str, second: object, second_flag: str) -> None:
    if first and second:
        raise PictureChoiceError(say("{first} and {second} do not go together.", first=first_flag, second=second_flag))


def _refuse_without(given: object, flag: str, needed: object, needed_flag: str) -> None:
    if given is not None and not needed:
        raise PictureChoiceError(say("{flag} is for {needed}.", flag=flag, needed=needed_flag))


def split_texts(texts: Sequence[str]) -> list[str]:
    """Return the parts of texts between commas, without blanks; empty ones are left out."""
    parts: list[str] = []
    for text in texts:
        parts.extend(part.strip() for part in text.split(",") if part.strip())
    return parts


def moment_texts(options: PictureOptions) -> list[str]:
    """Return the moments that were chosen, as texts."""
    return split_texts(options.at)


def moments_of(options: PictureOptions, snapshot: Snapshot, frames: range) -> list[int]:
    """Return the frames of the moments that were chosen, rising; of a path all its marks.

    Args:
        options: The choices.
        snapshot: The state of the recording.
        frames: The range of a path, without which the first frame is shown.

    Raises:
        SelectorError: A text is no moment, or no frame is there.
    """
    chosen = {find_frames(snapshot, text).start for text in moment_texts(options)}
    if options.path and not chosen:
        chosen = set(_marks_in(snapshot, frames, options.every))
    if not chosen:
        chosen = {frames.start}
    return sorted(chosen)


def _marks_in(snapshot: Snapshot, frames: range, every: float | None) -> list[int]:
    """Return the frames nearest to round times of a range."""
    times = snapshot.elapsed[frames.start : frames.stop]
    first = float(times[0])
    last = float(times[-1])
    if every is None:
        every = _round_step((last - first) / _MARKS)
    count = int(min((last - first) / every, 10_000.0)) + 1
    if count > 10 * _MARKS:
        message = say("A mark every {step:g} s makes {count:,} marks; choose longer steps.", step=every, count=count)
        raise PictureChoiceError(message)
    marks = []
    for number in range(count):
        time = math.ceil(first / every - 1e-9) * every + number * every
        if time <= last + 1e-9:
            marks.append(frames.start + int(abs(times - time).argmin()))
    return marks


def _round_step(least: float) -> float:
    """Return the smallest 1, 2 or 5 times a power of ten that is not below a number."""
    if not least > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    for step in _STEPS:
        if step * power >= least:
            return step * power
    return 10.0 * power


def corners_in(text: str | None) -> tuple[float, float, float, float] | None:
    """Return left, top, right and bottom of an area, m; None without a text.

    Raises:
        PictureChoiceError: The text names none.
    """
    if not text:
        return None
    try:
        x1, y1, x2, y2 = (float(word) for word in text.split(","))
    except ValueError:
        x1 = y1 = x2 = y2 = math.nan
    if not math.isfinite(x1 + y1 + x2 + y2) or x1 == x2 or y1 == y2:
        raise PictureChoiceError(say("{text} is not an area; write it as X1,Y1,X2,Y2 in metres.", text=repr(text)))
    return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)


def columns_of(options: PictureOptions, count: int) -> int:
    """Return how many of so many pictures stand side by side."""
    if options.columns is not None:
        return min(int(options.columns), count)
    return max(1, min(count, int((options.width + BETWEEN) / (_NARROWEST + BETWEEN))))
