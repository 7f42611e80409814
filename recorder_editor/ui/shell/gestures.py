"""The keys and gestures of the mouse that panes handle themselves."""

from ...texts import N_
from ..panes.scene.gestures import SCENE_GESTURES
from ..widgets.gesture import Gesture

GESTURES: tuple[Gesture, ...] = (
    *SCENE_GESTURES,
    Gesture(N_("Left, Right"), N_("Previous, next frame"), N_("Scene, timeline, signals")),
    Gesture(N_("Ctrl+PgUp, Ctrl+PgDown"), N_("Previous, next frame"), N_("Packets")),
    Gesture(N_("F2, Enter"), N_("Edit the value"), N_("Packets")),
    Gesture(N_("Alt+Up, Alt+Down"), N_("Move the record or packet"), N_("Packets")),
    Gesture(N_("Ctrl+Space"), N_("Complete the word"), N_("Expressions")),
    Gesture(N_("0 to 9, a to f"), N_("Overwrite the byte"), N_("Bytes")),
    Gesture(N_("Ctrl+Tab"), N_("Hex or text column"), N_("Bytes")),
    Gesture(N_("F3, Shift+F3"), N_("Find again"), N_("Bytes")),
    Gesture(N_("+, -"), N_("Zoom in, zoom out"), N_("Scene, timeline, signals")),
    Gesture(N_("0"), N_("Show the whole recording"), N_("Timeline, signals")),
    Gesture(N_("A, B"), N_("Put a cursor at the current frame"), N_("Signals")),
    Gesture(N_("Ctrl+drag"), N_("Zoom to that range of time"), N_("Signals")),
    Gesture(N_("Wheel, drag on a y axis"), N_("Zoom the axis, move it"), N_("Signals")),
    Gesture(N_("Insert"), N_("Add a signal"), N_("Signals")),
    Gesture(N_("Space, Del"), N_("Hide, remove the signal"), N_("Signals")),
    Gesture(N_("Enter, Del"), N_("Write, delete the note"), N_("Notes")),
    Gesture(N_("Up, Down"), N_("Select the actor above, below"), N_("Timeline")),
    Gesture(N_("Shift+I, Shift+O"), N_("Left and Right move the in point, the out point"), N_("Timeline")),
    Gesture(N_("Space, Del"), N_("Switch the segment on or off, remove it from the list"), N_("Trim")),
    Gesture(N_("Alt+Up, Alt+Down"), N_("Move the segment in the list"), N_("Trim")),
    Gesture(N_("F2, Enter"), N_("Edit the name, start or end of the segment"), N_("Trim")),
    Gesture(N_("Esc"), N_("Cancel a drag; else end the innermost mode"), N_("Everywhere")),
)
"""In the order in which they are listed."""
