"""View: the layouts, and workspaces that a person saves, renames, imports and exports; the window lists these."""

from functools import partial
from typing import Literal

from ....texts import N_, say
from ...widgets.file_dialogs import ask_file, ask_open
from ..action import RECORDING, Action, Choice, Condition
from ..panes import Services
from ..workspaces import Workspaces

Layout = Literal["inspect", "scene", "trim", "repair"]
_KINDS = N_("Workspaces (*.json)")


def _workspaces(services: Services) -> Workspaces:
    return Workspaces(services.session, services.settings, services.panes)


def save(services: Services) -> None:
    """Ask for the name under which the workspace is kept."""
    from ...dialogs.widgets import ask_name

    workspaces = _workspaces(services)
    ask_name(
        services.theme,
        services.window,
        title=say("Save workspace"),
        words=say("The layout, signals, filters, colours and switches of the panes."),
        keep=workspaces.save,
        allows=workspaces.allows,
        name=workspaces.current if workspaces.is_own() else "",
    )


def rename(services: Services) -> None:
    """Ask for another name of the chosen workspace."""
    from ...dialogs.widgets import ask_name

    workspaces = _workspaces(services)
    ask_name(
        services.theme,
        services.window,
        title=say("Rename workspace"),
        words="",
        keep=workspaces.rename,
        allows=partial(workspaces.allows, taken=workspaces.own),
        name=workspaces.current if workspaces.is_own() else "",
    )


def import_workspace(services: Services) -> None:
    """Ask for the file of a workspace, and show it."""
    read = _workspaces(services).read
    ask_open(
        services.window, title=say("Import workspace"), folder=services.documents.folder, then=read, kinds=(_KINDS,)
    )


def export_workspace(services: Services) -> None:
    """Ask for the file that the chosen workspace is written to."""
    workspaces = _workspaces(services)
    name = str(services.documents.folder / f"{workspaces.current.replace('/', ' ')}.json")
    ask_file(
        services.window,
        services.session,
        title=say("Export workspace"),
        name=name,
        write=workspaces.write,
        kinds=say(_KINDS),
    )


def _layout(name: Layout, *, text: str, short_text: str, key: str, tooltip: str) -> Choice:
    def choose(services: Services) -> None:
        if not is_chosen(services):
            _workspaces(services).choose(name)

    def is_chosen(services: Services) -> bool:
        return _workspaces(services).current == name

    return Choice(
        f"view.preset_{name}",
        choose,
        checked=is_chosen,
        needs=RECORDING,
        text=text,
        short_text=short_text,
        key=key,
        menu="View/Workspace",
        tooltip=tooltip,
        keywords=N_("preset"),
    )


OWN = Condition(lambda services: _workspaces(services).is_own(), N_("Choose a workspace of your own first."))

ACTIONS = (
    _layout(
        "inspect",
        text=N_("Inspect layout"),
        short_text=N_("Inspect"),
        key="Ctrl+1",
        tooltip=N_("Packets over their bytes, the scene and attributes"),
    ),
    _layout(
        "scene",
        text=N_("Scene layout"),
        short_text=N_("Scene"),
        key="Ctrl+2",
        tooltip=N_("A large scene beside the actors; attributes of what is selected"),
    ),
    _layout(
        "trim",
        text=N_("Trim layout"),
        short_text=N_("Trim"),
        key="Ctrl+3",
        tooltip=N_("Choose the range to keep, on a large timeline"),
    ),
    _layout(
        "repair",
        text=N_("Repair layout"),
        short_text=N_("Repair"),
        key="Ctrl+4",
        tooltip=N_("Show the damage, and what can be recovered"),
    ),
    Action(
        "workspace.save",
        save,
        needs=RECORDING,
        text=N_("Save workspace..."),
        menu="View/Workspace",
        section="own",
        tooltip=N_("Keep layout, signals, filters, colours and switches under a name"),
        keywords=N_("layout preset perspective"),
    ),
    Action(
        "workspace.rename",
        rename,
        needs=OWN,
        text=N_("Rename workspace..."),
        menu="View/Workspace",
        section="own",
        tooltip=N_("Give the chosen workspace another name"),
    ),
    Action(
        "workspace.delete",
        lambda services: _workspaces(services).delete(),
        needs=OWN,
        text=N_("Delete workspace"),
        menu="View/Workspace",
        section="own",
        tooltip=N_("Forget the chosen workspace; what the window shows stays"),
    ),
    Action(
        "workspace.import",
        import_workspace,
        needs=RECORDING,
        text=N_("Import workspace..."),
        menu="View/Workspace",
        section="own",
        tooltip=N_("Keep and show the workspace of a file"),
    ),
    Action(
        "workspace.export",
        export_workspace,
        needs=OWN,
        text=N_("Export workspace..."),
        menu="View/Workspace",
        section="own",
        tooltip=N_("Write the chosen workspace to a file"),
    ),
    Action(
        "view.reset",
        lambda services: services.panes.reset_layout(),
        needs=RECORDING,
        text=N_("Reset layout"),
        menu="View/Workspace",
        section="reset",
        tooltip=N_("Restore the default layout"),
    ),
)
