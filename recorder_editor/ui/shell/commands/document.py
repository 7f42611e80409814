"""File, Edit, Help: the document as a whole, and what is selected in it."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication

from .... import resources
from ....texts import say
from ....views.selection import HEADER
from ...session.preferences import KEEPS_BACKUP, KEYS, Preference
from ...session.range import within
from ...widgets.actions import ActionSpec
from ..pane_list import ACTORS, BYTES, DIFFERENCES, PACKETS, SCENE, SIGNALS
from ..panes import Services
from ..tour import Tour, tour_table

if TYPE_CHECKING:
    from ...panes.packets.packets_pane import PacketPane


def document_actions(services: Services) -> list[ActionSpec]:
    """The actions of File, Edit and Help."""
    return [*_file(services), *_edit(services), *_find(services), *_help(services)]


def _file(services: Services) -> list[ActionSpec]:
    documents, session = services.documents, services.session
    comparing = session.comparison

    def incomplete() -> str:
        busy = say("A file is being read or written; wait until that is done.") if documents.is_busy else ""
        return services.not_ready_reason() or busy

    def unsavable() -> str:
        return incomplete() or ("" if session.is_modified else say("There are no unsaved edits."))

    def ask_highd() -> None:
        # Loaded when somebody asks for it: the window starts without.
        from ...dialogs.highd import HighdDialog

        dialog = HighdDialog(session, services.theme, services.window)
        dialog.written.connect(lambda path: documents.open(path))
        dialog.open_()

    def export() -> None:
        from ...dialogs.export import ExportDialog

        signals = services.panes.if_made(SIGNALS)
        shown = signals.model.exported() if signals is not None else ()
        ExportDialog(session, services.theme, services.window, shown).open_()

    action, keep_backup = services.action, partial(services.settings.__setitem__, KEEPS_BACKUP)
    return [
        action("file.new_window", partial(documents.window_asked.emit, "")),
        action("file.open", documents.ask_open),
        action("file.library", lambda: documents.close(documents.library_asked.emit)),
        action("file.reload", documents.reload, disabled_reason=incomplete),
        action("file.restore", services.recovery.ask_or_say, disabled_reason=services.recovery.disabled_reason),
        action("file.close", documents.close),
        action("file.save", documents.save, disabled_reason=unsavable),
        action("file.save_as", documents.ask_save_as, disabled_reason=incomplete),
        action("file.backup", keep_backup, checked=lambda: services.settings[KEEPS_BACKUP]),
        action("file.export", export, disabled_reason=incomplete),
        action("file.properties", services.opener("properties", "PropertiesDialog")),
        action("file.compare", documents.ask_compare, disabled_reason=incomplete),
        action("compare.stop", comparing.stop, enabled=lambda: comparing.other is not None),
        action("file.import_highd", ask_highd),
        action("file.demo", documents.ask_demo),
        action("file.preferences", partial(show_preferences, services)),
        action("file.quit", services.window.close),
    ]


def _edit(services: Services) -> list[ActionSpec]:
    session, panes = services.session, services.panes

    def undo_step() -> str:
        return session.steps.undo_label

    def redo_step() -> str:
        return session.steps.redo_label

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

    def copy() -> None:
        if panes.has_focus(BYTES):
            pane = panes.get(BYTES)
            pane.copy("text" if pane.view.in_text else "hex")
        else:
            panes.get(PACKETS).copy("hex")

    def copy_python() -> None:
        (panes.get(BYTES) if panes.has_focus(BYTES) else panes.get(PACKETS)).copy("python")

    action, of_pane = services.action, services.action_of
    duplicate = partial(on_actor, "actor.duplicate", lambda packets: packets.duplicate())
    delete = partial(on_actor, "actor.remove", lambda packets: packets.delete())
    return [
        action("edit.undo", session.editing.undo, enabled=lambda: bool(undo_step()), what=undo_step),
        action("edit.redo", session.editing.redo, enabled=lambda: bool(redo_step()), what=redo_step),
        action("edit.copy", copy),
        of_pane(PACKETS, "edit.copy_json", lambda pane: pane.copy("json")),
        action("edit.copy_python", copy_python),
        of_pane(BYTES, "edit.paste", lambda pane: pane.view.paste(), when=editable),
        action("edit.duplicate", duplicate, enabled=changeable),
        action("edit.delete", delete, enabled=changeable),
        of_pane(DIFFERENCES, "compare.take", lambda pane: pane.take(), enabled=lambda pane: pane.can_take()),
        of_pane(BYTES, "edit.fill", lambda pane: pane.fill(), when=editable),
    ]


def _find(services: Services) -> list[ActionSpec]:
    panes = services.panes

    def find() -> None:
        pane = panes.focused()
        if pane is None or not pane.open_find():
            panes.show(PACKETS.name)
            panes.get(PACKETS).open_find()

    find_bytes = services.action_of(BYTES, "edit.find_bytes", lambda pane: pane.open_find(), opens=True)
    return [services.action("edit.find", find), find_bytes]


def _help(services: Services) -> list[ActionSpec]:
    documents, session = services.documents, services.session

    def report_problem() -> None:
        from ...dialogs.about import problem_report

        QGuiApplication.clipboard().setText(problem_report(services.session))
        services.session.informed.emit(say("Copied versions and the last messages; paste them into your report."))

    def show_about() -> None:
        from ...dialogs.about import AboutDialog

        AboutDialog(services.theme, services.window).open_()

    def open_sample(name: str, then: Callable[[], object] = bool) -> None:
        sample = tour_table()["samples"][name]

        def show() -> None:
            start, stop = sample["range"]
            session.range.put(within((start, stop), session.frames))
            session.selection.go_to_frame(sample["frame"])
            services.panes.set_preset(sample["preset"])
            QTimer.singleShot(0, services.window, look)  # the docks have their lengths by then

        def look() -> None:
            if "actor" in sample:
                session.selection.select_actor(sample["actor"])
                services.actions.run("scene.zoom")
            then()

        try:
            path = resources.path(f"sample/{sample['file']}")
        except FileNotFoundError as error:
            documents.tell(say("The sample is missing"), error)
            return
        documents.open(path, show)

    def start_tour() -> None:
        for running in services.window.findChildren(Tour):
            running.end()
        Tour(services)

    def show_tour() -> None:
        open_sample("look", start_tour) if session.snapshot is None else start_tour()

    action = services.action
    return [
        action("help.guide", lambda: show_guide(services, services.panes.guide_place())),
        action("help.keys", partial(show_preferences, services, KEYS)),
        action("help.tour", show_tour),
        *(action(f"sample.{name}", partial(open_sample, name)) for name in tour_table()["samples"]),
        action("help.report", report_problem),
        action("help.about", show_about),
    ]


def show_guide(services: Services, place: str) -> None:
    """Open the guide at a place: a page, and after `#` a heading."""
    from ...dialogs.guide import GuideWindow

    window = services.window.findChild(GuideWindow) or GuideWindow(services.theme, services.window)
    page, _, topic = place.partition("#")
    window.show()
    window.activateWindow()
    window.show_page(page, topic)


def show_preferences(services: Services, preference: Preference[Any] | None = None) -> None:
    """Open the dialog, or bring it to the front; at a preference where one is given."""
    # Loaded when somebody asks for it: the window starts without.
    from ...dialogs.preferences import PreferencesDialog

    window = services.window
    # A closed one is still a child until Qt's events delete it.
    opened = (dialog for dialog in window.findChildren(PreferencesDialog) if not dialog.isHidden())
    dialog = next(opened, None) or PreferencesDialog(services.settings, services.theme, services.actions, window)
    dialog.show()
    dialog.activateWindow()
    if preference is not None:
        dialog.show_preference(preference)
