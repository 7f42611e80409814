"""What the mouse and the keys do in the scene, beside the modules that handle them: `box` (the tools of the mouse),
`scene_view` (clicks and keys), `path_handles` and `key_moves`.

The row of hints and the table of keys are made of these. Knows no view: the table is shown before there is one.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from ....texts import N_
from ...widgets.gesture import Gesture

Tool = Literal["", "pan", "band", "move", "turn", "measure", "path", "draw", "wipe"]
"""What dragging does: move the view, select in a rectangle, move or turn an actor, set an end of a distance, move a
handle of the edited path, move the view while a path is drawn, move the line between two recordings."""

Part = Literal["point", "in", "out", "time"]
"""What of the edited path can be dragged: a key itself, the ends of its tangent, and when the actor is there."""

_SCENE = N_("Scene")

# --- the tools of the mouse -----------------------------------------------------------------------------

PAN = Gesture(N_("Drag"), N_("Move the view"), _SCENE, hint=N_("moves the view"))
ZOOM = Gesture(N_("Wheel"), N_("Zoom in, zoom out"), _SCENE, hint=N_("zooms"))
BAND = Gesture(N_("Shift+drag"), N_("Select in a rectangle"), _SCENE, hint=N_("selects many"))
MOVE = Gesture(N_("Drag"), N_("Move the selected actor"), _SCENE, hint=N_("moves {actor}"))
MOVE_ON_LANE = Gesture(
    N_("Shift+drag"), N_("Move the selected actor along its lane"), _SCENE, hint=N_("along the lane")
)
TURN = Gesture(N_("Drag"), "", _SCENE, hint=N_("turns {actor}"))
TURN_BY_WEDGE = Gesture(N_("Drag wedge"), N_("Turn the selected actor"), _SCENE, hint=N_("turns"))

# --- while one of them is at work -----------------------------------------------------------------------

ON_LANE = Gesture(N_("Shift"), N_("While dragging: put the actor on its lane"), _SCENE, hint=N_("on the lane"))
SCOPE = Gesture(N_("S"), N_("While dragging: change the frames it applies to"), _SCENE, hint="{scope}")
PUT_BACK = Gesture(N_("Esc"), "", _SCENE, hint=N_("puts it back"))
ESCAPE = Gesture(N_("Esc"), "", _SCENE)

# --- the line between two recordings --------------------------------------------------------------------

MOVE_LINE = Gesture(N_("Drag"), "", _SCENE, hint=N_("moves the line"))
LINE_TO_MIDDLE = Gesture(N_("Double-click"), "", _SCENE, hint=N_("puts it in the middle"))
SWAP_SIDES = Gesture(N_("X"), N_("While wiping: swap the sides"), _SCENE, hint=N_("swaps the sides"))

# --- clicks and keys ------------------------------------------------------------------------------------

SELECT = Gesture(N_("Click"), N_("Select an actor"), _SCENE, hint=N_("selects {actor}"))
ADD = Gesture(N_("Shift+click"), N_("Add to the selection"), _SCENE, hint=N_("adds it"))
LEAVE_OUT = Gesture(N_("Shift+click"), "", _SCENE, hint=N_("takes it out of the selection"))
FOLLOW = Gesture(N_("Double-click"), N_("Follow an actor"), _SCENE, hint=N_("follows it"))
NEXT = Gesture(N_("Up, Down"), N_("Select the next actor, or the next key of the edited path"), _SCENE)

# --- measuring ------------------------------------------------------------------------------------------

SET_END = Gesture(N_("Click"), "", _SCENE, hint=N_("sets an end"))
SET_END_BY_KEY = Gesture(
    N_("Enter"),
    N_("While measuring: set an end; arrow keys move the second one"),
    _SCENE,
    hint=N_("sets an end where the selected actor is"),
)
SET_SECOND = Gesture(N_("Click"), "", _SCENE, hint=N_("sets the second end"))
SET_SECOND_BY_KEY = Gesture(N_("Enter"), "", _SCENE, hint=N_("sets it"))
MOVE_END = Gesture(N_("Arrows"), "", _SCENE, hint=N_("move it"))
END_AT_ACTOR = Gesture(
    N_("Ctrl+Up, Ctrl+Down"), N_("While measuring: the second end is at the next actor"), _SCENE, hint=N_("next actor")
)

# --- moving by keys -------------------------------------------------------------------------------------

STEP = Gesture(N_("Arrows"), N_("While moving by keys: by 0.1 m"), _SCENE, hint=N_("move by 0.1 m"))
FAR_STEP = Gesture(N_("Shift+arrows"), N_("While moving by keys: by 1 m"), _SCENE, hint=N_("by 1 m"))
STEP_TURN = Gesture(N_("Ctrl+arrows"), N_("While moving by keys: turn by 1 degree"), _SCENE, hint=N_("turn"))
FAR_TURN = Gesture(
    N_("Ctrl+Shift+arrows"), N_("While moving by keys: turn by 10 degrees"), _SCENE, hint=N_("turn by 10°")
)
KEEP = Gesture(N_("Enter"), N_("While moving by keys: keep the new place"), _SCENE, hint=N_("keeps the place"))

# --- the path that is drawn for a new actor -------------------------------------------------------------

ADD_PLACE = Gesture(N_("Click"), "", _SCENE, hint=N_("adds a place"))
ADD_STRAIGHT = Gesture(
    N_("Shift+click"), N_("While drawing a path: go straight there, beside lanes"), _SCENE, hint=N_("straight there")
)
TAKE_BACK = Gesture(
    N_("Backspace"), N_("While drawing a path: take back the last place"), _SCENE, hint=N_("takes the last one back")
)
END_DRAWING = Gesture(N_("Double-click"), N_("While drawing a path: end it"), _SCENE, hint=N_("ends the path"))

# --- the path that is edited by keys --------------------------------------------------------------------

MOVE_KEY = Gesture(N_("Drag"), N_("While a path is edited: move the key"), _SCENE, hint=N_("moves the key"))
DRAG_HANDLE = Gesture(N_("Drag handle"), "", _SCENE, hint=N_("heading and speed"))
ADD_KEY = Gesture(N_("Double-click on an edited path"), N_("Add a key"), _SCENE)
ADD_KEY_THERE = Gesture(N_("Double-click"), "", _SCENE, hint=N_("adds a key"))
DELETE_KEY = Gesture(N_("Del"), N_("While a path is edited: remove the key"), _SCENE, hint=N_("removes it"))
CHOOSE_KEY = Gesture(N_("Click"), "", _SCENE, hint=N_("goes to it"))
_BEND = Gesture(N_("Drag"), "", _SCENE, hint=N_("turns and stretches the path"))
DRAG_PART: Mapping[Part, Gesture] = MappingProxyType(
    {
        "point": MOVE_KEY,
        "in": _BEND,
        "out": _BEND,
        "time": Gesture(N_("Drag"), "", _SCENE, hint=N_("to be here earlier or later")),
    }
)

SCENE_GESTURES: tuple[Gesture, ...] = tuple(value for value in list(vars().values()) if isinstance(value, Gesture))
"""All that have a name, in the order above."""
