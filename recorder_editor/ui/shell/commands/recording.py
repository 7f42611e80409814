"""Recording: its header, the range of frames and what is made of it, frames one by one, its road map, its replay."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

import recorder_editor as library

from ....progress import Progress
from ....recording import Edit, Frame, Place, Snapshot
from ....simulator.road_maps import SUFFIX
from ....texts import say
from ....views.selection import HEADER
from ...widgets.actions import ActionSpec
from ...widgets.file_dialogs import LISTS, RECORDINGS, ask_file, ask_open
from ..pane_list import SCENE, TRIM
from ..panes import Services

if TYPE_CHECKING:
    from ...panes.trim.trim_pane import TrimPane


def frame_actions(services: Services) -> list[ActionSpec]:
    """The actions of Recording that are about its frames."""
    return [*_range(services), *_frames(services), *_segments(services)]


def _shown(services: Services) -> "TrimPane":
    """The Trim pane: what is written, how far it is and what came of it is shown there."""
    pane = services.panes.if_made(TRIM)
    if pane is None or not pane.isVisible():
        services.panes.set_preset("trim")
    return services.panes.get(TRIM)


def _split(services: Services, *, by_segments: bool = False) -> None:
    from ...dialogs.split import SplitDialog

    SplitDialog(services.session, services.theme, services.window, by_segments).open_()


def _range(services: Services) -> list[ActionSpec]:
    session, panes = services.session, services.panes

    def disabled_reason() -> str:
        if not_ready_reason := services.not_ready_reason():
            return not_ready_reason
        pane = panes.if_made(TRIM)
        if pane is not None and pane.job_panel.is_busy:
            return say("Another edit is still being made.")
        return "" if session.range.is_set else say("Set an in point or an out point first.")

    def make(cuts: bool) -> None:
        frames = session.range.frames

        def work(snapshot: Snapshot, progress: Progress) -> Edit:
            return (library.edits.cut if cuts else library.edits.trim)(snapshot, frames, progress=progress)

        title = say("Cutting out frames") if cuts else say("Trimming")
        session.editing.attempt_later(title, work, clears_range=True)

    def export() -> None:
        _shown(services).ask_export()

    def copy() -> None:
        QGuiApplication.clipboard().setText(panes.get(TRIM).command_line())

    action = services.action
    return [
        action("range.in", session.range.set_in),
        action("range.out", session.range.set_out),
        action("range.clear", session.range.clear, enabled=lambda: session.range.is_set),
        action("range.trim", partial(make, False), disabled_reason=disabled_reason),
        action("range.cut", partial(make, True), disabled_reason=disabled_reason),
        action("range.export", export, disabled_reason=disabled_reason),
        action("range.command", copy, disabled_reason=disabled_reason),
    ]


def _frames(services: Services) -> list[ActionSpec]:
    session = services.session

    def editable() -> bool:
        return session.is_complete and session.selection.current is not None

    def is_frame() -> bool:
        return session.is_complete and isinstance(session.selection.current, Frame)

    def has_frames() -> bool:
        return session.is_complete and session.frames > 0

    def insert(copy: bool) -> None:
        row = session.selection.row
        copied = row if copy else None
        session.editing.attempt(
            lambda: library.edits.insert_frame(session.snapshot_or_refuse(), row + 1, copied), then=Place(row + 1)
        )

    def delete() -> None:
        session.editing.attempt(lambda: library.edits.delete_rows(session.snapshot_or_refuse(), session.selection.row))

    action = services.action
    return [
        action("frame.insert", partial(insert, False), enabled=editable),
        action("frame.duplicate", partial(insert, True), enabled=is_frame),
        action("frame.delete", delete, enabled=editable),
        action("recording.split", partial(_split, services), enabled=has_frames),
        action("recording.append", services.documents.ask_append, enabled=has_frames),
    ]


def _segments(services: Services) -> list[ActionSpec]:
    session, segments = services.session, services.session.segments

    def none_on() -> str:
        return services.not_ready_reason() or ("" if segments.chosen else say("No segment is on."))

    def cut() -> None:
        ranges = segments.chosen

        def work(snapshot: Snapshot, progress: Progress) -> Edit:
            return library.edits.segments.cut_out(snapshot, ranges, progress=progress)

        session.editing.attempt_later(say("Cutting out frames"), work)

    def read() -> None:
        ask_open(services.window, say("Import list"), services.documents.folder, segments.read, LISTS)

    def write() -> None:
        name = services.documents.folder / "segments.csv"
        ask_file(services.window, session, say("Export list"), str(name), segments.write, "CSV (*.csv);;JSON (*.json)")

    action = services.action
    return [
        action("segments.split", lambda: segments.split(session.selection.frame_index)),
        action("segments.add", lambda: segments.add(session.range.frames), enabled=lambda: session.range.is_set),
        action("segments.write", partial(_split, services, by_segments=True), disabled_reason=none_on),
        action("segments.join", lambda: _shown(services).ask_join(), disabled_reason=none_on),
        action("segments.cut", cut, disabled_reason=none_on),
        action("segments.import", read),
        action("segments.export", write, enabled=lambda: bool(segments.items)),
    ]


def road_actions(services: Services) -> list[ActionSpec]:
    """The actions of the road map."""
    session, action = services.session, services.action
    roads = session.roads

    def choose() -> None:
        place = roads.found.path if roads.found is not None else services.documents.folder
        maps = (say("Road maps ({suffix})", suffix=f"*{SUFFIX}"), RECORDINGS[1])
        ask_open(services.window, say("Choose a road map"), place, roads.choose, maps)

    def nameless() -> str:
        return services.not_ready_reason() or ("" if roads.town else say("The recording does not name its map."))

    def unchosen() -> str:
        return services.not_ready_reason() or ("" if roads.is_chosen else say("No map was chosen."))

    return [
        action("roads.choose", choose, disabled_reason=services.not_ready_reason),
        action("roads.simulator", roads.ask_simulator, disabled_reason=nameless),
        action("roads.forget", roads.forget, disabled_reason=unchosen),
        action(
            "roads.none",
            lambda _on: roads.choose(None),
            checked=lambda: roads.is_none,
            disabled_reason=services.not_ready_reason,
        ),
    ]


def header_actions(services: Services) -> list[ActionSpec]:
    """The actions of Recording that are about the file, how it is read and replayed."""
    session, action = services.session, services.action

    def ask_replay() -> None:
        from ...dialogs.replay import ReplayDialog

        followed = services.panes.get(SCENE).view.followed
        ReplayDialog(session, services.theme, followed, services.window).open_()

    def copy_replay_call() -> None:
        from ...dialogs.replay import replay_of

        assert session.recording is not None
        how = replay_of(session, services.panes.get(SCENE).view.followed)
        QGuiApplication.clipboard().setText(how.call(session.recording.path, session.recording.dialect))

    return [
        action("recording.header", partial(session.selection.select, Place(HEADER))),
        action("recording.simulator", ask_replay),
        action("recording.replay", copy_replay_call),
        action("recording.convert", services.opener("convert", "ConvertDialog")),
        action("dialect.why", services.opener("dialect", "DialectDialog")),
    ]
