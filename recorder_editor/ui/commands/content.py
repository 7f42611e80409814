"""Recording, Actor, Tools: what is in the file, and what is done to it."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton

from ...edits import delete_rows, insert_frame
from ...edits.place import Place
from ...format.dialects import DIALECTS
from ...recording.contents import Frame
from ..actions import ActionSpec
from ..selection import HEADER
from ..session import Session

if TYPE_CHECKING:
    from ..main_window import MainWindow


def content_actions(window: "MainWindow") -> list[ActionSpec]:
    """The actions of Recording, Actor and Tools."""
    return [*_range(window), *_frames(window), *_header(window), *_dialects(window), *_actor(window), *_tools(window)]


def _range(window: "MainWindow") -> list[ActionSpec]:
    session, tr = window.session, window.tr

    def shown() -> bool:
        return session.frames > 0

    def has_range() -> bool:
        return session.has_range

    return [
        ActionSpec("range.in", tr("Set in"), session.set_in, "I", "", tr("The range begins with this frame"),
                   "Recording", shown, context="pane", section="range"),
        ActionSpec("range.out", tr("Set out"), session.set_out, "O", "", tr("This frame is the last of the range"),
                   "Recording", shown, context="pane", section="range"),
        ActionSpec("range.clear", tr("Clear range"), session.clear_range, "", "", tr("No in, no out"), "Recording",
                   has_range, section="range"),
    ]  # fmt: skip


def _frames(window: "MainWindow") -> list[ActionSpec]:
    session, tr = window.session, window.tr

    def editable() -> bool:
        return session.is_complete and session.current is not None

    def is_frame() -> bool:
        return session.is_complete and isinstance(session.current, Frame)

    def ranged() -> bool:
        return session.is_complete and session.has_range

    def insert(copy: bool) -> None:
        row = session.row
        copied = row if copy else None
        session.attempt(lambda: insert_frame(session.snapshot_or_refuse(), row + 1, copied), then=Place(row + 1))

    def delete() -> None:
        session.attempt(lambda: delete_rows(session.snapshot_or_refuse(), session.row))

    def delete_range() -> None:
        snapshot, chosen = session.snapshot_or_refuse(), session.range
        first, last = (snapshot.table.row_of_frame(index) for index in (chosen.start, chosen.stop - 1))
        if session.attempt(lambda: delete_rows(snapshot, first, last - first + 1)) is not None:
            session.clear_range()

    return [
        ActionSpec("frame.insert", tr("Insert empty frame"), partial(insert, False), "", "add",
                   tr("Put a frame with nothing in it behind this one"), "Recording", editable, section="frame"),
        ActionSpec("frame.duplicate", tr("Duplicate frame"), partial(insert, True), "", "duplicate",
                   tr("Put a copy of this frame behind it"), "Recording", is_frame, section="frame"),
        ActionSpec("frame.delete", tr("Delete frame"), delete, "", "delete",
                   tr("Remove this frame as it is; the actors of the rest stay as they are"), "Recording", editable,
                   section="frame"),
        ActionSpec("frame.delete_range", tr("Delete frames of the range"), delete_range, "", "",
                   tr("Remove these frames as they are; the actors of the rest stay as they are"), "Recording", ranged,
                   section="frame"),
    ]  # fmt: skip


def _header(window: "MainWindow") -> list[ActionSpec]:
    session, tr = window.session, window.tr

    def shown() -> bool:
        return session.snapshot is not None

    def complete() -> bool:
        return session.is_complete

    def select_header() -> None:
        session.select(Place(HEADER))

    def copy_replay_call() -> None:
        QGuiApplication.clipboard().setText(replay_call(session, window.scene.view.followed))

    return [
        ActionSpec("recording.header", tr("File header"), select_header, "", "header", tr("Version, date and map"),
                   "Recording", shown, section="header"),
        ActionSpec("recording.replay", tr("Copy replay call"), copy_replay_call, "", "copy",
                   tr("The client.replay_file(...) line for this file, the moment and the actor"), "Recording",
                   complete, section="header"),
    ]  # fmt: skip


def replay_call(session: Session, followed: int | None = None) -> str:
    """`client.replay_file(name, start, duration, follow_id)` for the file, the range and the followed actor.

    Without a range it starts at the current moment; who is selected stands in for one that is followed. A duration of 0
    means all the rest, an id of 0 nobody.
    """
    recording, snapshot = session.recording, session.snapshot
    assert recording is not None
    start, duration = 0.0, 0.0
    if snapshot is not None and len(snapshot):
        elapsed, chosen = snapshot.elapsed, session.range
        start = float(elapsed[chosen.start if session.has_range else session.frame_index])
        if session.has_range:
            duration = float(elapsed[min(chosen.stop, len(elapsed) - 1)]) - start
    actor = followed or session.actor or 0
    return f"client.replay_file({str(recording.path.absolute())!r}, {start:.3f}, {duration:.3f}, {actor})"


def _dialects(window: "MainWindow") -> list[ActionSpec]:
    session, tr = window.session, window.tr

    def shown() -> bool:
        return session.snapshot is not None

    def complete() -> bool:
        return session.is_complete

    def choose(name: str | None, _on: bool) -> None:
        session.decode_as(name)

    def convert() -> None:
        from ..dialogs.convert import ConvertDialog

        ConvertDialog(session, window.theme, window).open_()

    def is_chosen(name: str | None) -> bool:
        detection = session.snapshot.detection if session.snapshot is not None else None
        if detection is None:
            return False
        return detection.dialect.name == name if detection.forced else name is None

    names: list[tuple[str, str | None, str]] = [("detected", None, tr("What the bytes show"))]
    names += [(name, name, f"{dialect.title}, {name}") for name, dialect in DIALECTS.items()]
    return [
        ActionSpec("recording.convert", tr("Convert to..."), convert, "", "",
                   tr("Make it a recording of another release; what cannot be carried is listed before"), "Recording",
                   complete, section="header", words=tr("dialect release version")),
        ActionSpec("dialect.why", tr("What the file speaks..."), window.show_dialect, "", "",
                   tr("The dialect, and what decided it"), "Recording/Decode as", shown,
                   words=tr("dialect release version")),
        *(
            ActionSpec(f"dialect.{key}", text, partial(choose, name), "", "", tr("Read the packets with these tables"),
                       "Recording/Decode as", complete, checked=partial(is_chosen, name), section="names",
                       words=tr("dialect decode as"))
            for key, name, text in names
        ),
    ]  # fmt: skip


def _actor(window: "MainWindow") -> list[ActionSpec]:
    session, tr, scene = window.session, window.tr, window.scene.view

    def chosen() -> bool:
        return session.actor is not None

    def living() -> bool:
        return session.life is not None

    def shown() -> bool:
        return session.frames > 0

    def is_following() -> bool:
        return scene.followed is not None

    def can_follow() -> bool:
        return chosen() or is_following()

    def follow(on: bool) -> None:
        scene.follow_actor(session.actor if on else None)

    def copy_id() -> None:
        QGuiApplication.clipboard().setText(str(session.actor))

    def copy_blueprint() -> None:
        QGuiApplication.clipboard().setText(session.life.blueprint if session.life is not None else "")

    def show_in_table() -> None:
        window.raise_dock("actors")

    return [
        ActionSpec("actor.follow", tr("Follow"), follow, "", "follow",
                   tr("Keep the selected actor in the middle of the scene"), "Actor", can_follow, checked=is_following),
        ActionSpec("actor.hero", tr("Select the hero"), partial(_select_hero, window), "", "star", menu="Actor",
                   enabled=shown, tooltip=tr("The car with the role hero, in a frame in which it lives")),
        ActionSpec("actor.birth", tr("Go to birth"), partial(_go_to_birth, session), "", "born", menu="Actor",
                   enabled=living, section="life", tooltip=tr("The first frame of the selected actor")),
        ActionSpec("actor.end", tr("Go to last frame of its life"), partial(_go_to_end, session), "", "gone",
                   menu="Actor", enabled=living, section="life", tooltip=tr("The last frame of the selected actor")),
        ActionSpec("actor.description", tr("Go to its EventAdd"), partial(_go_to_description, session), "", "",
                   tr("Where blueprint and attributes stand"), "Actor", living, section="life"),
        ActionSpec("actor.table", tr("Show in the table"), show_in_table, "", "actors", menu="Actor", enabled=chosen,
                   section="copy", tooltip=tr("The row of the selected actor among all of them")),
        ActionSpec("actor.copy_id", tr("Copy id"), copy_id, menu="Actor", enabled=chosen, section="copy",
                   tooltip=tr("The number of the selected actor, to the clipboard")),
        ActionSpec("actor.copy_blueprint", tr("Copy blueprint"), copy_blueprint, menu="Actor", enabled=living,
                   section="copy", tooltip=tr("What the selected actor is made from, to the clipboard")),
    ]  # fmt: skip


def _select_hero(window: "MainWindow") -> None:
    session = window.session
    heroes = [life for life in session.actors or () if life.is_hero]
    if not heroes:
        session.refused.emit(window.tr("No actor of this recording has the role hero."))
        return
    hero = next((life for life in heroes if life.is_alive(session.frame_index)), heroes[0])
    if not hero.is_alive(session.frame_index):
        session.go_to_frame(hero.born)
    session.select_actor(hero.actor)


def _go_to_birth(session: Session) -> None:
    life = session.life
    if life is not None:
        session.go_to_frame(life.born)
        session.select_actor(life.actor)


def _go_to_end(session: Session) -> None:
    life = session.life
    if life is not None:
        session.go_to_frame((life.gone if life.gone is not None else session.frames) - 1)
        session.select_actor(life.actor)


def _go_to_description(session: Session) -> None:
    life = session.life
    if life is not None:
        session.select(Place(*life.added))


def _tools(window: "MainWindow") -> list[ActionSpec]:
    session, tr, pane = window.session, window.tr, window.bytes

    def shown() -> bool:
        return session.snapshot is not None

    def complete() -> bool:
        return session.is_complete

    def is_inserting() -> bool:
        return pane.is_inserting

    def reports() -> None:
        # Loaded when somebody asks for it: the window starts without.
        from ..dialogs.reports import ReportsDialog

        ReportsDialog(session, window.theme, window).show()

    def replace() -> None:
        from ..dialogs.replace import ReplaceDialog

        ReplaceDialog(session, window.theme, window).show()

    def toggle_values() -> None:
        window.show_dock("bytes", True)
        for switch in pane.title_switches:
            if isinstance(switch, QAbstractButton):
                switch.toggle()

    return [
        ActionSpec("edit.replace", tr("Find and replace..."), replace, "Ctrl+H", "", menu="Edit", enabled=complete,
                   section="find", tooltip=tr("Change fields of all records that meet a condition"),
                   words=tr("expression where set condition")),
        ActionSpec("tools.trim", tr("Trim"), partial(window.toggle_preset, "trim"), "", "trim",
                   tr("Choose what to keep: the timeline large, the range before your eyes"), "Tools", shown),
        ActionSpec("tools.repair", tr("Repair"), partial(window.toggle_preset, "repair"), "", "repair",
                   tr("Look at the damage: problems, bytes and file map"), "Tools", shown),
        ActionSpec("tools.checks", tr("Checks"), window.show_problems, "", "checks",
                   tr("What is wrong with this recording"), "Tools", shown, words=tr("problems")),
        ActionSpec("tools.reports", tr("Reports..."), reports, "Ctrl+R", "file",
                   tr("CARLA's own texts about this recording, without the simulator"), "Tools", complete,
                   section="reports", words=tr("file info collisions blocked")),
        ActionSpec("tools.values", tr("Values at the caret"), toggle_values, "", "bytes",
                   tr("The bytes at the caret as every type"), "Tools", shown, section="bytes"),
        ActionSpec("tools.insert", tr("Insert bytes"), pane.view.set_inserting, "Ins", "",
                   tr("Typing in the bytes inserts, or overwrites"), "Tools", complete, checked=is_inserting,
                   context="pane", section="bytes", where=tr("Bytes")),
        ActionSpec("tools.raw", tr("Insert raw bytes"), pane.set_raw, "", "",
                   tr("Inserting and taking out bytes changes no size and no count"), "Tools", complete,
                   checked=lambda: pane.is_raw, section="bytes"),
    ]  # fmt: skip
