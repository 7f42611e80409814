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

_STEPS, _TURNS = (0.1, 1.0), (1.0, 10.0)  # metres and degrees, without Shift and with it


class KeyMoves:
    """Attribute: `moved` (what is moved, and how far it is from where it was; None: nothing)."""

    def __init__(self, box: SceneBox, session: Session, apply: Callable[[Ghost], None], place: Aim) -> None:
        """`place` says where what is measured from or to stands, until arrows move it."""
        self._box = box
        self._path = session.path_editing
        self._apply = apply
        self._place = place
        self._drawing = session.drawing
        self.moved: Ghost | None = None
        self._key: int | None = None

    def begin(self, actor: int) -> None:
        """Move the chosen key where a path is edited, else this actor."""
        self._key = self._path.key if self._path.life is not None else None
        self._show(Ghost(actor))

    def cancel(self) -> bool:
        """Leave everything where it was; False where nothing is moved."""
        was_moved, self.moved, self._box.ghost = self.moved is not None, None, None
        if was_moved and self._key is not None:
            self._path.cancel()
        return was_moved

    def take(self, event: QKeyEvent) -> bool:
        """Take an arrow, or Enter, while something is moved or measured; False for other keys."""
        moved = self.moved
        way = WAYS.get(event.key())
        turns = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        far = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if way is None and event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return False
        if self._drawing.is_on:
            self._draw(way, far=far)
            return True
        dx, dy = self._box.camera.way((way or QPointF()) * self._box.camera.scale * _STEPS[far])
        if moved is None:
            return self._box.measuring and not turns and self._measure(dx, dy)
        if way is None:
            self._end(moved)
        elif turns:
            self._show(moved._replace(turn=moved.turn + way.x() * _TURNS[far]))
        else:
            self._show(moved._replace(dx=round(moved.dx + dx, 3), dy=round(moved.dy + dy, 3)))
        return True

    def _draw(self, way: QPointF | None, *, far: bool) -> None:
        """Move the next place of a path; Enter adds it where it stands, or ends where it was not moved."""
        drawing = self._drawing
        camera = self._box.camera
        x, y = drawing.aim or (self._place(), *drawing.points)[-1]
        if way is not None:
            dx, dy = camera.way(way * camera.scale * 10 * _STEPS[far])
            drawing.move_aim((x + dx, y + dy))
        elif drawing.aim is not None or not drawing.legs:
            drawing.add((x, y), straight=far)
        else:
            drawing.turn(on=False)

    def _measure(self, dx: float, dy: float) -> bool:
        """Move the second end, or set one where it stands; False where there is none to move."""
        box = self._box
        begun = len(self._box.measured) == 1
        if begun:
            x, y = box.aim()
        else:
            x, y = self._place()
        if not (dx or dy):
            box.mark((x, y), self._place)
        elif begun:
            box.aim = lambda: (x + dx, y + dy)
            box.changed.emit()
        return begun or not (dx or dy)

    def _show(self, moved: Ghost) -> None:
        self.moved = moved
        if self._key is None:
            self._box.ghost = moved
            self._box.changed.emit()
        else:
            self._path.preview(self._key, partial(_with_key, self._key, moved))

    def _end(self, moved: Ghost) -> None:
        self.moved = self._box.ghost = None
        if self._key is not None:
            self._path.drop()
        elif moved != Ghost(moved.actor):
            self._apply(moved)
        self._box.changed.emit()


def _with_key(key: int, moved: Ghost, path: "KeyedPath") -> "KeyedPath":
    """A key moved, and its tangent turned."""
    (here, tangent, _), angle = path.values[key], np.radians(moved.turn)
    turned = np.array(((np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle)))) @ tangent
    point = here[0] + moved.dx, here[1] + moved.dy
    return path.with_key(key, point=point, tangent=turned if moved.turn else None)
