"""The modes of the scene: what lasts until it is ended, and meanwhile changes what clicks and keys do, or what is seen.

Each shows a chip in the title of the scene, and ends by the cross of its chip or by Esc, wherever the keyboard is.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol

from ....reading import Ghost
from ....texts import N_, listed, say
from ....views.event_texts import kind_text
from ...session import Session

ModeName = Literal["move", "measure", "draw", "path", "wipe", "event", "follow", "compare"]


class Moves(Protocol):
    """What modes need of moves by keys: `KeyMoves`."""

    moved: Ghost | None

    @property
    def moves_key(self) -> bool: ...

    def cancel(self) -> bool: ...


class ModeView(Protocol):
    """What modes need of the view: `SceneView`."""

    session: Session
    switches: dict[str, bool]
    followed: int | None
    beside: int | None

    @property
    def moves(self) -> Moves: ...

    def switch(self, name: str, on: bool | None = None) -> None: ...

    def follow_actor(self, actor: int | None) -> None: ...

    def redraw(self) -> None: ...


class Mode(NamedTuple):
    """One mode.

    Attributes:
        name: Its name.
        title: Returns the text of its chip; empty while it is off.
        end: Ends it.
        hint: What Esc does to it in a few words, in English, for the row of hints.
        is_edit: It changes the recording; else it only changes what is seen.
    """

    name: ModeName
    title: Callable[[ModeView], str]
    end: Callable[[ModeView], object]
    hint: str
    is_edit: bool = False


class ActiveMode(NamedTuple):
    """A mode that is on.

    Attributes:
        mode: The mode.
        title: The text of its chip.
    """

    mode: Mode
    title: str


def _move_title(view: ModeView) -> str:
    if view.moves.moved is None:
        return ""
    if view.moves.moves_key:
        return say("Moving the key")
    return say("Moving {actor}", actor=view.moves.moved.actor)


def _cancel_move(view: ModeView) -> None:
    view.moves.cancel()
    view.redraw()


def _measure_title(view: ModeView) -> str:
    return say("Measure") if view.switches["measure"] else ""


def _draw_title(view: ModeView) -> str:
    return say("Drawing a path") if view.session.drawing.is_on else ""


def _drop_drawing(view: ModeView) -> None:
    drawing = view.session.drawing
    drawing.stop()
    drawing.set_on(on=False)


def _path_title(view: ModeView) -> str:
    life = view.session.path_editing.life
    return say("Path of {actor}", actor=life.actor) if life is not None else ""


def _wipe_title(view: ModeView) -> str:
    return say("Wipe") if view.session.comparison.is_wiping else ""


def _event_title(view: ModeView) -> str:
    events = view.session.events
    if events.found is None or events.chosen is None:
        return ""
    return kind_text(events.found, events.chosen)


def _follow_title(view: ModeView) -> str:
    followed = [str(actor) for actor in (view.followed, view.beside) if actor is not None]
    return say("Following {followed}", followed=listed(followed)) if followed else ""


def _compare_title(view: ModeView) -> str:
    return say("Comparing") if view.session.comparison.other is not None else ""


MODES: tuple[Mode, ...] = (
    Mode("move", _move_title, end=_cancel_move, hint=N_("puts it back"), is_edit=True),
    Mode("measure", _measure_title, end=lambda view: view.switch("measure", False), hint=N_("done")),
    Mode("draw", _draw_title, end=_drop_drawing, hint=N_("drops the path"), is_edit=True),
    Mode("path", _path_title, end=lambda view: view.session.path_editing.end(), hint=N_("done"), is_edit=True),
    Mode("wipe", _wipe_title, end=lambda view: view.session.comparison.wipe(on=False), hint=N_("shows one recording")),
    Mode("event", _event_title, end=lambda view: view.session.events.leave(), hint=N_("leaves the event")),
    Mode("follow", _follow_title, end=lambda view: view.follow_actor(None), hint=N_("stops following")),
    Mode("compare", _compare_title, end=lambda view: view.session.comparison.stop(), hint=N_("stops comparing")),
)
"""The innermost first, which Esc ends first: what keys move, the tools of the mouse in the order in which they get its
clicks, what is edited, what is looked at."""


def active_modes(view: ModeView) -> tuple[ActiveMode, ...]:
    """Return the modes of a scene that are on, the innermost first."""
    active = []
    for mode in MODES:
        title = mode.title(view)
        if title:
            active.append(ActiveMode(mode, title))
    return tuple(active)
