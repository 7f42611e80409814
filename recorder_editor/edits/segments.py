"""Segments: named stretches of a recording, as a list that is read and written, and what is made of those frames."""

import csv
import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from io import StringIO
from itertools import count
from pathlib import Path
from typing import NamedTuple, Self

from ..errors import EditError, NothingToDo, RecorderError
from ..format import JsonError, read_json
from ..progress import SILENT, Progress
from ..reading.selectors import find_frames
from ..recording import Edit, RecordingLike, Snapshot
from ..recording.compose import compose
from ..texts import N_, say, say_count
from .intents import until
from .join import join
from .trim import cut, part

COLORS = ("#4477AA", "#EE6677", "#228833", "#CCBB44", "#66CCEE", "#AA3377")
PATTERN = "{name}-{index}-{segment}"
"""How files of segments are named: the recording, the number of the segment, its name."""

_COLUMNS: tuple[str, ...] = ("start", "end", "name")
_MOMENT = str, int, float, type(None)
_KINDS: dict[str, type | tuple[type, ...]] = {"start": _MOMENT, "end": _MOMENT, "name": str, "color": str, "on": bool}
"""The members of a segment in JSON, with their types."""


class Segment(NamedTuple):
    """The frames `[start, stop)` under a name. Attributes: `color` (`#RRGGBB`), `is_on` (it is chosen)."""

    name: str
    start: int
    stop: int
    color: str = COLORS[0]
    is_on: bool = True

    @property
    def frames(self) -> range:
        """Its frames."""
        return range(self.start, self.stop)

    def placed(self, span: range) -> Self:
        """The same for these frames."""
        return self._replace(start=span.start, stop=span.stop)


def new_segment(segments: Sequence[Segment], frames: range) -> Segment:
    """A segment with the first numbered name that none of `segments` has."""
    names = {each.name for each in segments}
    number = next(number for number in count(1) if say("Segment {number}", number=number) not in names)
    color = COLORS[(number - 1) % len(COLORS)]
    return Segment(say("Segment {number}", number=number), frames.start, frames.stop, color)


def split_segments(segments: Sequence[Segment], frame_index: int, frames: int) -> tuple[Segment, ...]:
    """The segments with the first one that has frames before and from `frame_index` on as two.

    Without segments all `frames` are one. Raises `NothingToDo` if there is no such segment.
    """
    every = tuple(segments) or (new_segment((), range(frames)),)
    for at, each in enumerate(every):
        if each.start < frame_index < each.stop:
            later = new_segment(every, range(frame_index, each.stop))._replace(is_on=each.is_on)
            return (*every[:at], each._replace(stop=frame_index), later, *every[at + 1 :])
    raise NothingToDo(say("No segment goes on before and after the start of frame {frame:,}.", frame=frame_index + 1))


def chosen(segments: Sequence[Segment]) -> list[Segment]:
    """The segments that are on. Raises `NothingToDo` if none is."""
    found = [each for each in segments if each.is_on]
    if not found:
        raise NothingToDo(say("No segment is on."))
    return found


# --- lists as text --------------------------------------------------------------------------------------


def read_segments(snapshot: Snapshot, data: bytes) -> tuple[Segment, ...]:
    """The segments of a list: CSV (start, end, name) or JSON (an array of objects).

    A start or end is a time (`12.5`) or a frame (`#250`), the end exclusive; without one it is that of the recording.
    Raises `EditError`, which names the line, or the segment of the array.
    """
    try:
        text = data.decode("utf-8-sig")
        is_json = text.lstrip().startswith(("[", "{"))
        rows = enumerate(read_json(text, unique=True), 1) if is_json else _csv_rows(text)
    except UnicodeDecodeError as error:
        raise _at(data.count(b"\n", 0, error.start) + 1, say("This is not UTF-8.")) from None
    except JsonError as error:
        raise _at(error.line or 1, error.message) from None
    found: list[Segment] = []
    for number, about in rows:
        try:
            found.append(_segment(snapshot, about, found))
        except RecorderError as error:
            raise _at(
                number, error.message, N_("Segment {line}: {message}") if is_json else N_("Line {line}: {message}")
            ) from None
    return tuple(found)


def write_segments(snapshot: Snapshot, segments: Sequence[Segment], *, as_json: bool) -> str:
    """The list as JSON, one segment a line, or as CSV, without colours and what is on."""
    rows = []
    for each in segments:
        rows.append((*until(snapshot, each.frames).values(), each.name, each.color, each.is_on))
    if as_json:
        lines = (json.dumps(dict(zip(_KINDS, row, strict=True)), ensure_ascii=False) for row in rows)
        return "[\n" + ",\n".join(lines) + "\n]\n"
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows([_COLUMNS, *(row[: len(_COLUMNS)] for row in rows)])
    return out.getvalue()


def _csv_rows(text: str) -> Iterator[tuple[int, object]]:
    """Number of the line, and what it says; a first line with the names of columns gives their order."""
    reader = csv.reader(StringIO(text), strict=True)
    columns = _COLUMNS
    try:
        for row in reader:
            named = tuple(cell.strip().lower() for cell in row)
            if {"start", "end"} <= set(named):
                columns = tuple(each if each in _COLUMNS else "" for each in named)
            elif any(named):
                yield reader.line_num, dict(zip(columns, row, strict=False))
    except csv.Error as error:
        raise _at(reader.line_num, say("This is not CSV: {reason}.", reason=error)) from None


def _segment(snapshot: Snapshot, about: object, before: Sequence[Segment]) -> Segment:
    if not isinstance(about, dict) or not all(isinstance(each, _KINDS.get(key, object)) for key, each in about.items()):
        raise EditError(
            say(
                'This is no segment; a segment is start, end and name, as in {"start": 5, '
                '"end": "#250", "name": "Overtaking"}.'
            )
        )
    ends = ("" if about.get(key) is None else str(about[key]).strip() for key in ("start", "end"))
    frames = find_frames(snapshot, *(end or None for end in ends))
    if not frames:
        raise EditError(say("The recording has no frames."))
    made = new_segment(before, frames)
    name = about.get("name", "").strip()
    color = about.get("color", "")
    if not re.fullmatch("#[0-9A-Fa-f]{6}", color):
        color = made.color
    return made._replace(name=name or made.name, color=color, is_on=about.get("on", True))


def _at(number: int, message: str, template: str = N_("Line {line}: {message}")) -> EditError:
    return EditError(say(template, line=number, message=message))


# --- what is made of the frames -------------------------------------------------------------------------


def file_names(segments: Sequence[Segment], path: Path, pattern: str = PATTERN) -> list[str]:
    """A file name for each segment of the recording at `path`. Raises `EditError` if two are the same, or one is empty.

    `{name}` of the pattern is the recording, `{index}` counts the segments, `{segment}` is the name of one.
    """
    digits = max(3, len(str(len(segments))))
    names: list[str] = []
    for number, each in enumerate(segments, 1):
        text = pattern.replace("{name}", path.stem).replace("{index}", f"{number:0{digits}}")
        text = re.sub(r'[\x00-\x1f\x7f/\\:*?"<>|]', "_", text.replace("{segment}", each.name)).strip(" .")
        if not text or f"{text}{path.suffix}".casefold() in map(str.casefold, names):
            raise EditError(
                say(
                    "The file of “{name}” would have no name, or that of another segment; put "
                    "{{index}} into the pattern.",
                    name=each.name,
                )
            )
        names.append(f"{text}{path.suffix}")
    return names


def joined(recording: RecordingLike, ranges: Sequence[range], progress: Progress = SILENT) -> Snapshot:
    """The state with these frames one after another, as if each was a recording. Raises `EditError`, `Cancelled`."""
    first, *others = (part(recording, frames) for frames in ranges)
    if others:
        return first.after(join(first, others, match_actors=True, progress=progress))
    return first


def cut_out(recording: RecordingLike, ranges: Sequence[range], *, progress: Progress = SILENT) -> Edit:
    """The edit that removes all of these frames, each gap as `cut` closes it. Raises `EditError`, `Cancelled`."""
    apart: list[range] = []
    for frames in sorted(ranges, key=lambda each: each.start):
        if apart and frames.start <= apart[-1].stop:
            apart[-1] = range(apart[-1].start, max(apart[-1].stop, frames.stop))
        else:
            apart.append(frames)
    steps = (partial(cut, frames=frames, progress=progress) for frames in reversed(apart))
    return compose(
        recording.snapshot, say_count("Cut out {count} segment", "Cut out {count} segments", count=len(ranges)), steps
    )
