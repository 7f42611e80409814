"""Recording: the range of frames and what is made of it, and frames one by one."""

from PySide6.QtGui import QGuiApplication

import recorder_editor as library

from ....progress import Progress
from ....recording import Edit, Frame, Place, Snapshot
from ....texts import N_, say
from ..action import COMPLETE_WITH_FRAMES, FRAMES, RANGE, Action, Condition
from ..pane_list import TRIM
from ..panes import Services
from .segments import ask_split, shown_trim_pane


def trim(services: Services) -> None:
    """Keep the range only."""
    frames = services.session.range.frames

    def work(snapshot: Snapshot, progress: Progress) -> Edit:
        return library.edits.trim(snapshot, frames, progress=progress)

    services.session.editing.attempt_later(say("Trimming"), work, clears_range=True)


def cut(services: Services) -> None:
    """Remove the range."""
    frames = services.session.range.frames

    def work(snapshot: Snapshot, progress: Progress) -> Edit:
        return library.edits.cut(snapshot, frames, progress=progress)

    services.session.editing.attempt_later(say("Cutting out frames"), work, clears_range=True)


def _event_frame(services: Services) -> int | None:
    """Return the frame of the chosen event: of the recorded one that is selected, or the worst of a traffic event."""
    session = services.session
    if session.selection.is_event and not session.events.is_selected:
        return session.selection.frame_index
    return session.events.worst_frame


def _has_event(services: Services) -> bool:
    return services.session.is_complete and _event_frame(services) is not None


def copy_command(services: Services) -> None:
    """Copy the command that trims as the Trim pane does."""
    QGuiApplication.clipboard().setText(services.panes.get(TRIM).command_line())


def insert_empty(services: Services) -> None:
    """Insert an empty frame behind the current one."""
    _insert(services, copied=None)


def duplicate(services: Services) -> None:
    """Insert a copy of the current frame behind it."""
    _insert(services, copied=services.session.selection.row)


def _insert(services: Services, copied: int | None) -> None:
    session = services.session
    row = session.selection.row
    session.editing.attempt(
        lambda: library.edits.insert_frame(session.snapshot_or_refuse(), row + 1, copied), then=Place(row + 1)
    )


def delete(services: Services) -> None:
    """Delete the current frame."""
    session = services.session
    session.editing.attempt(lambda: library.edits.delete_rows(session.snapshot_or_refuse(), session.selection.row))


def _no_range_reason(services: Services) -> str:
    """Why nothing can be made of the range now."""
    reason = services.not_ready_reason()
    if reason:
        return reason
    pane = services.panes.if_made(TRIM)
    if pane is not None and pane.job_panel.is_busy:
        return say("Another edit is still being made.")
    if services.session.range.is_set:
        return ""
    return say(RANGE.missing)


def _has_row(services: Services) -> bool:
    return services.session.is_complete and services.session.selection.current is not None


def _has_frame(services: Services) -> bool:
    return services.session.is_complete and isinstance(services.session.selection.current, Frame)


NO_FRAME_SELECTED = N_("Select a frame first.")
ROW = Condition(_has_row, NO_FRAME_SELECTED)
FRAME = Condition(_has_frame, NO_FRAME_SELECTED)

ANY_EVENT = Condition(_has_event, N_("Choose an event first, in Events (F9) or on the timeline."))

ACTIONS = (
    Action(
        "range.in",
        lambda services: services.session.range.set_in(),
        needs=FRAMES,
        text=N_("Mark in"),
        key="I",
        menu="Recording",
        section="range",
        yields_to_panes=True,
        tooltip=N_("Begin the range with this frame"),
        keywords=N_("set in point begin start range"),
    ),
    Action(
        "range.out",
        lambda services: services.session.range.set_out(),
        needs=FRAMES,
        text=N_("Mark out"),
        key="O",
        menu="Recording",
        section="range",
        yields_to_panes=True,
        tooltip=N_("End the range with this frame"),
        keywords=N_("set out point end stop range"),
    ),
    Action(
        "range.around_cursor",
        lambda services: services.session.range.set_around(),
        needs=FRAMES,
        text=N_("Set 5 s around the cursor"),
        short_text=N_("Cursor"),
        menu="Recording",
        section="range",
        tooltip=N_("Set in and out points 5 s before and after this frame"),
        keywords=N_("range in out trim keep moment"),
    ),
    Action(
        "range.around_event",
        lambda services: services.session.range.set_around(_event_frame(services)),
        needs=ANY_EVENT,
        text=N_("Set 5 s around the event"),
        short_text=N_("Event"),
        menu="Recording",
        section="range",
        tooltip=N_("Set in and out points 5 s before and after the chosen event: its worst moment"),
        keywords=N_("range in out trim keep moment near miss collision"),
    ),
    Action(
        "range.clear",
        lambda services: services.session.range.clear(),
        needs=RANGE,
        text=N_("Clear range"),
        key="Alt+X",
        menu="Recording",
        section="range",
        tooltip=N_("Remove the in and out points"),
    ),
    Action(
        "range.trim",
        trim,
        disabled_reason=_no_range_reason,
        text=N_("Trim to range"),
        icon="trim",
        menu="Recording",
        section="kept",
        tooltip=N_("Keep only the range; its first frame creates all actors that exist then"),
        keywords=N_("keep crop"),
    ),
    Action(
        "range.cut",
        cut,
        disabled_reason=_no_range_reason,
        text=N_("Cut out range"),
        menu="Recording",
        section="kept",
        tooltip=N_("Remove the range; the frame after it updates the world"),
        keywords=N_("remove delete"),
    ),
    Action(
        "range.export",
        lambda services: shown_trim_pane(services).ask_export(),
        disabled_reason=_no_range_reason,
        text=N_("Save range as..."),
        icon="save-as",
        menu="Recording",
        section="kept",
        tooltip=N_("Write the range to a new file; this recording is not changed"),
        keywords=N_("save copy trim"),
    ),
    Action(
        "range.command",
        copy_command,
        disabled_reason=_no_range_reason,
        text=N_("Copy trim command"),
        icon="copy",
        menu="Recording",
        section="kept",
        tooltip=N_("Copy the command that does the same as the Trim pane"),
        keywords=N_("command line cut"),
    ),
    Action(
        "frame.insert",
        insert_empty,
        needs=ROW,
        text=N_("Insert empty frame"),
        icon="add",
        menu="Recording",
        section="frame",
        tooltip=N_("Insert an empty frame after this one"),
    ),
    Action(
        "frame.duplicate",
        duplicate,
        needs=FRAME,
        text=N_("Duplicate frame"),
        icon="duplicate",
        menu="Recording",
        section="frame",
        tooltip=N_("Insert a copy of this frame after it"),
    ),
    Action(
        "frame.delete",
        delete,
        needs=ROW,
        text=N_("Delete frame"),
        icon="delete",
        menu="Recording",
        section="frame",
        tooltip=N_("Delete this frame only; other frames do not change"),
    ),
    Action(
        "recording.split",
        ask_split,
        needs=COMPLETE_WITH_FRAMES,
        text=N_("Split..."),
        menu="Recording",
        section="pieces",
        tooltip=N_("Write the recording as several files, each of which can be replayed"),
        keywords=N_("parts seconds size"),
    ),
    Action(
        "recording.append",
        lambda services: services.documents.ask_append(),
        needs=COMPLETE_WITH_FRAMES,
        text=N_("Append recording..."),
        icon="add",
        menu="Recording",
        section="pieces",
        tooltip=N_("Add another recording at the end of this one"),
        keywords=N_("join concatenate"),
    ),
)
