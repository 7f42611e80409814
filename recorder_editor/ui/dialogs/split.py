"""The recording as several files that each replay alone: how large the parts are, where they go, which they will be.

Where a part may begin and end, and what its first frame is told, is `edits.split`'s business.
"""

import math
import shlex
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PySide6.QtWidgets import QFileDialog, QWidget

from ...arrays import IntArray
from ...edits.segments import PATTERN, Segment, chosen_segments, file_names
from ...edits.trim import boundary_frame, losses_before, part_of, parts_of_bytes, parts_of_frames, parts_of_seconds
from ...errors import EditError, RecorderError, error_sentence
from ...progress import Progress
from ...recording import RAW, START_SIZE, LostPackets, Snapshot
from ...recording.save import save_copies
from ...texts import say, say_count
from ...views.command_words import schema_words
from ...views.units import size_text
from ..session import Session
from ..style.theme import Theme
from ..widgets import Segmented
from ..widgets.job_panel import Sentence
from .fields import Editor, FieldSpec
from .preview import PreviewDialog
from .widgets import NumbersTable, PathLine

BY_SECONDS, BY_FRAMES, BY_BYTES, BY_SEGMENTS = range(4)
MOST_PARTS = 1_000
MB = 1_000_000


class Part(NamedTuple):
    """One file that would be written: its `frames`, how long it plays (`seconds`), how many bytes (`size`)."""

    name: str
    frames: range
    seconds: float
    size: int


def parts_of(
    snapshot: Snapshot, path: Path, means: int, value: Any, segments: Sequence[Segment], progress: Progress
) -> list[Part]:
    """Find the parts.

    Args:
        snapshot: The state of the recording.
        path: Its file, whose name the parts get with a number.
        means: One of `BY_SECONDS`, `BY_FRAMES`, `BY_BYTES`, `BY_SEGMENTS`.
        value: Seconds, frames or megabytes of a part; of segments the pattern of their names.
        segments: The segments.
        progress: Counts parts.

    Raises:
        EditError: There are no such parts, or too many.
        Cancelled: The user cancelled it.
    """
    spans: list[range] = []
    names: list[str] = []
    if means == BY_SEGMENTS:
        written = chosen_segments(segments)
        spans = [segment.frames for segment in written]
        names = file_names(written, path, value)
    elif means == BY_SECONDS:
        spans = parts_of_seconds(snapshot, value)
    elif means == BY_FRAMES:
        spans = parts_of_frames(snapshot, int(value))
    else:
        for frames in islice(parts_of_bytes(snapshot, round(value * MB)), MOST_PARTS + 1):
            progress.check()
            spans.append(frames)
    if len(spans) > MOST_PARTS:
        raise EditError(say("These would be more than {most:,} parts. Take larger ones.", most=MOST_PARTS))
    if not names:
        digits = max(3, len(str(len(spans))))
        names = [f"{path.stem}-{number:0{digits}}{path.suffix}" for number in range(1, len(spans) + 1)]
    elapsed = snapshot.elapsed
    table = snapshot.table
    ends = np.cumsum(np.append(0, table.column("size")[table.column("kind") != RAW] + START_SIZE))
    parts: list[Part] = []
    for name, frames in zip(names, spans, strict=True):
        progress.update(len(parts), len(spans))
        seconds = float(elapsed[frames.stop - 1] - elapsed[frames.start])
        parts.append(Part(name, frames, seconds, _size(snapshot, ends, frames)))
    return parts


def _size(snapshot: Snapshot, ends: IntArray, frames: range) -> int:
    """Bytes of a part as a file."""
    first = frames.start
    boundary_bytes = 0
    if first:
        boundary_bytes = len(boundary_frame(snapshot, first, None))
        first += 1
    return boundary_bytes + int(ends[frames.stop] - ends[first]) + len(snapshot.header_bytes)


class Written(NamedTuple):
    """How many parts were written, and what they lack of the frames before them."""

    parts: int
    losses: tuple[LostPackets, ...]


def write_parts(snapshot: Snapshot, parts: Sequence[Part], folder: Path, progress: Progress) -> Written:
    """Write the parts. Raises what `save_copies` raises, and leaves no part that is new then."""
    save_copies(folder, _copies(snapshot, parts, progress), overwrite=True)  # the dialog says how many are replaced
    return Written(len(parts), losses_before(snapshot, [part.frames for part in parts]))


def _copies(snapshot: Snapshot, parts: Sequence[Part], progress: Progress) -> Iterator[tuple[str, Snapshot, Progress]]:
    """Yield each part with its name and its share of the progress, by its size."""
    total = max(1, sum(part.size for part in parts))
    done = 0.0
    for part in parts:
        share = part.size / total
        yield part.name, part_of(snapshot, part.frames), progress.part(done, done + share)
        done += share


_LARGEST_MB = 2_147
"""Parts of so many MB are below 2 GiB, which is what the simulator reads."""


class SplitDialog(PreviewDialog):
    """Chooses the parts, shows which they are, and writes them; the recording stays as it is.

    Attributes: `parts` (what would be written; None while it is not known), `folder`.
    """

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None, segments: bool = False) -> None:
        super().__init__(session, theme, "splitDialog", parent)
        self.snapshot = session.snapshot_or_refuse()
        self.path = session.path
        self.folder = self.path.parent / f"{self.path.stem}-parts"
        self.parts: list[Part] | None = None
        words = say("Each part can be replayed on its own. This recording does not change.")
        self.say(say("Split"), say("Split into parts"), words)
        self._make_form(BY_SEGMENTS if segments else BY_SECONDS)
        titles = (say("Part"), say("Frames"), say("Playable"), say("Size"))
        self.list = NumbersTable(theme, say("The parts"), titles, (110, 84, 84))
        self.already = Sentence(theme)
        self.place(self.stack(self.list, 190), self.already)
        self.add_answers(say("Split"), self.write, stays=True)
        self.keep_width(self.go, say_count("Write 1 part", "Write {count:,} parts", count=MOST_PARTS))
        self.resize(theme.px(600), self.minimumHeight())
        self.on_change()
        self.value.setFocus()

    def _make_form(self, chosen: int) -> None:
        means = (say("Seconds"), say("Frames"), say("Size"), say("Segments"))
        self.means = Segmented(self.theme, means, name=say("Split by"))
        self.means.set_current(chosen)
        self.means.changed.connect(self._show_means)
        self.means.changed.connect(self.on_change)
        elapsed = self.snapshot.elapsed
        size = self.snapshot.size / MB
        if len(elapsed):
            span = float(elapsed[-1] - elapsed[0])
        else:
            span = 0.0
        if not math.isfinite(span):
            span = 0.0
        if span > 60:
            seconds = 60.0
        else:
            seconds = float(max(1, round(span / 2)))
        number = max(1, min(1000, (len(self.snapshot) + 1) // 2))
        if size > _LARGEST_MB:
            most = float(_LARGEST_MB)
        else:
            most = max(0.1, round(size / 2, 1))
        add = self.form.add
        by_hundreds = partial(FieldSpec, step=100, width=0)
        self.editors = (
            add(FieldSpec("0", say("Seconds per part"), "number", seconds, "s", low=0, step=10, width=0)),
            add(by_hundreds("1", say("Frames per part"), "whole", number, low=1)),
            add(by_hundreds("2", say("Maximum megabytes per part"), "number", most, "MB", low=0, decimals=1)),
            add(FieldSpec("3", say("File names"), "text", PATTERN, tip=say("With {name}, {index} and {segment}"))),
        )
        self.seconds, self.number, self.megabytes, self.names = self.editors
        self.form.changed.connect(self.on_change)
        self.destination = PathLine(self.theme, say("the folder of the parts"), self.ask_folder)
        self.destination.show_path(self.folder, whole=True)
        self.form.add_row(say("Split by"), self.means, *self.editors)
        self.form.add_row(say("Folder"), self.destination)
        self._show_means(self.means.current)

    # --- what is chosen ---------------------------------------------------------------------------------

    @property
    def value(self) -> Editor:
        """The editor of what is chosen."""
        return self.editors[self.means.current]

    def _show_means(self, means: int) -> None:
        for number, editor in enumerate(self.editors):
            editor.setVisible(number == means)

    def ask_folder(self) -> None:
        """Let a person choose a folder."""
        name = QFileDialog.getExistingDirectory(self, say("Folder of the parts"), str(self.folder.parent))
        if name:
            self.set_folder(Path(name))

    def set_folder(self, folder: Path) -> None:
        """Write there."""
        self.folder = folder
        self.destination.show_path(folder, whole=True)
        self._say_what_is_there()
        self.command.say(self.command_line())

    def command_line(self) -> str:
        """The command that does the same."""
        means = self.means.current
        value = self.form.values[str(means)]
        if means == BY_SEGMENTS:
            is_table = all(segment.is_on for segment in self.session.segments.items)
            list_name = "segments.csv" if is_table else "segments.json"
            words = ["segments", self.path.name, self.folder.name, "--segments", list_name, "--names", value]
        else:
            words = ["split", self.path.name, self.folder.name]
            if means == BY_SECONDS:
                words += ["--every", f"{value:g}"]
            elif means == BY_FRAMES:
                words += ["--frames", str(int(value))]
            else:
                words += ["--max-size", str(round(value * MB))]
        words += schema_words(self.path, self.snapshot)
        return "recorder-editor " + shlex.join(words)

    # --- looking before ---------------------------------------------------------------------------------

    def invalidate(self) -> None:
        """The parts are not known."""
        super().invalidate()
        self.parts = None

    def update_preview(self) -> None:
        """Look for the parts."""
        means = self.means.current
        value = self.form.values[str(means)]
        segments = self.session.segments.items
        work = partial(parts_of, self.snapshot, self.path, means, value, segments)
        self.preview(say("Computing the parts"), work, self._show)

    def _show(self, parts: list[Part]) -> None:
        self.parts = parts
        rows = []
        for part in parts:
            frames = f"{part.frames.start + 1:,} – {part.frames.stop:,}"
            time = self.theme.units.time_label(part.seconds, float(self.snapshot.elapsed[-1]))
            rows.append((part.name, frames, time, size_text(part.size)))
        self.list.show_rows(rows)
        self.show_view()
        self.go.setText(say_count("Write 1 part", "Write {count:,} parts", count=len(parts)))
        self._say_what_is_there()

    def show_refusal(self, error: Exception) -> None:
        """Say why there are no such parts."""
        if isinstance(error, RecorderError):
            detail = error_sentence(error)
        else:
            detail = ""
        self.show_words(say("No parts"), detail, "error", "error")
        self.go.setText(say("Split"))

    def _say_what_is_there(self) -> None:
        existing = sum((self.folder / part.name).exists() for part in self.parts or ())
        warning = ""
        if existing:
            warning = say_count(
                "1 of these files exists and will be replaced.",
                "{count:,} of these files exist and will be replaced.",
                count=existing,
            )
        self.already.say(warning, "warning")
        self.make_room()

    # --- writing ----------------------------------------------------------------------------------------

    def write(self) -> None:
        """Write the parts, as a job."""
        if self.parts is None or self.job_panel.is_busy:
            return
        folder = self.folder

        def done(written: Written) -> None:
            words = say_count(
                "Wrote 1 part to {folder}", "Wrote {count:,} parts to {folder}", count=written.parts, folder=folder
            )
            self.already.say("")
            self.job_panel.show_result(words, written.losses)

        self.run(say("Writing parts"), partial(write_parts, self.snapshot, self.parts, folder), done)
