"""File, Edit, Help: the document as a whole, and what is selected in it."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QGuiApplication

from ... import resources
from ..actions import ActionSpec
from ..differences import DIFFERENCES
from ..hex_view import BYTES
from ..packet_tree import PACKETS
from ..panes import Services
from ..preferences import KEEPS_BACKUP
from ..scene import SCENE
from ..selection import HEADER
from ..tables import ACTORS
from .preferences import show_preferences
from .signals import highd_import, l1_export

if TYPE_CHECKING:
    from ..packet_tree.pane import PacketPane


def document_actions(services: Services) -> list[ActionSpec]:
    """The actions of File, Edit and Help."""
    return [*_file(services), *_edit(services), *_find(services), *_help(services)]


def _file(services: Services) -> list[ActionSpec]:
    documents, session, tr = services.documents, services.session, services.tr
    comparing = session.comparison

    def incomplete() -> str:
        busy = tr("A file is being read or written; wait until that is done.") if documents.is_busy else ""
        return services.unready() or busy

    def unsavable() -> str:
        return incomplete() or ("" if session.is_modified else tr("There are no unsaved edits."))

    def export() -> None:
        # Loaded when somebody asks for it: the window starts without.
        from ..dialogs.export import ExportDialog

        ExportDialog(session, services.theme, services.window).open_()

    def properties() -> None:
        from ..dialogs.properties import PropertiesDialog

        PropertiesDialog(session, services.theme, services.window).open_()

    def keep_backup(on: bool) -> None:
        services.settings[KEEPS_BACKUP] = on

    file_action = partial(ActionSpec, menu="File")
    more_action = partial(ActionSpec, menu="File", section="more")
    save_action = partial(ActionSpec, menu="File", section="save")
    compare_action = partial(ActionSpec, menu="File", section="compare")
    return [
        file_action(
            "file.new_window",
            tr("New window"),
            partial(documents.window_asked.emit, ""),
            "Ctrl+N",
            tooltip=tr("Open an empty window"),
        ),
        file_action("file.open", tr("Open..."), documents.ask_open, "Ctrl+O", "open", tr("Open a recording")),
        more_action(
            "file.reload",
            tr("Reload"),
            documents.reload,
            "F5",
            tooltip=tr("Read the file again"),
            disabled_reason=incomplete,
        ),
        more_action(
            "file.restore",
            tr("Unsaved edits found..."),
            services.recovery.ask_or_say,
            icon="history",
            tooltip=tr("Edits that were not saved when the program ended: restore or discard them"),
            keywords=tr("crash recover journal restore"),
            disabled_reason=services.recovery.disabled_reason,
        ),
        more_action(
            "file.close",
            tr("Close recording"),
            documents.close,
            "Ctrl+W",
            tooltip=tr("Close the recording and show the start page; asks about unsaved edits"),
            enabled=services.is_open,
        ),
        save_action(
            "file.save",
            tr("Save"),
            documents.save,
            "Ctrl+S",
            "save",
            tr("Write the edits to the file"),
            disabled_reason=unsavable,
        ),
        save_action(
            "file.save_as",
            tr("Save as..."),
            documents.ask_save_as,
            "Ctrl+Shift+S",
            "save-as",
            tr("Write the recording under another name"),
            disabled_reason=incomplete,
        ),
        save_action(
            "file.backup",
            tr("Keep a backup when saving"),
            keep_backup,
            tooltip=tr("Keep the replaced file as NAME.bak; an earlier backup is overwritten"),
            checked=lambda: services.settings[KEEPS_BACKUP],
            keywords=tr("bak copy"),
        ),
        ActionSpec(
            "file.export",
            tr("Export..."),
            export,
            "Ctrl+E",
            "export",
            tr("Write tables or trajectories for other programs"),
            "File",
            section="compare",
            disabled_reason=incomplete,
            keywords=tr("csv parquet json lines xosc openscenario"),
        ),
        l1_export(services),
        compare_action(
            "file.properties",
            tr("Properties..."),
            properties,
            "Alt+Return",
            "info",
            tr("Facts of the recording, and its size by packet type"),
            enabled=services.is_open,
            keywords=tr("statistics size"),
        ),
        compare_action(
            "file.compare",
            tr("Compare with..."),
            documents.ask_compare,
            icon="compare",
            tooltip=tr("Open another recording and list the differences"),
            disabled_reason=incomplete,
        ),
        compare_action(
            "compare.stop",
            tr("Stop comparing"),
            comparing.stop,
            icon="close",
            tooltip=tr("Close the other recording"),
            enabled=lambda: comparing.other is not None,
            needs=tr("No recording is compared with this one."),
        ),
        highd_import(services),
        ActionSpec(
            "file.demo",
            tr("Make a demo recording..."),
            documents.ask_demo,
            icon="record",
            tooltip=tr("Write a recording of a small generated town and open it"),
            menu="File",
            section="demo",
        ),
        ActionSpec(
            "file.preferences",
            tr("Preferences..."),
            partial(show_preferences, services),
            "Ctrl+,",
            tooltip=tr("Units, theme, text size and other choices"),
            menu="File",
            section="preferences",
            keywords=tr("settings options configuration"),
            role=QAction.MenuRole.PreferencesRole,
        ),
        ActionSpec(
            "file.quit",
            tr("Quit"),
            services.window.close,
            "Ctrl+Q",
            menu="File",
            section="quit",
            tooltip=tr("Close this window; asks about unsaved edits"),
        ),
    ]


def _edit(services: Services) -> list[ActionSpec]:
    session, tr, panes = services.session, services.tr, services.panes

    def can_undo() -> bool:
        return session.recording is not None and session.recording.history.position > 0

    def can_redo() -> bool:
        recording = session.recording
        return recording is not None and recording.history.position < len(recording.history.steps)

    def editable() -> bool:
        return session.is_complete and session.selection.place.row != HEADER

    def changeable() -> bool:
        return editable() or (session.is_complete and panes.has_focus(ACTORS))

    def on_actor(action: str, otherwise: Callable[["PacketPane"], None]) -> None:
        if panes.focused() is not None and not panes.has_focus(SCENE, ACTORS):
            otherwise(panes.get(PACKETS))
        elif (reason := services.actions.reason(action)) is not None:
            session.refused.emit(reason)
        else:
            services.actions.run(action)

    def duplicate() -> None:
        on_actor("actor.duplicate", lambda packets: packets.duplicate())

    def delete() -> None:
        on_actor("actor.remove", lambda packets: packets.delete())

    def copy() -> None:
        if panes.has_focus(BYTES):
            pane = panes.get(BYTES)
            pane.copy("text" if pane.view.in_text else "hex")
        else:
            panes.get(PACKETS).copy("hex")

    def copy_python() -> None:
        (panes.get(BYTES) if panes.has_focus(BYTES) else panes.get(PACKETS)).copy("python")

    no_bytes = tr("Select a frame, a packet or a record first.")
    edit_action = partial(ActionSpec, menu="Edit")
    copy_action = partial(ActionSpec, menu="Edit", section="copy")
    change_action = partial(ActionSpec, menu="Edit", section="change", needs=no_bytes)
    return [
        edit_action(
            "edit.undo",
            tr("Undo"),
            session.editing.undo,
            "Ctrl+Z",
            "undo",
            tr("Undo the last edit"),
            enabled=can_undo,
            needs=tr("There is nothing to undo."),
        ),
        edit_action(
            "edit.redo",
            tr("Redo"),
            session.editing.redo,
            "Ctrl+Shift+Z; Ctrl+Y",
            "redo",
            tr("Redo the edit"),
            enabled=can_redo,
            needs=tr("There is nothing to redo."),
        ),
        copy_action(
            "edit.copy",
            tr("Copy"),
            copy,
            "Ctrl+C",
            "copy",
            tr("Copy the selection as hex"),
            enabled=services.is_open,
            context="pane",
            where=tr("Packets, bytes"),
        ),
        copy_action(
            "edit.copy_json",
            tr("Copy as JSON"),
            lambda: panes.get(PACKETS).copy("json"),
            tooltip=tr("Copy the selected frame, packet or record as JSON"),
            enabled=services.is_open,
        ),
        copy_action(
            "edit.copy_python",
            tr("Copy as Python bytes"),
            copy_python,
            tooltip=tr("Copy the bytes of the selection as a Python literal"),
            enabled=services.is_open,
        ),
        copy_action(
            "edit.paste",
            tr("Paste bytes"),
            lambda: panes.get(BYTES).view.paste(),
            "Ctrl+V",
            "paste",
            tr("Write the clipboard over the bytes at the caret"),
            enabled=editable,
            needs=no_bytes,
            context="pane",
            where=tr("Bytes"),
        ),
        change_action(
            "edit.duplicate",
            tr("Duplicate"),
            duplicate,
            "Ctrl+D",
            "duplicate",
            tr("Duplicate the selected record, packet or frame; in the scene, the actor"),
            enabled=changeable,
            context="pane",
            where=tr("Packets, scene, actors"),
        ),
        change_action(
            "edit.delete",
            tr("Delete"),
            delete,
            "Del",
            "delete",
            tr("Remove the selected record, packet or frame; in the scene, the actor"),
            enabled=changeable,
            context="pane",
            where=tr("Packets, scene, actors"),
        ),
        change_action(
            "compare.take",
            tr("Take over the difference"),
            lambda: panes.get(DIFFERENCES).take(),
            icon="compare",
            tooltip=tr("Change the selected difference to what the other recording has"),
            enabled=panes.when(DIFFERENCES, lambda pane: pane.can_take()),
            needs=tr("Select a difference in a frame, or of the header, in Differences first."),
            keywords=tr("difference compare"),
        ),
        change_action(
            "edit.fill",
            tr("Fill bytes..."),
            lambda: panes.get(BYTES).fill(),
            tooltip=tr("Overwrite the selected bytes with a pattern"),
            enabled=editable,
        ),
    ]


def _find(services: Services) -> list[ActionSpec]:
    tr, panes = services.tr, services.panes

    def find() -> None:
        pane = panes.focused()
        if pane is None or not pane.open_find():
            panes.show(PACKETS.name)
            panes.get(PACKETS).open_find()

    def find_bytes() -> None:
        panes.show(BYTES.name)
        panes.get(BYTES).open_find()

    find_action = partial(ActionSpec, menu="Edit", enabled=services.is_open, section="find")
    return [
        find_action(
            "edit.find",
            tr("Find..."),
            find,
            "Ctrl+F",
            "search",
            tr("Filter packets or actors, or find bytes, depending on the focused pane"),
        ),
        find_action(
            "edit.find_bytes",
            tr("Find bytes..."),
            find_bytes,
            tooltip=tr("Find bytes, text or a value in the whole file"),
        ),
    ]


def _help(services: Services) -> list[ActionSpec]:
    tr, documents = services.tr, services.documents

    def show_keys() -> None:
        from ..dialogs.keys import KeysDialog

        KeysDialog(services.theme, services.actions, services.window).open_()

    def show_guide() -> None:
        from ..dialogs.guide import GuideWindow

        window = services.window.findChild(GuideWindow) or GuideWindow(services.theme, services.window)
        place = services.panes.guide_place()
        window.show()
        window.activateWindow()
        window.show_page(*place)

    def report_problem() -> None:
        from ..dialogs.about import problem_report

        QGuiApplication.clipboard().setText(problem_report(services.session))
        services.session.informed.emit(tr("Copied versions and the last messages; paste them into your report."))

    def show_about() -> None:
        from ..dialogs.about import AboutDialog

        AboutDialog(services.theme, services.window).open_()

    def open_sample() -> None:
        try:
            documents.open(resources.path("sample/town.log"))
        except FileNotFoundError as error:
            documents.tell(tr("The sample is missing"), error)

    return [
        ActionSpec(
            "help.guide",
            tr("Guide"),
            show_guide,
            "F1",
            "help",
            tr("Open the guide for the focused pane"),
            "Help",
            keywords=tr("manual documentation explain"),
        ),
        ActionSpec(
            "help.keys",
            tr("Keys"),
            show_keys,
            "Ctrl+F1",
            tooltip=tr("All keys"),
            menu="Help",
            keywords=tr("shortcuts keyboard"),
        ),
        ActionSpec(
            "help.sample",
            tr("Open the sample recording"),
            open_sample,
            menu="Help",
            section="sample",
            tooltip=tr("Open twenty seconds of a generated town to try things out"),
        ),
        ActionSpec(
            "help.report",
            tr("Report a problem"),
            report_problem,
            menu="Help",
            section="about",
            tooltip=tr("Copy versions, facts of the recording and the last messages"),
            keywords=tr("bug issue support log"),
        ),
        ActionSpec(
            "help.about",
            tr("About"),
            show_about,
            icon="info",
            menu="Help",
            section="about",
            tooltip=tr("Versions of the program and its libraries"),
        ),
    ]
