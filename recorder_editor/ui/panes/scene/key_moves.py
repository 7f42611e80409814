"""Moves by keys instead of the mouse: of the selected actor, of the chosen key of an edited path, of a measured end."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent

from ....reading.rigid import Ghost
from ...session import Session
from .box import Aim, SceneBox

if TYPE_CHECKING:
    from ....edits.paths.keyed import KeyedPath

WAYS = {
    int(Qt.Key.Key_Left): QPointF(-1, 0),
    int(Qt.Key.Key_Right): QPointF(1, 0),
    int(Qt.Key.Key_Up): QPointF(0, -1),
    int(Qt.Key.Key_Down): QPointF(0, 1),
}
"""On the screen."""

_STEP = 0.1  # m
_FAR_STEP = 1.0  # m, with Shift
_TURN = 1.0  # degrees
_FAR_TURN = 10.0  # degrees, with Shift


class KeyMoves:
    """What arrow keys move.

    Attributes:
        moved: What is moved, and how far it is from where it was; None: nothing.
    """

    def __init__(self, box: SceneBox, session: Session, apply: Callable[[Ghost], None], place: Aim) -> None:
        """Make the moves of a view.

        Args:
            box: The view box, which shows what is moved.
            session: The session whose paths are edited or drawn.
            apply: Makes an edit of a move.
            place: Gives the end of a distance, or of a path, until arrows move it, m.
        """
        self._box = box
        self._path = session.path_editing
        self._apply = apply
        self._place = place
        self._drawing = session.drawing
        self.moved: Ghost | None = None
        self._key: int | None = None

    @property
    def moves_key(self) -> bool:
        """Whether it is the key of a path that is moved."""
        return self.moved is not None and self._key is not None

    def begin(self, actor: int) -> None:
        """Move the chosen key where a path is edited, else this actor."""
        if self._path.life is not None:
            self._key = self._path.key
        else:
            self._key = None
        self._show(Ghost(actor))

    def cancel(self) -> bool:
        """Leave everything where it was; return False where nothing is moved."""
        was_moved = self.moved is not None
        self.moved = None
        self._box.ghost = None
        if was_moved and self._key is not None:
            self._path.cancel()
        return was_moved

    def take(self, event: QKeyEvent) -> bool:
        """Take an arrow, or Enter, while something is moved or measured; return False for other keys."""
        moved = self.moved
        way = WAYS.get(event.key())
        turns = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        far = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if way is None and event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return False
        if self._drawing.is_on:
            self._draw(way, far=far)
            return True
        if moved is None:
            if not self._box.measuring or turns:
                return False
            if way is None:
                return self._measure(0.0, 0.0)
            dx, dy = self._step(way, far=far)
            return self._measure(dx, dy)
        if way is None:
            self._end(moved)
        elif turns:
            if far:
                angle = way.x() * _FAR_TURN
            else:
                angle = way.x() * _TURN
            self._show(moved._replace(turn=moved.turn + angle))
        else:
            dx, dy = self._step(way, far=far)
            self._show(moved._replace(dx=round(moved.dx + dx, 3), dy=round(moved.dy + dy, 3)))
        return True

    def _step(self, way: QPointF, *, far: bool) -> tuple[float, float]:
        """Return one step of an arrow in the world, m."""
        camera = self._box.camera
        if far:
            length = _FAR_STEP
        else:
            length = _STEP
        return camera.way(way * camera.scale * length)

    def _draw(self, way: QPointF | None, *, far: bool) -> None:
        """Move the next place of a path, ten times as far as an actor; without a way (Enter) add it where it stands.

        Without a way, a place that was not moved ends the path.
        """
        drawing = self._drawing
        if drawing.aim is not None:
            x, y = drawing.aim
        elif drawing.points:
            x, y = drawing.points[-1]
        else:
            x, y = self._place()
        if way is not None:
            dx, dy = self._step(way * 10, far=far)
            drawing.move_aim((x + dx, y + dy))
        elif drawing.aim is not None or not drawing.legs:
            drawing.add((x, y), straight=far)
        else:
            drawing.set_on(on=False)

    def _measure(self, dx: float, dy: float) -> bool:
        """Move the second end of a distance, or set an end where it stands if neither is given.

        Returns:
            False where there is no second end to move.
        """
        box = self._box
        has_first = len(box.measured) == 1
        if has_first:
            x, y = box.aim()
        else:
            x, y = self._place()
        if not dx and not dy:
            box.mark((x, y), self._place)
            return True
        if has_first:
            box.aim = lambda: (x + dx, y + dy)
            box.changed.emit()
        return has_first

    def _show(self, moved: Ghost) -> None:
        self.moved = moved
        if self._key is None:
            self._box.ghost = moved
            self._box.changed.emit()
        else:
            self._path.preview(self._key, partial(_with_key, self._key, moved))

    def _end(self, moved: Ghost) -> None:
        self.moved = None
        self._box.ghost = None
        if self._key is not None:
            self._path.apply()
        elif moved != Ghost(moved.actor):
            self._apply(moved)
        self._box.changed.emit()


def _with_key(key: int, moved: Ghost, path: "KeyedPath") -> "KeyedPath":
    """Return a path with a key moved, and its tangent turned."""
    here, tangent, _ = path.values[key]
    point = (here[0] + moved.dx, here[1] + moved.dy)
    if not moved.turn:
        return path.with_key(key, point=point)
    angle = np.radians(moved.turn)
    rotation = np.array(((np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))))
    return path.with_key(key, point=point, tangent=rotation @ tangent)
