"""Segments: named stretches of a recording, as a list that is read and written, and what is made of those frames."""

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from io import StringIO
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
from .trim import cut, part_of

COLORS = ("#4477AA", "#EE6677", "#228833", "#CCBB44", "#66CCEE", "#AA3377")
PATTERN = "{name}-{index}-{segment}"
"""How files of segments are named: the recording, the number of the segment, its name."""

_COLUMNS: tuple[str, ...] = ("start", "end", "name")
_MOMENT = str, int, float, type(None)
_KINDS: dict[str, type | tuple[type, ...]] = {"start": _MOMENT, "end": _MOMENT, "name": str, "color": str, "on": bool}
"""The members of a segment in JSON, with their types."""


class Segment(NamedTuple):
    """Frames under a name.

    Attributes:
        name: Its name.
        start: Index of the first frame.
        stop: Index after the last frame.
        color: `#RRGGBB`.
        is_on: Whether it is chosen.
    """

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
        """Return the same segment with other frames."""
        return self._replace(start=span.start, stop=span.stop)


def new_segment(segments: Sequence[Segment], frames: range) -> Segment:
    """Return a segment of frames with the first numbered name that none of `segments` has."""
    names = {segment.name for segment in segments}
    number = 1
    while say("Segment {number}", number=number) in names:
        number += 1
    return Segment(
        name=say("Segment {number}", number=number),
        start=frames.start,
        stop=frames.stop,
        color=COLORS[(number - 1) % len(COLORS)],
    )


def split_segments(segments: Sequence[Segment], frame_index: int, frames: int) -> tuple[Segment, ...]:
    """Return the segments with the first one that goes on across the start of a frame as two.

    Args:
        segments: The segments; without any all frames are one.
        frame_index: Index of the frame.
        frames: Number of frames of the recording.

    Raises:
        NothingToDo: There is no such segment.
    """
    result = list(segments) or [new_segment((), range(frames))]
    for index, segment in enumerate(result):
        if segment.start < frame_index < segment.stop:
            later = new_segment(result, range(frame_index, segment.stop))._replace(is_on=segment.is_on)
            result[index] = segment._replace(stop=frame_index)
            result.insert(index + 1, later)
            return tuple(result)
    raise NothingToDo(say("No segment goes on before and after the start of frame {frame:,}.", frame=frame_index + 1))


def chosen_segments(segments: Sequence[Segment]) -> list[Segment]:
    """Return the segments that are on; raises `NothingToDo` if none is."""
    result = [segment for segment in segments if segment.is_on]
    if not result:
        raise NothingToDo(say("No segment is on."))
    return result


# --- lists as text --------------------------------------------------------------------------------------


def read_segments(snapshot: Snapshot, data: bytes) -> tuple[Segment, ...]:
    """Return the segments of a list: CSV (start, end, name) or JSON (an array of objects).

    A start or end is a time (`12.5`) or a frame (`f250`), the end exclusive; without one it is that of the recording.

    Raises:
        EditError: The list is wrong; the error names the line, or the segment of the array.
    """
    try:
        text = data.decode("utf-8-sig")
        is_json = text.lstrip().startswith(("[", "{"))
        rows = enumerate(read_json(text, unique=True), 1) if is_json else _csv_rows(text)
    except UnicodeDecodeError as error:
        raise _at(data.count(b"\n", 0, error.start) + 1, say("This is not UTF-8.")) from None
    except JsonError as error:
        raise _at(error.line or 1, error.message) from None
    template = N_("Segment {line}: {message}") if is_json else N_("Line {line}: {message}")
    segments: list[Segment] = []
    for number, row in rows:
        try:
            segments.append(_segment(snapshot, row, segments))
        except RecorderError as error:
            raise _at(number, error.message, template) from None
    return tuple(segments)


def write_segments(snapshot: Snapshot, segments: Sequence[Segment], *, as_json: bool) -> str:
    """Return the list as JSON, one segment a line, or as CSV, without colours and what is on."""
    rows: list[tuple[object, ...]] = []
    for segment in segments:
        moments = until(snapshot, segment.frames)
        rows.append((moments["from"], moments["to"], segment.name, segment.color, segment.is_on))
    if as_json:
        lines = [json.dumps(dict(zip(_KINDS, row, strict=True)), ensure_ascii=False) for row in rows]
        return "[\n" + ",\n".join(lines) + "\n]\n"
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for row in rows:
        writer.writerow(row[: len(_COLUMNS)])
    return out.getvalue()


def _csv_rows(text: str) -> Iterator[tuple[int, object]]:
    """Yield the number of each line, and its cells by column; a line with the names of columns gives their order."""
    reader = csv.reader(StringIO(text), strict=True)
    columns = _COLUMNS
    try:
        for row in reader:
            cells = [cell.strip().lower() for cell in row]
            if "start" in cells and "end" in cells:
                columns = tuple(cell if cell in _COLUMNS else "" for cell in cells)
            elif any(cells):
                yield reader.line_num, dict(zip(columns, row, strict=False))
    except csv.Error as error:
        raise _at(reader.line_num, say("This is not CSV: {reason}.", reason=error)) from None


def _segment(snapshot: Snapshot, row: object, before: Sequence[Segment]) -> Segment:
    """Return the segment of a row of a list; `before` are those of the rows before."""
    if not isinstance(row, dict) or not _has_right_types(row):
        raise EditError(
            say(
                'This is no segment; a segment is start, end and name, as in {"start": 5, '
                '"end": "f250", "name": "Overtaking"}.'
            )
        )
    frames = find_frames(snapshot, _moment_text(row, "start"), _moment_text(row, "end"))
    if not frames:
        raise EditError(say("The recording has no frames."))
    segment = new_segment(before, frames)
    name = row.get("name", "").strip()
    color = row.get("color", "")
    if not re.fullmatch("#[0-9A-Fa-f]{6}", color):
        color = segment.color
    return segment._replace(name=name or segment.name, color=color, is_on=row.get("on", True))


def _has_right_types(row: Mapping[str, object]) -> bool:
    """Return whether the members of a segment in JSON have their types; others may have any."""
    return all(isinstance(value, _KINDS.get(name, object)) for name, value in row.items())


def _moment_text(row: Mapping[str, object], name: str) -> str | None:
    """Return the start or the end of a segment as a text; None without one."""
    value = row.get(name)
    if value is None:
        return None
    return str(value).strip() or None


def _at(number: int, message: str, template: str = N_("Line {line}: {message}")) -> EditError:
    return EditError(say(template, line=number, message=message))


# --- what is made of the frames -------------------------------------------------------------------------


def file_names(segments: Sequence[Segment], path: Path, pattern: str = PATTERN) -> list[str]:
    """Return a file name for each segment of a recording.

    Args:
        segments: The segments.
        path: The file of the recording.
        pattern: `{name}` is the recording, `{index}` counts the segments, `{segment}` is the name of one.

    Raises:
        EditError: Two names are the same, or one is empty.
    """
    digits = max(3, len(str(len(segments))))
    names: list[str] = []
    for number, segment in enumerate(segments, 1):
        text = pattern.replace("{name}", path.stem).replace("{index}", f"{number:0{digits}}")
        text = re.sub(r'[\x00-\x1f\x7f/\\:*?"<>|]', "_", text.replace("{segment}", segment.name)).strip(" .")
        if not text or f"{text}{path.suffix}".casefold() in map(str.casefold, names):
            raise EditError(
                say(
                    "The file of “{name}” would have no name, or that of another segment; put "
                    "{{index}} into the pattern.",
                    name=segment.name,
                )
            )
        names.append(f"{text}{path.suffix}")
    return names


def join_segments(recording: RecordingLike, ranges: Sequence[range], progress: Progress = SILENT) -> Snapshot:
    """Return the state with ranges of frames one after another, as if each was a recording.

    Raises:
        EditError: As `trim` and `join`.
        Cancelled: The user cancelled.
    """
    first, *others = [part_of(recording, frames) for frames in ranges]
    if others:
        return first.after(join(first, others, match_actors=True, progress=progress))
    return first


def cut_out(recording: RecordingLike, ranges: Sequence[range], *, progress: Progress = SILENT) -> Edit:
    """Return the edit that removes ranges of frames, each gap as `cut` closes it.

    Raises:
        EditError: As `cut`.
        Cancelled: The user cancelled.
    """
    apart: list[range] = []
    for frames in sorted(ranges, key=lambda frames: frames.start):
        if apart and frames.start <= apart[-1].stop:
            apart[-1] = range(apart[-1].start, max(apart[-1].stop, frames.stop))
        else:
            apart.append(frames)
    label = say_count("Cut out {count} segment", "Cut out {count} segments", count=len(ranges))
    steps = [partial(cut, frames=frames, progress=progress) for frames in reversed(apart)]
    return compose(recording.snapshot, label, steps)
