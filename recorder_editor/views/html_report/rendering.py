"""Reports as bytes: the templates, the colours of both themes, and the words of headings of tables."""

from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, get_args

from ... import resources
from ...analysis.libraries import library, library_missing
from ...errors import SaveRefused
from ...progress import SILENT, Progress
from ...recording import write_file
from ...terminal import printable
from ...texts import language, say, say_count
from ..palette import DARK, LIGHT, ColorName, PaletteColors, speed_colors
from .chart import MOST_TTC
from .drawing import number
from .page import commands_of, page_of
from .speeds import SPEED_STEPS
from .subject import Source, Subject, read_subject

if TYPE_CHECKING:
    from jinja2 import Environment

EXTRA = "report"
"""The extra of this package that installs what reports need."""

_LIBRARIES = ("jinja2", "scipy")
_READING = 0.85  # the share of the work that is reading


class _Colors(NamedTuple):
    """The colours of both themes by name, and those of speeds."""

    light: Sequence[tuple[str, str]]
    dark: Sequence[tuple[str, str]]
    light_speeds: Sequence[str]
    dark_speeds: Sequence[str]


def write_report(
    path: Path, sources: Sequence[Source], *, target: str = "", overwrite: bool = False, progress: Progress = SILENT
) -> None:
    """Write a report, atomically.

    Args:
        path: The file.
        sources: The recordings, at least one.
        target: What the command that makes it again names it; empty: the name of the file.
        overwrite: Whether a file that nothing makes again may be replaced.
        progress: Counts parts of the work.

    Raises:
        LibraryMissing: Jinja or SciPy is not installed.
        WouldReplace: There is a file that nothing makes again.
        SaveRefused: The file is a recording that is reported, or cannot be written safely.
        Cancelled: The user stopped it.
        OSError: A file cannot be read or written.
    """
    for source in sources:
        if source.snapshot.store.sources_at(path):
            raise SaveRefused(
                say("{name} is the recording itself, and would be replaced. Choose another name.", name=path.name)
            )
    write_file(path, render_report(sources, target or path.name, progress), overwrite=overwrite)


def render_report(sources: Sequence[Source], target: str, progress: Progress = SILENT) -> bytes:
    """Return a report in the language that is set.

    Args:
        sources: The recordings, at least one.
        target: The name of the report, for the command that makes it again.
        progress: Counts parts of the work.

    Raises:
        LibraryMissing: Jinja or SciPy is not installed.
        Cancelled: The user stopped it.
        OSError: A recording cannot be read, as by `Store.read`.
    """
    require_libraries()
    environment = _environment()
    today = datetime.now(UTC).astimezone().date().isoformat()
    subtitle = say(
        "Report on a recording of the driving simulator CARLA, made by Recorder Editor on {date}", date=today
    )
    if len(sources) > 1:
        subtitle = say(
            "Reports on recordings of the driving simulator CARLA, made by Recorder Editor on {date}", date=today
        )
    subjects: list[Subject] = []
    pages = []
    for index, (source, part) in enumerate(progress.parts(sources), 1):
        subject = read_subject(source, part.part(0.0, _READING))
        subjects.append(subject)
        own_subtitle = subtitle if len(sources) == 1 else ""
        pages.append(page_of(subject, f"r{index}", own_subtitle, part.part(_READING, 1.0)))
    title = say("{name}, report", name=pages[0].name)
    if len(pages) > 1:
        title = say_count("{count:,} recording", "{count:,} recordings", count=len(pages))
    text = environment.get_template("report.html").render(
        title=title,
        subtitle=subtitle,
        lang=language().replace("_", "-"),
        pages=pages,
        commands=commands_of(subjects, target),
        colors=_colors(),
        speed_steps=range(SPEED_STEPS),
        words=_words(),
    )
    return text.encode("utf-8", "backslashreplace")


def require_libraries() -> None:
    """Refuse where a library that reports need is not installed.

    Raises:
        LibraryMissing: One of them is not.
    """
    for name in _LIBRARIES:
        if find_spec(name) is None:
            raise library_missing(name, EXTRA)


def _environment() -> "Environment":
    """Return the environment of the templates, in which each value is escaped."""
    jinja2 = library("jinja2", EXTRA)
    environment: Environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([resources.path("report"), resources.path("icons")]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_readable,
    )
    environment.globals["number"] = number
    return environment


def _readable(value: object) -> object:
    """Return a value with control characters, and those that turn the direction of text, as escapes."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return printable(value)
    return value


def _colors() -> _Colors:
    return _Colors(
        light=_named_colors(LIGHT),
        dark=_named_colors(DARK),
        light_speeds=_speed_colors(LIGHT),
        dark_speeds=_speed_colors(DARK),
    )


def _named_colors(palette: PaletteColors[str]) -> list[tuple[str, str]]:
    """Return the opaque colours of a palette, and what edges figures: nothing on light grounds."""
    colors = [("figure_edge", palette.scene)]
    for name in get_args(ColorName):
        value: str = getattr(palette, name)
        if len(value) == len("#RRGGBB"):
            colors.append((name, value))
    return colors


def _speed_colors(palette: PaletteColors[str]) -> list[str]:
    """Return the colours of speeds, each that of the middle of its step."""
    colors = speed_colors(*palette.speeds)
    chosen = []
    for step in range(SPEED_STEPS):
        red, green, blue = colors[round((step + 0.5) / SPEED_STEPS * (len(colors) - 1))]
        chosen.append(f"#{red:02X}{green:02X}{blue:02X}")
    return chosen


def _words() -> dict[str, str]:
    """Return the words of the templates."""
    return {
        "actors": say("Actors"),
        "at_once": say("At once"),
        "bytes": say("Bytes"),
        "class": say("Class"),
        "contacts": say("Collisions"),
        "driven": say("Driven"),
        "fastest": say("Fastest"),
        "finding": say("Finding"),
        "frame": say("Frame"),
        "health": say("Health"),
        "in_all": say("In all"),
        "least_ttc": say("Least TTC"),
        "length": say("Length"),
        "map": say("Map"),
        "more_contacts": say("Further contacts"),
        "no_actors": say("No actor is recorded."),
        "no_place": say("There is no picture: neither of the two has a position."),
        "offset": say("Offset"),
        "packet": say("Packet"),
        "paths": say("Paths"),
        "recording": say("Recording"),
        "recordings": say("Recordings"),
        "records": say("Records"),
        "risks": say("Risks"),
        "seconds": say("seconds"),
        "sections": say("Sections of"),
        "severity": say("Severity"),
        "share": say("Share"),
        "speed": say("speed"),
        "speed_unit": "m/s",
        "time": say("Time"),
        "ttc": say("time to collision"),
        "ttc_unit": say("s, to the road user ahead; shown up to {seconds:g} s", seconds=MOST_TTC),
        "users": say("Road users"),
    }
