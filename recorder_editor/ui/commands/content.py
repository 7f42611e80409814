"""Recording, Tools: what is in the file, and what looks at it."""

from functools import partial

from PySide6.QtGui import QGuiApplication

from ...format.dialects import DIALECTS
from ...recording.place import Place
from ..actions import ActionSpec
from ..hex_view import BYTES
from ..panes import Services
from ..scene import SCENE
from ..selection import HEADER
from ..session import Session
from ..tables import PROBLEMS
from .rows import actions_by_row


def header_actions(services: Services) -> list[ActionSpec]:
    """The actions of Recording that are about the file and how it is read."""
    return [*_header(services), *_dialects(services)]


def _header(services: Services) -> list[ActionSpec]:
    session, tr = services.session, services.tr

    def copy_replay_call() -> None:
        QGuiApplication.clipboard().setText(replay_call(session, services.panes.get(SCENE).view.followed))

    header_action = partial(ActionSpec, menu="Recording", section="header")
    return [
        header_action(
            "recording.header",
            tr("File header"),
            partial(session.selection.select, Place(HEADER)),
            icon="header",
            tooltip=tr("Version, date and map"),
            enabled=services.is_open,
        ),
        header_action(
            "recording.replay",
            tr("Copy replay call"),
            copy_replay_call,
            icon="copy",
            tooltip=tr("Copy the client.replay_file(...) line for this file, time and actor"),
            enabled=services.is_complete,
        ),
    ]


def replay_call(session: Session, followed: int | None = None) -> str:
    """`client.replay_file(name, start, duration, follow_id)` for the file, the range and the followed actor.

    Without a range it starts at the current moment; who is selected stands in for one that is followed. A duration of 0
    means all the rest, an id of 0 nobody.
    """
    recording, snapshot = session.recording, session.snapshot
    assert recording is not None
    start, duration = 0.0, 0.0
    if snapshot is not None and len(snapshot):
        elapsed, chosen = snapshot.elapsed, session.range.frames
        start = float(elapsed[chosen.start if session.range.is_set else session.selection.frame_index])
        if session.range.is_set:
            duration = float(elapsed[min(chosen.stop, len(elapsed) - 1)]) - start
    actor = followed or session.selection.actor or 0
    return f"client.replay_file({str(recording.path.absolute())!r}, {start:.3f}, {duration:.3f}, {actor})"


def _dialects(services: Services) -> list[ActionSpec]:
    session, tr = services.session, services.tr

    def convert() -> None:
        from ..dialogs.convert import ConvertDialog

        ConvertDialog(session, services.theme, services.window).open_()

    def show_dialect() -> None:
        from ..dialogs.dialect import DialectDialog

        DialectDialog(session, services.theme, services.window).open_()

    def is_chosen(name: str | None) -> bool:
        detection = session.snapshot.detection if session.snapshot is not None else None
        if detection is None:
            return False
        return detection.dialect.name == name if detection.forced else name is None

    detected = "Read the packets with the tables that fit their bytes"
    tip = "Decode the packets as this release"
    names = [(name, f"dialect.{name}", f"{dialect.title}, {name}", "", tip) for name, dialect in DIALECTS.items()]
    return [
        ActionSpec(
            "recording.convert",
            tr("Convert to..."),
            convert,
            tooltip=tr("Convert to the format of another release; losses are listed first"),
            menu="Recording",
            enabled=services.is_complete,
            section="header",
            keywords=tr("dialect release version"),
        ),
        ActionSpec(
            "dialect.why",
            tr("About the dialect..."),
            show_dialect,
            tooltip=tr("The dialect of the file, and how it was recognised"),
            menu="Recording/Decode as",
            enabled=services.is_open,
            keywords=tr("dialect release version"),
        ),
        *actions_by_row(
            services,
            partial(
                ActionSpec,
                menu="Recording/Decode as",
                enabled=services.is_complete,
                section="names",
                keywords=tr("dialect decode as"),
            ),
            session.editing.decode_as,
            (None, "dialect.detected", "Detected", "", detected),
            *names,
            is_on=is_chosen,
        ),
    ]


def tool_actions(services: Services) -> list[ActionSpec]:
    """The actions of Tools."""
    session, tr, panes = services.session, services.tr, services.panes

    def reports() -> None:
        # Loaded when somebody asks for it: the window starts without.
        from ..dialogs.reports import ReportsDialog

        ReportsDialog(session, services.theme, services.window).show()

    def replace() -> None:
        from ..dialogs.replace import ReplaceDialog

        ReplaceDialog(session, services.theme, services.window).show()

    def toggle_values() -> None:
        panes.show(BYTES.name)
        panes.get(BYTES).toggle_values()

    def show_problems() -> None:
        # A layout without them gives way to the one for repair.
        if not panes.is_open(PROBLEMS.name):
            panes.set_preset("repair")
        panes.focus(PROBLEMS.name)

    tools_action = partial(ActionSpec, menu="Tools", enabled=services.is_open)
    bytes_action = partial(ActionSpec, menu="Tools", section="bytes")
    return [
        ActionSpec(
            "edit.replace",
            tr("Find and replace..."),
            replace,
            "Ctrl+H",
            menu="Edit",
            enabled=services.is_complete,
            section="find",
            tooltip=tr("Change fields of all records that meet a condition"),
            keywords=tr("expression where set condition"),
        ),
        tools_action(
            "tools.trim",
            tr("Trim"),
            partial(panes.toggle_preset, "trim"),
            icon="trim",
            tooltip=tr("Choose the range to keep, on a large timeline"),
        ),
        tools_action(
            "tools.repair",
            tr("Repair"),
            partial(panes.toggle_preset, "repair"),
            icon="repair",
            tooltip=tr("Look at the damage and at what can be recovered"),
        ),
        tools_action(
            "tools.checks",
            tr("Checks"),
            show_problems,
            icon="checks",
            tooltip=tr("Problems of this recording"),
            keywords=tr("problems"),
        ),
        ActionSpec(
            "tools.reports",
            tr("Reports..."),
            reports,
            "Ctrl+R",
            "file",
            tr("The reports of the simulator about this recording"),
            "Tools",
            services.is_complete,
            section="reports",
            keywords=tr("file info collisions blocked"),
        ),
        bytes_action(
            "tools.values",
            tr("Data inspector"),
            toggle_values,
            icon="bytes",
            tooltip=tr("The bytes at the caret as each data type"),
            enabled=services.is_open,
        ),
        bytes_action(
            "tools.insert",
            tr("Insert mode"),
            lambda on: panes.get(BYTES).view.set_inserting(on),
            "Ins",
            tooltip=tr("Typing in Bytes inserts instead of overwriting"),
            enabled=services.is_complete,
            checked=panes.when(BYTES, lambda pane: pane.is_inserting),
            context="pane",
            where=tr("Bytes"),
        ),
        bytes_action(
            "tools.raw",
            tr("Insert raw bytes without adjusting sizes"),
            lambda on: panes.get(BYTES).set_raw(on),
            tooltip=tr("Inserting and removing bytes changes no size and no count"),
            enabled=services.is_complete,
            checked=panes.when(BYTES, lambda pane: pane.is_raw),
        ),
    ]
