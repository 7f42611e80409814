"""Workspaces: a layout of the docks, and what panes keep (signals, filters, colours, switches), under a name.

A workspace is a JSON object; what it does not tell stays as it is. The presets are workspaces of a layout alone.
"""

import json
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Any

from ...errors import RecorderError
from ...format import json_of, read_json
from ...format.json_text import shown
from ...recording import write_file
from ...texts import say
from ..session import Session
from ..session.settings import MOST_TEXTS, Settings
from ..widgets.pane import WorkspaceValue
from .dock_layout import PRESETS
from .dock_places import are_places
from .panes import Panes

_LARGEST = 1 << 20
_LONGEST_NAME = 60
_LATER = ("scene",)
"""Layouts that came when workspaces could have been saved under their names."""

Workspace = dict[str, Any]


class Workspaces:
    """The workspaces that a person saved, and which one was chosen last, as the settings and the layout have them."""

    def __init__(self, session: Session, settings: Settings, panes: Panes) -> None:
        self._session = session
        self._settings = settings
        self._panes = panes

    @property
    def own(self) -> dict[str, str]:
        """Those that were saved, as JSON by name; one that has the name of a layout that came later has a number."""
        own = dict(self._settings.workspaces)
        for name in _LATER:
            if name in own:
                own[f"{name} 2"] = own.pop(name)
        return own

    @property
    def current(self) -> str:
        """The name of the one that was chosen last: that of a preset, or of one of `own`."""
        return self._panes.layout.name

    def is_own(self) -> bool:
        """The one that was chosen last is one of `own`."""
        return self.current in self.own

    def allows(self, name: str, taken: Container[str] = ()) -> bool:
        """Whether a workspace can be called so, while these names are `taken`."""
        fits = name.isprintable() and 0 < len(name.strip()) <= len(name) <= _LONGEST_NAME
        return fits and name not in PRESETS and name not in taken

    def choose(self, name: str) -> None:
        """Show a workspace, now and when this recording is opened again; one that is spoilt is refused."""
        if name in PRESETS:
            self._panes.set_preset(name)
            self._remember(name)
        else:
            self._session.attempt(lambda: self._show({**self._checked(self.own[name]), "name": name}))

    def recall(self) -> None:
        """Show the workspace that was chosen for the recording that was opened; a damaged one is shown for repair."""
        name = dict(self._settings.workspace_of).get(self._path, "")
        if name in self.own or (name in PRESETS and not self._panes.is_damaged):
            self.choose(name)

    def save(self, name: str) -> None:
        """Keep what the window shows under a name, in place of what was kept under it."""
        layout = self._panes.layout
        panes = self.values()
        docks = layout.described()

        def keep() -> None:
            self._keep({"workspace": 1, "name": name, "layout": layout.preset, "docks": docks, "panes": panes})
            layout.use(layout.preset, name, docks)
            self._remember(name)

        self._session.attempt(keep)

    def values(self) -> Workspace:
        """What the panes keep: values by pane and name."""
        values: Workspace = {}
        for name, pane in self._panes.made_panes.items():
            if pane.workspace_values:
                values[name] = {key: kept.read() for key, kept in pane.workspace_values.items()}
        return values

    def show_values(self, panes: Workspace) -> None:
        """Show values that panes kept; a refusal is shown."""

        def show() -> None:
            for kept, value in self._values(panes):
                kept.show(value)

        self._session.attempt(show)

    def rename(self, name: str) -> None:
        """Give the present one another name."""
        before = self.current
        chosen = self._settings.workspace_of
        workspace = read_json(self.own[before])
        workspace["name"] = name
        self._keep(workspace, before)
        renamed = []
        for path, workspace_name in chosen:
            if workspace_name == before:
                workspace_name = name
            renamed.append((path, workspace_name))
        self._settings.workspace_of = renamed
        self._panes.layout.rename(name)

    def delete(self) -> None:
        """Forget the present one; what the window shows stays."""
        self._settings.workspaces = [pair for pair in self.own.items() if pair[0] != self.current]
        self._session.informed.emit(
            say("{name} is deleted; what it showed stays until another workspace is chosen.", name=self.current)
        )

    def read(self, path: Path) -> None:
        """Keep the workspace of a file, under another name where its own is taken, and show it."""

        def take() -> None:
            with path.open("rb") as file:
                workspace = self._checked(file.read(_LARGEST))
            workspace["name"] = self._free_name(workspace["name"])
            self._keep(workspace)
            self._show(workspace)

        self._session.attempt(take)

    def _free_name(self, name: str) -> str:
        """A name that no workspace has: this one, or one with a number behind it."""
        free_name = name
        number = 2
        while free_name in self.own or free_name in PRESETS:
            free_name = f"{name[: _LONGEST_NAME - 4]} {number}"
            number += 1
        return free_name

    def write(self, path: Path) -> None:
        """Write the present one into a file. Raises OSError."""
        text = json.dumps(read_json(self.own[self.current]), indent=1)
        write_file(path, f"{text}\n".encode(), overwrite=True)

    @property
    def _path(self) -> str:
        recording = self._session.recording
        if recording is not None:
            return str(recording.path.absolute())
        return ""

    def _remember(self, name: str) -> None:
        if self._path:
            chosen = [(self._path, name)]
            for pair in self._settings.workspace_of:
                if pair[0] != self._path:
                    chosen.append(pair)
            self._settings.workspace_of = chosen

    def _keep(self, workspace: Workspace, instead: str = "") -> None:
        others = []
        for pair in self.own.items():
            if pair[0] not in (workspace["name"], instead):
                others.append(pair)
        if len(others) >= MOST_TEXTS:
            raise RecorderError(say("No more than {most} workspaces are kept; delete one first.", most=MOST_TEXTS))
        others.append((workspace["name"], json_of(workspace)))
        self._settings.workspaces = sorted(others)

    def _show(self, workspace: Workspace) -> None:
        self._panes.set_preset(workspace["layout"], workspace["name"], workspace["docks"])
        for kept, value in self._values(workspace["panes"]):
            kept.show(value)
        self._remember(workspace["name"])

    def _values(self, panes: Workspace) -> Iterator[tuple[WorkspaceValue, object]]:
        """What panes keep, and the value of each; raises `RecorderError` for one that it cannot have."""
        for pane, values in panes.items():
            known: Mapping[str, WorkspaceValue] = {}
            if pane in self._panes.specs:
                made = self._panes.get(self._panes.specs[pane])
                known = {**made.former_values, **made.workspace_values}
            if not isinstance(values, dict):
                values = {"": values}
            for name, value in values.items():
                if name not in known or not known[name].allows(value):
                    raise RecorderError(
                        say(
                            "This workspace cannot be used: “{name}” cannot be {value}.",
                            name=f"{pane}.{name}",
                            value=shown(value),
                        )
                    )
                yield known[name], value

    def _checked(self, text: str | bytes) -> Workspace:
        """The workspace of a JSON text; raises `RecorderError`."""
        workspace = read_json(text, unique=True)
        match workspace:
            case {"workspace": 1, "name": str(name), "layout": str(layout), "docks": list(docks), "panes": dict(panes)}:
                is_layout = layout in PRESETS and are_places(docks, self._panes.docks)
                if (self.allows(name) or name in _LATER) and is_layout and len(workspace) == 5:
                    list(self._values(panes))
                    return dict(workspace)
        raise RecorderError(
            say(
                "This is no workspace: a JSON object with “workspace”, “name”, “layout”, "
                "“docks” and “panes”, as the guide has them."
            )
        )
