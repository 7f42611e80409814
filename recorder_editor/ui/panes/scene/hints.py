"""Which hints stand in the row below the scene: by the mode, what is under the pointer, and the modifiers held.

What a gesture does is declared in `gestures`, what the key of an action does with the action. Knows no view.
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from PySide6.QtCore import Qt

from ....texts import say
from ...widgets.gesture import Gesture
from . import gestures
from .gestures import Part, Tool
from .modes import ActiveMode, ModeName

_ALL = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


class Pointed(NamedTuple):
    """What the pointer is at.

    Attributes:
        tool: What dragging does there; empty: the pointer is not in the scene.
        actor: The id of the actor there; None without one.
        part: What of the edited path is there; None without any.
    """

    tool: Tool = ""
    actor: int | None = None
    part: Part | None = None


NOWHERE = Pointed()


class Situation(NamedTuple):
    """What hints depend on.

    Attributes:
        has_frames: There is a frame to see.
        modes: The modes that are on, the innermost first.
        pointed: What the pointer is at.
        dragged: The tool that moves, turns or selects something at this moment; empty without one.
        modifiers: Those of Shift, Ctrl and Alt that are held.
        selected: The id of the first selected actor; None without one.
        can_follow: Whether the actor at the pointer can be followed.
        has_map: Whether lanes of a road map are known.
        ends: How many ends of a distance are set.
        places: How many places a path that is drawn has.
        moves_key: The key of a path is moved by keys, not an actor.
        scope: The frames that S changes to while an actor is dragged.
    """

    has_frames: bool = False
    modes: tuple[ActiveMode, ...] = ()
    pointed: Pointed = NOWHERE
    dragged: Tool = ""
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    selected: int | None = None
    can_follow: bool = False
    has_map: bool = False
    ends: int = 0
    places: int = 0
    moves_key: bool = False
    scope: str = ""


class Hint(NamedTuple):
    """A hint as it is shown.

    Attributes:
        keys: The text in its key cap.
        text: What that does.
    """

    keys: str
    text: str

    @property
    def phrase(self) -> str:
        """Both, as they are read."""
        return say("{keys} {does}", keys=self.keys, does=self.text)


class KeyHint(NamedTuple):
    """The hint of an action that can be done now.

    Attributes:
        keys: Its key, as the system writes it.
        text: What it does in a few words.
        modifiers: The modifiers of its key.
    """

    keys: str
    text: str
    modifiers: Qt.KeyboardModifier


Entry = Gesture | str
"""A gesture, or the id of an action."""

# --- what stands in the row -----------------------------------------------------------------------------

ON_SELECTED: tuple[Entry, ...] = ("path.edit", "scene.move", "edit.delete")
ON_GROUND: tuple[Entry, ...] = (gestures.PAN, gestures.ZOOM, gestures.BAND)
WITH_SELECTION: tuple[Entry, ...] = ("path.edit", "scene.move", "scene.zoom")
ALWAYS: tuple[Entry, ...] = ("scene.fit", "scene.measure", "notes.frame")
IN_PATH: tuple[Entry, ...] = (gestures.MOVE_KEY, gestures.ADD_KEY_THERE, gestures.DELETE_KEY)
LESS_IN_PATH: tuple[Entry, ...] = (gestures.DRAG_HANDLE, "path.key", "scene.move")
ON_PART: Mapping[Part, tuple[Entry, ...]] = MappingProxyType(
    {
        "point": (gestures.DRAG_PART["point"], gestures.CHOOSE_KEY, gestures.DELETE_KEY),
        "in": (gestures.DRAG_PART["in"],),
        "out": (gestures.DRAG_PART["out"],),
        "time": (gestures.DRAG_PART["time"],),
    }
)
ON_LINE: tuple[Entry, ...] = (gestures.MOVE_LINE, gestures.LINE_TO_MIDDLE)
IN_EVENT: tuple[Entry, ...] = ("event.trim", "event.note")
ACTIONS: frozenset[str] = frozenset(
    entry
    for entries in (ON_SELECTED, WITH_SELECTION, ALWAYS, LESS_IN_PATH, IN_EVENT)
    for entry in entries
    if isinstance(entry, str)
)
"""The ids of all actions of which there are hints."""


def part_text(part: Part) -> str:
    """Return what the mouse and keys do at a part of the edited path, one a line, for its tooltip."""
    phrases = []
    for entry in ON_PART[part]:
        if isinstance(entry, Gesture):
            phrases.append(Hint(say(entry.keys), say(entry.hint)).phrase)
    return "\n".join(phrases)


def hints_of(situation: Situation, actions: Mapping[str, KeyHint]) -> tuple[Hint, ...]:
    """Return the hints of a situation, those that matter most first.

    Args:
        situation: The situation.
        actions: The hints of actions that can be done now, by id.
    """
    held = situation.modifiers & _ALL
    hints: dict[Hint, None] = {}
    for entry in _entries(situation):
        shown = _hint(entry, situation, actions)
        if shown is not None and shown.modifiers & held == held:
            hints[Hint(shown.keys, shown.text)] = None
    return tuple(hints)


def _hint(entry: Entry, situation: Situation, actions: Mapping[str, KeyHint]) -> KeyHint | None:
    """Return what is shown of an entry; None where its action cannot be done now."""
    if isinstance(entry, str):
        return actions.get(entry)
    actor = situation.pointed.actor
    if actor is None:
        actor = situation.selected
    text = say(entry.hint, actor=actor, scope=situation.scope)
    return KeyHint(cap_text(say(entry.keys)), text, entry.modifiers)


def cap_text(keys: str) -> str:
    """Return keys as a cap shows them: `Ctrl Shift P`."""
    return re.sub(r"(?<=\w)\+(?=.)", " ", keys)


def _entries(situation: Situation) -> Iterable[Entry]:
    """Yield what there are hints of: of the innermost mode or of what is pointed at, of its end, of the rest.

    There are none without a frame.
    """
    if not situation.has_frames:
        return
    if situation.dragged:
        yield from _while_dragging(situation)
        return
    name: ModeName | None = None
    leave: tuple[Entry, ...] = ()
    if situation.modes:
        inner = situation.modes[0].mode
        name = inner.name
        leave = (gestures.ESCAPE._replace(hint=inner.hint),)
    if name == "move":
        yield from _while_moving(situation)
        yield from leave
    elif name == "measure":
        yield from _while_measuring(situation)
        yield from leave
    elif name == "draw":
        yield from _while_drawing(situation)
        yield from leave
    elif name == "path":
        yield from _in_path(situation)
        yield from leave
        yield from LESS_IN_PATH
    else:
        if name == "event":
            yield from IN_EVENT
        elif name == "wipe":
            yield gestures.SWAP_SIDES
        yield from leave
        yield from _by_pointer(situation)


def _while_dragging(situation: Situation) -> Iterable[Entry]:
    if situation.dragged == "move" and situation.has_map:
        yield gestures.ON_LANE
    if situation.dragged in ("move", "turn"):
        yield gestures.SCOPE
    yield gestures.PUT_BACK


def _while_moving(situation: Situation) -> Iterable[Entry]:
    yield gestures.STEP
    yield gestures.FAR_STEP
    yield gestures.STEP_TURN
    yield gestures.FAR_TURN
    if not situation.moves_key:
        yield gestures.SCOPE
    yield gestures.KEEP


def _while_measuring(situation: Situation) -> Iterable[Entry]:
    if situation.ends == 1:
        yield gestures.SET_SECOND
        yield gestures.SET_SECOND_BY_KEY
        yield gestures.MOVE_END
        yield gestures.END_AT_ACTOR
    else:
        yield gestures.SET_END
        yield gestures.SET_END_BY_KEY


def _while_drawing(situation: Situation) -> Iterable[Entry]:
    yield gestures.ADD_PLACE
    if situation.has_map:
        yield gestures.ADD_STRAIGHT
    yield gestures.PAN
    if situation.places:
        yield gestures.TAKE_BACK
        yield gestures.END_DRAWING


def _in_path(situation: Situation) -> Iterable[Entry]:
    part = situation.pointed.part
    if part is not None:
        yield from ON_PART[part]
        return
    if situation.pointed.tool == "move":
        yield gestures.MOVE
    yield from IN_PATH


def _by_pointer(situation: Situation) -> Iterable[Entry]:
    """Yield what clicks, drags and keys do where the pointer is."""
    tool = situation.pointed.tool
    if tool == "wipe":
        yield from ON_LINE
    elif tool == "turn":
        yield gestures.TURN
        yield from ON_SELECTED
    elif tool == "move":
        yield gestures.MOVE
        yield gestures.TURN_BY_WEDGE
        if situation.has_map:
            yield gestures.MOVE_ON_LANE
        yield from ON_SELECTED
        if situation.can_follow:
            yield gestures.FOLLOW
        yield gestures.LEAVE_OUT
    elif situation.pointed.actor is not None:
        yield gestures.SELECT
        yield gestures.ADD
        if situation.can_follow:
            yield gestures.FOLLOW
    else:
        yield from ON_GROUND
        if situation.selected is not None:
            yield from WITH_SELECTION
        if not situation.modes:
            yield from ALWAYS
