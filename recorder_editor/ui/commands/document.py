"""File, Edit, Help: the document as a whole, and what is selected in it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ... import resources
from ..actions import ActionSpec
from ..dialogs.about import AboutDialog
from ..dialogs.keys import KeysDialog
from ..differences import DIFFERENCES
from ..hex_view import BYTES
from ..packet_tree import PACKETS
from ..panes import Services
from ..scene import SCENE
from ..selection import HEADER
from ..tables import ACTORS
from .signals import highd_import, l1_export

if TYPE_CHECKING:
    from ..packet_tree.pane import PacketPane


def document_actions(services: Services) -> list[ActionSpec]:
    """The actions of File, Edit and Help."""
    return [*_file(services), *_edit(services), *_find(services), *_help(services)]


def _file(services: Services) -> list[ActionSpec]:
    documents, session, tr = services.documents, services.session, services.tr
    comparing = session.comparing

    def complete() -> bool:
        return session.is_complete and not documents.is_busy

    def savable() -> bool:
        return complete() and session.is_modified

    def shown() -> bool:
        return session.snapshot is not None

    def export() -> None:
        # Loaded when somebody asks for it: the window starts without.
        from ..dialogs.export import ExportDialog

        ExportDialog(session, services.theme, services.window).open_()

    def properties() -> None:
        from ..dialogs.properties import PropertiesDialog

        PropertiesDialog(session, services.theme, services.window).open_()

    def new_window() -> None:
        documents.window_asked.emit("")

    def keep_backup(on: bool) -> None:
        services.settings.keeps_backup = on

    return [
        ActionSpec(
            "file.new_window",
            tr("New window"),
            new_window,
            "Ctrl+N",
            menu="File",
            tooltip=tr("Another window, with nothing open yet"),
        ),
        ActionSpec("file.open", tr("Open..."), documents.ask_open, "Ctrl+O", "open", tr("Open a recording"), "File"),
        ActionSpec(
            "file.reload",
            tr("Reload"),
            documents.reload,
            "F5",
            "",
            tr("Read the file again"),
            "File",
            complete,
            section="more",
        ),
        ActionSpec(
            "file.restore",
            tr("Unsaved edits found..."),
            services.leftovers.ask_or_say,
            "",
            "history",
            tr("Edits that were not saved when the program ended: restore or discard them"),
            "File",
            section="more",
            words=tr("crash recover journal restore"),
        ),
        ActionSpec(
            "file.close",
            tr("Close recording"),
            documents.close,
            "Ctrl+W",
            menu="File",
            enabled=shown,
            section="more",
            tooltip=tr("Close it and show the start page; edits are asked about"),
        ),
        ActionSpec(
            "file.save",
            tr("Save"),
            documents.save,
            "Ctrl+S",
            "save",
            tr("Write the edits to the file"),
            "File",
            savable,
            section="save",
        ),
        ActionSpec(
            "file.save_as",
            tr("Save as..."),
            documents.ask_save_as,
            "Ctrl+Shift+S",
            "save-as",
            tr("Write the recording under another name"),
            "File",
            complete,
            section="save",
        ),
        ActionSpec(
            "file.backup",
            tr("Keep a backup when saving"),
            keep_backup,
            menu="File",
            section="save",
            checked=lambda: services.settings.keeps_backup,
            words=tr("bak copy"),
            tooltip=tr("The file that is replaced stays as NAME.bak, in the place of an earlier one"),
        ),
        ActionSpec(
            "file.export",
            tr("Export..."),
            export,
            "Ctrl+E",
            "export",
            tr("Write tables or trajectories for other programs"),
            "File",
            complete,
            section="compare",
            words=tr("csv parquet json lines xosc openscenario"),
        ),
        l1_export(services),
        ActionSpec(
            "file.properties",
            tr("Properties..."),
            properties,
            "Alt+Return",
            "info",
            tr("What the recording is, and what its bytes are spent on"),
            "File",
            shown,
            section="compare",
            words=tr("statistics size"),
        ),
        ActionSpec(
            "file.compare",
            tr("Compare with..."),
            documents.ask_compare,
            "",
            "compare",
            tr("Open another recording beside this one, and list what differs"),
            "File",
            complete,
            section="compare",
        ),
        ActionSpec(
            "compare.stop",
            tr("Compare no more"),
            comparing.stop,
            "",
            "close",
            tr("Close the recording that this one is compared with"),
            "File",
            lambda: comparing.other is not None,
            section="compare",
        ),
        highd_import(services),
        ActionSpec(
            "file.demo",
            tr("Make a demo recording..."),
            documents.ask_demo,
            "",
            "record",
            tr("Write a recording of a small made-up town, and open it"),
            "File",
            section="demo",
        ),
        ActionSpec(
            "file.quit",
            tr("Quit"),
            services.window.close,
            "Ctrl+Q",
            menu="File",
            section="quit",
            tooltip=tr("Close this window; edits are asked about"),
        ),
    ]


def _edit(services: Services) -> list[ActionSpec]:
    session, tr, panes = services.session, services.tr, services.panes

    def can_undo() -> bool:
        return session.recording is not None and session.recording.history.position > 0

    def can_redo() -> bool:
        recording = session.recording
        return recording is not None and recording.history.position < len(recording.history.steps)

    def shown() -> bool:
        return session.snapshot is not None

    def editable() -> bool:
        return session.is_complete and session.selection.place.row != HEADER

    def changeable() -> bool:
        return editable() or (session.is_complete and panes.has_focus(ACTORS))

    def on_actor(action: str, otherwise: Callable[["PacketPane"], None]) -> None:
        if panes.focused() is not None and not panes.has_focus(SCENE, ACTORS):
            otherwise(panes.get(PACKETS))
        elif (reason := services.actions.spec(action).reason()) is not None:
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

    def copy_json() -> None:
        panes.get(PACKETS).copy("json")

    def copy_python() -> None:
        (panes.get(BYTES) if panes.has_focus(BYTES) else panes.get(PACKETS)).copy("python")

    def paste() -> None:
        panes.get(BYTES).view.paste()

    def fill() -> None:
        panes.get(BYTES).fill()

    def take() -> None:
        panes.get(DIFFERENCES).take()

    def can_take() -> bool:
        differences = panes.if_made(DIFFERENCES)
        return differences is not None and differences.can_take()

    return [
        ActionSpec(
            "edit.undo", tr("Undo"), session.undo, "Ctrl+Z", "undo", tr("Take the last edit back"), "Edit", can_undo
        ),
        ActionSpec(
            "edit.redo",
            tr("Redo"),
            session.redo,
            "Ctrl+Shift+Z; Ctrl+Y",
            "redo",
            tr("Make the edit again"),
            "Edit",
            can_redo,
        ),
        ActionSpec(
            "edit.copy",
            tr("Copy"),
            copy,
            "Ctrl+C",
            "copy",
            tr("Copy the selection as hex"),
            "Edit",
            shown,
            context="pane",
            section="copy",
            where=tr("Packets, bytes"),
        ),
        ActionSpec(
            "edit.copy_json",
            tr("Copy as JSON"),
            copy_json,
            menu="Edit",
            enabled=shown,
            section="copy",
            tooltip=tr("Copy the selected frame, packet or record as text that can be read"),
        ),
        ActionSpec(
            "edit.copy_python",
            tr("Copy as Python bytes"),
            copy_python,
            menu="Edit",
            enabled=shown,
            section="copy",
            tooltip=tr("Copy the bytes of the selection as a Python literal"),
        ),
        ActionSpec(
            "edit.paste",
            tr("Paste bytes"),
            paste,
            "Ctrl+V",
            "paste",
            tr("Write the clipboard over the bytes at the caret"),
            "Edit",
            editable,
            context="pane",
            section="copy",
            where=tr("Bytes"),
        ),
        ActionSpec(
            "edit.duplicate",
            tr("Duplicate"),
            duplicate,
            "Ctrl+D",
            "duplicate",
            tr("Put a copy of the selected record, packet or frame behind it; in the scene, of the actor"),
            "Edit",
            changeable,
            context="pane",
            section="change",
            where=tr("Packets, scene, actors"),
        ),
        ActionSpec(
            "edit.delete",
            tr("Delete"),
            delete,
            "Del",
            "delete",
            tr("Remove the selected record, packet or frame; in the scene, the actor"),
            "Edit",
            changeable,
            context="pane",
            section="change",
            where=tr("Packets, scene, actors"),
        ),
        ActionSpec(
            "compare.take",
            tr("Take from the other"),
            take,
            "",
            "compare",
            tr("Make the selected difference here as it is in the recording compared with"),
            "Edit",
            can_take,
            section="change",
            words=tr("difference compare"),
        ),
        ActionSpec(
            "edit.fill",
            tr("Fill bytes..."),
            fill,
            menu="Edit",
            enabled=editable,
            section="change",
            tooltip=tr("Write one byte over all that are selected"),
        ),
    ]


def _find(services: Services) -> list[ActionSpec]:
    tr, panes = services.tr, services.panes

    def shown() -> bool:
        return services.session.snapshot is not None

    def find() -> None:
        pane = panes.focused()
        if pane is None or not pane.open_find():
            panes.show(PACKETS.name)
            panes.get(PACKETS).open_find()

    def find_bytes() -> None:
        panes.show(BYTES.name)
        panes.get(BYTES).open_find()

    return [
        ActionSpec(
            "edit.find",
            tr("Find..."),
            find,
            "Ctrl+F",
            "search",
            tr("Filter the packets or actors, or find bytes: in the pane that has the keyboard"),
            "Edit",
            shown,
            section="find",
        ),
        ActionSpec(
            "edit.find_bytes",
            tr("Find bytes..."),
            find_bytes,
            menu="Edit",
            enabled=shown,
            section="find",
            tooltip=tr("Look for bytes, text or a value in the whole file"),
        ),
    ]


def _help(services: Services) -> list[ActionSpec]:
    tr, documents = services.tr, services.documents

    def show_keys() -> None:
        KeysDialog(services.theme, services.actions, services.window).open_()

    def show_about() -> None:
        AboutDialog(services.theme, services.window).open_()

    def open_sample() -> None:
        try:
            documents.open(resources.path("sample/town.log"))
        except FileNotFoundError as error:
            documents.tell(tr("The sample is missing"), error)

    return [
        ActionSpec(
            "help.keys", tr("Keys"), show_keys, "F1", "help", tr("All keys"), "Help", words=tr("shortcuts keyboard")
        ),
        ActionSpec(
            "help.sample",
            tr("Open the sample recording"),
            open_sample,
            menu="Help",
            section="sample",
            tooltip=tr("Twenty seconds of a made-up town, to try things on"),
        ),
        ActionSpec(
            "help.about",
            tr("About"),
            show_about,
            "",
            "info",
            menu="Help",
            section="about",
            tooltip=tr("Version of the program and of what it stands on"),
        ),
    ]
