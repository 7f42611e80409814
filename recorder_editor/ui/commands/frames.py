"""Recording: the range of frames, what is made of it, and frames one by one."""

from functools import partial

from PySide6.QtGui import QGuiApplication

from ...edits import cut, delete_rows, insert_frame, trim
from ...progress import Progress
from ...recording.history import Edit
from ...recording.place import Place
from ...recording.snapshot import Snapshot
from ...recording.views import Frame
from ..actions import ActionSpec
from ..panes import Services
from ..trimming import TRIM


def frame_actions(services: Services) -> list[ActionSpec]:
    """The actions of Recording that are about its frames."""
    return [*_range(services), *_kept(services), *_frames(services)]


def _range(services: Services) -> list[ActionSpec]:
    session, tr = services.session, services.tr

    def has_range() -> bool:
        return session.range.is_set

    range_action = partial(ActionSpec, menu="Recording", section="range", needs=services.no_frames)
    return [
        range_action(
            "range.in",
            tr("Set in point"),
            session.range.set_in,
            "I",
            tooltip=tr("Begin the range with this frame"),
            enabled=services.has_frames,
            context="pane",
        ),
        range_action(
            "range.out",
            tr("Set out point"),
            session.range.set_out,
            "O",
            tooltip=tr("End the range with this frame"),
            enabled=services.has_frames,
            context="pane",
        ),
        range_action(
            "range.clear",
            tr("Clear range"),
            session.range.clear,
            "Alt+X",
            tooltip=tr("Remove the in and out points"),
            enabled=has_range,
            needs=_no_range(services),
        ),
    ]


def _no_range(services: Services) -> str:
    return services.tr("Set an in point or an out point first.")


def _kept(services: Services) -> list[ActionSpec]:
    session, tr, panes = services.session, services.tr, services.panes

    def disabled_reason() -> str:
        if unready := services.unready():
            return unready
        pane = panes.if_made(TRIM)
        if pane is not None and pane.job_panel.is_busy:
            return tr("Another edit is still being made.")
        return "" if session.range.is_set else _no_range(services)

    def make(cuts: bool) -> None:
        frames = session.range.frames

        def work(snapshot: Snapshot, progress: Progress) -> Edit:
            return (cut if cuts else trim)(snapshot, frames, progress=progress)

        title = tr("Cutting out frames") if cuts else tr("Trimming")
        session.editing.attempt_later(title, work, done=lambda _change: session.range.spend(frames))

    def export() -> None:
        # What is written, how far it is and what came of it is shown there.
        pane = panes.if_made(TRIM)
        if pane is None or not pane.isVisible():
            panes.set_preset("trim")
        panes.get(TRIM).ask_export()

    def copy() -> None:
        QGuiApplication.clipboard().setText(panes.get(TRIM).command_line())

    kept_action = partial(ActionSpec, menu="Recording", section="kept", disabled_reason=disabled_reason)
    return [
        kept_action(
            "range.trim",
            tr("Trim to range"),
            partial(make, False),
            icon="trim",
            tooltip=tr("Keep only the range; its first frame creates all actors that exist then"),
            keywords=tr("keep crop"),
        ),
        kept_action(
            "range.cut",
            tr("Cut out range"),
            partial(make, True),
            tooltip=tr("Remove the range; the frame after it updates the world"),
            keywords=tr("remove delete"),
        ),
        kept_action(
            "range.export",
            tr("Export range..."),
            export,
            icon="export",
            tooltip=tr("Write the range as a new file; this recording stays as it is"),
            keywords=tr("save copy trim"),
        ),
        kept_action(
            "range.command",
            tr("Copy trim command"),
            copy,
            icon="copy",
            tooltip=tr("Copy the command that does the same as the Trim pane"),
            keywords=tr("command line cut"),
        ),
    ]


def _frames(services: Services) -> list[ActionSpec]:
    session, tr = services.session, services.tr

    def editable() -> bool:
        return session.is_complete and session.selection.current is not None

    def is_frame() -> bool:
        return session.is_complete and isinstance(session.selection.current, Frame)

    def ranged() -> bool:
        return session.is_complete and session.range.is_set

    def insert(copy: bool) -> None:
        row = session.selection.row
        copied = row if copy else None
        session.editing.attempt(
            lambda: insert_frame(session.snapshot_or_refuse(), row + 1, copied), then=Place(row + 1)
        )

    def delete() -> None:
        session.editing.attempt(lambda: delete_rows(session.snapshot_or_refuse(), session.selection.row))

    def delete_range() -> None:
        snapshot, chosen = session.snapshot_or_refuse(), session.range.frames
        first, last = (snapshot.table.row_of_frame(index) for index in (chosen.start, chosen.stop - 1))
        if session.editing.attempt(lambda: delete_rows(snapshot, first, last - first + 1)) is not None:
            session.range.clear()

    frame_action = partial(ActionSpec, menu="Recording", section="frame", needs=tr("Select a frame first."))
    return [
        frame_action(
            "frame.insert",
            tr("Insert empty frame"),
            partial(insert, False),
            icon="add",
            tooltip=tr("Insert an empty frame after this one"),
            enabled=editable,
        ),
        frame_action(
            "frame.duplicate",
            tr("Duplicate frame"),
            partial(insert, True),
            icon="duplicate",
            tooltip=tr("Insert a copy of this frame after it"),
            enabled=is_frame,
        ),
        frame_action(
            "frame.delete",
            tr("Delete frame"),
            delete,
            icon="delete",
            tooltip=tr("Delete this frame only; other frames do not change"),
            enabled=editable,
        ),
        frame_action(
            "frame.delete_range",
            tr("Delete frames of the range"),
            delete_range,
            tooltip=tr("Delete these frames only; other frames do not change"),
            enabled=ranged,
            needs=_no_range(services),
        ),
    ]
