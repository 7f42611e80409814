"""The recording as several files that each replay alone: how large the parts are, where they go, which they will be.

Where a part may begin and end, and what its first frame is told, is `edits.split`'s business.
"""

import math
import shlex
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QStackedLayout,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from ...edits.boundary_frame import boundary_frame
from ...edits.split import part, parts_of_bytes, parts_of_frames, parts_of_seconds
from ...errors import EditError, RecorderError
from ...progress import Progress
from ...recording.frames import RAW, START_SIZE
from ...recording.save import save_copies
from ...recording.snapshot import Snapshot
from ..jobs import Job
from ..rest import Rest
from ..session import Session
from ..status import size_text
from ..theme import Theme
from ..widgets import EmptyState, Label, NumberEdit, Segmented
from ..working import Sentence, Working
from .base import BaseDialog
from .widgets import CommandLine, PathLine

BY_SECONDS, BY_FRAMES, BY_BYTES = range(3)
MOST_PARTS = 1_000
_MB = 1_000_000
_LARGEST_MB = 2_147
"""Parts of so many MB are below 2 GiB, which is what the simulator reads."""
_MOST_MEASURED = 64


class Part(NamedTuple):
    """One file that would be written: its `frames`, how long it plays (`seconds`), how many bytes (`size`)."""

    name: str
    frames: range
    seconds: float
    size: int
    is_exact: bool


def parts_of(snapshot: Snapshot, path: Path, means: int, value: float, progress: Progress) -> list[Part]:
    """The parts, named as the recording at `path` with a number. Raises `EditError`, `Cancelled`."""
    found: list[range] = []
    if means == BY_SECONDS:
        found = parts_of_seconds(snapshot, value)
    elif means == BY_FRAMES:
        found = parts_of_frames(snapshot, int(value))
    else:
        for frames in parts_of_bytes(snapshot, round(value * _MB)):
            found.append(frames)
            progress.check()
            if len(found) > MOST_PARTS:
                break
    if len(found) > MOST_PARTS:
        raise EditError(f"These would be more than {MOST_PARTS:,} parts. Take larger ones.")
    digits = max(3, len(str(len(found))))
    elapsed, sizes = snapshot.elapsed, _Sizes(snapshot)
    parts: list[Part] = []
    for number, frames in enumerate(found, 1):
        progress.check()
        is_exact = len(found) <= _MOST_MEASURED
        size = sizes.exact(frames) if is_exact else sizes.roughly(frames)
        seconds = float(elapsed[frames.stop - 1] - elapsed[frames.start])
        parts.append(Part(f"{path.stem}-{number:0{digits}}{path.suffix}", frames, seconds, size, is_exact))
    return parts


class _Sizes:
    """How large parts are as files."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        table = snapshot.table
        sizes = table.column("size")[table.column("kind") != RAW] + START_SIZE
        self._ends = np.concatenate(([0], np.cumsum(sizes)))

    def roughly(self, frames: range) -> int:
        """Without what the first frame is told."""
        return int(self._ends[frames.stop] - self._ends[frames.start]) + len(self._snapshot.header_bytes)

    def exact(self, frames: range) -> int:
        """With it."""
        if not frames.start:
            return self.roughly(frames)
        first = len(boundary_frame(self._snapshot, frames.start, None))
        return first + int(self._ends[frames.stop] - self._ends[frames.start + 1]) + len(self._snapshot.header_bytes)


def write_parts(snapshot: Snapshot, parts: Sequence[Part], folder: Path, progress: Progress) -> int:
    """Write the parts; returns how many. Raises what `save_copies` raises, and leaves no part that is new then."""
    total = max(1, sum(one.size for one in parts))
    job = progress
    starts = accumulate((one.size for one in parts), initial=0)
    save_copies(
        folder,
        (
            (one.name, part(snapshot, one.frames), job.part(start / total, (start + one.size) / total))
            for one, start in zip(parts, starts, strict=False)
        ),
    )
    return len(parts)


class SplitDialog(BaseDialog):
    """Chooses the parts, shows which they are, and writes them; the recording stays as it is.

    Attributes: `parts` (what would be written; None while it is not known), `folder`.
    """

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("splitDialog")
        self.session = session
        self.snapshot = session.snapshot_or_refuse()
        recording = session.recording
        self.path = recording.path if recording is not None else Path("recording.log")
        self.folder = self.path.parent / f"{self.path.stem}-parts"
        self.parts: list[Part] | None = None
        self._looking: Job | None = None
        self.say(
            self.tr("Split"),
            self.tr("Split into parts"),
            self.tr("Every part replays alone. This recording stays as it is."),
        )
        self._make_choices()
        self._make_list()
        self.already = Sentence(theme)
        self.body.addWidget(self.already)
        self.working = Working(session, theme)
        self.working.changed.connect(self.make_room)
        self.working.ended.connect(self._enable)
        self.body.addWidget(self.working)
        self.command = CommandLine(theme)
        self.body.addWidget(self.command)
        self.close_button = self.add_button(self.tr("Close"), self.reject)
        self.go = self.add_button(self.tr("Split"), self.write, filled=True)
        self._soon = Rest(self, self._look)
        session.opened.connect(self.reject)
        self.resize(theme.px(600), self.minimumHeight())
        self._look()
        self.value.setFocus()

    # --- parts of the dialog ----------------------------------------------------------------------------

    def _make_choices(self) -> None:
        theme = self.theme
        self.means = Segmented(
            theme, (self.tr("Seconds"), self.tr("Frames"), self.tr("Size")), name=self.tr("Parts by")
        )
        self.means.changed.connect(self._mean)
        size, span = self.snapshot.size / _MB, self._span()
        self.values: list[float] = [
            60.0 if span > 60 else float(max(1, round(span / 2))),
            max(1, min(1000, (len(self.snapshot) + 1) // 2)),
            _LARGEST_MB if size > _LARGEST_MB else max(0.1, round(size / 2, 1)),
        ]
        self.seconds = NumberEdit(theme, "s", low=0, step=10, name=self.tr("Seconds of a part"))
        self.number = NumberEdit(theme, "", integer=True, low=1, step=100, name=self.tr("Frames of a part"))
        self.megabytes = NumberEdit(theme, "MB", low=0, step=100, decimals=1, name=self.tr("Most megabytes of a part"))
        self.editors = (self.seconds, self.number, self.megabytes)
        how = QHBoxLayout()
        how.setSpacing(8)
        how.addWidget(self.means)
        for editor, value in zip(self.editors, self.values, strict=True):
            editor.set_value(value if editor is not self.number else int(value))
            editor.committed.connect(self._take)
            how.addWidget(editor)
            editor.setVisible(editor is self.seconds)
        how.addStretch(1)
        self.place = PathLine(theme, self.tr("the folder of the parts"), self.ask_folder)
        self.place.show_path(self.folder, whole=True)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        grid.addWidget(Label(theme, self.tr("Parts by"), "font", "muted"), 0, 0, right)
        grid.addLayout(how, 0, 1)
        grid.addWidget(Label(theme, self.tr("Folder"), "font", "muted"), 1, 0, right)
        grid.addWidget(self.place, 1, 1)
        self.body.addLayout(grid)

    def _make_list(self) -> None:
        titles = (self.tr("Part"), self.tr("Frames"), self.tr("Plays"), self.tr("Size"))
        self.list = QTableWidget(0, len(titles))
        self.list.setHorizontalHeaderLabels(titles)
        self.list.setProperty("framed", True)
        self.list.setAccessibleName(self.tr("The parts"))
        self.list.setShowGrid(False)
        self.list.setWordWrap(False)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.verticalHeader().hide()
        self.list.verticalHeader().setDefaultSectionSize(self.theme.px(22))
        self.list.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.list.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        header = self.list.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, width in ((1, 110), (2, 84), (3, 84)):
            self.list.setColumnWidth(column, self.theme.px(width))
        for column in range(len(titles)):
            item = self.list.horizontalHeaderItem(column)
            if item is not None:
                side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
                item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        self.empty = EmptyState(self.theme, self.tr("Looking..."), ground="field")
        holder = QWidget()
        self._stack = QStackedLayout(holder)
        self._stack.addWidget(self.list)
        self._stack.addWidget(self.empty)
        holder.setMinimumHeight(self.theme.px(190))
        self.body.addWidget(holder, 1)

    # --- what is chosen ---------------------------------------------------------------------------------

    def _span(self) -> float:
        elapsed = self.snapshot.elapsed
        span = float(elapsed[-1] - elapsed[0]) if len(elapsed) else 0.0
        return span if math.isfinite(span) else 0.0

    @property
    def value(self) -> NumberEdit:
        """The editor of what is chosen."""
        return self.editors[self.means.current]

    def _mean(self, means: int) -> None:
        for number, editor in enumerate(self.editors):
            editor.setVisible(number == means)
        self._look()

    def _take(self, text: str) -> None:
        try:
            number = float(text) if self.means.current != BY_FRAMES else int(text, 0)
        except ValueError:
            self.value.refuse(self.tr("Not a number."))
            return
        self.value.set_value(number)
        self.values[self.means.current] = number
        self._soon.begin()

    def ask_folder(self) -> None:
        """Let a person choose a folder."""
        name = QFileDialog.getExistingDirectory(self, self.tr("Folder of the parts"), str(self.folder.parent))
        if name:
            self.set_folder(Path(name))

    def set_folder(self, folder: Path) -> None:
        """Write there."""
        self.folder = folder
        self.place.show_path(folder, whole=True)
        self._say_what_is_there()
        self.command.say(self.command_line())

    def command_line(self) -> str:
        """The command that does the same."""
        value = self.values[self.means.current]
        option = {
            BY_SECONDS: ["--every", f"{value:g}"],
            BY_FRAMES: ["--frames", str(int(value))],
            BY_BYTES: ["--max-size", str(round(value * _MB))],
        }[self.means.current]
        return shlex.join(["recorder-editor", "split", self.path.name, self.folder.name, *option])

    # --- looking before ---------------------------------------------------------------------------------

    def _look(self) -> None:
        self._stop_looking()
        self.working.tell("")
        self.command.say(self.command_line())
        snapshot, path, means, value = self.snapshot, self.path, self.means.current, self.values[self.means.current]

        def work(progress: Progress) -> list[Part]:
            return parts_of(snapshot, path, means, value, progress)

        self._looking = self.session.jobs.start(
            self.tr("Looking for the parts"), work, self._show, self._refuse, quiet=True
        )
        self._enable()

    def _show(self, parts: list[Part]) -> None:
        self._looking = None
        self.parts = parts
        self.list.setRowCount(len(parts))
        for row, one in enumerate(parts):
            texts = (
                one.name,
                f"{one.frames.start + 1:,} – {one.frames.stop:,}",
                f"{one.seconds:.3f} s",
                size_text(one.size) if one.is_exact else f"≈ {size_text(one.size)}",
            )
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                if column:
                    item.setFont(self.theme.mono)
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.list.setItem(row, column, item)
        self._stack.setCurrentWidget(self.list)
        words = self.tr("Write 1 part") if len(parts) == 1 else self.tr("Write %1 parts")
        self.go.setText(words.replace("%1", f"{len(parts):,}"))
        self._say_what_is_there()
        self._enable()

    def _refuse(self, error: Exception) -> None:
        self._looking = None
        self.empty.set_icon("error", "error")
        self.empty.set_text(
            self.tr("There are no such parts"), error.message if isinstance(error, RecorderError) else ""
        )
        self._stack.setCurrentWidget(self.empty)
        if not isinstance(error, RecorderError):
            self.working.refuse(error)
        self.go.setText(self.tr("Split"))
        self._enable()

    def _say_what_is_there(self) -> None:
        there = sum((self.folder / one.name).exists() for one in self.parts or ())
        words = self.tr("1 of these files is there already and will be replaced.")
        if there > 1:
            words = self.tr("%1 of these files are there already and will be replaced.").replace("%1", f"{there:,}")
        self.already.say(words if there else "", "warning")
        self.make_room()

    # --- writing ----------------------------------------------------------------------------------------

    def write(self) -> None:
        """Write the parts, as a job."""
        if self.parts is None or self.working.is_busy:
            return
        snapshot, parts, folder = self.snapshot, self.parts, self.folder

        def work(progress: Progress) -> int:
            return write_parts(snapshot, parts, folder, progress)

        def done(count: int) -> None:
            words = self.tr("Wrote 1 part to %2") if count == 1 else self.tr("Wrote %1 parts to %2")
            self.already.say("")
            self.working.tell(words.replace("%1", f"{count:,}").replace("%2", str(folder)), "fine")

        self.working.run(self.tr("Writing the parts"), work, done)
        self._enable()

    def _enable(self) -> None:
        busy = self.working.is_busy
        self.go.setEnabled(self.parts is not None and not busy)
        for each in (self.means, *self.editors, self.place.button):
            each.setEnabled(not busy)

    def _stop_looking(self) -> None:
        self._soon.stop()
        self.parts = None
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None

    def let_go(self) -> None:
        """Cancel what runs, and let go of what was read."""
        self.working.let_go()
        self._stop_looking()
