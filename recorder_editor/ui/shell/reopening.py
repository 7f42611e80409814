"""Windows that are closed and opened again, as after a crash: so they speak another language.

What a window shows beyond the journal and the settings is read before it closes, and given to the one that is opened.
"""

from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QByteArray

from ...errors import RecorderError, SourceGrown, error_sentence
from ...format.packet_file import PacketFile
from ...recording.recovery import Leftover
from ...texts import say
from ...views.selection import Selection
from ..session import Session
from ..session.range import Span, within
from .dock_places import Place
from .main_window import MainWindow
from .workspaces import Workspace


class Shown(NamedTuple):
    """What a window shows.

    Attributes:
        geometry: Its place and size.
        preset: The name of its layout.
        workspace: The name of its workspace.
        places: Where the docks of the workspace stand.
        path: The recording; None without one.
        packets: The files of packets that were given for the recording.
        journal: The file that keeps its unsaved edits; None without any.
        road_map: The map that was given for it by name.
        frame: The index of the current frame.
        selection: What is selected.
        span: The in-out range.
        panes: What panes keep, by pane and name.
        compared: The recording that it is compared with.
    """

    geometry: QByteArray
    preset: str
    workspace: str
    places: list[Place]
    path: Path | None = None
    packets: tuple[PacketFile, ...] = ()
    journal: Path | None = None
    road_map: Path | None = None
    frame: int = 0
    selection: Selection | None = None
    span: Span = None
    panes: Workspace | None = None
    compared: Path | None = None


def obstacle(session: Session) -> str:
    """Why a window would lose something if it were closed and opened again now; empty if it would not."""
    job = next((job for job in session.jobs.running if not job.quiet), None)
    if job is not None:
        return say("Not reopened: “{job}” is at work. Wait for it or cancel it.", job=job.title)
    recording = session.recording
    if recording is None:
        return ""
    name = recording.path.name
    if not session.is_kept:
        return say("Not reopened: the edits of {name} could not be kept on the disk. Save it first.", name=name)
    try:
        recording.store.verify(recording.store.file)
    except SourceGrown as error:
        if session.is_modified:
            return say(
                "Not reopened, since what this window shows could not be read again. {reason}",
                reason=error_sentence(error),
            )
        return ""
    except (RecorderError, OSError) as error:
        return say(
            "Not reopened, since what this window shows could not be read again. {reason}", reason=error_sentence(error)
        )
    return ""


def shown_by(window: MainWindow) -> Shown:
    """What a window shows now."""
    session = window.session
    layout = window.panes.layout
    shown = Shown(window.saveGeometry(), layout.preset, layout.name, layout.places)
    recording = session.recording
    if recording is None:
        return shown
    journal = recording.journal
    other = session.comparison.other
    return shown._replace(
        path=recording.path,
        packets=recording.context.packets.given,
        journal=journal.path if journal is not None and session.is_modified else None,
        road_map=session.roads.given,
        frame=session.selection.frame_index,
        selection=session.selection.value,
        span=session.range.value,
        panes=window.workspaces.values(),
        compared=other.path if other is not None else None,
    )


def show_again(window: MainWindow, shown: Shown) -> None:
    """Let a new window show what another one did; its recording is opened as a job."""
    window.restoreGeometry(shown.geometry)
    window.panes.layout.use(shown.preset, shown.workspace)
    window.panes.layout.places = shown.places
    window.show()
    if shown.path is None:
        return
    window.session.give_packets(shown.path, shown.packets)
    window.session.roads.given = shown.road_map
    window.panes.judged = shown.path

    def take_place() -> None:
        _take_place(window, shown)

    leftover = None
    if shown.journal is not None:
        leftover = _leftover_of(window, shown.journal)
    if leftover is not None:
        window.documents.restore(leftover, take_place)
    else:
        window.documents.open(shown.path, take_place)


def _leftover_of(window: MainWindow, journal: Path) -> Leftover | None:
    """What a journal holds; None, which is told, where it cannot be read."""
    try:
        return Leftover(journal)
    except (RecorderError, OSError) as error:
        window.session.refused.emit(error_sentence(error))
        return None


def _take_place(window: MainWindow, shown: Shown) -> None:
    """Go where the other window was."""
    session = window.session
    session.selection.go_to_frame(shown.frame)
    if shown.selection is not None:
        place, more, span = shown.selection
        session.selection.select(place, more=more, span=span)
    session.range.put(within(shown.span, session.frames))
    if shown.panes is not None:
        window.workspaces.show_values(shown.panes)
    if shown.compared is not None:
        window.documents.compare(shown.compared)
