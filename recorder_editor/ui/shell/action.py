"""How an action of the window is declared: its words, its place, its key, when it can be done, and what it does.

    def export(services: Services) -> None: ...

    ACTIONS = (
        Action("file.export", export, text=N_("Export..."), key="Ctrl+E", menu="File", tooltip=N_("Write tables...")),
    )

`shell/commands` collects the declarations, and a `PaneSpec` may have those of its pane. `specs` makes of them what the
registry of one window holds, in the language that is set then.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import Literal, TypeVar

from PySide6.QtGui import QAction

from ...texts import N_, listed, say, search_keywords
from ..style.icons import IconName
from ..widgets.actions import ActionSpec
from ..widgets.pane import Pane
from .panes import PaneSpec, Services

P = TypeVar("P", bound=Pane, covariant=True)

MenuPath = Literal[
    "File",
    "Edit",
    "View",
    "View/Panes",
    "View/Workspace",
    "View/Scene",
    "View/Colour by",
    "View/Theme",
    "View/Language",
    "View/Plot",
    "Go",
    "Go/Playback",
    "Recording",
    "Recording/Time",
    "Recording/Segments",
    "Recording/Road map",
    "Actor",
    "Actor/New",
    "Actor/Path",
    "Tools",
    "Tools/Damaged recording",
    "Help",
]
"""A menu, and the menu in it."""

MENUS = (N_("File"), N_("Edit"), N_("View"), N_("Go"), N_("Recording"), N_("Actor"), N_("Tools"), N_("Help"))
"""The titles of the menus, from left to right."""

SUBMENUS = (
    N_("Panes"),
    N_("Workspace"),
    N_("Scene"),
    N_("Colour by"),
    N_("Theme"),
    N_("Language"),
    N_("Plot"),
    N_("Playback"),
    N_("Time"),
    N_("Segments"),
    N_("Road map"),
    N_("New"),
    N_("Path"),
    N_("Damaged recording"),
)
"""The titles of the menus in menus."""


# --- conditions -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Condition:
    """What must be so before an action can be done.

    Attributes:
        holds: Whether it is so now.
        missing: The sentence that says what is missing, in English; empty where that is only a recording, or the rest
            of one that is still being read.
    """

    holds: Callable[[Services], bool]
    missing: str = ""


def _has_several_frames(services: Services) -> bool:
    return services.session.frames > 1


def _has_actor(services: Services) -> bool:
    return services.session.selection.actor is not None


def _is_complete_with_frames(services: Services) -> bool:
    return services.session.is_complete and services.session.frames > 0


def _has_range(services: Services) -> bool:
    return services.session.range.is_set


NO_FRAMES = N_("This recording has no frames.")
NO_ACTOR = N_("Select an actor first, in the scene or in the table of actors.")

RECORDING = Condition(Services.is_open)
"""A recording is shown, perhaps its first frames only."""

COMPLETE = Condition(Services.is_complete)
"""A recording was read to its end: it can be edited."""

FRAMES = Condition(Services.has_frames, NO_FRAMES)
SEVERAL_FRAMES = Condition(_has_several_frames, N_("A recording of one frame cannot be played."))
COMPLETE_WITH_FRAMES = Condition(_is_complete_with_frames, NO_FRAMES)
RANGE = Condition(_has_range, N_("Mark in or out first."))
ACTOR = Condition(_has_actor, NO_ACTOR)


def hidden_for(menu: MenuPath) -> str:
    """Return the reason for which the actions of a menu are left out of it: without an actor *Actor* is short."""
    if menu.partition("/")[0] == "Actor":
        return say(NO_ACTOR)
    return ""


# --- declarations ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Declaration(ABC):
    """What actions and switches have in common. Texts are English, and marked by `N_`.

    Attributes:
        id: The name by which settings, tests and other parts of the window know it ("file.open").
        text: In menus: a verb; with three dots where something is asked first.
        short_text: On its button in the toolbar; empty: the text.
        tooltip: A sentence that says more than the text, without a full stop.
        menu: The menu that it stands in.
        section: Of the menu; a line stands between two.
        key: Its shortcut; several are parted by `; `.
        icon: The name of its icon.
        keywords: Further words by which it is found.
        needs: What must be so before it can be done.
        disabled_reason: In place of `needs`: the sentence why it cannot be done now, empty where it can.
        where: The panes that take its key; without any it acts in the whole window.
        where_title: In place of the titles of these panes, where they are many.
        yields_to_panes: Its key acts in the whole window, but not where a pane takes it as text: a letter.
        role: The entry of the program's own menu of macOS that it is.
        what: Names what it would be done to, for its menu and tooltip.
        hint: What its key does in a few words, for rows of hints.
    """

    id: str
    _: KW_ONLY
    text: str
    tooltip: str
    menu: MenuPath
    section: str = ""
    key: str = ""
    icon: IconName | None = None
    keywords: str = ""
    needs: Condition | None = None
    disabled_reason: Callable[[Services], str] | None = None
    where: tuple[PaneSpec[Pane], ...] = ()
    where_title: str = ""
    yields_to_panes: bool = False
    role: QAction.MenuRole | None = None
    what: Callable[[Services], str] | None = None
    short_text: str = ""
    hint: str = ""

    @abstractmethod
    def spec(self, services: Services) -> ActionSpec:
        """Return it for one window, in the language that is set."""

    def _spec(
        self, services: Services, handler: Callable[..., object], checked: Callable[[], bool] | None
    ) -> ActionSpec:
        enabled = None
        missing = ""
        if self.needs is not None:
            enabled = partial(self.needs.holds, services)
            missing = say(self.needs.missing)
        disabled_reason = None
        if self.disabled_reason is not None:
            disabled_reason = partial(self.disabled_reason, services)
        what = None
        if self.what is not None:
            what = partial(self.what, services)
        return ActionSpec(
            id=self.id,
            text=say(self.text),
            handler=handler,
            shortcut=self.key,
            icon=self.icon or "",
            tooltip=say(self.tooltip),
            menu=self.menu,
            enabled=enabled,
            checked=checked,
            context="pane" if self.where or self.yields_to_panes else "window",
            section=self.section,
            keywords=search_keywords(self.text, self.keywords),
            where=tuple(pane.name for pane in self.where),
            where_text=say(self.where_title) or listed(say(pane.title) for pane in self.where),
            disabled_reason=disabled_reason,
            needs=missing,
            role=self.role,
            object_name=what,
            short_text=say(self.short_text),
            hidden_for=hidden_for(self.menu),
            hint=say(self.hint),
        )


@dataclass(frozen=True)
class Action(Declaration):
    """Something that can be done.

    Attributes:
        do: Does it.
    """

    do: Callable[[Services], object]

    def spec(self, services: Services) -> ActionSpec:
        return self._spec(services, handler=partial(self.do, services), checked=None)


@dataclass(frozen=True)
class Switch(Declaration):
    """Something that is on or off; in menus it has a tick.

    Attributes:
        turn: Turns it on or off: it is called with what it is not now.
        checked: Whether it is on.
    """

    turn: Callable[[Services, bool], object]
    checked: Callable[[Services], bool] = field(kw_only=True)

    def spec(self, services: Services) -> ActionSpec:
        return self._spec(services, handler=partial(self.turn, services), checked=partial(self.checked, services))


@dataclass(frozen=True)
class Choice(Declaration):
    """One of several of which one is chosen; in menus that one has a tick.

    Attributes:
        choose: Chooses it; it is called where it is chosen already, too.
        checked: Whether it is chosen.
    """

    choose: Callable[[Services], object]
    checked: Callable[[Services], bool] = field(kw_only=True)

    def spec(self, services: Services) -> ActionSpec:
        def choose(on: bool) -> None:
            del on  # what is chosen stays so
            self.choose(services)

        return self._spec(services, handler=choose, checked=partial(self.checked, services))


def specs(services: Services, declarations: Iterable[Declaration]) -> list[ActionSpec]:
    """Return what the registry of a window holds of these, in their order."""
    return [declaration.spec(services) for declaration in declarations]


# --- actions of panes -----------------------------------------------------------------------------------


def on_pane(spec: PaneSpec[P], do: Callable[[P], object], *, opens: bool = False) -> Callable[[Services], None]:
    """Return what does something with a pane, which is made for it, and opened first if it `opens`."""

    def run(services: Services) -> None:
        if opens:
            services.panes.show(spec.name)
        do(services.panes.get(spec))

    return run


def turn_on_pane(spec: PaneSpec[P], turn: Callable[[P, bool], object]) -> Callable[[Services, bool], None]:
    """Return what turns something of a pane on or off; the pane is made for it."""

    def run(services: Services, on: bool) -> None:
        turn(services.panes.get(spec), on)

    return run


def in_pane(spec: PaneSpec[P], is_so: Callable[[P], object]) -> Callable[[Services], bool]:
    """Return what asks a pane whether something is so; it is not where the pane was not shown yet."""

    def ask(services: Services) -> bool:
        return services.panes.is_so(spec, is_so)

    return ask
