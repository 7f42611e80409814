"""A recording that is opened and closed in a window, and the parts that follow it.

Views read from `session.snapshot`, call the parts, and connect to their signals; they never call each other. Nothing
here draws.
"""

from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from ...format.packet_file import PacketFile
from ...recording import Recording, Snapshot, open_recording
from ...recording.history import MAX_BYTES
from ...texts import say
from .background import Background
from .comparison import ComparedRecording
from .edited import EditedFrames
from .editing import Editing
from .jobs import Failed, Job
from .marks import FrameMarks
from .new_actors import NewActors
from .notes import Notes
from .path_drawing import PathDrawing
from .path_editing import PathEditing
from .range import InOutRange
from .roads import Roads
from .rule_colors import RuleColors
from .segments import Segments
from .selection import CurrentSelection
from .state import SessionState
from .traffic import Traffic
from .traffic_events import TrafficEvents


class Session(SessionState):
    """One recording in one window.

    Attributes:
        selection: What is selected.
        range: In and out.
        lost: Frames that the repair that is previewed would leave out.
        matched: Frames in which the filter found something.
        editing: Edits, undo, redo and saving.
        edited: How strongly frames are edited.
        segments: The segments.
        notes: The notes.
        path_editing: The path that is edited by keys.
        background: Paths and problems, which a job computes.
        comparison: The comparison with another recording.
        traffic: The traffic analysis.
        events: The traffic events.
        new_actors: Warnings of actors that were just added.
        roads: The road map.
        rule_colors: The colour rules and the lives that meet them.
        drawing: The path that is drawn for a new actor.

    Signals:
        opened(): Another recording is shown, or none, or the whole of one that was being read.
        taken_over(): Every view has followed that.
    """

    opened = Signal()
    taken_over = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._undo_bytes = MAX_BYTES
        self._given_packets: dict[Path, tuple[PacketFile, ...]] = {}
        self.selection = CurrentSelection(self)
        self.range = InOutRange(self, self.selection)
        self.lost = FrameMarks[range](self)
        self.matched = FrameMarks[int](self)
        self.editing = Editing(self, self.selection, self.range)
        self.edited = EditedFrames(self, self.editing)
        self.segments = Segments(self, self.editing)
        self.notes = Notes(self, self.editing)
        self.path_editing = PathEditing(self, self.selection, self.editing)
        self.background = Background(self, self.editing)
        self.comparison = ComparedRecording(self, self.selection, self.editing)
        self.traffic = Traffic(self, self.editing)
        self.events = TrafficEvents(self, self.selection, self.range, self.editing, self.background)
        self.new_actors = NewActors(self, self.editing)
        self.roads = Roads(self, self.background)
        self.rule_colors = RuleColors(self, self.editing)
        self.drawing = PathDrawing(self, self.roads)
        self.opened.connect(self.roads.follow)
        self.opened.connect(self.rule_colors.restart)
        self.opened.connect(self.notes.open)

    def set_undo_bytes(self, most: int) -> None:
        """Limit the memory of the steps of undo (bytes), of this recording and of later ones."""
        self._undo_bytes = most
        if self.recording is not None:
            self.recording.history.max_bytes = most

    def give_packets(self, path: Path, files: Iterable[PacketFile]) -> None:
        """Read a recording with files of packets, before those that are found, whenever it is opened here."""
        self._given_packets[path.absolute()] = tuple(files)

    def _packets_given_for(self, path: Path) -> tuple[PacketFile, ...]:
        return self._given_packets.get(path.absolute(), ())

    def open(self, path: Path, *, dialect: str | None = None) -> Recording:
        """Open a file in this thread, and show it.

        Args:
            path: The file.
            dialect: The name of the dialect to read it with; None: the one that its bytes show.

        Raises:
            OSError: The file cannot be read; what is open stays.
            RecorderError: As `open_recording` raises it; what is open stays.
        """
        recording = open_recording(path, dialect=dialect, packets=self._packets_given_for(path))
        self.show(recording)
        return recording

    def open_later(self, path: Path, failed: Failed) -> Job:
        """Open a file as a job; its first frames are shown before the scan ends."""
        first: list[Snapshot] = []

        def give_up(error: Exception) -> None:
            self.drop_half_read()
            failed(error)

        work = partial(open_recording, path, packets=self._packets_given_for(path), first=first.append)
        job = self.jobs.start(title=say("Opening {name}", name=path.name), work=work, done=self.show, failed=give_up)
        job.progressed.connect(partial(self._show_read, job, first))
        return job

    def _show_read(self, job: Job, first: list[Snapshot]) -> None:
        # Not where the thread has ended: the whole recording is about to be shown.
        if first and not job.is_cancelled and not job.wait(0):
            self.show_first(first.pop())

    def reload_later(self, failed: Failed) -> Job:
        """Open the same file anew as a job; the old state stays until it is read.

        The frame and the actor stay selected; where the last frame was shown, the new last one is.
        """
        before = self.recording
        assert before is not None

        def finish(recording: Recording) -> None:
            frame = self.selection.frame_index
            actor = self.selection.actor
            if frame == self.frames - 1:
                frame = len(recording) - 1
            self.show(recording, frame_index=frame)
            if actor is not None and self.selection.place_of_actor(actor) is not None:
                self.selection.select_actor(actor)

        work = partial(open_recording, before.path, packets=before.context.packets.given)
        return self.jobs.start(
            title=say("Reading {name} again", name=before.path.name), work=work, done=finish, failed=failed
        )

    def show(self, recording: Recording, *, frame_index: int | None = None) -> None:
        """Show a recording, which the session closes; the one that was shown before is closed.

        Args:
            recording: The recording.
            frame_index: The frame to show, from 0; None: the first one, or while its first frames are shown the same.
        """
        is_half_read = self.recording is None and self.snapshot is not None
        if frame_index is not None:
            index = max(0, frame_index)
        elif is_half_read:
            index = self.selection.frame_index
        else:
            index = 0
        self.close()
        self.recording = recording
        recording.history.max_bytes = self._undo_bytes
        self.snapshot = recording.snapshot
        self.background.findings = recording.findings
        with suppress(OSError):  # edits work without a journal; the file watcher warns
            recording.keep_journal()
        self._begin(index)
        self.background.begin()
        self.edited.begin()
        self.events.begin()
        self.traffic.update()

    def show_first(self, snapshot: Snapshot) -> None:
        """Show the first frames of a file that is still being scanned."""
        self.close()
        self.snapshot = snapshot
        self._begin(0)

    def close(self, *, keep_edits: bool = False) -> None:
        """Close the recording, without asking about edits.

        Args:
            keep_edits: Keep the journal of edits that are not saved, for the next start of the program.
        """
        self.segments.close()
        self.notes.close()
        self.path_editing.stop()
        self.background.stop()
        self.edited.stop()
        self.comparison.stop()
        self.traffic.stop()
        self.events.stop()
        self.new_actors.stop()
        self.roads.stop()
        self.rule_colors.stop()
        if self.recording is not None and self.recording.context.packets.given:
            self.give_packets(self.recording.path, self.recording.context.packets.given)  # it may have a new name
        if self.recording is not None and keep_edits and self.is_modified:
            self.recording.release()
        elif self.recording is not None:
            self.recording.close()
        self.recording = None
        self.snapshot = None
        self.steps.open(None)

    def show_none(self) -> None:
        """Close the recording, without asking about edits, and show none."""
        self.close()
        self.opened.emit()
        self.taken_over.emit()

    def drop_half_read(self) -> None:
        """Show none where only the first frames of a file are shown."""
        if self.recording is None and self.snapshot is not None:
            self.show_none()

    def _begin(self, frame_index: int) -> None:
        self.range.forget()
        history = None
        if self.recording is not None:
            history = self.recording.history
        self.steps.open(history)
        self.segments.open()
        self.editing.forget()
        self.selection.start(frame_index)
        self.opened.emit()
        self.taken_over.emit()
        self.selection.notify()
        self.range.changed.emit()
        self.background.trajectories_changed.emit()
        self.background.findings_changed.emit()
        self.state_changed.emit()
