"""View > Workspace: the presets, and those that a person saves, renames, deletes, imports and exports."""

from functools import partial

from ..actions import ActionSpec
from ..dock_layout import PRESETS
from ..export_files import ask_file, ask_open
from ..panes import Services
from ..workspaces import Workspaces


def workspace_actions(services: Services) -> list[ActionSpec]:
    """The actions of workspaces; the window puts those that were saved into the menu."""
    tr, window, documents = services.tr, services.window, services.documents
    workspaces = Workspaces(services.session, services.settings, services.panes)
    action, kinds = services.action, tr("Workspaces (*.json)")

    def ask(rename: bool) -> None:
        from ..dialogs.name import ask_name

        title, taken = (tr("Rename workspace"), workspaces.own) if rename else (tr("Save workspace"), {})
        words = "" if rename else tr("The layout, signals, filters, colours and switches of the panes.")
        keep = workspaces.rename if rename else workspaces.save
        name = workspaces.current if workspaces.is_own() else ""
        allows = partial(workspaces.allows, taken=taken)
        ask_name(services.theme, window, title, words, keep, allows, name)

    def read() -> None:
        ask_open(window, tr("Import workspace"), documents.folder, workspaces.read, (kinds,))

    def write() -> None:
        name = str(documents.folder / f"{workspaces.current.replace('/', ' ')}.json")
        ask_file(window, services.session, tr("Export workspace"), name, workspaces.write, kinds)

    return [
        *services.choices("view.preset_", PRESETS, workspaces.choose, lambda name: workspaces.current == name),
        action("workspace.save", lambda: ask(False)),
        action("workspace.rename", lambda: ask(True), enabled=workspaces.is_own),
        action("workspace.delete", workspaces.delete, enabled=workspaces.is_own),
        action("workspace.import", read),
        action("workspace.export", write, enabled=workspaces.is_own),
        action("view.reset", services.panes.reset_layout),
    ]
